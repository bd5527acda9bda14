import { issuedBy, operationOf } from '../model/inputs.js';
import type { Input, Output, Word } from '../model/inputs.js';
import { classesOf, minimal, run } from './machine.js';
import type { Machine, State, Step } from './machine.js';
import { isOfServer } from '../verdict.js';
import { Observed } from './observed.js';
import type { Contradiction } from './observed.js';
import { completeSuite } from './suite.js';

/** Takes what was answered to a word; where the word was not played to its end, there are fewer outputs. */
export type Seen = (word: Word, outputs: readonly Output[]) => void;
/** Plays words, each on a grant of its own, many at a time. */
export type Ask = (words: readonly Word[], seen: Seen) => Promise<unknown>;

export interface LearnOptions {
  readonly ask: Ask;
  readonly inputs: readonly Input[];
  /** The word that is asked first to tell states apart. */
  readonly look: Word;
  /** States more than were found that the suite at the end allows for; -1 plays none. */
  readonly extra: number;
  readonly maxStates: number;
  /** Generations of tokens that are told apart, so that what a server does to later ones is asked too. */
  readonly generations: number;
  /** Words that are asked too before the machine counts as known: what follows from it, though nobody has seen it yet. */
  readonly alsoAsk?: (machine: Machine) => readonly Word[];
  /** Whether what comes after a word says nothing more. */
  readonly isOver?: (word: Word) => boolean;
  /** Whether there is nothing left to prove, so that no suite is played at the end. */
  readonly isDecided?: () => boolean;
  readonly onProgress?: (progress: { readonly states: number; readonly words: number }) => void;
}

/** What was learned of a server. */
export interface Learned {
  /** Its states by generation; `minimal` of it is the machine. */
  readonly machine: Machine;
  readonly observed: Observed;
  /** Up to how many states more the machine is proved; undefined where it is not. */
  readonly proved?: number;
  /** Why nothing is proved, or not for as many states as was asked for. */
  readonly broken?:
    | { readonly why: 'contradiction'; readonly contradiction: Contradiction }
    | { readonly why: 'too many states'; readonly states: number }
    | { readonly why: 'unreachable'; readonly error: Error };
}

/** The end of learning, before its end. */
class Broken extends Error {
  constructor(readonly broken: NonNullable<Learned['broken']>) {
    super(broken.why);
  }
}

/**
 * Learns a machine (Angluin's L* with the counterexamples of Rivest and Schapire). Words that are not known to lead to
 * the same state get all inputs asked after them, and after each the words that told states apart so far. What it is in
 * the end answers everything as it was seen; the complete suite shows whether there is more to see.
 */
export class Learner {
  readonly observed = new Observed();
  readonly #columns: Word[];
  #states: Word[] = [[]];

  constructor(readonly options: LearnOptions) {
    this.#columns = [options.look];
  }

  /** @throws Error where the learner itself is wrong; what comes of the server is in `broken` */
  async learn(): Promise<Learned> {
    let proved: number | undefined;
    try {
      await this.#explore();
      for (let k = 0; k <= this.options.extra; k += 1) {
        for (;;) {
          if (this.options.isDecided?.()) return { machine: this.machine(), observed: this.observed };
          const machine = this.machine();
          const suite = k === 0 && this.#hasIdentified() ? [] : suiteOf(machine, k);
          const counterexample =
            (await this.#counterexample(machine, suite)) ??
            (await this.#counterexample(machine, this.options.alsoAsk?.(minimal(machine)) ?? []));
          if (!counterexample) break;
          // The suite of a machine that is another now proves nothing of it.
          proved = undefined;
          this.#columns.push(counterexample);
          await this.#explore();
        }
        proved = k;
      }
      return { machine: this.machine(), observed: this.observed, proved: this.options.extra };
    } catch (error) {
      const machine = this.machine();
      const { observed } = this;
      if (error instanceof Broken) return { machine, observed, broken: error.broken };
      if (!isOfServer(error)) throw error;
      const broken = { why: 'unreachable', error } as const;
      // What was seen since may be an answer that the machine does not give, and that was not looked at any more.
      const stands = proved !== undefined && observed.agreesWith(machine);
      return { machine, observed, broken, ...(stands && { proved: proved! }) };
    }
  }

  /** What is known so far. What was not asked yet stays where it is. */
  machine(): Machine {
    const { inputs } = this.options;
    // A word that was not asked all is of no known state, and no state is like it.
    const rows = this.#states.map((word) => (this.#isAsked(word) ? this.#row(word) : undefined));
    const states = this.#states.map((access, state): State => {
      const steps = inputs.map((input): Step => {
        const word = [...access, input];
        const output = this.#applies(access, input) ? this.observed.outputs(word)?.at(-1) : 'nothing';
        if (output === undefined || output === 'nothing') return { output: output ?? 'unknown', next: state };
        const next = this.#isAsked(word) ? rows.indexOf(this.#row(word)) : -1;
        // Learning ended before it was seen where this leads.
        return next === -1 ? { output: 'unknown', next: state } : { output, next };
      });
      return { access, steps };
    });
    return { inputs, states };
  }

  /** Whether a word goes on after what says nothing more. */
  #isOver(word: Word): boolean {
    const { isOver } = this.options;
    return isOver !== undefined && word.some((_, index) => isOver(word.slice(0, index + 1)));
  }

  #applies(word: Word, input: Input): boolean {
    if (this.options.isOver?.(word)) return false;
    const outputs = this.observed.outputs(word);
    return outputs !== undefined && operationOf(input, issuedBy(outputs)) !== undefined;
  }

  /** What tells a word's state: the generation, and what was answered after it. */
  #row(word: Word): string {
    const outputs = this.observed.outputs(word) ?? [];
    if (this.options.isOver?.(word)) return 'over';
    return JSON.stringify([Math.min(issuedBy(outputs).access, this.options.generations), this.#after(word)]);
  }

  /** Whether everything that tells states apart was asked after a word. */
  #isAsked(word: Word): boolean {
    return this.options.isOver?.(word) || this.#after(word).every((outputs) => outputs !== undefined);
  }

  #after(word: Word): readonly unknown[] {
    return this.#columnsOf(word).map((column) => this.observed.outputs([...word, ...column])?.slice(word.length));
  }

  /** What is asked after a word. Before there are tokens, all that there is to see is what becomes of the code. */
  #columnsOf(word: Word): readonly Word[] {
    const [, ...more] = this.#columns;
    const outputs = this.observed.outputs(word);
    return outputs !== undefined && issuedBy(outputs).access === 0 ? [['exchange'], ...more] : this.#columns;
  }

  /**
   * Whether what was asked after every word identifies each state of the machine, so that the suite for no more states was
   * played. The first and second generation need no request to be told apart: there is no older token to ask with.
   */
  #hasIdentified(): boolean {
    const classes = classesOf(this.machine());
    const seen = new Map<string, number>();
    return this.#states.every((word, state) => {
      const { access } = issuedBy(this.observed.outputs(word) ?? []);
      const key = JSON.stringify([Math.min(access, 2), this.#after(word)]);
      const before = seen.get(key);
      seen.set(key, classes[state]!);
      return before === undefined || before === classes[state];
    });
  }

  /** Asks until every input in every state leads to a state that is known. */
  async #explore(): Promise<void> {
    await this.#ask(this.#columnsOf([]));
    for (let from = 0; from < this.#states.length;) {
      const level = this.#states.slice(from);
      from = this.#states.length;
      const next = level.flatMap((word) =>
        this.options.inputs.filter((input) => this.#applies(word, input)).map((input) => [...word, input]),
      );
      await this.#ask(next.filter((word) => issuedBy(this.observed.outputs(word.slice(0, -1))!).access === 0));
      await this.#ask(next.flatMap((word) => this.#columnsOf(word).map((column) => [...word, ...column])));
      const rows = new Set(this.#states.map((word) => this.#row(word)));
      const before = this.#states.length;
      for (const word of next) {
        const row = this.#row(word);
        if (rows.has(row)) continue;
        rows.add(row);
        this.#states.push(word);
        if (this.#states.length > this.options.maxStates)
          throw new Broken({ why: 'too many states', states: this.#states.length });
      }
      // What is taken for a new state is asked once more, so that no passing whim is.
      const found = this.#states.slice(before).filter((word) => !this.#isOver(word));
      if (found.length > 0) await this.#play(found.map((word) => [...word, ...this.#columnsOf(word)[0]!]));
    }
  }

  /** One of these words that the machine answers otherwise: the part of it that tells states apart. */
  async #counterexample(machine: Machine, words: readonly Word[]): Promise<Word | undefined> {
    for (let from = 0; from < words.length; from += 500) {
      const some = words.slice(from, from + 500);
      await this.#ask(some);
      for (const word of some) {
        const seen = this.#isOver(word) ? undefined : this.observed.outputs(word);
        const answers = run(machine, word).outputs;
        const at = seen?.findIndex((output, index) => output !== answers[index]) ?? -1;
        if (at !== -1) return this.#split(machine, word.slice(0, at + 1));
      }
    }
    return undefined;
  }

  /**
   * Rivest and Schapire: the longest end of a word after which the server is in another state than the machine says.
   * One of the ends is such, as the whole word is answered otherwise.
   */
  async #split(machine: Machine, word: Word): Promise<Word> {
    for (let length = 1; length < word.length; length += 1) {
      const { state } = run(machine, word.slice(0, length));
      const { access } = machine.states[state]!;
      const end = word.slice(length);
      await this.#ask([[...access, ...end]]);
      const seen = this.observed.outputs([...access, ...end])?.slice(access.length);
      const before = this.observed.outputs(word)?.slice(length);
      if (seen?.join() !== before?.join()) return end;
    }
    throw new Error(`no end of ${word.join(', ')} tells states apart`);
  }

  /** Asks what is not known yet. Words that begin another one are asked with it. */
  async #ask(words: readonly Word[]): Promise<void> {
    const open = words.filter((word) => this.observed.outputs(word) === undefined && !this.#isOver(word));
    if (open.length > 0) await this.#play(open);
  }

  async #play(words: readonly Word[]): Promise<void> {
    await this.options.ask(words, (word, outputs) => this.observed.add(word, outputs));
    this.options.onProgress?.({ states: this.#states.length, words: this.observed.words });
    const { contradiction } = this.observed;
    if (contradiction) throw new Broken({ why: 'contradiction', contradiction });
  }
}

/** Generations are told apart for the suite that allows for no more states; one that does goes on from the fewest. */
const suiteOf = (machine: Machine, k: number): readonly Word[] =>
  completeSuite(k === 0 ? machine : minimal(machine), k).words;
