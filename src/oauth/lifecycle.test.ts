import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Store } from '../store/store.js';
import { revokeByApplication, revokeByUser } from './applications.js';
import type { Bench } from './authority.fixture.js';
import {
  approve,
  createBench,
  credentials,
  day,
  exchange,
  forItself,
  hour,
  post,
  refresh,
  second,
  tokensOf,
} from './authority.fixture.js';
import { bearer } from './bearer.js';
import { introspectToken } from './introspect.js';
import { mint } from './mint.js';
import { revokeToken } from './revoke.js';
import type { TokenResponse } from './tokens.js';

/**
 * The life of codes and tokens (interface 3) as a model beside the rules. Each thing is LIVE (has to work), DEAD (must
 * not), or FREE (the interface leaves it open, and the switches decide). DEAD is for good.
 */
type Verdict = 'LIVE' | 'DEAD' | 'FREE';

interface Thing {
  readonly text: string;
  readonly kind: 'code' | 'access' | 'refresh';
  readonly grant: number;
  readonly user: string;
  readonly client: string;
  readonly end: number;
  verdict: Verdict;
}

const lives: Record<string, { access: number; refresh: number }> = {
  web: { access: 28 * day, refresh: 90 * day },
  app: { access: 10 * hour, refresh: 7 * day },
  plain: { access: 28 * day, refresh: 0 },
};
const users = ['alice', 'bob'];
const clients = Object.keys(lives);

class Model {
  readonly things: Thing[] = [];
  readonly seen = { LIVE: 0, DEAD: 0, FREE: 0 };
  private grants = 0;

  constructor(readonly bench: Bench) {}

  verdict(thing: Thing): Verdict {
    return this.bench.now() >= thing.end ? 'DEAD' : thing.verdict;
  }

  add(thing: Omit<Thing, 'verdict' | 'grant'>, grant = (this.grants += 1)): void {
    this.things.push({ ...thing, grant, verdict: 'LIVE' });
  }

  /** Lowers things to FREE; what is dead stays dead. */
  free(which: (thing: Thing) => boolean): void {
    for (const thing of this.things) if (thing.verdict === 'LIVE' && which(thing)) thing.verdict = 'FREE';
  }

  kill(which: (thing: Thing) => boolean): void {
    for (const thing of this.things) if (which(thing)) thing.verdict = 'DEAD';
  }

  pick(kind: Thing['kind'] | 'token', n: number): Thing | undefined {
    const pool = this.things.filter((thing) => (kind === 'token' ? thing.kind !== 'code' : thing.kind === kind));
    return pool[n % pool.length];
  }

  issued(
    tokens: TokenResponse,
    { grant, user, client }: Pick<Thing, 'grant' | 'user' | 'client'>,
    chain?: number,
  ): void {
    const now = this.bench.now();
    const life = lives[client]!;
    this.add({ text: tokens.access_token, kind: 'access', user, client, end: now + life.access }, grant);
    expect(tokens.refresh_token !== undefined).toBe(life.refresh > 0);
    if (!tokens.refresh_token) return;
    this.add({ text: tokens.refresh_token, kind: 'refresh', user, client, end: chain ?? now + life.refresh }, grant);
  }

  /** Resource server, introspection and model agree about everything that was ever issued. */
  look(): void {
    const operator = credentials(this.bench, 'operations');
    for (const thing of this.things) {
      if (thing.kind === 'code') continue;
      const verdict = this.verdict(thing);
      this.seen[verdict] += 1;
      const { body } = introspectToken(new URLSearchParams({ ...operator, token: thing.text }), undefined, this.bench);
      const works = bearer(`Bearer ${thing.text}`, this.bench).kind === 'token';
      const active = 'active' in body && body.active;
      if (thing.kind === 'access') expect(works).toBe(active);
      else expect(works).toBe(false);
      if (verdict !== 'FREE') expect([thing.kind, active]).toEqual([thing.kind, verdict === 'LIVE']);
      if (active)
        expect(body).toMatchObject({ client_id: thing.client, sub: this.bench.accounts.get(thing.user)!.uuid });
    }
  }

  /** Does what is asked and checks that it worked out as the thing's verdict says. */
  attempt(thing: Thing, form: Record<string, string>): TokenResponse | undefined {
    const verdict = this.verdict(thing);
    const answer = post(this.bench, form);
    if (verdict === 'LIVE') expect(answer).toMatchObject({ status: 200 });
    if (verdict === 'DEAD') expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    return answer.status === 200 ? answer.body : undefined;
  }
}

type Event = (model: Model, n: number) => void;
const sameGrant =
  ({ grant }: Thing) =>
  (other: Thing): boolean =>
    other.grant === grant;

const events: Record<string, Event> = {
  authorize(model, n) {
    const [user, client] = [users[n % 2]!, clients[n % 3]!];
    const text = approve(model.bench, client, user).get('code')!;
    model.add({ text, kind: 'code', user, client, end: model.bench.now() + 30 * second });
  },
  exchange(model, n) {
    const code = model.pick('code', n);
    if (!code) return;
    const tokens = model.attempt(code, exchange(model.bench, code.client, code.text));
    if (!tokens) return model.free(sameGrant(code));
    code.verdict = 'DEAD';
    model.issued(tokens, code);
  },
  exchangeBadly(model, n) {
    const code = model.pick('code', n);
    if (!code) return;
    const good = exchange(model.bench, code.client, code.text);
    const other = clients.find((id) => id !== code.client)!;
    const bad = [
      { ...good, code_verifier: 'x'.repeat(43) },
      { ...good, redirect_uri: 'https://elsewhere.example/cb' },
      { ...good, ...credentials(model.bench, other) },
    ][n % 3]!;
    const used = code.verdict === 'DEAD';
    expect(post(model.bench, bad).status).not.toBe(200);
    model.free((thing) => thing === code || (used && thing.grant === code.grant));
  },
  refresh(model, n) {
    const token = model.pick('refresh', n);
    if (!token) return;
    const tokens = model.attempt(token, refresh(model.bench, token.client, token.text));
    model.free((thing) => thing.grant === token.grant && (thing.kind === 'access' || !tokens));
    if (!tokens) return;
    token.verdict = 'DEAD';
    expect(tokens.scope).toBe('account:profile');
    model.issued(tokens, token, token.end);
  },
  refreshBadly(model, n) {
    const token = model.pick('refresh', n);
    if (!token) return;
    const other = clients.find((id) => id !== token.client)!;
    expect(post(model.bench, refresh(model.bench, other, token.text)).status).not.toBe(200);
    const unauthenticated = { ...refresh(model.bench, token.client, token.text), client_secret: 'wrong' };
    expect(post(model.bench, unauthenticated)).toMatchObject({ body: { error: 'invalid_client' } });
  },
  revoke(model, n) {
    const token = model.pick('token', n);
    if (!token) return;
    const operator = `Bearer ${mint({ client: 'operations' }, model.bench).access_token}`;
    expect(revokeToken(new URLSearchParams({ token: token.text }), operator, model.bench).status).toBe(200);
    const wasUsed = model.verdict(token) === 'DEAD' && token.kind === 'refresh';
    if (model.verdict(token) !== 'DEAD')
      model.free((thing) => thing.grant === token.grant && thing.kind !== token.kind);
    else if (wasUsed && model.bench.switches['revoke.usedRefresh'] === 'grant') model.free(sameGrant(token));
    token.verdict = 'DEAD';
  },
  userRevoke(model, n) {
    const [user, client] = [users[n % 2]!, clients[n % 3]!];
    revokeByUser(user, client, model.bench);
    model.kill((thing) => thing.user === user && thing.client === client);
  },
  credentials(model) {
    const { access_token: text } = tokensOf(model.bench, forItself(model.bench, 'service'));
    model.add({ text, kind: 'access', user: 'owner', client: 'service', end: Infinity });
  },
  applicationRevoke(model) {
    revokeByApplication('service', model.bench);
    model.kill(({ client }) => client === 'service');
  },
  wait(model, n) {
    model.bench.wait(
      [1, second, 29 * second, 30 * second, hour, 10 * hour, 7 * day, 27 * day, 28 * day, 62 * day][n % 10]!,
    );
  },
};

const often: Record<string, number> = { authorize: 4, exchange: 5, refresh: 5, revoke: 2, wait: 2 };
const history = fc.array(
  fc.tuple(
    fc.oneof(...Object.keys(events).map((name) => ({ weight: often[name] ?? 1, arbitrary: fc.constant(name) }))),
    fc.nat(999),
  ),
  { minLength: 20, maxLength: 60 },
);
const readings = fc.record({
  'code.replayRevokes': fc.boolean(),
  'code.burnOnFailure': fc.boolean(),
  'refresh.revokeOldAccess': fc.boolean(),
  'refresh.reuseRevokesFamily': fc.boolean(),
  'revoke.refreshRevokesAccess': fc.boolean(),
  'revoke.accessRevokesRefresh': fc.boolean(),
  'revoke.usedRefresh': fc.constantFrom('grant' as const, 'nothing' as const),
});

const seen = { LIVE: 0, DEAD: 0, FREE: 0 };
const lifecycle = (flawed: (store: Store) => Partial<Store> = () => ({})) =>
  fc.property(history, readings, (steps, switches) => {
    const bench = createBench(switches);
    const model = new Model({ ...bench, store: { ...bench.store, ...flawed(bench.store) } });
    for (const [name, n] of steps) {
      events[name]!(model, n);
      model.look();
    }
    for (const verdict of ['LIVE', 'DEAD', 'FREE'] as const) seen[verdict] += model.seen[verdict];
  });

describe('the life of codes and tokens', () => {
  it('is that of the model under any history and any reading of what is left open', () => {
    fc.assert(lifecycle(), { numRuns: 150, seed: 7 });
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(1000);
  });

  it.each<[string, (store: Store) => Partial<Store>]>([
    ['does not end tokens', () => ({ endToken: () => {} })],
    ['does not remember used codes', () => ({ useCode: () => {} })],
    [
      'lets refresh tokens slide',
      (store) => ({
        addToken: (token) =>
          store.addToken(token.kind === 'refresh' ? { ...token, expiresAt: token.issuedAt + 90 * day } : token),
      }),
    ],
    [
      'lets client-credentials tokens expire',
      (store) => ({
        addToken: (token) => store.addToken({ ...token, expiresAt: token.expiresAt ?? token.issuedAt + 28 * day }),
      }),
    ],
    [
      'mixes up grants',
      (store) => ({ addToken: (token) => store.addToken({ ...token, grant: { ...token.grant, id: 'one' } }) }),
    ],
  ])('would not be, if a store %s', (_, flaw) => {
    expect(fc.check(lifecycle(flaw), { numRuns: 150, seed: 7, endOnFailure: true }).failed).toBe(true);
  });
});
