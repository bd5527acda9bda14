/** What the model says of a token: it must work, it must not, or the interface leaves it open. */
export type Liveness = 'LIVE' | 'DEAD' | 'FREE';

/** A code or token as the model knows it. */
export interface Held {
  readonly text: string;
  /** Seconds on the model's clock. */
  readonly issued: number;
  verdict: Liveness;
  /** The server was seen to refuse it, so it may never accept it again. */
  seenDead: boolean;
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

const held = (text: string, issued: number): Held => ({ text, issued, verdict: 'LIVE', seenDead: false });

const free = (token: Held): void => {
  if (token.verdict === 'LIVE') token.verdict = 'FREE';
};

/**
 * The tri-state oracle of one grant: its code, its access tokens and its chain of refresh tokens, oldest first. DEAD is
 * final; FREE keeps the suite from asserting what nobody stated (interface 3; K-076 to K-078, K-088, K-089).
 */
export class GrantModel {
  readonly code: Held;
  readonly access: Held[] = [];
  readonly refresh: Held[] = [];
  #chainEnd = Infinity;

  constructor(
    code: string,
    now: number,
    readonly lives: Lives,
  ) {
    this.code = held(code, now);
  }

  /** In a few words: what the newest tokens are. */
  get state(): string {
    const [access, refresh] = [this.access.at(-1)?.verdict, this.refresh.at(-1)?.verdict];
    if (access === undefined) return `code ${this.code.verdict}`;
    return refresh === undefined ? `access ${access}` : `access ${access}, refresh ${refresh}`;
  }

  // --- what an event does -----------------------------------------------------------------------------------------

  /** The code was exchanged. */
  exchanged(access: string, refresh: string | undefined, now: number): void {
    this.code.verdict = 'DEAD';
    this.#chainEnd = now + this.lives.chain;
    this.#issue(access, refresh, now);
  }

  /** The code was refused in a request that was not right: it may have been used up (K-078). */
  misused(): void {
    free(this.code);
  }

  /** The used code was presented again, which should end the tokens that it gave (K-077). */
  replayed(): void {
    this.#freeAll();
  }

  /** A refresh token was exchanged: it is used up, and older access tokens may have ended (K-076). */
  refreshed(used: Held, access: string, refresh: string | undefined, now: number): void {
    used.verdict = 'DEAD';
    this.access.forEach(free);
    this.#issue(access, refresh, now);
  }

  /** A used refresh token was tried again, which may end the whole grant (K-076). */
  reused(): void {
    this.#freeAll();
  }

  /** A refresh failed for another reason than its token. */
  refusedRefresh(token: Held): void {
    free(token);
  }

  /** An access or refresh token was revoked; what goes with it is open (K-089). */
  revoked(token: Held): void {
    this.#freeAll();
    token.verdict = 'DEAD';
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
      const end = token.issued + lives.access;
      // Whether an access token may outlive its chain is open (K-088).
      if (now > Math.min(end, this.#chainEnd) - lives.margin) free(token);
      if (now > token.issued + lives.accessEnd + lives.margin) token.verdict = 'DEAD';
    }
  }

  #age(token: Held, now: number, end: number, margin: number): void {
    if (now > end - margin) free(token);
    if (now > end + margin) token.verdict = 'DEAD';
  }

  #issue(access: string, refresh: string | undefined, now: number): void {
    this.access.push(held(access, now));
    if (refresh !== undefined) this.refresh.push(held(refresh, now));
  }

  #freeAll(): void {
    this.access.forEach(free);
    this.refresh.forEach(free);
  }
}
