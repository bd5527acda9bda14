import type { RowId } from '../ledger.gen.js';
import type { Answer } from '../wire/answer.js';
import type { Wire } from '../wire/wire.js';
import { count } from '../text.js';
import type { Outcome } from './outcome.js';

/** By how much the load is lowered at a time. */
const step = 4;

/**
 * Keeps the load that the suite makes from deciding a row. A check that met 5xx, or no response, while other requests were
 * under way is judged again at a lower load, down to one request at a time: what it meets there is the server's own.
 * The load stays as low as a row needed to pass.
 */
export class Overload {
  /** Something did so since the load was last set. */
  #isStrained = false;
  /** The requests under way when rows met it, and whether it kept them from passing. */
  readonly #met = new Map<RowId, { readonly underWay: number; readonly hurt: boolean }>();
  readonly #recovered = new Set<RowId>();
  /** The highest load at which rows passed that did not before. */
  #enough: number | undefined;

  constructor(
    readonly wire: Pick<Wire, 'concurrency' | 'allow'>,
    readonly most: number,
  ) {}

  /** Whether monitors are not to see an answer, as the check that met it is judged again. */
  hides({ status, underWay = 1 }: Answer): boolean {
    return status >= 500 && underWay > 1 && this.wire.concurrency > 1;
  }

  /** Something met 5xx or no response while other requests were under way. */
  strain(): void {
    this.#isStrained = true;
  }

  /** Whether the load may have decided an outcome, by what its check met or what others met that it uses: it is to be judged again. */
  mayHaveDecided({ row, verdict, forTheRun: { underLoad = 0, underAnyLoad } = {} }: Outcome): boolean {
    if (this.wire.concurrency <= 1 || underAnyLoad) return false;
    if (underLoad <= 1) return this.#isStrained && verdict !== 'pass';
    const { underWay, hurt } = this.#met.get(row) ?? { underWay: 0, hurt: false };
    this.#met.set(row, { underWay: Math.max(underWay, underLoad), hurt: hurt || verdict !== 'pass' });
    return true;
  }

  /** Lowers the load, where it can be. */
  lower(): boolean {
    if (this.wire.concurrency <= 1) return false;
    this.#isStrained = false;
    this.wire.allow(Math.max(1, Math.floor(this.wire.concurrency / step)));
    return true;
  }

  /** An outcome that stands: of a row that was judged again, with a note that says so. */
  settled(outcome: Outcome): Outcome {
    const met = this.#met.get(outcome.row);
    if (!met?.hurt || outcome.verdict !== 'pass') return outcome;
    const { concurrency } = this.wire;
    this.#recovered.add(outcome.row);
    this.#enough = Math.min(this.#enough ?? Infinity, concurrency);
    const note = `It met 5xx or no response while ${met.underWay} requests were under way, and passed with at most ${concurrency}.`;
    return { ...outcome, notes: [...outcome.notes, note] };
  }

  /** Decides by itself what the load may have decided: again at a lower one, as long as the server does not take it. */
  async bearably(decide: () => Promise<Outcome>): Promise<Outcome> {
    let outcome = await decide();
    while (this.mayHaveDecided(outcome) && this.lower()) outcome = await decide();
    const settled = this.settled(outcome);
    this.goOn();
    return settled;
  }

  /** Goes on with the load that the server was found to take: as before where a lower one changed nothing. */
  goOn(): void {
    this.#isStrained = false;
    this.wire.allow(this.#enough ?? this.most);
  }

  /** What to tell the user: nothing where the load decided nothing. */
  advice(): readonly string[] {
    if (this.#enough === undefined) return [];
    const hurt = [...this.#met].filter(([, { hurt: isHurt }]) => isHurt);
    const underWay = Math.max(...hurt.map(([, met]) => met.underWay));
    const passed = [...this.#recovered];
    const named = (rows: readonly RowId[]): string => `(${rows.slice(0, 3).join(', ')}${rows.length > 3 ? ', …' : ''})`;
    const who = passed.length === hurt.length ? 'all' : `${passed.length} ${named(passed)}`;
    return [
      `${count(hurt.length, 'check')} ${named(hurt.map(([row]) => row))} met 5xx or no response while up to ${underWay} requests were under way. ` +
        `With at most ${this.#enough} under way, ${who} of them passed. ` +
        (2 * passed.length >= hurt.length
          ? `If the server was overloaded, lower budget.concurrency in the target to ${this.#enough}. If not, its log says what failed.`
          : 'The others met it with one request at a time as well: load is not their cause.'),
    ];
  }
}
