import type { RowId } from '../ledger.gen.js';
import type { Environment } from './environment.js';
import { Expectations } from './expect.js';
import type { Paths } from './expect.js';
import { KnownFacts } from './facts.js';
import type { Run } from './run.js';
import type { Session } from './session.js';
import { Deviation, NotOffered } from '../verdict.js';

/** A check at work: the requests and tokens of a session, and the facts and expectations of one row. */
export class CheckRun implements Run {
  readonly http;
  readonly oauth;
  readonly facts;
  readonly expect;

  constructor(
    env: Environment,
    session: Session,
    row: RowId,
    { mayMoveClock = false, paths, only }: { mayMoveClock?: boolean; paths?: Paths; only?: string } = {},
  ) {
    this.http = session.http;
    this.oauth = session;
    this.facts = new KnownFacts(env, session, row, mayMoveClock);
    this.expect = new Expectations(env, session, row, paths, only);
  }

  async case<T>(name: string, judge: () => Promise<T>): Promise<T | undefined> {
    try {
      return await judge();
    } catch (error) {
      if (error instanceof NotOffered) {
        this.expect.notOffered ??= error;
        return undefined;
      }
      throw error instanceof Deviation ? error.within(name) : error;
    }
  }
}
