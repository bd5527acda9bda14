import type { Input, Output, Word } from '../model/inputs.js';
import { classesOf, minimal, run, stepOf } from './machine.js';
import type { Machine } from './machine.js';

/** Two states on the way: where each started, and where it is now. */
interface Track {
  readonly start: number;
  readonly now: number;
}

/**
 * Words that tell each state from all others (the H of HSI), by state: any two states have one in common, up to where
 * they answer otherwise. They follow a tree: all states are asked the same until an answer parts them, and what was
 * parted goes on from where it is. Where that would merge states that nothing has parted yet, a new word is begun.
 *
 * @throws Error where two states cannot be told apart: the machine is not minimal
 */
export function identifiers(machine: Machine): readonly (readonly Word[])[] {
  const words: Word[][] = machine.states.map(() => []);
  const split = (tracks: readonly Track[], before: Word): void => {
    if (tracks.length < 2) {
      for (const { start } of tracks) words[start]!.push(before);
      return;
    }
    const begun = before.length > 0;
    const next = parting(machine, tracks) ?? (begun ? undefined : partingTwo(machine, tracks));
    if (next) {
      for (const group of next.groups) split(group, [...before, ...next.word]);
      return;
    }
    if (!begun) throw new Error('two states of the machine answer every word alike');
    for (const { start } of tracks) words[start]!.push(before);
    split(
      tracks.map(({ start }) => ({ start, now: start })),
      [],
    );
  };
  split(
    machine.states.map((_, state) => ({ start: state, now: state })),
    [],
  );
  return words.map(longest);
}

interface Parted {
  readonly word: Word;
  readonly groups: readonly (readonly Track[])[];
}

/** Sets of states that are looked at for a word that parts them all. */
const mostSets = 300;

/** The shortest word that parts the first two states, whatever it merges. */
function partingTwo(machine: Machine, tracks: readonly Track[]): Parted | undefined {
  const word = parting(machine, tracks.slice(0, 2), Infinity)?.word;
  if (word === undefined) return undefined;
  const groups = new Map<string, Track[]>();
  for (const { start, now } of tracks) {
    const { outputs, state } = run(machine, word, now);
    groups.set(outputs.join(), [...(groups.get(outputs.join()) ?? []), { start, now: state }]);
  }
  return { word, groups: [...groups.values()] };
}

/** The shortest word that parts states and merges none of those that it leaves together. */
function parting(machine: Machine, tracks: readonly Track[], most = mostSets): Parted | undefined {
  const met = new Set<string>();
  const queue: { readonly word: Word; readonly tracks: readonly Track[] }[] = [{ word: [], tracks }];
  for (const { word, tracks: here } of queue) {
    if (queue.length > most) return undefined;
    for (const input of machine.inputs) {
      const groups = new Map<Output, Track[]>();
      for (const { start, now } of here) {
        const { output, next } = stepOf(machine, now, input);
        groups.set(output, [...(groups.get(output) ?? []), { start, now: next }]);
      }
      const isMerged = [...groups.values()].some((group) => new Set(group.map(({ now }) => now)).size < group.length);
      if (isMerged) continue;
      const longer = [...word, input];
      if (groups.size > 1) return { word: longer, groups: [...groups.values()] };
      const [after = []] = groups.values();
      const key = after.map(({ now }) => now).join();
      if (met.has(key)) continue;
      met.add(key);
      queue.push({ word: longer, tracks: after });
    }
  }
  return undefined;
}

export interface Suite {
  readonly words: readonly Word[];
  /** Inputs of all words together. */
  readonly steps: number;
}

/**
 * The suite that is complete for `k` states more than the machine has: after each access word every word of up to `k` + 1
 * inputs, and after each of those the words that identify the state reached (P · I^(k+1) · H). A deterministic server that
 * has at most k states more, or none that the access words and k inputs do not reach, and that answers all of these as
 * the machine does, answers every word so. Words that another one begins with are left out.
 */
export function completeSuite(machine: Machine, k: number): Suite {
  const classes = classesOf(machine);
  const smallest = minimal(machine);
  const ends = identifiers(smallest);
  const plan = new Plan();
  const extend = (word: Word, state: number, left: number): void => {
    for (const end of ends[classes[state]!]!) plan.add([...word, ...end]);
    if (left === 0) return;
    machine.inputs.forEach((input, index) => {
      const { output, next } = machine.states[state]!.steps[index]!;
      if (output !== 'nothing') extend([...word, input], next, left - 1);
    });
  };
  machine.states.forEach(({ access }, state) => extend(access, state, k + 1));
  const words = plan.words();
  return { words, steps: words.reduce((sum, { length }) => sum + length, 0) };
}

/** A tree of words: what one begins with needs no grant of its own. */
class Plan {
  readonly #root: Branch = new Map();

  add(word: Word): void {
    let branch = this.#root;
    for (const input of word) {
      const next: Branch = branch.get(input) ?? new Map<Input, Branch>();
      branch.set(input, next);
      branch = next;
    }
  }

  words(): readonly Word[] {
    const found: Word[] = [];
    const visit = (branch: Branch, word: Word): void => {
      if (branch.size === 0) found.push(word);
      for (const [input, next] of branch) visit(next, [...word, input]);
    };
    visit(this.#root, []);
    return found.toSorted((one, other) => one.length - other.length);
  }
}

type Branch = Map<Input, Branch>;

/** The words that no other one begins with. */
const longest = (words: readonly Word[]): readonly Word[] => {
  const plan = new Plan();
  for (const word of words) plan.add(word);
  return plan.words();
};
