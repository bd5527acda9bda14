import type { RowId } from '../ledger.gen.js';
import type { Known } from '../target/target.js';
import { MissingCapability } from '../verdict.js';
import type { Coverage } from './coverage.js';
import type { Environment } from './environment.js';
import { found } from './found.js';
import type { Facts } from './run.js';
import { sampleOf } from './operations.js';
import { dateOf } from '../wire/answer.js';
import type { Session } from './session.js';
import { SharedClock } from './shared-clock.js';

/** What is known to one check. */
export class KnownFacts implements Facts {
  constructor(
    readonly env: Environment,
    readonly session: Session,
    readonly row: RowId,
    readonly mayMoveClock: boolean,
  ) {}

  get target() {
    return this.env.target;
  }
  get hooks() {
    return this.env.hooks;
  }
  get runs(): number {
    return this.env.runs;
  }
  get thorough(): boolean {
    return this.env.thorough;
  }
  get lifecycle(): Coverage {
    return this.env.lifecycle;
  }

  known<K extends keyof Known>(key: K): NonNullable<Known[K]> {
    const value = this.target.known[key];
    if (value === undefined) throw new MissingCapability(`known:${key}`, `set known.${key} in the target`);
    return value as NonNullable<Known[K]>;
  }

  found: Facts['found'] = (key) => found(this.session.source, key);
  sample: Facts['sample'] = (operation, options) => sampleOf(this.session.source, operation, options?.realm);
  once: Facts['once'] = (key, make) => this.session.once(key, make);
  flag: Facts['flag'] = (flag) => this.target.edition[flag] ?? 'any';
  codec: Facts['codec'] = () => this.env.codec();

  async now(): Promise<number> {
    if (this.hooks.clock) return (await this.hooks.clock.now()).getTime() / 1000;
    const answer = await this.session.http.raw('GET', '/profile');
    return dateOf(answer) ?? Date.now() / 1000;
  }

  async advance(seconds: number, most?: number): Promise<void> {
    if (!this.mayMoveClock) throw new Error(`${this.row} moves the clock, so its phase is clock`);
    if (!this.hooks.clock) throw new MissingCapability('clock', 'a clock hook');
    await this.hooks.clock.advance(seconds, most);
  }

  async apart<T>(values: readonly T[], action: (value: T) => Promise<unknown>): Promise<void> {
    const { clock } = this.hooks;
    if (clock instanceof SharedClock) return clock.apart(values, action);
    for (const value of values) await action(value);
  }
}
