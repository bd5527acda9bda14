import type { Coverage } from '../engine/coverage.js';
import { GrantModel } from './grant.js';
import type { Held, Lives } from './grant.js';
import type { CodeHandle, Misuse, TokenSet, Party, TokenServer } from './token-server.js';

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

/** What can happen to a grant. `use` and `introspect` are no actions: they follow every step. */
export const actions = {
  exchange: 'exchange the code',
  'exchange badly': 'exchange the code with a wrong verifier',
  'exchange as another': 'exchange the code as another client',
  replay: 'exchange the used code again',
  'replay badly': 'exchange the used code again with a wrong verifier',
  refresh: 'refresh with the newest refresh token',
  'refresh old': 'refresh with a token that is used up or revoked',
  'refresh badly': 'refresh with a wrong secret',
  'refresh as another': 'refresh as another client',
  'revoke access': 'revoke the newest access token',
  'revoke first': 'revoke the first access token',
  'revoke refresh': 'revoke the newest refresh token',
  'user ends': 'the user ends it on the applications page',
} as const;
export type Action = keyof typeof actions;

const alive = (token: Held | undefined): token is Held => token !== undefined && token.verdict !== 'DEAD';

/** One grant in play: the model of it beside the server that has it. */
export class Play {
  #identity: string | undefined;

  private constructor(
    readonly server: TokenServer,
    readonly party: Party,
    readonly handle: CodeHandle,
    readonly model: GrantModel,
    readonly coverage: Coverage,
    readonly identities: Map<string, string>,
  ) {}

  /** Consents, and has a code. `identities` is what accounts were called so far. */
  static async open(
    server: TokenServer,
    party: Party,
    { lives, coverage, identities }: { lives: Lives; coverage: Coverage; identities: Map<string, string> },
  ): Promise<Play> {
    const now = await server.now();
    const handle = await server.consent(party);
    return new Play(server, party, handle, new GrantModel(handle.text, now, lives), coverage, identities);
  }

  /** Whether the action says anything in this state, and the server offers what it takes. */
  applies(action: Action): boolean {
    const { code, access, refresh } = this.model;
    const offer = this.server.offers(this.party);
    switch (action) {
      case 'exchange':
      case 'exchange badly':
      case 'exchange as another':
        return access.length === 0 && alive(code);
      case 'replay':
      case 'replay badly':
        return code.verdict === 'DEAD';
      case 'refresh':
      case 'refresh badly':
      case 'refresh as another':
        return alive(refresh.at(-1));
      case 'refresh old':
        return refresh.some((token) => !alive(token));
      case 'revoke access':
        return offer.revoke && access.length > 0;
      case 'revoke first':
        return offer.revoke && access.length > 1;
      case 'revoke refresh':
        return offer.revoke && refresh.length > 0;
      case 'user ends':
        return offer.page && access.length > 0;
    }
  }

  /** Plays an action, and has the server answer as the model says. */
  async step(action: Action): Promise<void> {
    const before = this.model.state;
    await this.#play(action);
    this.coverage.transition(before, action, this.model.state);
  }

  async #play(action: Action): Promise<void> {
    const { model, server, party } = this;
    const { code, access, refresh } = model;
    switch (action) {
      case 'exchange':
        return this.#exchange('none', code.verdict === 'LIVE');
      case 'exchange badly':
        await this.#exchange('proof', false);
        return model.misused();
      case 'exchange as another':
        await this.#exchange('client', false);
        return model.misused();
      case 'replay':
        await this.#exchange('none', false);
        return model.replayed();
      case 'replay badly':
        await this.#exchange('proof', false);
        return model.replayed();
      case 'refresh':
        return this.#refresh(refresh.at(-1)!, 'none');
      case 'refresh old':
        await this.#refresh(
          refresh.findLast((token) => !alive(token))!,
          'none',
        );
        return model.reused();
      case 'refresh badly':
        await this.#refresh(refresh.at(-1)!, 'secret');
        return model.refusedRefresh(refresh.at(-1)!);
      case 'refresh as another':
        await this.#refresh(refresh.at(-1)!, 'client');
        return model.refusedRefresh(refresh.at(-1)!);
      case 'revoke access':
        return this.#revoke(access.at(-1)!);
      case 'revoke first':
        return this.#revoke(access[0]!);
      case 'revoke refresh':
        return this.#revoke(refresh.at(-1)!);
      case 'user ends':
        await server.endByUser(party);
        return model.endedByUser();
    }
  }

  async #exchange(fault: Misuse, must: boolean): Promise<void> {
    const { model, server, handle } = this;
    const right = fault === 'none' && model.code.verdict !== 'DEAD';
    const issued = await server.exchange(handle, fault);
    if (issued === null) {
      if (must) throw new Disagreement('transition', 'the code exchanged for tokens', 'a refusal');
      if (right) Object.assign(model.code, { verdict: 'DEAD', seenDead: true });
      return;
    }
    if (!right) throw this.#accepted(model.code, 'the code refused');
    if (model.code.seenDead) throw new Disagreement('absorbing', 'the code refused as before', 'tokens');
    this.#identify(issued);
    model.exchanged(issued.access, issued.refresh, await server.now());
  }

  async #refresh(token: Held, fault: Misuse): Promise<void> {
    const { model, server, party } = this;
    const { verdict } = token;
    const issued = await server.refresh(party, token.text, fault);
    if (issued === null) {
      if (fault !== 'none') return;
      if (verdict === 'LIVE') throw new Disagreement('transition', 'new tokens for the refresh token', 'a refusal');
      Object.assign(token, { verdict: 'DEAD', seenDead: true });
      // It may have been used up before, and then this was a reuse.
      return model.reused();
    }
    if (fault !== 'none' || verdict === 'DEAD') throw this.#accepted(token, 'the refresh refused');
    this.#identify(issued);
    model.refreshed(token, issued.access, issued.refresh, await server.now());
  }

  #accepted({ seenDead }: Held, expected: string): Disagreement {
    return new Disagreement(
      seenDead ? 'absorbing' : 'transition',
      seenDead ? `${expected} as before` : expected,
      'tokens',
    );
  }

  async #revoke(token: Held): Promise<void> {
    await this.server.revoke(this.party, token.text);
    this.model.revoked(token);
  }

  #identify({ identity }: TokenSet): void {
    const { account } = this.party;
    const before = this.#identity ?? this.identities.get(account);
    if (before !== undefined && before !== identity) {
      throw new Disagreement('identity', `the username and sub that ${account} had before`, 'others');
    }
    this.#identity = identity;
    this.identities.set(account, identity);
  }

  // --- probes -----------------------------------------------------------------------------------------------------

  /** Data API, introspection and model agree on every token. `untouched`: nothing happened to this grant just now. */
  async probe({ untouched = false } = {}): Promise<void> {
    const { model } = this;
    const { works, active } = await this.#seen();
    for (const [index, token] of model.access.entries()) {
      const answered = works.get(token)!;
      const shown = active.get(token);
      this.#judge(token, answered, `access token ${index + 1}`, 'data requests', untouched);
      if (shown === undefined || shown === answered) continue;
      throw new Disagreement(
        'agreement',
        `introspection to show access token ${index + 1} ${answered ? 'active' : 'inactive'}`,
        `active: ${shown}`,
      );
    }
    for (const [index, token] of model.refresh.entries()) {
      const shown = active.get(token);
      if (shown === undefined || shown === (token.verdict === 'LIVE')) continue;
      // The token itself tells who is wrong: if it is as introspection says, then the server has lost its way.
      await this.#attempt(token, untouched);
      throw new Disagreement(
        'agreement',
        `introspection to show refresh token ${index + 1} ${shown ? 'inactive' : 'active'}`,
        `active: ${shown}`,
      );
    }
  }

  /** Which access tokens work, and which tokens introspection shows as active, where the server offers it. */
  async #seen(): Promise<Readonly<Record<'works' | 'active', ReadonlyMap<Held, boolean>>>> {
    const { model, server, party } = this;
    const offer = server.offers(party);
    const works = new Map<Held, boolean>();
    const active = new Map<Held, boolean>();
    const introspected = [
      ...(offer.introspect ? model.access : []),
      ...(offer.introspectRefresh ? model.refresh.filter(({ verdict }) => verdict !== 'FREE') : []),
    ];
    await server.atOnce(
      [
        ...model.access.map((token) => async () => works.set(token, await server.use(party, token.text))),
        ...introspected.map((token) => async () => active.set(token, await server.introspect(party, token.text))),
      ],
      (ask) => ask(),
    );
    return { works, active };
  }

  #judge(token: Held, works: boolean, name: string, where: string, untouched: boolean): void {
    if (works && token.verdict !== 'DEAD') return;
    if (!works && token.verdict !== 'LIVE') {
      Object.assign(token, { verdict: 'DEAD', seenDead: true });
      return;
    }
    const aspect = untouched ? 'independence' : works && token.seenDead ? 'absorbing' : 'transition';
    throw new Disagreement(
      aspect,
      `${where} with ${name} ${works ? 'refused' : 'to work'}`,
      works ? 'an answer' : '401',
    );
  }

  /**
   * Tries the refresh tokens, the newest first and those that are used up last, because reuse may end the grant
   * (K-076); then once more those that were refused, which must stay so. After it the grant is spent.
   */
  async finish({ untouched = false } = {}): Promise<void> {
    const { model } = this;
    const newest = model.refresh.at(-1);
    if (alive(newest)) {
      const [{ verdict }, issued] = [newest, model.access.length];
      await this.#attempt(newest, untouched);
      if (model.access.length > issued) await this.probe({ untouched });
      if (verdict === 'FREE') await this.#attempt(newest, false);
    }
    for (const token of model.refresh.toReversed()) if (!alive(token)) await this.#attempt(token, false);
  }

  async #attempt(token: Held, untouched: boolean): Promise<void> {
    const reuse = !alive(token);
    try {
      await this.#refresh(token, 'none');
    } catch (error) {
      if (!(error instanceof Disagreement) || !untouched) throw error;
      throw new Disagreement('independence', error.expected, error.got);
    }
    if (reuse) this.model.reused();
  }
}
