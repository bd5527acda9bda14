import { describe, expect, it } from 'vitest';

import { createMemoryStore } from './memory.js';
import type { Code, Dropped, Grant, Store, StoredFilter, Token } from './store.js';

const grant: Grant = {
  id: 'g1',
  clientId: 'app',
  account: 'alice',
  scopes: ['account:profile'],
  kind: 'authorization_code',
  grantedAt: 0,
};
const token = (text: string, more: Partial<Token> = {}): Token => ({
  text,
  kind: 'access',
  grant,
  scopes: grant.scopes,
  issuedAt: 0,
  expiresAt: 100,
  ended: null,
  ...more,
});
const code = (text: string, more: Partial<Code> = {}): Code => ({
  text,
  grant,
  redirectUri: 'https://app.example/cb',
  challenge: 'c',
  issuedAt: 0,
  expiresAt: 30,
  used: false,
  ...more,
});
const filter = (id: string, filter_name: string): StoredFilter => ({
  id,
  filter_name,
  realm: 'pc',
  description: '',
  version: '',
  type: 'Normal',
});
const texts = (tokens: Iterable<Token>): string[] => [...tokens].map(({ text }) => text);

/** What any store must do; a new kind of store is one more line here. */
const stores: Record<string, () => Store> = { memory: createMemoryStore };

describe.each(Object.entries(stores))('a %s store', (_, createStore) => {
  it('finds a code until it is forgotten', () => {
    const store = createStore();
    store.addCode(code('c1'));
    expect(store.findCode('c1')).toEqual(code('c1'));
    expect(store.findCode('c2')).toBeUndefined();
    store.prune(29);
    expect(store.findCode('c1')).toBeDefined();
    store.prune(30);
    expect(store.findCode('c1')).toBeUndefined();
  });

  it('remembers that a code was used, without touching the object that was handed out', () => {
    const store = createStore();
    store.addCode(code('c1'));
    const before = store.findCode('c1');
    store.useCode('c1');
    store.useCode('unknown');
    expect(before?.used).toBe(false);
    expect(store.findCode('c1')?.used).toBe(true);
    expect([...store.codes()]).toEqual([code('c1', { used: true })]);
  });

  it('finds expired tokens until they are forgotten, and never forgets one without an end', () => {
    const store = createStore();
    store.addToken(token('short'));
    store.addToken(token('endless', { expiresAt: null }));
    store.prune(99);
    expect(store.findToken('short')).toBeDefined();
    store.prune(100);
    expect(store.findToken('short')).toBeUndefined();
    store.prune(Number.MAX_SAFE_INTEGER);
    expect(store.findToken('endless')).toBeDefined();
  });

  it('ends a token once and for good, and still finds it', () => {
    const store = createStore();
    store.addToken(token('t'));
    store.endToken('t', 'used');
    store.endToken('t', 'revoked');
    store.endToken('unknown', 'revoked');
    expect(store.findToken('t')).toEqual(token('t', { ended: 'used' }));
    store.prune(100);
    expect(store.findToken('t')).toBeUndefined();
  });

  it('lists the tokens of one grant that have not ended', () => {
    const store = createStore();
    store.addToken(token('a'));
    store.addToken(token('b', { kind: 'refresh' }));
    store.addToken(token('other', { grant: { ...grant, id: 'g2' } }));
    store.endToken('a', 'revoked');
    expect(texts(store.tokensOf('g1'))).toEqual(['b']);
    expect(texts(store.tokensOf('g2'))).toEqual(['other']);
    expect(texts(store.tokensOf('g3'))).toEqual([]);
    expect(texts(store.tokens()).toSorted()).toEqual(['a', 'b', 'other']);
  });

  it('takes back what it listed, ended tokens included', () => {
    const store = createStore();
    store.addToken(token('a'));
    store.addToken(token('b'));
    store.endToken('b', 'revoked');
    const kept = [...store.tokens()];
    store.endToken('a', 'revoked');
    store.clear();
    kept.forEach((each) => store.addToken(each));
    expect(store.findToken('a')?.ended).toBeNull();
    expect(store.findToken('b')?.ended).toBe('revoked');
    expect(texts(store.tokensOf('g1'))).toEqual(['a']);
  });

  it('puts a token that is added twice on the list once', () => {
    const store = createStore();
    store.addToken(token('a'));
    store.addToken(token('a'));
    expect(texts(store.tokens())).toEqual(['a']);
    expect(texts(store.tokensOf('g1'))).toEqual(['a']);
  });

  it('keeps filters in order of creation and replaces by id', () => {
    const store = createStore();
    store.putFilter('alice', filter('1', 'one'));
    store.putFilter('alice', filter('2', 'two'));
    store.putFilter('alice', filter('1', 'uno'));
    store.putFilter('bob', filter('1', 'his'));
    expect(store.filters('alice').map((each) => each.filter_name)).toEqual(['uno', 'two']);
    expect(store.filters('bob').map((each) => each.filter_name)).toEqual(['his']);
    expect(store.filters('carol')).toEqual([]);
  });

  it('keeps stash events by realm, in order', () => {
    const store = createStore();
    const event = { at: 1, stash: 's', op: 'list', revision: 0 } as const;
    store.addStashEvent('pc', event);
    store.addStashEvent('pc', { ...event, op: 'update', revision: 1 });
    expect(store.stashEvents('pc').map(({ op }) => op)).toEqual(['list', 'update']);
    expect(store.stashEvents('xbox')).toEqual([]);
  });

  it('forgets everything when cleared', () => {
    const store = createStore();
    store.addCode(code('c'));
    store.addToken(token('t'));
    store.putFilter('alice', filter('1', 'one'));
    store.addStashEvent('pc', { at: 1, stash: 's', op: 'list', revision: 0 });
    store.clear();
    expect(store.findCode('c')).toBeUndefined();
    expect(texts(store.tokens())).toEqual([]);
    expect(texts(store.tokensOf('g1'))).toEqual([]);
    expect(store.filters('alice')).toEqual([]);
    expect(store.stashEvents('pc')).toEqual([]);
  });
});

describe('the bounds of a memory store', () => {
  it('drops expired tokens before live ones when it is full', () => {
    const store = createMemoryStore({ tokens: 3 });
    store.addToken(token('live', { expiresAt: 1000 }));
    store.addToken(token('expired', { expiresAt: 10 }));
    store.addToken(token('endless', { expiresAt: null }));
    store.addToken(token('new', { issuedAt: 10, expiresAt: 1000 }));
    expect(texts(store.tokens())).toEqual(['live', 'endless', 'new']);
  });

  it('drops the oldest when nothing has expired', () => {
    const store = createMemoryStore({ tokens: 2 });
    ['a', 'b', 'c'].forEach((text) => store.addToken(token(text)));
    expect(texts(store.tokens())).toEqual(['b', 'c']);
    expect(texts(store.tokensOf('g1'))).toEqual(['b', 'c']);
  });

  it('bounds codes and ended tokens too', () => {
    const store = createMemoryStore({ codes: 2, endedTokens: 2 });
    for (const text of ['a', 'b', 'c']) {
      store.addCode(code(text));
      store.addToken(token(text));
      store.endToken(text, 'used');
    }
    expect([...store.codes()].map(({ text }) => text)).toEqual(['b', 'c']);
    expect(texts(store.tokens())).toEqual(['b', 'c']);
  });

  it('holds 20,000 live tokens of each client unless told otherwise', () => {
    const store = createMemoryStore();
    for (let n = 0; n < 20_000; n += 1) store.addToken(token(`t${n}`, { expiresAt: n + 1 }));
    expect(store.findToken('t0')).toBeDefined();
    store.addToken(token('one more'));
    expect(store.findToken('t0')).toBeUndefined();
    expect(store.findToken('t1')).toBeDefined();
  });

  it('leave what other clients hold alone when one floods the store', () => {
    const store = createMemoryStore({ codes: 2, tokens: 2, endedTokens: 2 });
    const other = { ...grant, id: 'g2', clientId: 'other' };
    store.addCode(code('quiet code', { grant: other }));
    store.addToken(token('quiet', { grant: other }));
    store.addToken(token('ended', { grant: other }));
    store.endToken('ended', 'used');
    for (const text of ['a', 'b', 'c', 'd', 'e', 'f']) {
      store.addCode(code(text));
      store.addToken(token(`ended ${text}`));
      store.endToken(`ended ${text}`, 'used');
    }
    for (const text of ['a', 'b', 'c', 'd', 'e', 'f']) store.addToken(token(text));
    expect([...store.codes()].map(({ text }) => text)).toEqual(['quiet code', 'e', 'f']);
    expect(texts(store.tokens())).toEqual(['quiet', 'e', 'f', 'ended', 'ended e', 'ended f']);
    expect(store.findToken('quiet')?.ended).toBeNull();
    expect(store.findToken('ended')?.ended).toBe('used');
  });

  it('note which clients live tokens were dropped of, once each', () => {
    const heard: Dropped[] = [];
    const store = createMemoryStore({ tokens: 2, onDropped: (dropped) => heard.push(dropped) });
    const flood = (clientId: string, ends: number | null): void => {
      for (const n of [1, 2, 3, 4])
        store.addToken(token(`${clientId}${n}`, { grant: { ...grant, clientId }, issuedAt: 10 * n, expiresAt: ends }));
    };
    flood('short', 10); // each has expired by the time of the next
    expect(store.dropped()).toEqual([]);
    flood('app', null);
    flood('other', null);
    expect(store.dropped()).toEqual([
      { clientId: 'app', most: 2 },
      { clientId: 'other', most: 2 },
    ]);
    expect(heard).toEqual(store.dropped());
    store.clear();
    expect(store.dropped()).toEqual([]);
  });
});

describe.each(Object.entries(stores))('an image of a %s store', (_, createStore) => {
  const filled = (): Store => {
    const store = createStore();
    store.addCode(code('c1'));
    store.addToken(token('t1'));
    store.addToken(token('t2', { expiresAt: 50 }));
    store.addToken(token('t0', { ended: 'used' }));
    store.putFilter('alice', filter('f1', 'One'));
    store.addStashEvent('pc', { at: 1, stash: 's', op: 'list', revision: 0 });
    return store;
  };
  const held = (store: Store): unknown => ({
    codes: [...store.codes()],
    tokens: [...store.tokens()],
    ofGrant: store.tokensOf('g1'),
    filters: store.filters('alice'),
    events: [...store.stashEvents('pc')],
  });

  it('is not changed by what is done before and after it is put back', () => {
    const store = filled();
    const before = held(store);
    const image = store.image();
    for (let round = 0; round < 2; round += 1) {
      store.useCode('c1');
      store.endToken('t1', 'revoked');
      store.addToken(token('t3'));
      store.putFilter('alice', filter('f1', 'Other'));
      store.addStashEvent('pc', { at: 2, stash: 's', op: 'unlist', revision: 1 });
      store.prune(60);
      store.restore(image);
      expect(held(store)).toEqual(before);
    }
    store.clear();
    store.restore(image);
    store.prune(60);
    expect(store.findToken('t2')).toBeUndefined();
    expect(texts(store.tokensOf('g1'))).toEqual(['t1']);
  });

  it('is the same by way of plain data', () => {
    const image = filled().image();
    const other = createStore();
    other.restore(JSON.parse(JSON.stringify(image.content())) as ReturnType<typeof image.content>);
    expect(held(other)).toEqual(held(filled()));
    expect(other.image().content()).toEqual(image.content());
  });
});
