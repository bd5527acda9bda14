/** What the model says of a token: it must work, it must not, or the interface leaves it open. */
export type Liveness = 'LIVE' | 'DEAD' | 'FREE';

/** A code or token as the model knows it. */
export interface Held {
  /** Seconds on the model's clock. */
  readonly issued: number;
  verdict: Liveness;
  /** The server was seen to refuse it, so it may never accept it again. */
  seenDead: boolean;
  /** A refresh token that was exchanged. */
  used: boolean;
}

/** Lives in seconds, and the margins around their ends within which nothing is said (K-110). */
export interface Lives {
  readonly code: number;
  readonly access: number;
  /** When an access token is dead by every reading (K-001). */
  readonly accessEnd: number;
  readonly chain: number;
  readonly margin: number;
  readonly codeMargin: number;
}

/** What the interface leaves open about a grant, each with its entry of gaps.yaml: whether that ends then. */
export const readings = {
  'a wrong exchange uses up the code': 'K-078',
  "another client's exchange uses up the code": 'K-078',
  'a replay ends the grant': 'K-077',
  'a wrong replay ends the grant': 'K-077',
  "another client's replay ends the grant": 'K-077',
  'a refresh ends older access tokens': 'K-076',
  'reuse of a used refresh token ends the grant': 'K-076',
  'use of a revoked refresh token ends the grant': 'K-076',
  'a refused refresh ends the refresh token': 'K-076',
  'revoking an access token ends the other access tokens': 'K-089',
  'revoking an access token ends the refresh token': 'K-089',
  'revoking a refresh token ends the access tokens': 'K-089',
  'revoking a used refresh token ends the grant': 'K-089',
  'revoking an ended token ends the grant': 'K-089',
  'the end of the refresh chain ends access tokens': 'K-088',
  'the shorter of the two lives ends access tokens': 'K-001',
} as const;
export type Reading = keyof typeof readings;

/** Readings that are settled. Without an entry a reading stays open, and what it concerns is FREE. */
export type Readings = Readonly<Partial<Record<Reading, boolean>>>;

/** How a request that exchanges a code or a refresh token misses what it should be. */
export type Misuse = 'none' | 'proof' | 'secret' | 'client';

/** Called with each reading that an event meets, and the tokens that it may end. */
export type Asked = (reading: Reading, tokens: readonly Held[]) => void;

/** What time can end, in words. Where it is over already, nothing is waited for. */
export const waits = {
  'code ends': 'wait until the life of the code is over',
  'access nearly ends': 'wait until shortly before the newest access token ends',
  'access ends': 'wait until the newest access token has ended',
  'chain nearly ends': 'wait until shortly before the refresh chain is over',
  'chain ends': 'wait until the refresh chain is over',
} as const;
export type Wait = keyof typeof waits;

/** When a wait is over: as far before or behind the end of a life as is needed for it to be so by every clock. */
export function waitsUntil(
  until: Wait,
  { code, codeMargin, access, accessEnd, chain, margin }: Lives,
  /** When the code, the first tokens and the newest access token were issued. */
  issued: { readonly code: number; readonly exchange: number; readonly access: number },
): number {
  switch (until) {
    case 'code ends':
      return issued.code + code + 2 * codeMargin;
    case 'access nearly ends':
      return issued.access + access - 2 * margin;
    case 'access ends':
      return issued.access + accessEnd + 2 * margin;
    case 'chain nearly ends':
      return issued.exchange + chain - 2 * margin;
    case 'chain ends':
      return issued.exchange + chain + 2 * margin;
  }
}

const held = (issued: number): Held => ({ issued, verdict: 'LIVE', seenDead: false, used: false });

const free = (token: Held): void => {
  if (token.verdict === 'LIVE') token.verdict = 'FREE';
};

/**
 * The tri-state oracle of one grant: its code, its access tokens and its chain of refresh tokens, oldest first. DEAD is
 * final; FREE keeps the suite from asserting what nobody stated (interface 3; K-076 to K-078, K-088, K-089). With all
 * readings settled nothing is FREE as long as no time passes, and the model is a deterministic machine.
 */
export class GrantModel {
  readonly code: Held;
  readonly access: Held[] = [];
  readonly refresh: Held[] = [];
  #chainEnd = Infinity;

  constructor(
    now: number,
    readonly lives: Lives,
    readonly settled: Readings = {},
    readonly asked?: Asked,
  ) {
    this.code = held(now);
  }

  /** The same grant, to go on with in another way. */
  copy(): GrantModel {
    const model = new GrantModel(this.code.issued, this.lives, this.settled, this.asked);
    Object.assign(model.code, this.code);
    model.access.push(...this.access.map((token) => ({ ...token })));
    model.refresh.push(...this.refresh.map((token) => ({ ...token })));
    model.#chainEnd = this.#chainEnd;
    return model;
  }

  /** Tokens of which nothing is known but that they were issued. */
  heldBefore(access: number, refresh: number): void {
    const unknown = (): Held => ({ ...held(this.code.issued), verdict: 'FREE' });
    for (let token = 0; token < access; token += 1) this.access.push(unknown());
    for (let token = 0; token < refresh; token += 1) this.refresh.push(unknown());
  }

  /** In a few words: what the newest tokens are. */
  get state(): string {
    const [access, refresh] = [this.access.at(-1)?.verdict, this.refresh.at(-1)?.verdict];
    if (access === undefined) return `code ${this.code.verdict}`;
    return refresh === undefined ? `access ${access}` : `access ${access}, refresh ${refresh}`;
  }

  // --- what an event does -----------------------------------------------------------------------------------------

  /** The code was exchanged. */
  exchanged(refreshable: boolean, now: number): void {
    this.code.verdict = 'DEAD';
    this.#chainEnd = now + this.lives.chain;
    this.#issue(refreshable, now);
  }

  /** The code was refused in a request that was not right: it may have been used up (K-078). */
  misused(how: Misuse): void {
    const who = how === 'client' ? "another client's exchange" : 'a wrong exchange';
    this.#leaveOpen(`${who} uses up the code`, [this.code]);
  }

  /** The used code was presented again, which should end the tokens that it gave (K-077). */
  replayed(how: Misuse): void {
    const who = how === 'client' ? "another client's replay" : how === 'none' ? 'a replay' : 'a wrong replay';
    this.#leaveOpen(`${who} ends the grant`, [...this.access, ...this.refresh]);
  }

  /** A refresh token was exchanged: it is used up, and older access tokens may have ended (K-076). */
  refreshed(used: Held, refreshable: boolean, now: number): void {
    Object.assign(used, { verdict: 'DEAD', used: true });
    this.#leaveOpen('a refresh ends older access tokens', this.access);
    this.#issue(refreshable, now);
  }

  /** A refresh token that is no good was tried again, which may end the whole grant (K-076). */
  reused({ used }: Held): void {
    const what = used ? 'reuse of a used refresh token' : 'use of a revoked refresh token';
    this.#leaveOpen(`${what} ends the grant`, [...this.access, ...this.refresh]);
  }

  /** A refresh failed for another reason than its token. */
  refusedRefresh(token: Held): void {
    this.#leaveOpen('a refused refresh ends the refresh token', [token]);
  }

  /** An access or refresh token was revoked; what goes with it is open (K-089). */
  revoked(token: Held): void {
    const wasAlive = token.verdict !== 'DEAD';
    token.verdict = 'DEAD';
    const { access, refresh } = this;
    if (token.used) this.#leaveOpen('revoking a used refresh token ends the grant', [...access, ...refresh]);
    else if (!wasAlive) this.#leaveOpen('revoking an ended token ends the grant', [...access, ...refresh]);
    else if (access.includes(token)) {
      this.#leaveOpen('revoking an access token ends the other access tokens', access);
      this.#leaveOpen('revoking an access token ends the refresh token', refresh);
    } else this.#leaveOpen('revoking a refresh token ends the access tokens', access);
  }

  /** The user ended everything that the client has. */
  endedByUser(): void {
    free(this.code);
    for (const token of [...this.access, ...this.refresh]) token.verdict = 'DEAD';
  }

  /** It is this late now. */
  elapse(now: number): void {
    const { lives } = this;
    this.#age(this.code, now, this.code.issued + lives.code, lives.codeMargin);
    for (const token of this.refresh) this.#age(token, now, this.#chainEnd, lives.margin);
    for (const token of this.access) {
      this.#age(token, now, token.issued + lives.accessEnd, lives.margin);
      const ends = [
        [token.issued + lives.access, 'the shorter of the two lives ends access tokens'],
        [this.#chainEnd, 'the end of the refresh chain ends access tokens'],
      ] as const;
      // Where both are over, neither shows alone what it does.
      if (ends.every(([end, reading]) => now > end + lives.margin && this.settled[reading] === undefined)) free(token);
      else for (const [end, reading] of ends) this.#mayAge(token, now, end, reading);
    }
  }

  /** Whether the token ends then is open. */
  #mayAge(token: Held, now: number, end: number, reading: Reading): void {
    const { margin } = this.lives;
    if (now > end + margin) this.#leaveOpen(reading, [token]);
    else if (now > end - margin && this.settled[reading] !== false) free(token);
  }

  /** When a wait is over. */
  endOf(until: Wait): number {
    const { code, access, lives } = this;
    return waitsUntil(until, lives, {
      code: code.issued,
      exchange: this.#chainEnd - lives.chain,
      access: access.at(-1)?.issued ?? code.issued,
    });
  }

  /** What is left of the lives at a time, in seconds: two grants that differ in it are not alike. */
  leftAt(now: number): readonly number[] {
    const { code, access, lives } = this;
    if (access.length === 0) return [code.issued + lives.code - now];
    const left = (token: Held): number => token.issued + lives.accessEnd - now;
    return [this.#chainEnd - now, left(access[0]!), left(access.at(-1)!)].map((seconds) => Math.max(0, seconds));
  }

  #age(token: Held, now: number, end: number, margin: number): void {
    if (now > end - margin) free(token);
    if (now > end + margin) token.verdict = 'DEAD';
  }

  #issue(refreshable: boolean, now: number): void {
    this.access.push(held(now));
    if (refreshable) this.refresh.push(held(now));
  }

  /** Whether these end is the server's reading: free while it is open. */
  #leaveOpen(reading: Reading, tokens: readonly Held[]): void {
    const concerned = tokens.filter(({ verdict }) => verdict !== 'DEAD');
    if (concerned.length > 0) this.asked?.(reading, concerned);
    const ends = this.settled[reading];
    if (ends === false) return;
    for (const token of concerned) token.verdict = ends === true ? 'DEAD' : 'FREE';
  }
}
