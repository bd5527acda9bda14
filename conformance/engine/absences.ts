import { count } from '../text.js';
import type { Answer } from '../wire/answer.js';

/** Answers of a server that does not know a path or method. */
const absent: ReadonlySet<number> = new Set([404, 405, 501]);
/** Answers that say nothing of whether there is an operation. */
const silent: ReadonlySet<number> = new Set([401, 403, 429]);

/** Operations that a server seems not to have: a user may declare that, so that nothing is asked of them. */
export class Absences {
  /** Requests by operation; undefined where one was answered as only an operation that is there answers. */
  readonly #asked = new Map<string, number | undefined>();
  #isAsked = false;
  #hasSucceeded = false;

  see({ asked: { operation }, status }: Answer): void {
    if (operation === undefined) return;
    this.#isAsked = true;
    if (status >= 200 && status < 400) this.#hasSucceeded = true;
    if (silent.has(status)) return;
    const before = this.#asked.has(operation) ? this.#asked.get(operation) : 0;
    this.#asked.set(operation, before !== undefined && absent.has(status) ? before + 1 : undefined);
  }

  /** Whether operations were asked, and none answered with success. */
  get areAll(): boolean {
    return this.#isAsked && !this.#hasSucceeded;
  }

  /** What to tell the user: nothing where every operation is there. */
  advice(): readonly string[] {
    const gone = [...this.#asked].filter(([, times = 0]) => times > 0).map(([operation]) => operation);
    if (gone.length === 0) return [];
    const [it, they] = gone.length === 1 ? ['it', 'it'] : ['them', 'they'];
    return [
      `${count(gone.length, 'operation')} answered every request with 404, 405 or 501. If the server does not offer ${it}, ` +
        `write not_offered: [${gone.join(', ')}] in the target, and ${they} will not be tested.`,
    ];
  }
}
