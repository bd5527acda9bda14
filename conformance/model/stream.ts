import type { JsonObject } from '../json.js';
import { limits } from '../../src/contract/index.js';
import type { Run } from '../engine/run.js';
import type { Hooks, StashEvent } from '../target/hooks.js';
import { PrerequisiteFailed } from '../verdict.js';
import { member } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';

/** Seconds by which a result comes late (interface 8). */
export const delay = limits.stash_delay;
/** Seconds after which one surely shows: it may come in batches, such as one each minute (K-050), and clocks differ (K-110). */
export const shownAfter = delay + 70;

/** More pages than the stream of a server under test has. */
export const mostPages = 500;

/** A stash as a page of the stream has it. */
export type StashChange = JsonObject;

export interface StreamPage {
  readonly answer: Answer;
  readonly next: string;
  readonly stashes: readonly StashChange[];
}

/** Asks for a page, from the start where no id is given. */
export const askPage = (run: Run, realm: string, id?: string): Promise<Answer> =>
  run.http.data('getPublicStashTabs', { args: { realm, ...(id !== undefined && { id }) } });

/** A page; its form is an expectation. */
export async function readPage(run: Run, realm: string, id?: string): Promise<StreamPage> {
  const answer = await askPage(run, realm, id);
  const stashes = run.expect.list(answer, 'stashes');
  const next = member(answer.json, 'next_change_id');
  run.expect.that(typeof next === 'string', 'next_change_id: a string', next, answer);
  return { answer, next: next as string, stashes };
}

/** A page of a walk, without its stashes: a stream may be long. */
export interface WalkedPage {
  readonly asked: string | undefined;
  readonly next: string;
  readonly count: number;
}

export interface StreamWalk {
  readonly steps: readonly WalkedPage[];
  /** The page where the walk stopped, if it was not a page as it should be. */
  readonly broken: Answer | undefined;
  /** An id that came twice before the end: the stream leads back to where it was. */
  readonly repeated: string | undefined;
  /** The answer with the empty page at the end, undefined where the walk did not come to one. */
  readonly end: Answer | undefined;
}

/** What an answer is that is no page of the stream. */
export function describeNonPage(answer: Answer | undefined): string {
  if (answer === undefined) return 'no page';
  if (answer.status !== 200) return `status ${answer.status}`;
  const [stashes, next] = [member(answer.json, 'stashes'), member(answer.json, 'next_change_id')];
  return Array.isArray(stashes)
    ? `a page whose next_change_id is ${JSON.stringify(next) ?? 'missing'}, no string`
    : `a page whose stashes are ${JSON.stringify(stashes)?.slice(0, 80) ?? 'missing'}, no list`;
}

/** Follows `next_change_id` from the start to the first empty page. */
async function walkStream(run: Run, realm: string, most = mostPages): Promise<StreamWalk> {
  const steps: WalkedPage[] = [];
  const seen = new Set<string>();
  let asked: string | undefined;
  while (steps.length < most) {
    const answer = await askPage(run, realm, asked);
    const stashes = member(answer.json, 'stashes');
    const next = member(answer.json, 'next_change_id');
    if (answer.status !== 200 || !Array.isArray(stashes) || typeof next !== 'string') {
      return { steps, broken: answer, repeated: undefined, end: undefined };
    }
    steps.push({ asked, next, count: stashes.length });
    if (stashes.length === 0) return { steps, broken: undefined, repeated: undefined, end: answer };
    if (seen.has(next)) return { steps, broken: undefined, repeated: next, end: undefined };
    seen.add(next);
    asked = next;
  }
  return { steps, broken: undefined, repeated: undefined, end: undefined };
}

/** The walk through the stream of a realm, shared by the run. */
export const wholeStream = (run: Run, realm: string): Promise<StreamWalk> =>
  run.facts.once(`public stash stream of ${realm}`, () => walkStream(run, realm));

// --- with stash events ---------------------------------------------------------------------------------------------

/** Where earlier checks of the same run came to the end: going on from there spares the way from the start. */
const ends = new WeakMap<Hooks, Map<string, StreamEnd>>();

interface StreamEnd {
  readonly id: string;
  /** What led on from the pages before it. */
  readonly passed: ReadonlySet<string>;
}

/** The realms that have a stream (interface 4.2). */
export const streamRealms = ['pc', 'xbox', 'sony'] as const;

/** The states of some stashes in the order of the stream, and the id at its end. */
export interface StashStates {
  readonly states: ReadonlyMap<string, readonly StashChange[]>;
  readonly end: string;
}

/** Reads from an id to the end, and keeps what is said of these stashes. */
export async function readFrom(
  run: Run,
  from: string | undefined,
  ids: Iterable<string> = [],
  realm = 'pc',
): Promise<StashStates> {
  const wanted = new Set([...ids].map((id) => id.toLowerCase()));
  const states = new Map<string, StashChange[]>();
  const known = ends.get(run.facts.hooks)?.get(realm);
  const passed = new Set(known?.passed);
  let id = from;
  for (let page = 0; page < mostPages; page += 1) {
    const { next, stashes } = await readPage(run, realm, id);
    for (const change of stashes) {
      const key = String(change['id']).toLowerCase();
      if (wanted.has(key)) states.set(key, [...(states.get(key) ?? []), change]);
    }
    if (from !== undefined && from === known?.id && stashes.length > 0 && known.passed.has(next))
      throw new PrerequisiteFailed(`the id at the end of the stream, ${from}, leads back to an earlier page`);
    id = next;
    if (stashes.length > 0) passed.add(next);
    else {
      if (!ends.has(run.facts.hooks)) ends.set(run.facts.hooks, new Map());
      ends.get(run.facts.hooks)!.set(realm, { id: next, passed });
      return { states, end: next };
    }
  }
  return run.expect.notExercised(`the stream has no end within ${mostPages} pages`);
}

/** The id at the end of the stream. */
export const endOfStream = async (run: Run, realm = 'pc'): Promise<string> =>
  (await readFrom(run, ends.get(run.facts.hooks)?.get(realm)?.id, [], realm)).end;

/** What the states say last of a stash. */
export const latest = ({ states }: StashStates, id: string): StashChange | undefined =>
  states.get(id.toLowerCase())?.at(-1);

export interface StashStage {
  /** Makes something happen to a stash; answers its id and when, in seconds of the server's clock. */
  happen(op: StashEvent['op'], stash?: string, realm?: string): Promise<{ readonly id: string; readonly at: number }>;
  /** Lets time pass until what happened last shows. */
  settle(): Promise<void>;
  now(): Promise<number>;
}

/** Stash events and the clock that makes them visible: without either nothing can be seen in time. */
export function stage(run: Run): StashStage {
  const { stashEvent, clock } = run.facts.hooks;
  if (!stashEvent) return run.expect.missing('a hook for stash events (stash-events)');
  if (!clock) return run.expect.missing('a hook for the clock: results are delayed by 5 minutes (clock)');
  const now = async (): Promise<number> => (await clock.now()).getTime() / 1000;
  return {
    now,
    happen: async (op, stash, realm = 'pc') => {
      const asked = await now();
      const { id, at } = await stashEvent({ realm, op, ...(stash !== undefined && { stash }) });
      // Nothing happens before it is asked for, whatever the hook says of it.
      return { id, at: Math.max(asked, at.getTime() / 1000) };
    },
    settle: () => run.facts.advance(shownAfter, Infinity),
  };
}
