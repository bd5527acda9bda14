import { flags } from '../../src/contract/index.js';
import { succeeded } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';

/** Flags of which one excludes the other: a sign for one is a sign against the other. */
const pairs: Readonly<Record<string, string>> = Object.fromEntries(
  flags.flatMap((flag) => ('pairs_with' in flag ? [[flag.flag, flag.pairs_with]] : [])),
);

/** What the answers of a run show of the edition's flags. */
export class FlagEvidence {
  readonly #seen = new Map<string, Set<'on' | 'off'>>();

  add(flag: string, state: 'on' | 'off'): void {
    this.#note(flag, state);
    const other = pairs[flag];
    if (other !== undefined && state === 'on') this.#note(other, 'off');
  }

  /** The exchange is there or not, whatever it holds. */
  answer(answer: Answer): void {
    const { operation, args } = answer.asked;
    if (operation !== 'getCurrencyExchange') return;
    if (succeeded(answer)) this.add('F-CX', 'on');
    else if (answer.status === 404 && args['id'] === undefined) this.add('F-CX', 'off');
  }

  byFlag(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      flags.map(({ flag }) => [
        flag,
        [...(this.#seen.get(flag) ?? [])].toSorted().reverse().join(' and ') || 'not seen',
      ]),
    );
  }

  #note(flag: string, state: 'on' | 'off'): void {
    const states = this.#seen.get(flag);
    if (states) states.add(state);
    else this.#seen.set(flag, new Set([state]));
  }
}
