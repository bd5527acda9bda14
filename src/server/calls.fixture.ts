import type { Edition, Operation, Realm, Scope } from '../contract/index.js';
import { editions, operationList } from '../contract/index.js';
import type { Arguments } from './arguments.fixture.js';
import { argumentsIn } from './arguments.fixture.js';
import type { Call } from './call.fixture.js';
import { oauthCalls } from './calls-oauth.fixture.js';
import { bearerFor } from './mock.fixture.js';
import type { Mock } from './mock.js';

const consoles: readonly Realm[] = ['xbox', 'sony'];

/** Calls of every operation of the edition, in each realm form, with arguments that the mock's own world has. */
export async function callsOf(mock: Mock, edition: Edition = 'extended'): Promise<Call[]> {
  const calls: Call[] = [];
  const bearers = new Map<string, Promise<string>>();
  const bearer = (scope: Scope, account?: string): Promise<string> => {
    const key = `${scope}/${account ?? ''}`;
    const known = bearers.get(key) ?? bearerFor(mock, scope, account);
    bearers.set(key, known);
    return known;
  };
  for (const operation of operationsIn(edition)) {
    if (operation.server === 'authorization') continue;
    const scope = operation.scope as Scope;
    const good = await argumentsOf(operation, mock);
    for (const one of good) calls.push(call(operation, one, await bearer(scope, one.account)));
    const [first = { story: '' }] = good;
    const other: Scope = scope === 'account:profile' ? 'account:characters' : 'account:profile';
    const refused = { ...first, nothing: undefined };
    const {
      headers: { authorization: _none, ...bare },
      ...anonymous
    } = call(operation, { ...refused, story: 'no token', status: 401 }, '');
    calls.push({ ...anonymous, headers: bare, sound: false });
    calls.push(call(operation, { ...refused, story: 'an unknown token', status: 401 }, `Bearer ${'0'.repeat(40)}`));
    calls.push(call(operation, { ...refused, story: 'a token without the scope', status: 403 }, await bearer(other)));
  }
  return [...calls, ...(await oauthCalls(mock))];
}

/** The operations that exist in an edition. */
export function operationsIn(edition: Edition): Operation[] {
  const flags: readonly string[] = editions[edition];
  return operationList.filter(({ flag }) => flag === undefined || flags.includes(flag));
}

function call(operation: Operation, one: Arguments, authorization: string): Call {
  const query = new URLSearchParams();
  const values = new Map(Object.entries(one.values ?? {}));
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values.get(name));
    values.delete(name);
    return encodeURIComponent(value);
  });
  for (const [name, value] of values) if (value !== undefined) query.set(name, String(value));
  const headers: Record<string, string> = { authorization };
  const contentType = one.contentType ?? operation.body;
  if (contentType !== undefined) headers['content-type'] = contentType;
  const status = one.status ?? 200;
  return {
    operation,
    story: one.story,
    target: query.size === 0 ? path : `${path}?${query.toString().replaceAll('+', '%20')}`,
    headers,
    ...(one.body !== undefined && { body: typeof one.body === 'string' ? one.body : JSON.stringify(one.body) }),
    status,
    sound: status !== 400 && status !== 415,
    ...(one.nothing && { nothing: one.nothing }),
  };
}

async function argumentsOf(operation: Operation, mock: Mock): Promise<Arguments[]> {
  const lists = await Promise.all(
    realmsOf(operation).map(async ({ realm, sent }) => {
      const list = await argumentsIn({ realm, world: mock.world, mock, operation });
      return list.map((one) => ({ ...one, story: `${one.story}, realm ${realm}`, values: { ...sent, ...one.values } }));
    }),
  );
  return lists.flat();
}

/** The realms that an operation can be asked for, and the parameters that say so. */
function realmsOf({ realm, path, logical, parameters }: Operation): { realm: Realm; sent: Record<string, string> }[] {
  const g2 = ['listLeagues', 'getLeague', 'getCharacter', 'getCurrencyExchange'].includes(logical);
  const others: readonly Realm[] = g2 ? [...consoles, 'game2'] : consoles;
  if (realm) return [{ realm, sent: {} }];
  if (path.includes('{realm}')) return others.map((word) => ({ realm: word, sent: { realm: word } }));
  const named = parameters.some(({ name }) => name === 'realm');
  return [
    { realm: 'pc', sent: {} },
    ...(named ? (['pc', ...others] as const).map((word) => ({ realm: word, sent: { realm: word } })) : []),
  ];
}
