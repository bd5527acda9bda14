import type { Input, Output, Word } from '../model/inputs.js';
import { isObservation, observations } from '../model/inputs.js';
import { livesOf } from '../model/run-server.js';
import { contractMachine, timedInputs } from './contract.js';
import { answersTo } from './player.js';
import { stepOf } from './machine.js';
import type { Machine, Step } from './machine.js';
import { completeSuite } from './suite.js';

/** The kinds of faults that are enumerated. */
export const kinds = {
  output: 'one answer is wrong',
  transfer: 'one input leads to a wrong state',
  'one state more': 'one input leads to a copy of its state, in which one answer or one next state is wrong',
} as const;
export type Kind = keyof typeof kinds;

/** A machine with one fault, as a table: by state and input, the number of the answer and of the next state. */
interface Table {
  readonly output: Int16Array;
  readonly next: Int16Array;
}

interface Coded extends Table {
  readonly inputs: readonly Input[];
  readonly outputs: readonly Output[];
}

function coded({ inputs, states }: Machine): Coded {
  const outputs = [...new Set<Output>(['nothing', ...inputs.flatMap(answersTo)])];
  const all: readonly Step[] = states.flatMap(({ steps }) => steps);
  return {
    inputs,
    outputs,
    output: Int16Array.from(all, ({ output }) => outputs.indexOf(output)),
    next: Int16Array.from(all, ({ next }) => next),
  };
}

/** Every fault of a kind that a machine can have. Where there is no token to ask with, no server can answer wrongly. */
function* faultsOf(machine: Machine, kind: Kind): Generator<Table> {
  const base = coded(machine);
  const width = base.inputs.length;
  const nothing = base.outputs.indexOf('nothing');
  const answers = base.inputs.map((input) => answersTo(input).map((output) => base.outputs.indexOf(output)));
  const open = [...base.output.keys()].filter((cell) => base.output[cell] !== nothing);
  const outputFaults = function* (from: Table, cells: readonly number[]): Generator<Table> {
    for (const cell of cells) {
      for (const answer of answers[cell % width]!) {
        if (answer === from.output[cell]) continue;
        const output = from.output.slice();
        output[cell] = answer;
        yield { output, next: from.next };
      }
    }
  };
  const transferFaults = function* (from: Table, cells: readonly number[], states: number): Generator<Table> {
    for (const cell of cells) {
      for (let state = 0; state < states; state += 1) {
        if (state === from.next[cell]) continue;
        const next = from.next.slice();
        next[cell] = state;
        yield { output: from.output, next };
      }
    }
  };
  const count = machine.states.length;
  if (kind === 'output') yield* outputFaults(base, open);
  else if (kind === 'transfer') yield* transferFaults(base, open, count);
  else {
    for (const cell of open) {
      const copied = base.next[cell]!;
      const row = (of: Int16Array): Int16Array => of.slice(copied * width, (copied + 1) * width);
      const next = Int16Array.from([...base.next, ...row(base.next)]);
      next[cell] = count;
      const from = { output: Int16Array.from([...base.output, ...row(base.output)]), next };
      const cells = Array.from({ length: width }, (_, input) => count * width + input).filter(
        (one) => from.output[one] !== nothing,
      );
      yield* outputFaults(from, cells);
      yield* transferFaults(from, cells, count);
    }
  }
}

/** Whether a word is answered otherwise with the fault than without. */
function shows(word: Int16Array, width: number, base: Table, fault: Table): boolean {
  let [one, other] = [0, 0];
  for (const input of word) {
    const [a, b] = [one * width + input, other * width + input];
    if (base.output[a] !== fault.output[b]) return true;
    [one, other] = [base.next[a]!, fault.next[b]!];
  }
  return false;
}

/** Whether any word at all is answered otherwise: a fault that none shows is no fault. */
function differs(width: number, base: Table, fault: Table): boolean {
  const met = new Set(['0 0']);
  const queue: (readonly [number, number])[] = [[0, 0]];
  for (const [one, other] of queue) {
    for (let input = 0; input < width; input += 1) {
      const [a, b] = [one * width + input, other * width + input];
      if (base.output[a] !== fault.output[b]) return true;
      const pair = [base.next[a]!, fault.next[b]!] as const;
      if (met.has(pair.join(' '))) continue;
      met.add(pair.join(' '));
      queue.push(pair);
    }
  }
  return false;
}

/** Every sequence of three actions after the exchange, and of the code, all tokens looked at after each: the suite of before. */
function sequencesOfThree(machine: Machine): readonly Word[] {
  const acts = machine.inputs.filter((input) => !isObservation(input));
  const looks = machine.inputs.filter((input) => Object.hasOwn(observations, input));
  const words: Word[] = [];
  const extend = (word: Word, state: number, left: number): void => {
    if (left === 0) return void words.push(word);
    for (const act of acts) {
      const { output, next } = stepOf(machine, state, act);
      if (output !== 'nothing') extend([...word, act, ...looks], next, left - 1);
    }
  };
  extend([], 0, 3);
  const { next } = stepOf(machine, 0, 'exchange');
  extend(['exchange', ...looks], next, 3);
  return words;
}

/** How many faults of each kind a suite shows. */
export interface FaultCount {
  readonly suite: string;
  readonly words: number;
  readonly steps: number;
  readonly killed: Readonly<Partial<Record<Kind, number>>>;
}

/** All faults of a machine, of some kinds, and what suites show of them. */
export interface EnumerationProof {
  readonly states: number;
  readonly inputs: number;
  readonly faults: Readonly<Partial<Record<Kind, number>>>;
  readonly suites: readonly FaultCount[];
}

/** The proof by enumeration of a machine: of the faults of one state more a share, where a test has no time for all. */
function enumerated(
  machine: Machine,
  suites: Readonly<Record<string, readonly Word[]>>,
  wanted: readonly Kind[],
  share = 1,
): EnumerationProof {
  const base = coded(machine);
  const width = base.inputs.length;
  const all = wanted.map((kind) => ({
    kind,
    faults: [...faultsOf(machine, kind)].filter(
      (fault, index) =>
        (kind !== 'one state more' || index % Math.round(1 / share) === 0) && differs(width, base, fault),
    ),
  }));
  const counted = (of: (faults: readonly Table[]) => number): Partial<Record<Kind, number>> =>
    Object.fromEntries(all.map(({ kind, faults }) => [kind, of(faults)]));
  return {
    states: machine.states.length,
    inputs: width,
    faults: counted(({ length }) => length),
    suites: Object.entries(suites).map(([suite, words]) => {
      const table = words.map((word) => Int16Array.from(word, (input) => base.inputs.indexOf(input)));
      return {
        suite,
        words: words.length,
        steps: words.reduce((sum, { length }) => sum + length, 0),
        killed: counted(
          (faults) => faults.filter((fault) => table.some((word) => shows(word, width, base, fault))).length,
        ),
      };
    }),
  };
}

/** What `npm run prove -- --machine` publishes: of the contract's machine, and of the one in which time passes. */
export interface PublishedFaults extends EnumerationProof {
  readonly timed: EnumerationProof;
}

/** All faults of the contract's machines; of those of one state more a share, where a test has no time for all. */
export async function proveByEnumeration(share = 1): Promise<PublishedFaults> {
  const machine = await contractMachine();
  const whole = await contractMachine(undefined, { byGeneration: true });
  const timed = await contractMachine(undefined, { only: timedInputs, lives: livesOf('confidential') });
  return {
    ...enumerated(
      machine,
      {
        'every sequence of three actions': sequencesOfThree(machine),
        'complete, k = 0, by generation (every run)': completeSuite(whole, 0).words,
        'complete, k = 0': completeSuite(machine, 0).words,
        'complete, k = 1 (--thorough)': completeSuite(machine, 1).words,
      },
      Object.keys(kinds) as Kind[],
      share,
    ),
    // A state more has so many faults there that they would take hours.
    timed: enumerated(timed, { 'complete, k = 0 (learn --time)': completeSuite(timed, 0).words }, [
      'output',
      'transfer',
    ]),
  };
}
