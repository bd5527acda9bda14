import type { RowId } from '../ledger.gen.js';
import { planOf } from '../plan.js';
import type { RowResult, RunReport } from '../result.js';
import { connectionOf } from '../target/connection.js';
import { endpoints, endpointUrl } from '../target/endpoints.js';
import type { Target } from '../target/target.js';
import type { HarEntry } from '../traffic/entry.js';
import { reportOf, rowsOf, TrafficJudge } from '../traffic/judge.js';
import type { CheckOptions } from '../traffic/judge.js';
import { entryOf } from './entry.js';
import type { Passed } from './relay.js';
import type { Relays, RelaysOptions } from './relays.js';
import { startRelayThread } from './thread.js';

export interface ProxyOptions extends Pick<
  CheckOptions,
  'target' | 'only' | 'waivers' | 'today' | 'version' | 'command' | 'replay'
> {
  /** Host names that it answers to beside its addresses and those of the server. */
  readonly names?: readonly string[];
  /** Puts its own addresses in the place of the server's, in `Location` and in metadata. */
  readonly rewrite?: boolean;
  readonly idle?: number;
  /** Told of each exchange of the contract that is over and whole. */
  readonly onExchange?: (entry: HarEntry, at: number) => void;
  /** Told where something of ours failed. No request fails for it. */
  readonly onProblem?: (problem: string) => void;
  /** Who passes exchanges on: a thread of its own, so that nobody waits for the judge. */
  readonly start?: (options: RelaysOptions, passed: (exchange: Passed) => void) => Relays;
}

export interface Proxy {
  readonly relays: Relays;
  /** Rows that fail since the last time that this was asked, those of waivers apart. */
  news(): readonly RowResult[];
  report(): RunReport;
  /** How many exchanges were taken, judged or not. */
  count(): number;
}

/** The origins of a target: one for most, more where the authorization server or an endpoint is elsewhere. */
const originsOf = (target: Target): readonly string[] => [
  ...new Set(
    [target.base_url, target.auth_url, ...endpoints.map((one) => endpointUrl(target, one))].map(
      (url) => new URL(url).origin,
    ),
  ),
];

/**
 * Servers that pass everything on to those of a target, and the judge of what passes: the monitors of `gamedata check`,
 * over the same entries.
 *
 * @throws SetupError where a file that the target names cannot be read
 */
export function createProxy(options: ProxyOptions): Proxy {
  const { target, names = [], rewrite = false, idle, onExchange, onProblem, start = startRelayThread } = options;
  const judge = new TrafficJudge({ target, named: true });
  const started = new Date();
  const wanted = new Set(planOf(options.only).map(({ row }) => row.id));
  const told = new Set<string>([...target.waivers, ...options.waivers].map(({ id }) => id));
  let number = 0;
  let broken: string | undefined;

  const take = (exchange: Passed): void => {
    const entry = entryOf(exchange);
    number += 1;
    try {
      const place = { file: 'what the proxy passed on', number, form: 'har' } as const;
      judge.take({ entry, place }, exchange.problem);
      if (exchange.problem === undefined) onExchange?.(entry, exchange.at);
    } catch (error) {
      if (broken !== undefined) return;
      broken = judge.redact(`an exchange could not be judged (${(error as Error).message}); please report it`);
      onProblem?.(broken);
    }
  };
  const between = { origins: originsOf(target), connection: connectionOf(target), names, rewrite };
  const relays = start({ ...between, ...(idle !== undefined && { idle }) }, take);
  return {
    relays,
    news: () => {
      const fresh = [...judge.monitors.results()].flatMap(([id, { violations }]) =>
        violations.length > 0 && wanted.has(id) && !told.has(id) ? [id] : [],
      );
      for (const id of fresh) told.add(id);
      return fresh.length === 0
        ? []
        : rowsOf(judge, { ...options, only: fresh }).filter(({ id }) => fresh.includes(id as RowId));
    },
    report: () => {
      const files = [...relays.addresses].map(([origin, own]) => `${own} for ${origin}`);
      const report = reportOf(judge, options, { files, started });
      return broken === undefined ? report : brokenOff(report, broken);
    },
    count: () => judge.count,
  };
}

/** A report of what was judged before something could not be. */
const brokenOff = (report: RunReport, why: string): RunReport => ({
  ...report,
  exitCode: 2,
  outcome: 'suite error',
  summary: `Suite error: ${why}.`,
  problems: [...report.problems, why],
});
