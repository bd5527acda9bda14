import type { Emphasis } from '../conformance/report/terminal.js';
import { line } from '../conformance/text.js';
import type { MockFacts } from '../src/server/facts.js';

/** What `gamedata mock` shows when it is ready. */
export function firstScreen(facts: MockFacts, { strong, faint }: Emphasis): string {
  const { account, service } = facts.tokens;
  return [
    `${strong('Game Data mock')} ${facts.version}, edition ${facts.edition}, seed ${facts.seed}`,
    '',
    ...table([
      ...(facts.publicUrl === undefined ? [] : [[faint('Clients use'), strong(facts.publicUrl)]]),
      [faint('Data API'), strong(facts.baseUrl)],
      [faint('Authorization server'), facts.authUrl],
      [faint('Dashboard'), `${facts.baseUrl}/`],
      [faint('Documentation'), facts.docsUrl],
      [faint('Try the operations'), facts.tryUrl],
      [faint('Applications page'), facts.applicationsUrl],
      [faint('Accounts'), line(facts.accounts.map(({ key }) => key).join(', '))],
    ]),
    '',
    ...table([
      ['Client', 'Secret', 'Redirect'].map(faint),
      ...facts.clients.map(({ id, secret, type, redirectUris }) => [
        strong(line(id)),
        secret === null ? faint(`(${type})`) : line(secret),
        `${redirectUris[0] === undefined ? faint('(acts for itself only)') : line(redirectUris[0])}${redirectUris.length > 1 ? faint(` +${redirectUris.length - 1}`) : ''}`,
      ]),
    ]),
    '',
    ...table(
      [
        { about: `All account scopes, ${line(account?.account ?? '')}`, ready: account },
        { about: 'All service scopes', ready: service },
      ].flatMap(({ about, ready }) => (ready ? [[faint(about), ready.token]] : [])),
    ),
    '',
    ...facts.samples.map(({ token, url }) => curl(token, url)),
    '',
    faint(`Control: ${facts.controlUrl}. Each request is a line below. Stop with Ctrl-C.`),
    '',
  ].join('\n');
}

/** A line for a POSIX shell: a query has characters that mean something there. */
const curl = (token: string, url: string): string =>
  `curl -H 'Authorization: Bearer ${token}' ${url.includes('?') ? `'${url}'` : url}`;

/** A cell beyond this width pushes its own row aside and no other. */
const widest = 26;

/** Columns as wide as their widest word, two spaces apart. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => width(row[column] ?? '')).filter((cell) => cell <= widest), 0),
  );
  const padded = (cell: string, column: number): string =>
    cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - width(cell)));
  return rows.map((row) => `  ${row.map(padded).join('  ')}`.trimEnd());
}

/** Characters that show; the escape codes of `paintFor` do not. */
const width = (text: string): number => text.replaceAll(/\x1b\[\d+m/g, '').length;
