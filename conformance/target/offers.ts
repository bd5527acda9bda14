import { operationList } from '../../src/contract/index.js';
import type { Operation } from '../../src/contract/index.js';
import type { LedgerRow } from '../ledger.js';
import { unmet } from './capabilities.js';
import type { TargetCapabilities, Unmet } from './capabilities.js';
import type { Target } from './target.js';

const servers = ['data', 'authorization'] as const;

/** The words of `not_offered`: operations by their ids or paths, and all of a server. */
export const operationWords: readonly string[] = [
  ...new Set([...servers, ...operationList.flatMap(({ id, path }) => [id, path])]),
];

/**
 * The ids of the operations that words of `not_offered` mean: an operation with all of its forms, by its id or shortest
 * path, or one form.
 */
export const operationsNamed = (words: readonly string[]): readonly string[] => {
  const whole = operationList.filter(({ id, logical, path }) => id === logical && words.includes(path));
  return operationList
    .filter(
      ({ id, logical, path, server }) =>
        [id, logical, path, server].some((word) => words.includes(word)) || whole.some((one) => one.id === logical),
    )
    .map(({ id }) => id);
};

type Offering = Pick<Target, 'not_offered' | 'clients' | 'tokens'>;

/** Whether the suite may ask for an operation: a target with nothing but ready tokens has no authorization server. */
export function isOffered({ not_offered, clients, tokens }: Offering, id: string): boolean {
  if (not_offered.includes(id)) return false;
  const bare = tokens.length > 0 && Object.keys(clients).length === 0;
  return !bare || operationList.some((one) => one.id === id && one.server === 'data');
}

/** A row of the ledger, in what its needs depend on. */
export type NeedyRow = Pick<LedgerRow, 'how' | 'needs' | 'pointer'> & { readonly check?: string };

/** What a row lacks: its needs, and the operation that it is about, with the scope that opens it. */
export function lacksOf(row: NeedyRow, facts: TargetCapabilities): Unmet[] {
  const { not_offered } = facts.target;
  const own = operationAt(row.pointer);
  const gone = [own?.id, ...row.needs.map(endpointOf)].find((id) => id !== undefined && not_offered.includes(id));
  if (gone !== undefined) return [goneFrom(gone)];
  const isData = row.check === undefined || !row.check.startsWith('oauth/');
  const opens = row.how === 'check' && own?.server === 'data' ? own.scope : undefined;
  const needs = opens === undefined ? row.needs : [...row.needs, [`scope:${opens}` as const]];
  const lacks = unmet(needs, facts).filter(({ need }) => !isData || !metByToken(need.split(' | '), facts.target));
  // Nobody can be asked where there is no page to ask on.
  if (row.how === 'check' && not_offered.includes('authorize') && lacks.some(({ need }) => need === 'consent'))
    return [goneFrom('authorize')];
  // A client that is missing is told without the scopes that it would have.
  const isWithout = lacks.some(({ need }) => need.startsWith('client:'));
  return isWithout ? lacks.filter(({ need }) => !need.startsWith('scope:')) : lacks;
}

const goneFrom = (id: string): Unmet => ({
  need: id,
  remedy: `${id} is declared in not_offered of the target`,
  applicable: false,
});

/** The operation of a pointer such as `/paths/~1profile/get`. */
function operationAt(pointer = ''): Operation | undefined {
  const [, kind, path = '', method = ''] = pointer.split('/');
  if (kind !== 'paths') return undefined;
  const place = path.replaceAll('~1', '/').replaceAll('~0', '~');
  return operationList.find((one) => one.path === place && one.method.toLowerCase() === method);
}

const endpointOf = (alternatives: readonly string[]): string | undefined =>
  alternatives.length > 1 ? undefined : { revoke: 'revokeToken', introspect: 'introspectToken' }[alternatives[0] ?? ''];

/** Whether ready tokens stand for one of these needs of a row that only needs a token. */
function metByToken(needs: readonly string[], { tokens }: Target): boolean {
  const has = (beginning: string): boolean =>
    tokens.some(({ scopes }) => scopes.some((scope) => scope.startsWith(beginning)));
  return needs.some((need) => {
    if (need === 'client:service') return has('service:');
    if (need === 'client:guild') return has('account:guild:stashes');
    if (need === 'second-account') return tokens.some(({ account }) => account === 'bob');
    return (need === 'consent' || need.startsWith('client:')) && has('account:');
  });
}

/** Whether tokens are tried by introspection: no data is offered, and a client of operations may ask. */
export const introspects = (target: Target): boolean =>
  target.clients.operations !== undefined &&
  isOffered(target, 'introspectToken') &&
  operationList.every(({ id, server }) => server !== 'data' || !isOffered(target, id));
