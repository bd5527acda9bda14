import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';

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
import { createRelay } from './relay.js';
import type { Passed } from './relay.js';
import { Rewriter } from './rewrite.js';
import { Budget } from './tap.js';

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
}

export interface Proxy {
  /** The servers to listen with, by the origins that they stand for: first that of the data API. */
  readonly relays: ReadonlyMap<string, Server>;
  /** What the address of a relay is to be told, once it listens. */
  readonly addresses: Map<string, string>;
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

/** Milliseconds that are spent on judging before others have their turn, and how many exchanges may wait meanwhile. */
const share = { ms: 4, waiting: 256 };

/**
 * Servers that pass everything on to those of a target, and the judge of what passes. Exchanges are judged when they are
 * over, between others: the monitors of `gamedata check`, over the same entries.
 *
 * @throws SetupError where a file that the target names cannot be read
 */
export function createProxy(options: ProxyOptions): Proxy {
  const { target, names = [], idle, onExchange, onProblem } = options;
  const judge = new TrafficJudge({ target, named: true });
  const budget = new Budget();
  const started = new Date();
  const addresses = new Map<string, string>();
  const queue: Passed[] = [];
  const wanted = new Set(planOf(options.only).map(({ row }) => row.id));
  const told = new Set<string>([...target.waivers, ...options.waivers].map(({ id }) => id));
  let isDue = false;
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
    } finally {
      exchange.request.body.release();
      exchange.response?.body.release();
    }
  };
  const work = (until: number): void => {
    let done = 0;
    while (done < queue.length && (queue.length - done > share.waiting || performance.now() < until))
      take(queue[done++]!);
    queue.splice(0, done);
  };
  const turn = (): void => {
    work(performance.now() + share.ms);
    isDue = queue.length > 0;
    if (isDue) setImmediate(turn);
  };
  const relayOptions = {
    connection: connectionOf(target),
    names,
    via: `gamedata-proxy-${randomBytes(4).toString('hex')}`,
    budget,
    ...(options.rewrite && { rewriter: new Rewriter(() => addresses) }),
    ...(idle !== undefined && { idle }),
    passed: (exchange: Passed): void => {
      queue.push(exchange);
      if (!isDue) setImmediate(turn);
      isDue = true;
    },
  };
  return {
    relays: new Map(originsOf(target).map((origin) => [origin, createRelay({ ...relayOptions, origin })])),
    addresses,
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
      work(Number.POSITIVE_INFINITY);
      const files = [...addresses].map(([origin, own]) => `${own} for ${origin}`);
      const report = reportOf(judge, options, { files, started });
      if (broken === undefined) return report;
      return {
        ...report,
        exitCode: 2,
        outcome: 'suite error',
        summary: `Suite error: ${broken}.`,
        problems: [...report.problems, broken],
      };
    },
    count: () => judge.count,
  };
}
