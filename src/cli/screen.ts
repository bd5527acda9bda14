import { line } from '../../conformance/text.js';
import type { Facts } from './facts.js';

/** How words are set off: on a terminal with colour, elsewhere not at all. */
export interface Paint {
  readonly strong: (text: string) => string;
  readonly faint: (text: string) => string;
}

/** Colour is for terminals whose owner has not asked for none (no-color.org). */
export function paintFor(
  { isTTY = false }: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): Paint {
  if (!isTTY || (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb') return { strong: String, faint: String };
  return { strong: (text) => `\x1b[1m${text}\x1b[22m`, faint: (text) => `\x1b[2m${text}\x1b[22m` };
}

/** What `gamedata mock` shows when it is ready. */
export function firstScreen(facts: Facts, { strong, faint }: Paint): string {
  const { account, service } = facts.tokens;
  return [
    `${strong('Game Data mock')} ${facts.version}, edition ${facts.edition}, seed ${facts.seed}`,
    '',
    ...table([
      [faint('Data API'), strong(facts.baseUrl)],
      [faint('Authorization server'), facts.authUrl],
      [faint('Documentation'), facts.docsUrl],
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
    faint(`Control: ${facts.controlUrl}. Stop with Ctrl-C.`),
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
// oxlint-disable-next-line no-control-regex
const width = (text: string): number => text.replaceAll(/\x1b\[\d+m/g, '').length;
