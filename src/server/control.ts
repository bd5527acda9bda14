import type { Request, Response } from './http.js';
import type { Realm, Scope } from '../contract/index.js';
import { scopes as allScopes } from '../contract/index.js';
import { applyStashEvent } from '../game/index.js';
import { mint, revokeByApplication, revokeByUser, invalidReason } from '../oauth/index.js';
import { textOf } from './exchange-record.js';
import { answerDecision } from './authorization.js';
import { instantIn, instantRule } from './clock.js';
import { guardControl } from './control-access.js';
import type { Call, Calls } from './calls.js';
import { below, callsIn } from './calls.js';
import { answer, checked, empty, read, readJson, refusing, unknown } from './control-calls.js';
import { Refusal } from './refusal.js';
import { faultCalls } from './faults/calls.js';
import { journalCalls } from './journal/calls.js';
import { limitCalls } from './limits/calls.js';
import { namespaceCalls } from './namespaces/calls.js';
import type { Namespaces } from './namespaces/namespaces.js';
import { innerRealm } from './request.js';
import { SettingProblem } from './setting.js';
import type { Service } from './service.js';
import { snapshotCalls } from './snapshots/calls.js';
import { splitTarget } from './target.js';

const capabilities = 'clock consent revocations stash-events reset tokens faults limits journal snapshots'.split(' ');

/**
 * Answers the control protocol (openapi/control.yaml), version 1, and the mock's additions to it. Namespaces are the root's.
 * It rejects with the Refusal, or with whatever fails.
 */
export function control(service: Service, token: string | undefined, namespaces: Namespaces | undefined) {
  const calls = controlCalls(service, namespaces);
  const find = callsIn(calls);
  return async (req: Request, res: Response): Promise<void> => {
    guardControl(req, token);
    const { path } = splitTarget(req.originalUrl);
    const call = find(req.method, path);
    if (typeof call !== 'function')
      throw new Refusal(
        404,
        `${req.method} ${path}: the control protocol has no such call; ${callsText(calls, call?.allow)}`,
      );
    try {
      await call(req, res);
    } catch (error) {
      throw error instanceof SettingProblem ? new Refusal(400, error.message) : error;
    }
  };
}

/** What there is in the place of a call that is not: other methods of its path, or every call. */
const callsText = (calls: Calls, methods: readonly string[] | undefined): string =>
  methods
    ? `there it takes ${methods.join(' and ')}`
    : `the calls are ${Object.keys(calls)
        .filter((call) => !call.endsWith('/'))
        .join(', ')}`;

function controlCalls(service: Service, namespaces: Namespaces | undefined): Calls {
  return below('/__control', {
    'GET /': (req, res) =>
      answer(req, res, 200, {
        protocol: 1,
        capabilities: [...capabilities, ...(namespaces ? ['namespaces'] : [])],
      }),
    'GET /clock': (req, res) => answer(req, res, 200, clockState(service)),
    'POST /clock': changeClock(service),
    'POST /consent': decideConsent(service),
    'POST /revocations': revoke(service),
    'POST /stash-events': changeStash(service),
    'POST /reset': (_req, res) => {
      service.reset();
      empty(res);
    },
    'POST /tokens': mintToken(service),
    'GET /tokens': (req, res) => answer(req, res, 200, { tokens: tokensOf(service) }),
    'POST /tokens/revocations': async (req, res) => {
      service.store.endToken((await read<{ token: string }>('TokenRevocation', req, res)).token, 'revoked');
      empty(res);
    },
    ...below('/faults', faultCalls(service)),
    ...below('/limits', limitCalls(service)),
    ...below('/snapshots', snapshotCalls(service)),
    ...(namespaces && below('/namespaces', namespaceCalls(namespaces))),
    ...below('/journal', journalCalls(service)),
  });
}

const clockState = ({ clock }: Service): object => ({
  now: new Date(clock.now()).toISOString(),
  frozen: clock.frozen,
});

function changeClock(service: Service): Call {
  return async (req, res) => {
    moveClock(service, await read<ClockChange>('ClockChange', req, res));
    answer(req, res, 200, clockState(service));
  };
}

interface ClockChange {
  readonly advance?: number;
  readonly set?: string;
  readonly frozen?: boolean;
}

function moveClock({ clock }: Service, { advance, set, frozen }: ClockChange): void {
  if (frozen !== undefined) clock[frozen ? 'freeze' : 'unfreeze']();
  if (advance === undefined && set === undefined) return;
  const now = clock.now();
  const instant = instantIn(set ?? new Date(now + Math.round((advance ?? 0) * 1000)).toISOString());
  if (instant === undefined) throw new Refusal(400, `There is no such instant: ${instantRule}.`);
  if (instant < now) {
    const [to, from] = [instant, now].map((one) => new Date(one).toISOString());
    throw new Refusal(400, `The clock moves forward only: ${to} is before ${from}.`);
  }
  clock.advance(instant - now);
}

interface ConsentDecision {
  readonly url: string;
  readonly account: string;
  readonly decision: 'approve' | 'deny';
  readonly scope?: string;
}

function decideConsent(service: Service): Call {
  return async (req, res) => {
    const { url, account, decision, scope } = await read<ConsentDecision>('ConsentDecision', req, res);
    const { accounts } = service.authority;
    if (!accounts.has(account)) throw new Refusal(400, unknown('account', account, accounts.keys()));
    const { path: whole, query } = targetOf(url);
    const path = whole.startsWith(`${service.base}/`) ? whole.slice(service.base.length) : whole;
    if (path !== '/oauth/authorize')
      throw new Refusal(400, `url: ${path} is not the authorization endpoint /oauth/authorize`);
    const scopes = scope?.split(' ').filter((name) => name !== '') as Scope[] | undefined;
    const wire = answerDecision(query, { approve: decision === 'approve', account, scopes }, service, req);
    const location = wire.headers.location ?? null;
    answer(req, res, 200, {
      status: wire.status,
      location,
      ...(location === null && { body: textOf(wire) }),
    });
  };
}

function targetOf(url: string): { path: string; query: string } {
  try {
    const { pathname, search } = new URL(url, 'http://localhost');
    return { path: pathname, query: search.slice(1) };
  } catch {
    return splitTarget(url);
  }
}

function revoke(service: Service): Call {
  return async (req, res) => {
    const { authority } = service;
    const body = await readJson(req, res);
    const by = typeof body === 'object' && body !== null && 'by' in body ? body.by : undefined;
    if (by !== 'user' && by !== 'application') throw new Refusal(400, 'by must be user or application');
    const { account = '', client_id: id } = checked<{ account?: string; client_id: string }>(
      by === 'user' ? 'UserRevocation' : 'ApplicationRevocation',
      body,
    );
    if (!authority.clients.has(id)) throw new Refusal(400, unknown('client_id', id, authority.clients.keys()));
    if (by === 'application') revokeByApplication(id, authority);
    else if (authority.accounts.has(account)) revokeByUser(account, id, authority);
    else throw new Refusal(400, unknown('account', account, authority.accounts.keys()));
    empty(res);
  };
}

/** The realms that have a public stash stream. */
const realms: readonly Realm[] = ['pc', 'xbox', 'sony'];

interface StashEvent {
  readonly realm: string;
  readonly op: 'list' | 'update' | 'unlist';
  readonly stash?: string;
}

function changeStash(service: Service): Call {
  return async (req, res) => {
    const event = await read<StashEvent>('StashEvent', req, res);
    const realm = innerRealm(event.realm, service.switches) as Realm;
    if (!realms.includes(realm)) throw new Refusal(400, unknown('realm', event.realm, realms));
    const state = refusing(() => applyStashEvent({ ...event, realm }, service.game));
    answer(req, res, 200, state);
  };
}

interface TokenMint {
  readonly account?: string;
  readonly client_id?: string;
  readonly scopes: Scope[];
}

function mintToken(service: Service): Call {
  return async (req, res) => {
    const { account, client_id: client, scopes } = await read<TokenMint>('TokenMint', req, res);
    const strange = scopes.find((scope) => !Object.hasOwn(allScopes, scope));
    if (strange !== undefined) throw new Refusal(400, unknown('scopes', strange, Object.keys(allScopes)));
    const minted = refusing(() => mintFor(service, account, client, scopes));
    answer(req, res, 201, minted);
  };
}

/** Without a client the first that may have the scopes is taken. */
function mintFor(
  { authority }: Service,
  account: string | undefined,
  client: string | undefined,
  scopes: Scope[],
): object {
  const candidates = client === undefined ? [...authority.clients.keys()] : [client];
  let failure: unknown;
  for (const id of candidates) {
    try {
      return mint({ account, client: id, scopes }, authority);
    } catch (error) {
      failure ??= error;
    }
  }
  if (candidates.length > 1 && (account === undefined || authority.accounts.has(account)))
    throw new Error(
      `no client may have ${scopes.join(' ')} for ${account ?? 'itself'}; ${
        account !== undefined && scopes.every((scope) => scope.startsWith('service:'))
          ? 'these are of a client itself: leave account out'
          : 'ask for fewer, or name client_id to be told why'
      }`,
    );
  throw failure;
}

const tokensOf = ({ store, clock }: Service): object[] =>
  [...store.tokens()].map((token) => tokenInfo(token, clock.now()));

function tokenInfo(token: Parameters<typeof invalidReason>[0], now: number): object {
  const { text, kind, grant, scopes, issuedAt, expiresAt, ended } = token;
  return {
    token: `${text.slice(0, 6)}…`,
    kind,
    account: grant.account,
    client_id: grant.clientId,
    scopes,
    issued_at: new Date(issuedAt).toISOString(),
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    state: ended ?? (invalidReason(token, now) ? 'expired' : 'live'),
  };
}
