import { scopes } from '../../src/contract/index.js';
import { KnownSecrets, least } from '../../src/redaction/known.js';
import { describeTarget } from '../target/describe.js';
import { roles } from '../target/table.js';
import type { Target } from '../target/target.js';
import type { Answer } from '../wire/answer.js';
import { reversed, settingsOf, tokensIn, toldBy } from './secrets.js';

/** So many characters of values are kept as they are; of those beyond, only what `hide` needs. */
const keptCharacters = 16 * 1024 * 1024;
/**
 * Every token and code that the server gave in a run, and the secrets of the target. What is found of
 * them in a text, and how, is what the redactor of the journal and the audit finds too.
 */
export class Issued {
  readonly #values = new Set<string>();
  #kept = 0;
  readonly #known = new KnownSecrets();

  constructor(target?: Target) {
    if (!target) return;
    const { base_url, auth_url } = target;
    const facts = [JSON.stringify(describeTarget(target)), `${base_url}/`, `${auth_url}/`];
    for (const text of [...facts, Object.keys(scopes).join(), roles.join()]) this.#known.open(text);
    for (const { value } of settingsOf(target)) this.#known.add(value);
  }

  see(answer: Answer): void {
    if (answer.asked.server === 'data') return;
    for (const { value } of toldBy(answer)) this.add(value);
    for (const value of tokensIn(answer)) this.add(value);
  }

  /** A token or code that the server gave in some other way than by an answer. */
  add(value: string): void {
    if (this.#values.has(value)) return;
    if (this.#kept + value.length <= keptCharacters) {
      this.#kept += value.length;
      this.#values.add(value);
    }
    this.#known.add(value);
  }

  has(text: string): boolean {
    return this.#values.has(text);
  }

  /** The one that a text misses narrowly: their beginnings or ends are alike. */
  near(text: string): string | undefined {
    if (text.length < least) return undefined;
    const backwards = reversed(text);
    const alike = (value: string): boolean =>
      value.length >= least && (value.slice(0, 8) === text.slice(0, 8) || value.slice(-8) === text.slice(-8));
    return [...this.#values].find((value) => value === backwards || alike(value));
  }

  /** A text without any of them, encoded, in another letter case, backwards or in part. */
  hide(text: string): string {
    return this.#known.hide(text, () => '(a token)');
  }
}
