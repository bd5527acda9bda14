import type { Realm } from '../contract/index.js';
import { Shelf } from './shelf.js';
import type { Code, Dropped, StashEvent, Store, StoredFilter, Token } from './store.js';

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
  let shelves = emptyShelves(room, onDropped);
  let filters = new Map<string, Map<string, StoredFilter>>();
  let events = new Map<Realm, StashEvent[]>();

  return {
    addCode: (code) => shelves.codes.put(code, code.issuedAt),
    findCode: (text) => shelves.codes.get(text),
    useCode(text) {
      const code = shelves.codes.get(text);
      if (code) shelves.codes.replace({ ...code, used: true });
    },
    codes: () => [...shelves.codes.values()],

    addToken: (token) => shelves.add(token),
    findToken: (text) => shelves.tokens.get(text) ?? shelves.ended.get(text),
    endToken(text, how) {
      const token = shelves.tokens.remove(text);
      if (token) shelves.add({ ...token, ended: how });
    },
    tokens: () => [...shelves.tokens.values(), ...shelves.ended.values()],
    tokensOf: (grantId) => shelves.of(grantId),
    dropped: () => [...shelves.dropped.values()],

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
      for (const shelf of [shelves.codes, shelves.tokens, shelves.ended]) shelf.forget(now);
    },
    clear() {
      shelves = emptyShelves(room, onDropped);
      filters = new Map();
      events = new Map();
    },
  };
}

function emptyShelves(room: Capacity, onDropped: (dropped: Dropped) => void) {
  // Most grants have a token or two: a list is smaller than a map and as quick.
  const byGrant = new Map<string, Token[]>();
  const codes = new Shelf<Code>(room.codes);
  const ended = new Shelf<Token>(room.endedTokens);
  const dropped = new Map<string, Dropped>();
  const tokens = new Shelf<Token>(room.tokens, ({ text, grant }, crowdedOut) => {
    if (crowdedOut && !dropped.has(grant.clientId)) {
      const note = { clientId: grant.clientId, most: room.tokens };
      dropped.set(grant.clientId, note);
      onDropped(note);
    }
    const siblings = (byGrant.get(grant.id) ?? []).filter((token) => token.text !== text);
    if (siblings.length === 0) byGrant.delete(grant.id);
    else byGrant.set(grant.id, siblings);
  });
  return {
    codes,
    dropped,
    ended,
    tokens,
    add(token: Token): void {
      if (token.ended) return ended.put(token, token.issuedAt);
      tokens.put(token, token.issuedAt);
      const siblings = byGrant.get(token.grant.id);
      if (siblings) siblings.push(token);
      else byGrant.set(token.grant.id, [token]);
    },
    of: (grantId: string): readonly Token[] => byGrant.get(grantId) ?? [],
  };
}
