import type { Realm } from '../contract/index.js';
import { Shelf } from './shelf.js';
import type { Code, StashEvent, Store, StoredFilter, Token } from './store.js';

/** How much a memory store keeps at most. */
export interface Capacity {
  readonly codes: number;
  /** Tokens that have not ended. Below this number no live token is ever dropped. */
  readonly tokens: number;
  /** Used and revoked tokens, kept only so that a refusal can name the reason. */
  readonly endedTokens: number;
}

const standard: Capacity = { codes: 10_000, tokens: 100_000, endedTokens: 10_000 };

/** A store that lives as long as the process. Full shelves drop what has expired first, then what is oldest. */
export function createMemoryStore(capacity: Partial<Capacity> = {}): Store {
  const room = { ...standard, ...capacity };
  let shelves = emptyShelves(room);
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
      shelves = emptyShelves(room);
      filters = new Map();
      events = new Map();
    },
  };
}

function emptyShelves(room: Capacity) {
  // Most grants have a token or two: a list is smaller than a map and as quick.
  const byGrant = new Map<string, Token[]>();
  const codes = new Shelf<Code>(room.codes);
  const ended = new Shelf<Token>(room.endedTokens);
  const tokens = new Shelf<Token>(room.tokens, ({ text, grant }) => {
    const siblings = (byGrant.get(grant.id) ?? []).filter((token) => token.text !== text);
    if (siblings.length === 0) byGrant.delete(grant.id);
    else byGrant.set(grant.id, siblings);
  });
  return {
    codes,
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
