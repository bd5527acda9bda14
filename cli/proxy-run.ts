import type { Server } from 'node:http';
import { join } from 'node:path';

import { PassingClient } from '../conformance/audit/passing.js';
import { createAdmin } from '../conformance/proxy/admin.js';
import { createProxy } from '../conformance/proxy/proxy.js';
import type { Proxy } from '../conformance/proxy/proxy.js';
import { Recorder } from '../conformance/proxy/record.js';
import { addressOf } from '../conformance/proxy/relays.js';
import { liveConsole } from '../conformance/report/console.js';
import { brief, ending } from '../conformance/report/ending.js';
import { paintFor } from '../conformance/report/terminal.js';
import { writeReports } from '../conformance/report/write.js';
import type { WrittenReport } from '../conformance/report/write.js';
import type { RunReport } from '../conformance/result.js';
import { auditIds } from '../conformance/audit/ledger.js';
import { rowIds } from '../conformance/plan.js';
import type { Target } from '../conformance/target/target.js';
import type { HarEntry } from '../conformance/traffic/entry.js';
import { readBaseline } from '../conformance/waivers.js';
import { listen } from '../src/input/listen.js';
import { called } from './called.js';
import { conclude, readyReports, voiceOf } from './conclude.js';
import type { OutputFlags } from './conclude.js';
import { complain } from './output.js';
import { writeReadyFile } from './ready-file.js';
import { table } from './screen.js';
import { quoted } from './quoted.js';
import { targetFrom, typedAgain } from './target-options.js';
import { untilStopped } from './until-stopped.js';
import { packageVersion } from './version.js';

/** The flags of `gamedata proxy` beside those of the target. */
export interface ProxyFlags extends OutputFlags {
  readonly target?: string;
  readonly port: number;
  readonly host: string;
  readonly allowHost?: readonly string[];
  readonly adminPort?: number;
  readonly rewrite?: boolean;
  readonly only?: readonly string[];
  readonly baseline?: string;
  readonly report?: string;
  readonly record?: string;
  readonly readyFile?: string;
}

/** What `--ready-file` has. */
interface ProxyFacts {
  /** What a client uses in place of `base_url` and `auth_url`. */
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly adminUrl?: string;
  readonly servers: readonly { readonly url: string; readonly origin: string }[];
}

/** Milliseconds between two looks at what fails. */
const pause = 500;

/**
 * Runs `gamedata proxy` until it is stopped, and reports on the server as `gamedata check` does, and on the client.
 *
 * @returns the exit code
 * @throws SetupError, UsageError where the command line, a file or a port is wrong
 */
export async function runProxy(flags: ProxyFlags): Promise<number> {
  const target = await targetFrom(flags as unknown as Readonly<Record<string, unknown>>);
  let recorder: Recorder | undefined;
  const { proxy, client } = judges(target, flags, (entry) => recorder?.add(entry));
  await readyReports(flags.report);
  const pages = { '/': () => proxy.report(), '/client/': () => client.report() };
  const admin = flags.adminPort === undefined ? undefined : createAdmin(pages);
  let remove = (): void => {};
  try {
    const facts = await start(proxy, admin, flags, target);
    // Nobody knows the address yet: nothing passes unrecorded.
    if (flags.record !== undefined) recorder = await Recorder.open(flags.record, target);
    const stopped = untilStopped(); // before anyone can read that the proxy is there, and ask it to stop
    remove = flags.readyFile === undefined ? remove : await writeReadyFile(flags.readyFile, facts);
    const { terminal, say } = voiceOf(flags);
    if (!flags.quiet) say(screen(facts, terminal));
    const live = liveConsole(terminal, say);
    const look = setInterval(() => proxy.news().forEach((row) => live.verdict(row)), pause);
    await stopped;
    clearInterval(look);
  } finally {
    remove();
    await proxy.relays.close();
    admin?.close().closeAllConnections();
  }
  const server = proxy.report();
  return tellOfBoth(server, client.report(), await recorder?.close(), flags);
}

/** The proxy, which judges the server, and the judge of the client. `record` is given each exchange that passes. */
function judges(
  target: Target,
  flags: ProxyFlags,
  record: (entry: HarEntry) => void,
): { readonly proxy: Proxy; readonly client: PassingClient } {
  const { only = [], baseline, rewrite = false, allowHost: names = [] } = flags;
  const waivers = baseline === undefined ? [] : readBaseline(baseline, new Set([...rowIds, ...auditIds]));
  const given = flags as unknown as Readonly<Record<string, unknown>>;
  const typed = `${flags.target === undefined ? '' : ` --target ${quoted(flags.target)}`}${typedAgain(given)}`;
  const command = `${called()} proxy${typed}`;
  const again = flags.record === undefined ? command : `${called()} check ${quoted(flags.record)}${typed}`;
  const both = { target, waivers, today: new Date().toISOString().slice(0, 10), version: packageVersion() };
  const client = new PassingClient({ ...both, command, audit: `${called()} audit` });
  const proxy = createProxy({
    ...both,
    names: names.map((name) => name.toLowerCase()),
    rewrite,
    only,
    command: only.length === 0 ? command : `${command} --only ${only.join(',')}`,
    replay: `${again} --only {row}`,
    onProblem: complain,
    onExchange: (entry, at) => {
      client.take(entry, at);
      record(entry);
    },
  });
  return { proxy, client };
}

/** Tells of the server and of the client. `problem` is what kept the recording from being written. */
async function tellOfBoth(
  server: RunReport,
  client: RunReport,
  problem: string | undefined,
  flags: ProxyFlags,
): Promise<number> {
  const { report: folder, record } = flags;
  const reports = await reportsIn(folder, server);
  const ofClient = await tellOfClient(client, folder === undefined ? undefined : join(folder, 'client'), flags);
  const ofServer = await conclude(
    server,
    {
      files: record === undefined ? reports.files : [...reports.files, record],
      problems: problem === undefined ? reports.problems : [...reports.problems, problem],
    },
    flags,
  );
  if (ofServer === 2 || ofClient === 2) return 2;
  return ofClient === 1 ? 1 : ofServer;
}

const reportsIn = (folder: string | undefined, report: RunReport): Promise<WrittenReport> =>
  folder === undefined ? Promise.resolve({ files: [], problems: [] }) : writeReports(report, folder);

/** What is told of the client. Nothing is where none of its requests could be judged: that is its exit code 3. */
async function tellOfClient(report: RunReport, folder: string | undefined, flags: ProxyFlags): Promise<number> {
  if (report.requests.sent === 0) return 3;
  // The one report on standard output is the server's.
  const { terminal, say } = voiceOf(flags);
  const { files, problems } = await reportsIn(folder, report);
  say(`Client\n${flags.quiet ? brief(report, terminal) : ending(report, files, terminal)}\nServer\n`);
  for (const problem of problems) complain(problem);
  return problems.length > 0 ? 2 : report.exitCode;
}

/** Listens, and tells where. */
async function start(
  { relays }: Proxy,
  admin: Server | undefined,
  { port, host, adminPort }: ProxyFlags,
  target: { readonly base_url: string; readonly auth_url: string },
): Promise<ProxyFacts> {
  await relays.listen(port, host);
  if (admin) await listen(admin, adminPort ?? 0, '127.0.0.1');
  const own = (url: string): string => {
    const { origin } = new URL(url);
    return `${relays.addresses.get(origin)}${url.slice(origin.length)}`;
  };
  return {
    baseUrl: own(target.base_url),
    authUrl: own(target.auth_url),
    ...(admin && { adminUrl: `${addressOf(admin)}/` }),
    servers: [...relays.addresses].map(([origin, url]) => ({ url, origin })),
  };
}

function screen({ baseUrl, authUrl, adminUrl, servers }: ProxyFacts, terminal: Parameters<typeof paintFor>[0]): string {
  const { strong, faint } = paintFor(terminal);
  return [
    `${strong('Game Data proxy')} ${packageVersion()}`,
    '',
    ...table([
      [faint('Data API'), strong(baseUrl)],
      [faint('Authorization server'), strong(authUrl)],
      ...(adminUrl === undefined ? [] : [[faint('Reports so far'), adminUrl]]),
      ...servers.map(({ url, origin }) => [faint('Passes on'), `${url} to ${origin}`]),
    ]),
    '',
    faint('Each requirement that the server violates is printed below. Stop with Ctrl-C for the reports.'),
    '\n',
  ].join('\n');
}
