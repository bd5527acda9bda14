import { expect, it } from 'vitest';

import { CheckRun } from '../engine/check-run.js';
import { client, environmentAt, meeting, targetAt } from '../engine/evidence.fixture.js';
import type { Met } from '../engine/evidence.fixture.js';
import { Session } from '../engine/session.js';
import type { JsonObject } from '../json.js';
import type { RowId } from '../ledger.gen.js';
import { operationsNamed } from '../target/offers.js';
import { planOf } from '../plan.js';
import type { Hooks } from '../target/hooks.js';
import type { Target } from '../target/target.js';
import { challengeOf } from '../target/pkce.js';
import { Deviation } from '../verdict.js';

/** A request to a miniature. */
export interface Asked {
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  readonly json: JsonObject;
  readonly bearer: string | undefined;
}

/** A body of status 200, or a status and a body. */
export type Answered = object | readonly [status: number, body: object];
/** Answers by method and path, such as `GET /profile`. */
export type Handlers = Readonly<Record<string, (asked: Asked, server: Miniature) => Answered | Promise<Answered>>>;

/** An authorization server of a few lines, right in what an example does not change: each handler may spoil it. */
export class Miniature {
  readonly codes = new Map<string, { challenge: string; readonly scope: string }>();
  readonly refreshTokens = new Map<string, { readonly scope: string }>();
  readonly tokens = new Set<string>();
  #count = 0;
  #seconds = 0;

  /** Its time, by which nothing ends. */
  readonly clock: NonNullable<Hooks['clock']> = {
    now: async () => new Date(this.#seconds * 1000),
    advance: async (seconds) => new Date((this.#seconds += seconds) * 1000),
  };

  /** A consent, at once: the code in a redirect. */
  readonly consent: Hooks['consent'] = async ({ url }) => {
    const { searchParams: asked } = new URL(url);
    const code = this.#name('code');
    this.codes.set(code, { challenge: asked.get('code_challenge') ?? '', scope: asked.get('scope') ?? '' });
    const query = new URLSearchParams({ code, state: asked.get('state') ?? '' });
    return { status: 302, location: `${asked.get('redirect_uri')}?${query.toString()}` };
  };

  /** POST /oauth/token (interface 4.1). */
  token({ form }: Asked): Answered {
    if (form.get('grant_type') === 'client_credentials') return this.#issue(form.get('scope') ?? '');
    const [code = '', refresh = ''] = [form.get('code') ?? '', form.get('refresh_token') ?? ''];
    const grant = this.codes.get(code) ?? this.refreshTokens.get(refresh);
    const isProved =
      grant !== undefined &&
      (!('challenge' in grant) || grant.challenge === challengeOf(form.get('code_verifier') ?? ''));
    if (!isProved) return [400, { error: 'invalid_grant' }];
    this.codes.delete(code);
    this.refreshTokens.delete(refresh);
    const refresh_token = this.#name('refresh');
    this.refreshTokens.set(refresh_token, { scope: grant.scope });
    return { ...this.#issue(grant.scope), refresh_token };
  }

  #issue(scope: string): object {
    const access_token = this.#name('access');
    this.tokens.add(access_token);
    return { access_token, token_type: 'bearer', expires_in: null, scope, username: 'alice', sub: 'alice' };
  }

  #name = (kind: string): string => `${kind}-${(this.#count += 1)}`;
}

/** A handler for those with a token that was issued. */
export const guarded =
  (handler: Handlers[string]): Handlers[string] =>
  (asked, server) =>
    server.tokens.has(asked.bearer ?? '') ? handler(asked, server) : [401, { error: { code: 8 } }];

const right: Handlers = {
  'POST /oauth/token': (asked, server) => server.token(asked),
  'GET /profile': guarded(() => ({ uuid: 'u', name: 'alice' })),
};

function read({ path, headers, body }: Met): Asked {
  const { searchParams } = new URL(path, 'http://miniature');
  const isJson = String(headers['content-type']).includes('json');
  return {
    query: searchParams,
    form: new URLSearchParams(isJson ? '' : body),
    json: isJson ? (JSON.parse(body) as JsonObject) : {},
    bearer: /^Bearer (.+)$/.exec(String(headers['authorization']))?.[1],
  };
}

/** What the check of a row says of a server with these handlers. */
export async function verdictOf(
  row: RowId,
  handlers: Handlers,
  known: Target['known'] = {},
  notOffered: readonly string[] = [],
): Promise<string> {
  const all = { ...right, ...handlers };
  const server = new Miniature();
  const { url, close } = await meeting(async (met, reply) => {
    const handler = all[`${met.method} ${met.path.replace(/\?.*/, '')}`];
    const answered = handler ? await handler(read(met), server) : [404, {}];
    const [status, body] = (Array.isArray(answered) ? answered : [200, answered]) as [number, object];
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const target = targetAt(url, {
    clients: clientsFor(row),
    known,
    propagation_ms: 0,
    not_offered: operationsNamed(notOffered),
  });
  const { body, phase } = planOf([row])[0]!.check!;
  const hooks = { consent: server.consent, ...(phase === 'clock' && { clock: server.clock }) };
  const env = environmentAt(target, { hooks, runs: 20 });
  try {
    const run = new CheckRun(env, new Session(env), row, { mayMoveClock: phase === 'clock' });
    await body(run);
    const { warnings } = run.expect;
    return warnings.length === 0 ? 'pass' : `warn: ${warnings.join('; ')}`;
  } catch (error) {
    return error instanceof Deviation ? `fail: ${error.expected}; got ${error.got}` : String(error);
  } finally {
    env.wire.close();
    await close();
  }
}

/** The fewest clients, and of their scopes those that the requirement is about: what else is asked needs no handler. */
const clientsFor = (row: RowId): Target['clients'] => ({
  confidential: client('web', {
    client_secret: 'secret',
    scopes: row.startsWith('FILTER')
      ? ['account:item_filter']
      : [
          'account:profile',
          ...(/^(?:ERR|STASH)/.test(row) ? (['account:characters'] as const) : []),
          ...(row.startsWith('STASH') ? (['account:leagues', 'account:stashes'] as const) : []),
          ...(row.startsWith('INTRO') ? (['oauth:introspect', 'oauth:revoke'] as const) : []),
        ],
  }),
  ...(row.startsWith('LADDER') && {
    service: client('machine', { client_secret: 'secret', scopes: ['service:leagues:ladder'] }),
  }),
  ...(row.startsWith('LEAGUE') && {
    service: client('machine', { client_secret: 'secret', scopes: ['service:leagues'] }),
  }),
});

/** A server that keeps the sentence of a row passes its check, and one that breaks it as the title says does not. */
export const example = (row: RowId, title: string, keeps: Handlers, breaks: Handlers, known?: Target['known']): void =>
  it(`${row} fails a server ${title}`, async () => {
    expect(await verdictOf(row, keeps, known)).toBe('pass');
    expect(await verdictOf(row, breaks, known)).toMatch(/^fail: /);
  });
