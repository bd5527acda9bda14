import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

import type { Asked, Recorder } from './recorder.js';

/** What a caller does next: to the newest token that anybody has, or to the one before it. */
export type Step =
  | 'exchange'
  | 'refresh'
  | 'refresh old'
  | 'revoke access'
  | 'revoke refresh'
  | 'use'
  | 'use old'
  | 'introspect'
  | 'introspect refresh'
  | 'end';

/** Callers of one grant. */
export interface Plan {
  /** What is done before, one step after the other: nothing, an exchange, or refreshes after it. */
  readonly before: readonly Step[];
  /** A list for each caller. All callers begin at once. */
  readonly callers: readonly (readonly Step[])[];
}

const weights: Readonly<Record<Step, number>> = {
  refresh: 8,
  use: 4,
  exchange: 2,
  'revoke access': 2,
  'revoke refresh': 3,
  introspect: 2,
  'introspect refresh': 1,
  'refresh old': 2,
  'use old': 1,
  end: 1,
};

const befores: readonly Plan['before'][] = [[], ['exchange'], ['exchange', 'refresh']];

/** Plans for 2 to `most` callers that do what `offered` says. Their first steps are of one kind now and then: a race. */
export function gPlan(
  offered: readonly Step[],
  {
    most = 8,
    length = 3,
    before = befores,
  }: { readonly most?: number; readonly length?: number; readonly before?: readonly Plan['before'][] } = {},
): Arbitrary<Plan> {
  const step = fc.oneof(...offered.map((one) => ({ weight: weights[one], arbitrary: fc.constant(one) })));
  const callers = fc.array(fc.array(step, { minLength: 1, maxLength: length }), { minLength: 2, maxLength: most });
  return fc
    .record({ before: fc.constantFrom(...before), callers, race: fc.boolean() })
    .map(({ before: first, callers: all, race }) => {
      const begin: Step = first.length === 0 ? 'exchange' : 'refresh';
      return { before: first, callers: race ? all.map((steps) => [begin, ...steps.slice(1)]) : all };
    });
}

/** The call of a step with the tokens that there are now; undefined where there is none to ask with. */
function askedBy(step: Step, { code, access, refresh }: Recorder): Asked | undefined {
  const about = (verb: Asked['verb'], text: string | undefined): Asked | undefined =>
    text === undefined ? undefined : { verb, text };
  switch (step) {
    case 'exchange':
      return about('exchange', code);
    case 'refresh':
      return about('refresh', refresh.at(-1));
    case 'refresh old':
      return about('refresh', refresh.at(-2));
    case 'revoke access':
      return about('revoke', access.at(-1));
    case 'revoke refresh':
      return about('revoke', refresh.at(-1));
    case 'use':
      return about('use', access.at(-1));
    case 'use old':
      return about('use', access.at(-2));
    case 'introspect':
      return about('introspect', access.at(-1));
    case 'introspect refresh':
      return about('introspect', refresh.at(-1));
    case 'end':
      return access.length === 0 ? undefined : { verb: 'end' };
  }
}

/** Plays a plan on a grant of its own, from its consent on. */
export async function play({ before, callers }: Plan, recorder: Recorder): Promise<void> {
  const step = async (caller: number, one: Step): Promise<void> => {
    const asked = askedBy(one, recorder);
    if (asked) await recorder.call(caller, asked);
  };
  await recorder.call(0, { verb: 'consent' });
  for (const one of before) await step(0, one);
  const race = raceOf(callers, recorder);
  if (race) await recorder.callAtOnce(race);
  await Promise.all(
    callers.map(async (steps, caller) => {
      for (const one of race ? steps.slice(1) : steps) await step(caller, one);
    }),
  );
}

/** The first calls of all callers, where each is an exchange or each a refresh: a server has to take them at one moment. */
function raceOf(callers: Plan['callers'], recorder: Recorder): readonly Asked[] | undefined {
  const first = callers.flatMap(([step]) => (step && askedBy(step, recorder)) ?? []);
  const isRace = (verb: Asked['verb']): boolean => first.every((asked) => asked.verb === verb);
  return callers.length > 1 && first.length === callers.length && (isRace('exchange') || isRace('refresh'))
    ? first
    : undefined;
}

/** Asks what became of every access token, and tries the newest refresh token. `settled`: nothing may lag any more. */
export async function lookBack(recorder: Recorder, { settled = false, introspects = false } = {}): Promise<void> {
  const ask = async (verb: Asked['verb'], text: string): Promise<unknown> =>
    recorder.call(0, { verb, text }, { settled });
  for (const text of recorder.access) {
    await ask('use', text);
    if (introspects) await ask('introspect', text);
  }
  const newest = recorder.refresh.at(-1);
  if (newest !== undefined) await ask('refresh', newest);
}

/** Tries all refresh tokens once more, the newest first. It is the last thing to do: reuse may end the grant (K-076). */
export async function reuse(recorder: Recorder, { settled = false } = {}): Promise<void> {
  for (const text of recorder.refresh.toReversed()) await recorder.call(0, { verb: 'refresh', text }, { settled });
}
