import type { Input, Output, Word } from '../model/inputs.js';
import type { Machine } from './machine.js';

interface Node {
  readonly output: Output | undefined;
  readonly next: Map<Input, Node>;
}

/** One word that a server answered in two ways. */
export interface Contradiction {
  readonly word: Word;
  readonly before: readonly Output[];
  readonly now: readonly Output[];
}

/** What a server was seen to answer, as a tree: words share their beginnings. */
export class Observed {
  readonly #root: Node = { output: undefined, next: new Map() };
  #words = 0;
  #steps = 0;
  /** The first that was met. */
  contradiction: Contradiction | undefined;

  get words(): number {
    return this.#words;
  }
  /** Inputs that were sent. */
  get steps(): number {
    return this.#steps;
  }

  /** The outputs of a word, where it or a longer one was played. */
  outputs(word: Word): readonly Output[] | undefined {
    const found: Output[] = [];
    let node = this.#root;
    for (const input of word) {
      const next = node.next.get(input);
      if (!next) return undefined;
      found.push(next.output!);
      node = next;
    }
    return found;
  }

  /** Whether a machine answers all that was seen as it was seen. */
  agreesWith({ inputs, states }: Machine): boolean {
    const agrees = (node: Node, state: number): boolean =>
      [...node.next].every(([input, next]) => {
        const step = states[state]!.steps[inputs.indexOf(input)];
        return step?.output === next.output && agrees(next, step!.next);
      });
    return agrees(this.#root, 0);
  }

  /** Takes what was seen of a word. What contradicts what was seen before is noted, and otherwise not taken. */
  add(word: Word, outputs: readonly Output[]): void {
    this.#words += 1;
    this.#steps += outputs.filter((output) => output !== 'nothing').length;
    let node = this.#root;
    for (const [index, output] of outputs.entries()) {
      const input = word[index]!;
      const next = node.next.get(input) ?? { output, next: new Map<Input, Node>() };
      if (next.output !== output) {
        const until = word.slice(0, index + 1);
        this.contradiction ??= { word: until, before: this.outputs(until)!, now: outputs.slice(0, index + 1) };
        return;
      }
      node.next.set(input, next);
      node = next;
    }
  }
}
