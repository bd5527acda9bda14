import { windows } from './history.js';
import type { Call, History, Window } from './history.js';
import { outcomes, State } from './state.js';

/** States that are tried before a history is given up as undecided. */
const most = 30_000;

/** An order of calls that explains a history, or why there is none to tell. */
export type Explanation =
  | { readonly order: readonly Call[] }
  /** `undecided`: too many orders were tried. */
  | { readonly order: undefined; readonly undecided: boolean };

interface Step {
  readonly call: Call;
  readonly window: Window;
  /** What calls have in common that can stand for each other. */
  readonly like: string;
  /** What may have come of it: what its reply says, or anything where there was none. */
  readonly outcomes: readonly Call[];
}

/**
 * Looks for an order of the calls in which no call comes before one that had ended before it began, and in which the
 * model allows every reply (Herlihy and Wing's linearizability; the search is that of Wing and Gong, with the memory of
 * Lowe: a set of calls that led to the same state before is not gone on with again). `lag` is in milliseconds.
 */
export function explain(
  history: History,
  { lag = 0, tries = most }: { readonly lag?: number; readonly tries?: number } = {},
): Explanation {
  const all = windows(history, lag);
  const steps = history.calls
    .map((call, index): Step => {
      const window = all[index]!;
      const { verb, token, reply } = call;
      const like = `${verb} ${token} ${typeof reply === 'object' ? index : reply} ${window.optional}`;
      return { call, window, like, outcomes: reply === undefined ? outcomes(call) : [call] };
    })
    .filter((step) => step.outcomes.length > 0)
    .toSorted((one, other) => one.window.from - other.window.from);
  const search = new Search(steps, tries);
  const found = search.from(State.start(history));
  return found ? { order: search.order() } : { order: undefined, undecided: search.tried > tries };
}

class Search {
  tried = 0;
  readonly #done: boolean[];
  readonly #taken: Call[] = [];
  readonly #seen = new Set<string>();
  #left: number;

  constructor(
    readonly steps: readonly Step[],
    readonly most: number,
  ) {
    this.#done = steps.map(() => false);
    this.#left = steps.filter(({ window }) => !window.optional).length;
  }

  order(): readonly Call[] {
    return [...this.#taken];
  }

  from(state: State): boolean {
    if (this.#left === 0) return true;
    if (this.tried > this.most) return false;
    const next = this.#next();
    for (const index of next) {
      const { call, window } = this.steps[index]!;
      if (!window.optional && state.isInert(call)) return this.#take(index, call, state);
    }
    if (next.length > 1) {
      const key = `${this.#done.map((done) => (done ? 1 : 0)).join('')} ${state.key}`;
      if (this.#seen.has(key)) return false;
      this.#seen.add(key);
    }
    for (const index of next) {
      const { outcomes: possible, window } = this.steps[index]!;
      for (const call of possible) {
        const after = state.after(call);
        // What need not have been done is only of use where it changes something.
        if (after && !(window.optional && after === state) && this.#take(index, call, after)) return true;
      }
    }
    return false;
  }

  #take(index: number, call: Call, state: State): boolean {
    const required = this.steps[index]!.window.optional ? 0 : 1;
    this.tried += 1;
    this.#done[index] = true;
    this.#left -= required;
    this.#taken.push(call);
    if (this.from(state)) return true;
    this.#taken.pop();
    this.#left += required;
    this.#done[index] = false;
    return false;
  }

  /** The calls that may come next: none that is left had ended before they began. */
  #next(): number[] {
    let until = Infinity;
    const next: number[] = [];
    for (const [index, { window }] of this.steps.entries()) {
      if (window.from > until) break;
      if (this.#done[index]) continue;
      next.push(index);
      if (!window.optional) until = Math.min(until, window.until);
    }
    // Of calls that are alike it may as well be the one that ended first.
    const first = new Map<string, number>();
    for (const index of next) {
      const { window, like } = this.steps[index]!;
      if (window.from > until) continue;
      const other = first.get(like);
      if (other === undefined || window.until < this.steps[other]!.window.until) first.set(like, index);
    }
    // What nobody heard of comes last: most histories are explained without it.
    const isOptional = (index: number): number => Number(this.steps[index]!.window.optional);
    return [...first.values()].toSorted((one, other) => isOptional(one) - isOptional(other));
  }
}
