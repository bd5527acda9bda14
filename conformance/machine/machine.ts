import type { Input, Output, Word } from '../model/inputs.js';

/** What an input does in a state: the answer, and the number of the state after it. */
export interface Step {
  readonly output: Output;
  readonly next: number;
}

export interface State {
  /** The shortest word that leads there, of those that were played. */
  readonly access: Word;
  /** By the number of the input. */
  readonly steps: readonly Step[];
}

/** A deterministic machine with outputs (a Mealy machine). State 0 is the start. */
export interface Machine {
  readonly inputs: readonly Input[];
  readonly states: readonly State[];
}

export const stepOf = ({ inputs, states }: Machine, state: number, input: Input): Step =>
  states[state]!.steps[inputs.indexOf(input)]!;

/** Plays a word: the outputs, and the state that it ends in. */
export function run(
  machine: Machine,
  word: Word,
  from = 0,
): { readonly outputs: readonly Output[]; readonly state: number } {
  let state = from;
  const outputs = word.map((input) => {
    const { output, next } = stepOf(machine, state, input);
    state = next;
    return output;
  });
  return { outputs, state };
}

/** The states by class: two are of one class if no word tells them apart. */
export function classesOf({ states }: Machine): readonly number[] {
  const numbered = (keys: readonly string[]): number[] => {
    const seen = [...new Set(keys)];
    return keys.map((key) => seen.indexOf(key));
  };
  let classes = numbered(states.map(({ steps }) => steps.map(({ output }) => output).join()));
  for (;;) {
    const finer = numbered(
      states.map(({ steps }, state) => [classes[state], ...steps.map(({ next }) => classes[next])].join()),
    );
    if (new Set(finer).size === new Set(classes).size) return finer;
    classes = finer;
  }
}

/** The smallest machine that answers every word alike; its states keep the shortest access word of their class. */
export function minimal(machine: Machine): Machine {
  const classes = classesOf(machine);
  const count = Math.max(...classes) + 1;
  const states = Array.from({ length: count }, (_, one): State => {
    const members = machine.states.filter((__, state) => classes[state] === one);
    const shortest = members.reduce((best, state) => (state.access.length < best.access.length ? state : best));
    return {
      access: shortest.access,
      steps: shortest.steps.map(({ output, next }) => ({ output, next: classes[next]! })),
    };
  });
  return { inputs: machine.inputs, states };
}

/** Where two machines answer otherwise. */
export interface Difference {
  readonly word: Word;
  readonly one: Output;
  readonly other: Output;
}

/**
 * Every difference of two machines by its shortest word, over the inputs that both have. What only comes after a
 * difference is none of its own; the same pair of answers to the same input is told once.
 */
export function differences(one: Machine, other: Machine): readonly Difference[] {
  const inputs = one.inputs.filter((input) => other.inputs.includes(input));
  const found = new Map<string, Difference>();
  const met = new Set(['0 0']);
  const queue: { readonly pair: readonly [number, number]; readonly word: Word }[] = [{ pair: [0, 0], word: [] }];
  for (const { pair, word } of queue) {
    for (const input of inputs) {
      const [a, b] = [stepOf(one, pair[0], input), stepOf(other, pair[1], input)];
      const longer = [...word, input];
      if (a.output === 'unknown' || b.output === 'unknown') continue;
      if (a.output !== b.output) {
        const key = [input, a.output, b.output].join();
        if (!found.has(key)) found.set(key, { word: longer, one: a.output, other: b.output });
        continue;
      }
      const key = `${a.next} ${b.next}`;
      if (met.has(key)) continue;
      met.add(key);
      queue.push({ pair: [a.next, b.next], word: longer });
    }
  }
  return [...found.values()];
}
