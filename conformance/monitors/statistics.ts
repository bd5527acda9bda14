import type { Target } from '../target/target.js';
import type { Answer } from '../wire/answer.js';
import { clipped } from '../wire/bounds.js';

/** What is kept of each kind, so that no server can fill the memory. */
const kept = { names: 60, schemas: 80, texts: 60, length: 80 };

/** What a run met that the interface neither asks for nor rules out. */
export class Statistics {
  readonly #members = new Map<string, Map<string, number>>();
  readonly #texts = new Map<string, number>();
  #unsafe = 0;
  #unsafeAt = '';
  readonly #second = { asked: 0, served: 0 };

  constructor(readonly names: Target['names']) {}

  /** A member that the contract does not describe (K-104). */
  undocumented(schema: string, member: string): void {
    const name = clipped(member, kept.length + 1);
    let names = this.#members.get(schema);
    if (!names) {
      if (this.#members.size >= kept.schemas) return;
      this.#members.set(schema, (names = new Map()));
    }
    const count = names.get(name);
    if (count !== undefined) names.set(name, count + 1);
    else if (names.size < kept.names) names.set(name, 1);
  }

  /** An integer that a double does not hold (K-096). */
  unsafe(where: string): void {
    if (this.#unsafe === 0) this.#unsafeAt = where;
    this.#unsafe += 1;
  }

  /** An answer about the second game's realm, whose word a server may spell in its own way. */
  answer({ asked: { args }, status }: Answer): void {
    if (args['realm'] !== 'game2' || status === 401 || status === 403) return;
    this.#second.asked += 1;
    if (status < 400) this.#second.served += 1;
  }

  observe(text: string): void {
    const count = this.#texts.get(text);
    if (count !== undefined) this.#texts.set(text, count + 1);
    else if (this.#texts.size < kept.texts) this.#texts.set(text, 1);
  }

  /** Everything in sentences, undocumented members by their schema. */
  sentences(): readonly string[] {
    const members = [...this.#members]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([schema, names]) => {
        const listed = [...names].toSorted(([, a], [, b]) => b - a).slice(0, 12);
        const words = listed.map(([name, count]) => `${short(name)} (${count})`).join(', ');
        return `${schema} has members that the interface does not describe: ${words}${names.size > 12 ? ` and ${names.size - 12} more` : ''}.`;
      });
    const unsafe =
      this.#unsafe === 0 ? [] : [`${this.#unsafe} integers are beyond 2^53-1: ${this.#unsafeAt}, for one.`];
    const { asked, served } = this.#second;
    const unspoken =
      asked === 0 || served > 0
        ? []
        : [
            `None of ${asked} requests in realm ${this.names.game2} was served: if this server calls the realm of the second game otherwise, say so in the target as names.game2, or with --name game2=<word>.`,
          ];
    return [
      ...unspoken,
      ...members,
      ...unsafe,
      ...[...this.#texts].map(([text, count]) => (count === 1 ? text : `${text} (${count} times)`)),
    ];
  }
}

const short = (name: string): string =>
  /^[\w.-]{1,60}$/.test(name)
    ? name
    : JSON.stringify(name.length > kept.length ? `${name.slice(0, kept.length)}…` : name);
