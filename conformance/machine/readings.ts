import { readings } from '../model/grant.js';
import type { GrantModel, Held, Lives, Reading, Readings } from '../model/grant.js';
import { isIssue, isObservation } from '../model/inputs.js';
import type { Word } from '../model/inputs.js';
import type { FoundReading } from '../result.js';
import { run, stepOf } from './machine.js';
import type { Machine } from './machine.js';
import { judgeWord } from './player.js';

type Position = 'code' | 'newest access' | 'first access' | 'newest refresh';

const shown = {
  code: 'exchange',
  'newest access': 'use access',
  'first access': 'use first',
  'newest refresh': 'refresh',
} as const satisfies Readonly<Record<Position, string>>;

/** Whether the machine lets a token be good for something in a state. */
function isGood(machine: Machine, state: number, position: Position): boolean {
  const { output } = stepOf(machine, state, shown[position]);
  return output === 'works' || isIssue(output);
}

const isAsked = ({ inputs }: Machine, position: Position): boolean => inputs.includes(shown[position]);

/** Where a token stands among those of a model. */
function positionOf(held: Held, { code, access, refresh }: GrantModel): Position | undefined {
  if (held === code) return 'code';
  if (held === access.at(-1)) return 'newest access';
  if (held === access[0]) return 'first access';
  return held === refresh.at(-1) ? 'newest refresh' : undefined;
}

/** How a machine reads what the interface leaves open, each with the shortest word that shows it. */
export function readingsOf(machine: Machine, lives: Lives): readonly FoundReading[] {
  const found = new Map<Reading, { yes?: Word; no?: Word }>();
  for (const [state, { access }] of machine.states.entries()) {
    for (const input of machine.inputs) {
      const { output, next } = stepOf(machine, state, input);
      if (isObservation(input) || output === 'nothing' || output === 'unknown') continue;
      const word = [...access, input];
      const asked: { readonly reading: Reading; readonly tokens: readonly Held[] }[] = [];
      const before = judgeWord(access, { outputs: run(machine, access).outputs, after: [] }, { lives }).model;
      let steps = 0;
      const { model, disagreement } = judgeWord(
        word,
        { outputs: run(machine, word).outputs, after: [] },
        {
          lives,
          onStep: () => void (steps += 1),
          asked: (reading, tokens) => steps === access.length && asked.push({ reading, tokens }),
        },
      );
      if (disagreement) continue;
      for (const { reading, tokens } of asked) {
        // The same tokens, of the model before the last step, by their places.
        const same = (held: Held): Held | undefined => {
          if (held === model.code) return before.code;
          return before.access[model.access.indexOf(held)] ?? before.refresh[model.refresh.indexOf(held)];
        };
        for (const token of tokens) {
          const [earlier, now] = [same(token), positionOf(token, model)];
          const was = earlier && positionOf(earlier, before);
          if (!was || !now || !isAsked(machine, was) || !isAsked(machine, now) || !isGood(machine, state, was))
            continue;
          const answers = found.get(reading) ?? {};
          answers[isGood(machine, next, now) ? 'no' : 'yes'] ??= word;
          found.set(reading, answers);
        }
      }
    }
  }
  return [...found].map(([reading, { yes, no }]) => ({
    reading,
    gap: readings[reading],
    answer: yes && no ? 'depends' : yes ? 'yes' : 'no',
    words: [yes, no].filter((word) => word !== undefined),
  }));
}

/** Readings as found, as the model takes them. What depends on the state stays open; what was never met does not matter. */
export const settledBy = (found: readonly FoundReading[]): Readings =>
  Object.fromEntries(
    Object.keys(readings).flatMap((reading) => {
      const { answer = 'no' } = found.find((one) => one.reading === reading) ?? {};
      return answer === 'depends' ? [] : [[reading, answer === 'yes']];
    }),
  );
