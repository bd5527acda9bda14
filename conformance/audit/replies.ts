import type { LogicalOperation, Operation } from '../../src/contract/index.js';
import { textOf } from '../../src/server/exchange-record.js';
import type { Hook } from '../../src/server/hook.js';
import type { HttpReply } from '../../src/server/send.js';
import type { Service } from '../../src/server/service.js';
import { sparse } from '../../src/server/sparse.js';
import { inNamespace, isControl, splitTarget } from '../../src/server/target.js';
import { coded, codingsFor } from './coding.js';
import type { Coding } from './coding.js';
import { connectionMark } from './owner.js';
import type { Recording } from './recording.js';
import type { Scenario } from './scenario.js';

/** Makes the JSON of a successful reply another that no client may stumble over. */
type Change = (text: string, operation: Operation) => string;

/** Notes calls of the control surface, and gives replies the form that a scenario has. */
export function hookOf(
  scenario: Scenario,
  { routes }: Service,
  recording: Recording,
  { controlToken }: { readonly controlToken: string },
): Hook {
  const change = changeOf(scenario);
  let turn = -1;
  return async ({ method = 'GET', url = '/', headers, rawHeaders, socket }, serve) => {
    if (socket.remotePort !== undefined) rawHeaders.unshift(connectionMark, String(socket.remotePort));
    const { path } = splitTarget(inNamespace(url)?.rest ?? url);
    // A dashboard that is open in a browser asks as well, and is not the client.
    const isOwnPage = headers['sec-fetch-site'] === 'same-origin';
    if (isControl(path) && !isOwnPage && headers.authorization !== `Bearer ${controlToken}`)
      recording.addControl(`${method} ${path}`);
    const wire = await serve();
    if (wire.status >= 400) return wire;
    const codings = scenario.compressed ? codingsFor(headers['accept-encoding']) : [];
    // Each in turn: a client that names several reads them all.
    const coding = codings[(turn += 1) % codings.length];
    if (coding) return compressed(wire, coding);
    if (change === undefined) return wire;
    const match = routes.find(method, path);
    const text = textOf(wire);
    if (!match || !('operation' in match) || !text.startsWith('{')) return wire;
    return { ...wire, content: change(text, match.operation) };
  };
}

const compressed = (wire: HttpReply, coding: Coding): HttpReply => ({
  ...wire,
  headers: { ...wire.headers, 'content-encoding': coding, vary: 'accept-encoding' },
  content: coded(Buffer.from(wire.content), coding),
});

function changeOf({ extra, padding, gone, zone, sparse: form }: Scenario): Change | undefined {
  if (extra) return withMember;
  if (zone) return (text, { server, logical }) => (server === 'data' && !written.has(logical) ? zoned(text) : text);
  if (padding !== undefined) return (text, { server }) => (server === 'data' ? padded(text, padding) : text);
  if (gone) return (text, { logical }) => (wrappers[logical] ? JSON.stringify({ [wrappers[logical]]: null }) : text);
  if (form) return (text, { server, logical }) => (server === 'data' ? sparse(text, logical, form) : text);
  return undefined;
}

/** RFC 6749 5.1 has clients ignore it. */
const withMember: Change = (text, { server }) =>
  server === 'authorization' ? `${text.slice(0, -1)},"x_undocumented":"the interface does not list this"}` : text;

const padded = (text: string, bytes: number): string => `{${' '.repeat(bytes)}${text.slice(1)}`;

/** Operations whose replies have texts of the client's own. */
const written: ReadonlySet<LogicalOperation> = new Set<LogicalOperation>([
  'listItemFilters',
  'getItemFilter',
  'createItemFilter',
  'updateItemFilter',
]);

/** The same instants, in the time of a place that is five and a half hours ahead. */
const zoned = (text: string): string =>
  text.replaceAll(/"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)"/g, (_, date: string) => {
    const local = new Date(Date.parse(date) + 5.5 * 3_600_000).toISOString();
    return `"${local.replace(/\.\d+Z$/, '')}+05:30"`;
  });

/** Wrappers that are null where nothing has the name or id (interface 7). */
const wrappers: Partial<Record<LogicalOperation, string>> = {
  getLeague: 'league',
  getPvpMatch: 'match',
  getCharacter: 'character',
  getStash: 'stash',
  getGuildStash: 'stash',
};
