import { isIssue } from './inputs.js';
import type { Operation, Output } from './inputs.js';
import type { GrantModel, Held, Misuse } from './grant.js';

/** Which of the things that the model says a server was seen to break. */
export type Aspect = 'transition' | 'absorbing' | 'independence' | 'agreement' | 'identity';

/** Server and model disagree. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement';
  constructor(
    readonly aspect: Aspect,
    readonly expected: string,
    readonly got: string,
  ) {
    super(`expected ${expected}; got ${got}`);
  }
}

type About = Extract<Operation, { readonly kind: unknown }>;

export interface Circumstances {
  /** Seconds on the model's clock. */
  readonly now?: number;
  /** Nothing happened to this grant just now. */
  readonly untouched?: boolean;
}

const refuse = (token: Held): void => void Object.assign(token, { verdict: 'DEAD', seenDead: true });

/** Holds what a server answers about one grant against the model, and keeps the model up to date. */
export class GrantJudge {
  /** What data requests, or else introspection, said of a token since the last action. */
  readonly #seen = new Map<Held, boolean>();

  constructor(readonly model: GrantModel) {}

  /** Whether the server must do what it is asked (true) or must not (false); undefined where that is open. */
  must(operation: Operation): boolean | undefined {
    if (operation.verb === 'revoke' || operation.verb === 'end' || operation.verb === 'wait') return true;
    const { verdict } = this.#tokenOf(operation);
    if ('misuse' in operation && operation.misuse !== 'none') return false;
    return verdict === 'FREE' ? undefined : verdict === 'LIVE';
  }

  /** It is this late now. */
  elapse(now: number): void {
    this.#seen.clear();
    this.model.elapse(now);
  }

  /** Takes an answer. @throws Disagreement */
  take(operation: Operation, output: Output, { now = 0, untouched = false }: Circumstances = {}): void {
    if (operation.verb !== 'use' && operation.verb !== 'introspect') this.#seen.clear();
    switch (operation.verb) {
      case 'exchange':
        return this.#exchanged(operation.misuse, output, now);
      case 'refresh':
        return this.#refreshed(operation, output, { now, untouched });
      case 'revoke':
        return this.model.revoked(this.#tokenOf(operation));
      case 'end':
        return this.model.endedByUser();
      case 'wait':
        return this.model.elapse(now);
      case 'use':
        return this.#used(operation, output === 'works', untouched);
      case 'introspect':
        return this.#introspected(operation, output === 'active');
    }
  }

  #tokenOf(operation: Exclude<Operation, { verb: 'end' | 'wait' }>): Held {
    if (operation.verb === 'exchange') return this.model.code;
    const kind = operation.verb === 'refresh' ? 'refresh' : operation.kind;
    return this.model[kind][operation.token]!;
  }

  #exchanged(misuse: Misuse, output: Output, now: number): void {
    const { model } = this;
    const { code } = model;
    const isAlive = code.verdict !== 'DEAD';
    if (!isIssue(output)) {
      if (misuse === 'none' && code.verdict === 'LIVE')
        throw new Disagreement('transition', 'the code exchanged for tokens', 'a refusal');
      if (!isAlive) return model.replayed(misuse);
      return misuse === 'none' ? refuse(code) : model.misused(misuse);
    }
    if (misuse !== 'none' || !isAlive) throw accepted(code, 'the code refused');
    this.#identified(output);
    model.exchanged(output !== 'access token', now);
  }

  #refreshed(
    { token: index, misuse }: Extract<Operation, { verb: 'refresh' }>,
    output: Output,
    { now, untouched }: Required<Circumstances>,
  ): void {
    const { model } = this;
    const token = model.refresh[index]!;
    const { verdict } = token;
    const aspect = untouched ? 'independence' : undefined;
    if (!isIssue(output)) {
      if (misuse !== 'none') return verdict === 'DEAD' ? undefined : model.refusedRefresh(token);
      if (verdict === 'LIVE')
        throw new Disagreement(aspect ?? 'transition', 'new tokens for the refresh token', 'a refusal');
      refuse(token);
      // It may have been used up before, and then this was a reuse.
      return model.reused(token);
    }
    if (misuse !== 'none' || verdict === 'DEAD') throw accepted(token, `refresh token ${index + 1} refused`, aspect);
    this.#identified(output);
    model.refreshed(token, output !== 'access token', now);
  }

  #identified(output: Output): void {
    if (output === 'tokens of another identity')
      throw new Disagreement('identity', 'the username and sub that the account had before', 'others');
  }

  #used({ token: index, kind }: About, works: boolean, untouched: boolean): void {
    const token = this.model[kind][index]!;
    const shown = this.#seen.get(token);
    this.#seen.set(token, works);
    if (works ? token.verdict !== 'DEAD' : token.verdict !== 'LIVE') {
      if (!works) refuse(token);
      if (shown !== undefined && shown !== works) throw disagreed(`access token ${index + 1}`, works, shown);
      return;
    }
    throw new Disagreement(
      untouched ? 'independence' : works && token.seenDead ? 'absorbing' : 'transition',
      `data requests with access token ${index + 1} ${works ? 'refused' : 'to work'}`,
      works ? 'an answer other than 401' : '401',
    );
  }

  #introspected({ token: index, kind }: About, shown: boolean): void {
    const token = this.model[kind][index]!;
    const known = this.#seen.get(token) ?? (token.verdict === 'FREE' ? undefined : token.verdict === 'LIVE');
    if (known !== undefined && known !== shown) throw disagreed(`${kind} token ${index + 1}`, known, shown);
    if (kind === 'access') this.#seen.set(token, shown);
  }
}

const disagreed = (name: string, alive: boolean, shown: boolean): Disagreement =>
  new Disagreement('agreement', `introspection to show ${name} ${alive ? 'active' : 'inactive'}`, `active: ${shown}`);

function accepted({ seenDead }: Held, expected: string, aspect?: Aspect): Disagreement {
  return new Disagreement(
    aspect ?? (seenDead ? 'absorbing' : 'transition'),
    seenDead ? `${expected} as before` : expected,
    'new tokens',
  );
}
