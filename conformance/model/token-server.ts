import type { Misuse } from './grant.js';

/** Who holds a grant: a client, by its part, and the account that consented. */
export interface Party {
  readonly client: string;
  readonly account: string;
}

export interface CodeHandle {
  readonly text: string;
  readonly party: Party;
}

export interface TokenSet {
  readonly access: string;
  readonly refresh?: string;
  /** username and sub in one text. */
  readonly identity: string;
}

/** What can be done about the tokens of a client, and seen of them. */
export interface Offer {
  readonly revoke: boolean;
  readonly introspect: boolean;
  /** Whether introspection shows refresh tokens too (K-090). */
  readonly introspectRefresh: boolean;
  /** The user's applications page. */
  readonly page: boolean;
}

/** A 5xx: neither yes nor no. */
export const serverError = 'server error';

/** A server as the token lifecycle sees it. Null is a refusal, false a token that is no good. */
export interface TokenServer {
  /** Does something with every value, with several requests under way at once. */
  atOnce<T, R>(values: Iterable<T>, action: (value: T) => Promise<R>): Promise<readonly R[]>;
  offers(party: Party): Offer;
  consent(party: Party): Promise<CodeHandle>;
  /** `proof` is a wrong verifier, `client` another client's credentials. */
  exchange(code: CodeHandle, fault: Misuse): Promise<TokenSet | null | typeof serverError>;
  refresh(party: Party, refresh: string, fault: Misuse): Promise<TokenSet | null | typeof serverError>;
  /** Exchanges a code, or refreshes, with as many requests as there are texts, which the server has at the same moment. */
  race?(
    party: Party,
    texts: readonly (CodeHandle | string)[],
  ): Promise<readonly (TokenSet | null | typeof serverError)[]>;
  /** Presents an access token to the data API. */
  use(party: Party, access: string): Promise<boolean>;
  /** Whether the server says that it did. */
  revoke(party: Party, token: string): Promise<boolean | typeof serverError>;
  introspect(party: Party, token: string): Promise<boolean>;
  endByUser(party: Party): Promise<void>;
  /** Seconds on the server's clock. */
  now(): Promise<number>;
}
