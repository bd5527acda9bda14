import { createHash } from 'node:crypto';

import type { JsonObject } from '../json.js';
import type { Run } from '../engine/run.js';
import { canonical } from '../engine/format.js';
import { member } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';
import { described } from './described.js';

export const hour = 3600;
export const exchangeRealms = ['pc', 'xbox', 'sony', 'game2'] as const;

/** More hours than a chain is followed for. */
export const mostHours = 200;

export const startOfHour = (seconds: number): number => Math.floor(seconds / hour) * hour;

export type Market = JsonObject;

export interface Digest {
  readonly answer: Answer;
  readonly next: number;
  readonly markets: readonly Market[];
}

/** Ends a check where the edition has no exchange (F-CX). */
export function exists(run: Run): void {
  if (run.facts.flag('F-CX') === 'off')
    run.expect.notApplicable('the edition of the target has no currency exchange (F-CX)');
}

/** Asks for an hour, for the first of history where no id is given. */
export async function askHour(run: Run, id?: number | string, realm = 'pc'): Promise<Answer> {
  exists(run);
  const answer = await run.http.data('getCurrencyExchange', {
    args: { realm, ...(id !== undefined && { id: String(id) }) },
  });
  if (answer.status === 404 && id === undefined && run.facts.flag('F-CX') === 'any') {
    run.expect.notApplicable('the server has no currency exchange, and the target declares none (F-CX)');
  }
  return answer;
}

/** What an answer has of an hour; undefined where it is no hour. */
export function digestOf(answer: Answer): Digest | undefined {
  const next = member(answer.json, 'next_change_id');
  const markets = member(answer.json, 'markets');
  if (answer.status !== 200 || typeof next !== 'number' || !Array.isArray(markets)) return undefined;
  return { answer, next, markets: markets as readonly Market[] };
}

/** What an answer is that is no hour. */
export function faultOf(answer: Answer | undefined): string {
  if (answer === undefined) return 'no hour';
  if (answer.status !== 200) return `status ${answer.status}`;
  const [next, markets] = [member(answer.json, 'next_change_id'), member(answer.json, 'markets')];
  return typeof next === 'number'
    ? `markets that are ${JSON.stringify(markets)?.slice(0, 80) ?? 'missing'}, no list`
    : `a next_change_id that is ${JSON.stringify(next) ?? 'missing'}, no number`;
}

/** An hour; its form is an expectation. */
export async function readHour(run: Run, id?: number, realm = 'pc'): Promise<Digest> {
  const answer = await askHour(run, id, realm);
  const markets = run.expect.list(answer, 'markets');
  const next = member(answer.json, 'next_change_id');
  run.expect.that(typeof next === 'number' && Number.isInteger(next), 'next_change_id: a uint', next, answer);
  return { answer, next: next as number, markets };
}

/** What markets say, as text, in whatever order they and their members came. */
export const marketsText = (markets: readonly Market[]): string =>
  JSON.stringify(markets.map((market) => canonical(described(market))).toSorted());

export const markOf = (markets: readonly Market[]): string =>
  createHash('sha256').update(marketsText(markets)).digest('base64');

/** An hour of a chain, without its markets. */
export interface Link {
  readonly asked: number | undefined;
  readonly next: number;
  readonly count: number;
  /** Tells its markets from any others. */
  readonly mark: string;
}

export interface HourChain {
  readonly links: readonly Link[];
  /** The answer where the chain broke off. */
  readonly broken: Answer | undefined;
  /** The id that answered with itself: the end. Undefined where the walk did not come to it. */
  readonly end: number | undefined;
}

/** Follows `next_change_id` until it repeats, does not rise, or runs ahead of the time. */
export async function walkChain(run: Run, realm: string, from?: number, most = mostHours): Promise<HourChain> {
  const links: Link[] = [];
  const latest = startOfHour(await run.facts.now()) + 3 * hour;
  let asked = from;
  while (links.length < most) {
    const answer = await askHour(run, asked, realm);
    const digest = digestOf(answer);
    if (!digest) return { links, broken: answer, end: undefined };
    links.push({ asked, next: digest.next, count: digest.markets.length, mark: markOf(digest.markets) });
    if (digest.next === asked) return { links, broken: undefined, end: asked };
    if ((asked !== undefined && digest.next < asked) || digest.next > latest) break;
    asked = digest.next;
  }
  return { links, broken: undefined, end: undefined };
}

/** The chain of a realm from the first hour on, shared by the run. */
export const chainOf = (run: Run, realm: string): Promise<HourChain> => {
  exists(run);
  return run.facts.once(`exchange of ${realm}`, () => walkChain(run, realm));
};

/**
 * The end of the stream: that of the chain or, where history is longer than a walk, that of a walk through the last
 * hours. Undefined where neither comes to an end.
 */
export async function endOfExchange(run: Run, realm: string): Promise<number | undefined> {
  const { end, links } = await chainOf(run, realm);
  if (end !== undefined || links.length < mostHours) return end;
  return (await walkChain(run, realm, startOfHour(await run.facts.now()) - 6 * hour, 20)).end;
}
