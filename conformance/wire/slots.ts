import { AsyncLocalStorage } from 'node:async_hooks';

/** The slots of what runs alone, by those that it holds. */
const held = new AsyncLocalStorage<{ readonly all: Slots; readonly own: Slots }>();

/** Whether what runs goes before others. */
const hurried = new AsyncLocalStorage<boolean>();

/**
 * So many at once: who takes a slot begins when one is free, in the order of asking; those that go before others take turns
 * with them.
 */
export class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];
  readonly #first: (() => void)[] = [];
  #given = 0;
  #lonely: Promise<unknown> = Promise.resolve();

  constructor(readonly most: number) {
    this.#free = most;
  }

  /** Runs an action in a slot. */
  async within<T>(action: () => Promise<T>): Promise<T> {
    const alone = held.getStore();
    if (alone?.all === this) return alone.own.within(action);
    await this.#take();
    try {
      return await action();
    } finally {
      this.#give();
    }
  }

  /**
   * Runs an action while no other has a slot; those that the action itself asks for, it gets. It must not wait for
   * what others do in slots.
   */
  alone<T>(action: () => Promise<T>): Promise<T> {
    if (held.getStore()?.all === this) return action();
    // One at a time, as two would each wait for the slots of the other.
    const done = this.#lonely.then(async () => {
      const all = Array.from({ length: this.most }, () => this.#take());
      await Promise.all(all);
      try {
        return await held.run({ all: this, own: new Slots(this.most) }, action);
      } finally {
        all.forEach(() => this.#give());
      }
    });
    this.#lonely = done.catch(() => {});
    return done;
  }

  async #take(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((begin) => (hurried.getStore() ? this.#first : this.#waiting).push(begin));
  }

  #give(): void {
    // Those who hurry leave one slot in eight to the others.
    this.#given = (this.#given + 1) % 8;
    const [one, other] = this.#given > 0 ? [this.#first, this.#waiting] : [this.#waiting, this.#first];
    const next = one.shift() ?? other.shift();
    if (next) next();
    else this.#free += 1;
  }
}

/** Runs an action whose slots go before others': for what takes long as its steps wait for each other. */
export const beforeOthers = <T>(action: () => Promise<T>): Promise<T> => hurried.run(true, action);

/** How much is done at once that takes a slot for each request: twice as much, so that none is free while others compute. */
export const lanesFor = ({ concurrency }: { readonly concurrency: number }): number => 2 * concurrency;

/**
 * Does something with every value, with so many of them at once, begun in order; answers what came of each, in order.
 * Where one fails, no other is begun, those under way are waited for, and the first failure by the order of the values
 * is thrown.
 */
export async function atOnce<T, R>(
  most: number,
  values: Iterable<T>,
  action: (value: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const failures = new Map<number, unknown>();
  const queue = [...values].entries();
  const worker = async (): Promise<void> => {
    for (const [place, value] of queue) {
      if (failures.size > 0) return;
      try {
        results[place] = await action(value);
      } catch (error) {
        failures.set(place, error);
      }
    }
  };
  await Promise.all(Array.from({ length: most }, worker));
  if (failures.size > 0) throw failures.get(Math.min(...failures.keys()));
  return results;
}
