import type { Coverage } from '../engine/coverage.js';
import { GrantModel } from './grant.js';
import type { Held, Lives } from './grant.js';
import { isOffered, operationOf } from './inputs.js';
import type { Input, Operation, Output, Request } from './inputs.js';
import { GrantJudge } from './judge.js';
import { serverError } from './token-server.js';
import type { CodeHandle, TokenSet, Party, TokenServer } from './token-server.js';

/** A code and what became of it, with the texts that a server gave. */
export class PlayedGrant {
  readonly access: string[] = [];
  readonly refresh: string[] = [];

  private constructor(
    readonly server: TokenServer,
    readonly party: Party,
    readonly handle: CodeHandle,
    /** What accounts were called so far. */
    readonly identities: Map<string, string>,
  ) {}

  /** Consents, and has a code. */
  static async open(server: TokenServer, party: Party, identities: Map<string, string>): Promise<PlayedGrant> {
    return new PlayedGrant(server, party, await server.consent(party), identities);
  }

  /** The request that an input makes now; undefined where it makes none. */
  operationOf(input: Input): Operation | undefined {
    const issued = { access: this.access.length, refresh: this.refresh.length };
    return isOffered(input, this.server.offers(this.party)) ? operationOf(input, issued) : undefined;
  }

  /** Sends a request. */
  async send(operation: Request): Promise<Output> {
    const { server, party, handle } = this;
    switch (operation.verb) {
      case 'exchange':
        return this.#issued(await server.exchange(handle, operation.misuse));
      case 'refresh':
        return this.#issued(await server.refresh(party, this.refresh[operation.token]!, operation.misuse));
      case 'revoke': {
        const done = await server.revoke(party, this[operation.kind][operation.token]!);
        return done === serverError ? done : done ? 'done' : 'refused';
      }
      case 'use':
        return (await server.use(party, this.access[operation.token]!)) ? 'works' : 'refused';
      case 'introspect':
        return (await server.introspect(party, this[operation.kind][operation.token]!)) ? 'active' : 'inactive';
      case 'end':
        await server.endByUser(party);
        return 'done';
    }
  }

  #issued(tokens: TokenSet | null | typeof serverError): Output {
    if (tokens === null) return 'refused';
    if (tokens === serverError) return tokens;
    this.access.push(tokens.access);
    if (tokens.refresh !== undefined) this.refresh.push(tokens.refresh);
    const { account } = this.party;
    const before = this.identities.get(account);
    if (before === undefined) this.identities.set(account, tokens.identity);
    if (before !== undefined && before !== tokens.identity) return 'tokens of another identity';
    return tokens.refresh === undefined ? 'access token' : 'tokens';
  }
}

const alive = (token: Held | undefined): token is Held => token !== undefined && token.verdict !== 'DEAD';

/** One grant in play: the model of it beside the server that has it. */
export class Play {
  readonly model: GrantModel;
  readonly #judge: GrantJudge;

  private constructor(
    readonly grant: PlayedGrant,
    now: number,
    lives: Lives,
    readonly coverage: Coverage,
  ) {
    this.model = new GrantModel(now, lives);
    this.#judge = new GrantJudge(this.model);
  }

  /** Consents, and has a code. `identities` is what accounts were called so far. */
  static async open(
    server: TokenServer,
    party: Party,
    { lives, coverage, identities }: { lives: Lives; coverage: Coverage; identities: Map<string, string> },
  ): Promise<Play> {
    const now = await server.now();
    return new Play(await PlayedGrant.open(server, party, identities), now, lives, coverage);
  }

  get party(): Party {
    return this.grant.party;
  }

  /** Whether the input asks anything in this state, and the server offers what it takes. */
  applies(input: Input): boolean {
    return this.grant.operationOf(input) !== undefined;
  }

  /** The user ended it, by another grant of the same client. */
  endedByUser(): void {
    this.#judge.take({ verb: 'end' }, 'done');
  }

  /** It is this late now. */
  elapse(now: number): void {
    this.#judge.elapse(now);
  }

  /** Plays an input, and has the server answer as the model says. */
  async step(input: Input): Promise<void> {
    const before = this.model.state;
    const operation = this.grant.operationOf(input);
    if (operation === undefined || operation.verb === 'wait')
      throw new Error(`${input} asks nothing in state ${before}`);
    await this.#ask(operation);
    this.coverage.transition(before, input, this.model.state);
  }

  async #ask(operation: Request, untouched = false): Promise<void> {
    const output = await this.grant.send(operation);
    this.#judge.take(operation, output, { now: await this.grant.server.now(), untouched });
  }

  // --- probes -----------------------------------------------------------------------------------------------------

  /** Data API, introspection and model agree on every token. `untouched`: nothing happened to this grant just now. */
  async probe({ untouched = false } = {}): Promise<void> {
    const { model, grant } = this;
    const offer = grant.server.offers(this.party);
    const about = (verb: 'use' | 'introspect', kind: 'access' | 'refresh') =>
      model[kind].map((token, index) => ({ token, operation: { verb, kind, token: index } as const }));
    const asked = [
      ...about('use', 'access'),
      ...(offer.introspect ? about('introspect', 'access') : []),
      ...(offer.introspectRefresh
        ? about('introspect', 'refresh').filter(({ token }) => token.verdict !== 'FREE')
        : []),
    ];
    const outputs = await grant.server.atOnce(asked, ({ operation }) => grant.send(operation));
    for (const [index, { token, operation }] of asked.entries()) {
      try {
        this.#judge.take(operation, outputs[index]!, { untouched });
      } catch (error) {
        // The refresh token itself tells who is wrong: if it is as introspection says, then the server has lost its way.
        if (operation.kind === 'refresh') await this.#attempt(model.refresh.indexOf(token), untouched);
        throw error;
      }
    }
  }

  /**
   * Tries the refresh tokens, the newest first and those that are used up last, because reuse may end the grant
   * (K-076); then once more those that were refused, which must stay so. After it the grant is spent.
   */
  async finish({ untouched = false } = {}): Promise<void> {
    const { model } = this;
    const newest = model.refresh.at(-1);
    if (alive(newest)) {
      const [{ verdict }, issued, index] = [newest, model.access.length, model.refresh.length - 1];
      await this.#attempt(index, untouched);
      if (model.access.length > issued) await this.probe({ untouched });
      if (verdict === 'FREE') await this.#attempt(index, false);
    }
    for (const [index, token] of [...model.refresh.entries()].toReversed())
      if (!alive(token)) await this.#attempt(index, false);
  }

  #attempt(token: number, untouched: boolean): Promise<void> {
    return this.#ask({ verb: 'refresh', token, misuse: 'none' }, untouched);
  }
}
