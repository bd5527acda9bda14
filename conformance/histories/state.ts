import { noLives } from '../machine/contract.js';
import { GrantModel } from '../model/grant.js';
import type { Held } from '../model/grant.js';
import type { Operation, Output } from '../model/inputs.js';
import { GrantJudge } from '../model/judge.js';
import { isRead, issuedBy, overlap } from './history.js';
import type { Call, History } from './history.js';

/** A token that the state knows: its name, and the call that gave it. */
interface Known {
  readonly name: string;
  readonly giver: Call | undefined;
}

/** A grant after some calls in some order: the model of it, and what its tokens are called. */
export class State {
  /** Two states with the same key go on in the same way. */
  readonly key: string;

  private constructor(
    readonly model: GrantModel,
    readonly code: Known | undefined,
    readonly access: readonly Known[],
    readonly refresh: readonly Known[],
  ) {
    const of = (known: readonly Known[], held: readonly Held[]): string =>
      known.map(({ name, giver }, index) => `${name}@${giver?.sent ?? ''}${sign(held[index]!)}`).join();
    this.key = `${code ? sign(model.code) : ''};${of(access, model.access)};${of(refresh, model.refresh)}`;
  }

  /** Before the first call. */
  static start({ before = [] }: History): State {
    const model = new GrantModel(0, noLives);
    const names = (kind: string): Known[] =>
      before.filter((name) => name.startsWith(kind)).map((name) => ({ name, giver: undefined }));
    const [access, refresh] = [names('a'), names('r')];
    model.heldBefore(access.length, refresh.length);
    return new State(model, before.includes('code') ? { name: 'code', giver: undefined } : undefined, access, refresh);
  }

  /** The state after a call was answered like this, or undefined where the model does not allow that. */
  after(call: Call): State | undefined {
    const issued = issuedBy(call);
    if (call.verb === 'consent')
      return new State(this.model, { name: issued[0]!, giver: call }, this.access, this.refresh);
    const given = issued.map((name) => [...this.access, ...this.refresh].find((known) => known.name === name));
    if (given.some((known) => known !== undefined)) return isEcho(call, given) ? this : undefined;
    const operation = this.#operationOf(call);
    const isSuccess = typeof call.reply === 'object' || call.reply === 'works' || call.reply === 'active';
    // What was never issued does nothing, and nothing changes by it.
    if (operation === undefined) return isSuccess ? undefined : this;
    const must = new GrantJudge(this.model).must(operation);
    if (must !== undefined && call.verb !== 'revoke' && call.verb !== 'end' && must !== isSuccess) return undefined;
    const model = this.model.copy();
    new GrantJudge(model).take(operation, outputOf(call));
    const [access, refresh] = [[...this.access], [...this.refresh]];
    if (issued[0] !== undefined) access.push({ name: issued[0], giver: call });
    if (issued[1] !== undefined) refresh.push({ name: issued[1], giver: call });
    // Tokens that nobody heard of are never asked about, and what becomes of them changes nothing.
    model.access.splice(access.length);
    model.refresh.splice(refresh.length);
    const next = new State(model, this.code, access, refresh);
    return next.key === this.key ? this : next;
  }

  /**
   * Whether a call is allowed here and changes nothing, and later could do no more than leave less open: a read, or an echo.
   * A refused refresh is none of them, for later it may be a reuse.
   */
  isInert(call: Call): boolean {
    return (isRead(call) || typeof call.reply === 'object') && this.after(call) === this;
  }

  #operationOf({ verb, token }: Call): Operation | undefined {
    if (verb === 'end') return this.code || this.access.length > 0 ? { verb } : undefined;
    if (verb === 'exchange') return this.code?.name === token ? { verb, misuse: 'none' } : undefined;
    const [access, refresh] = [this.access, this.refresh].map((all) => all.findIndex(({ name }) => name === token));
    if (verb === 'refresh') return refresh! < 0 ? undefined : { verb, token: refresh!, misuse: 'none' };
    if (verb === 'consent' || (access! < 0 && refresh! < 0)) return undefined;
    return access! < 0 ? { verb, kind: 'refresh', token: refresh! } : { verb, kind: 'access', token: access! };
  }
}

const sign = ({ verdict, used }: Held): string => (verdict === 'DEAD' && used ? 'U' : verdict.charAt(0));

/**
 * A server may answer calls with one credential that overlap with the same tokens, as if they were one call: no token is
 * won twice (K-076 leaves open how a reuse is met).
 */
const isEcho = (call: Call, given: readonly (Known | undefined)[]): boolean =>
  given.every(
    (known) =>
      known?.giver !== undefined &&
      known.giver.verb === call.verb &&
      known.giver.token === call.token &&
      issuedBy(known.giver).length === given.length &&
      overlap(known.giver, call),
  );

function outputOf({ reply }: Call): Output {
  if (typeof reply === 'object') return reply.issued.length > 1 ? 'tokens' : 'access token';
  return reply ?? 'unknown';
}

/** What may have come of a call that nobody heard the end of. Tokens that it gave have no names. */
export function outcomes(call: Call): readonly Call[] {
  switch (call.verb) {
    case 'consent':
    case 'use':
    case 'introspect':
      return [];
    case 'revoke':
    case 'end':
      return [{ ...call, reply: 'done' }];
    case 'exchange':
    case 'refresh':
      return [
        { ...call, reply: { issued: [] } },
        { ...call, reply: 'refused' },
      ];
  }
}
