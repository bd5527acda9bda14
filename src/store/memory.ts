import type { Realm } from '../contract/index.js';
import { ExpiringMap } from './expiring-map.js';
import type { Code, Dropped, StashEvent, Store, StoreContent, StoredFilter, StoreImage, Token } from './store.js';

/** How much a memory store keeps at most of each client. */
export interface Capacity {
  readonly codes: number;
  /** Tokens that have not ended. No live token is ever dropped of a client that holds fewer. */
  readonly tokens: number;
  /** Used and revoked tokens, kept only so that a refusal can name the reason. */
  readonly endedTokens: number;
}

const standard: Capacity = { codes: 2000, tokens: 20_000, endedTokens: 2000 };

export interface MemoryOptions extends Partial<Capacity> {
  /** Told of each client once, when its first live token is dropped. */
  readonly onDropped?: (dropped: Dropped) => void;
}

/**
 * A store that lives as long as the process. What a client holds is bounded for each client by itself, so that one that
 * asks for tokens without end loses its own: what has expired first, then what is oldest.
 */
export function createMemoryStore({ onDropped = () => {}, ...capacity }: MemoryOptions = {}): Store {
  const room = { ...standard, ...capacity };
  let { credentials, filters, events } = empty(room, onDropped);

  const store: Store = {
    addCode: (code) => credentials.codes.put(code, code.issuedAt),
    findCode: (text) => credentials.codes.get(text),
    useCode: (text) => credentials.use(text),
    codes: () => [...credentials.codes.values()],

    addToken: (token) => credentials.add(token),
    findToken: (text) => credentials.tokens.get(text) ?? credentials.ended.get(text),
    endToken: (text, how) => credentials.end(text, how),
    tokens: () => [...credentials.tokens.values(), ...credentials.ended.values()],
    tokensOf: (grantId) => credentials.of(grantId),
    dropped: () => [...credentials.dropped.values()],

    filters: (account) => [...(filters.get(account)?.values() ?? [])],
    putFilter(account, filter) {
      const own = filters.get(account) ?? new Map<string, StoredFilter>();
      filters.set(account, own.set(filter.id, filter));
    },

    stashEvents: (realm) => events.get(realm) ?? [],
    addStashEvent(realm, event) {
      const known = events.get(realm);
      if (known) known.push(event);
      else events.set(realm, [event]);
    },

    prune(now) {
      for (const map of [credentials.codes, credentials.tokens, credentials.ended]) map.forget(now);
    },
    clear() {
      ({ credentials, filters, events } = empty(room, onDropped));
    },
    image: () => new MemoryImage(copied({ credentials, filters, events })),
    restore(image) {
      if (image instanceof MemoryImage) ({ credentials, filters, events } = copied(image.held));
      else if ('tokens' in image) refill(store, image);
      else throw new TypeError('the image is of another kind of store');
    },
  };
  return store;
}

/** Puts into a store what it is to hold, and nothing else. */
function refill(store: Store, { codes, tokens, filters, stashEvents }: StoreContent): void {
  store.clear();
  for (const code of codes) store.addCode(code);
  for (const token of tokens) store.addToken(token);
  for (const { account, filter } of filters) store.putFilter(account, filter);
  for (const { realm, ...event } of stashEvents) store.addStashEvent(realm, event);
}

interface Held {
  readonly credentials: Credentials;
  readonly filters: Map<string, Map<string, StoredFilter>>;
  readonly events: Map<Realm, StashEvent[]>;
}

const empty = (room: Capacity, onDropped: (dropped: Dropped) => void): Held => ({
  credentials: new Credentials(room, onDropped),
  filters: new Map(),
  events: new Map(),
});

/** What changes with the store is copied; what is stored never changes. */
const copied = ({ credentials, filters, events }: Held): Held => ({
  credentials: credentials.copy(),
  filters: new Map([...filters].map(([account, own]) => [account, new Map(own)])),
  events: new Map([...events].map(([realm, known]) => [realm, known.slice()])),
});

class MemoryImage implements StoreImage {
  constructor(readonly held: Held) {}

  content(): StoreContent {
    const { credentials, filters, events } = this.held;
    return {
      codes: [...credentials.codes.values()],
      tokens: [...credentials.ended.values(), ...credentials.tokens.values()],
      filters: [...filters].flatMap(([account, own]) => [...own.values()].map((filter) => ({ account, filter }))),
      stashEvents: [...events].flatMap(([realm, known]) => known.map((event) => ({ realm, ...event }))),
    };
  }
}

/** Codes and tokens, those that have ended apart, and the tokens of each grant. */
class Credentials {
  readonly codes: ExpiringMap<Code>;
  readonly ended: ExpiringMap<Token>;
  readonly tokens: ExpiringMap<Token>;
  readonly dropped: Map<string, Dropped>;
  /** Most grants have a token or two: a list is smaller than a map and as quick. */
  readonly #byGrant: Map<string, Token[]>;
  /** Lists that no copy has: the others are replaced, not changed. */
  #own = new WeakSet<readonly Token[]>();

  constructor(
    private readonly room: Capacity,
    private readonly onDropped: (dropped: Dropped) => void,
    from?: Credentials,
  ) {
    const left = (token: Token, crowdedOut: boolean): void => this.#left(token, crowdedOut);
    this.codes = from?.codes.copy() ?? new ExpiringMap<Code>(room.codes);
    this.ended = from?.ended.copy() ?? new ExpiringMap<Token>(room.endedTokens);
    this.tokens = from?.tokens.copy(left) ?? new ExpiringMap<Token>(room.tokens, left);
    this.dropped = new Map(from?.dropped);
    this.#byGrant = new Map(from ? from.#byGrant : []);
  }

  copy(): Credentials {
    this.#own = new WeakSet();
    return new Credentials(this.room, this.onDropped, this);
  }

  use(code: string): void {
    const found = this.codes.get(code);
    if (found) this.codes.replace({ ...found, used: true });
  }

  end(token: string, how: NonNullable<Token['ended']>): void {
    const found = this.tokens.remove(token);
    if (found) this.add({ ...found, ended: how });
  }

  add(token: Token): void {
    if (token.ended) return this.ended.put(token, token.issuedAt);
    this.tokens.put(token, token.issuedAt);
    const siblings = this.#byGrant.get(token.grant.id);
    if (siblings && this.#own.has(siblings)) siblings.push(token);
    else this.#keep(token.grant.id, [...(siblings ?? []), token]);
  }

  of(grantId: string): readonly Token[] {
    return this.#byGrant.get(grantId) ?? [];
  }

  #left({ text, grant }: Token, crowdedOut: boolean): void {
    if (crowdedOut && !this.dropped.has(grant.clientId)) {
      const note = { clientId: grant.clientId, most: this.room.tokens };
      this.dropped.set(grant.clientId, note);
      this.onDropped(note);
    }
    const siblings = this.of(grant.id).filter((token) => token.text !== text);
    if (siblings.length === 0) this.#byGrant.delete(grant.id);
    else this.#keep(grant.id, siblings);
  }

  #keep(grantId: string, siblings: Token[]): void {
    this.#own.add(siblings);
    this.#byGrant.set(grantId, siblings);
  }
}
