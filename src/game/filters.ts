import type { components, Realm, RequestBody } from '../contract/index.js';
import type { StoredFilter } from '../store/store.js';
import type { Account } from '../world/world.js';
import { errorObject, fault } from './errors.js';
import { isValidFilter } from './filter-text.js';
import type { Game, Handler } from './game.js';
import { listed } from './order.js';

/** K-072: the interface sets no limit and knows no deletion; the mock keeps its memory bounded. */
const filtersPerAccount = 100;

function summary({
  filter: _filter,
  validation: _validation,
  ...rest
}: StoredFilter): components['schemas']['ItemFilterSummary'] {
  return rest;
}

/** Only the account's own: another account's filter does not exist here, public or not (K-075). */
function ownFilter(game: Game, account: Account, id: string): StoredFilter | undefined {
  return game.store.filters(account.key).find((filter) => filter.id === id);
}

const unknownFilter = () =>
  fault('notFound', 'the account has no filter of that id; GET /item-filter lists its filters');

/** The validation of a text against the current version of the game that the filter is for (interface 4.2). */
function validationOf(text: string, realm: Realm, game: Game): components['schemas']['FilterValidation'] {
  const validated = `${new Date(game.now()).toISOString().slice(0, 19)}Z`;
  return { valid: isValidFilter(text), version: game.world.gameVersion(realm), validated };
}

/** The account's filters in all realms, without text and validation (interface 2, 4.2, K-008, K-073). */
export const listItemFilters: Handler<'listItemFilters'> = ({ account }, game) => ({
  status: 200,
  body: { filters: listed(game, game.store.filters(account.key), ({ id }) => id).map(summary) },
});

/** One filter of the account; 404 where there is none (interface 4.2, K-025). */
export const getItemFilter: Handler<'getItemFilter'> = ({ params: { id }, account }, game) => {
  const filter = ownFilter(game, account, id);
  return filter ? { status: 200, body: { filter } } : unknownFilter();
};

/** Stores a filter as sent (interface 4.2). Omitted, or null: type Normal, empty texts, private (K-070). */
export const createItemFilter: Handler<'createItemFilter'> = ({ params, body, account }, game) => {
  if (game.store.filters(account.key).length >= filtersPerAccount) {
    return fault('invalidQuery', `the account has ${filtersPerAccount} filters already; update one of them`);
  }
  const filter: StoredFilter = {
    id: game.newId(10),
    filter_name: body.filter_name,
    realm: body.realm,
    description: body.description ?? '',
    version: body.version ?? '',
    type: body.type ?? 'Normal',
    ...(body.public ? { public: true as const } : {}),
    filter: body.filter,
    ...(params.validate ? { validation: validationOf(body.filter, body.realm, game) } : {}),
  };
  game.store.putFilter(account.key, filter);
  return { status: game.switches['filters.createStatus'], body: { filter } };
};

/**
 * Partial update: what is omitted, or null where null is allowed, keeps its value, and a public filter stays public
 * (interface 3, 4.2). A text with the marker is answered with 202: what is stored is visible at once, its validation
 * only when the filter is read again (K-068).
 */
export const updateItemFilter: Handler<'updateItemFilter'> = ({ params, body, account }, game) => {
  const old = ownFilter(game, account, params.id);
  if (!old) return unknownFilter();
  if (publicFieldOf(body) === false && game.switches['filters.publicFalse'] === 'reject') {
    return fault('invalidQuery', 'field public must be true if present; a public filter cannot be made private');
  }
  const filter = updated(old, body, params.validate, game);
  game.store.putFilter(account.key, filter);
  const shown = game.switches['filters.updateEcho'] === 'brief' ? withoutText(filter) : filter;
  if (!filter.filter?.includes(game.switches['filters.asyncTrigger'])) return { status: 200, body: { filter: shown } };
  const { validation: _validation, ...pending } = shown;
  return {
    status: 202,
    body: { filter: pending, error: errorObject('accepted', 'further processing is required; read the filter again') },
  };
};

/** The contract allows true only; a server that ignores false (K-071) lets it come this far. */
const publicFieldOf = (body: { public?: unknown }): unknown => body.public;

function updated(
  old: StoredFilter,
  body: RequestBody<'updateItemFilter'>,
  validate: boolean,
  game: Game,
): StoredFilter {
  const text = body.filter ?? old.filter ?? '';
  const realm = body.realm ?? old.realm;
  // The validation is of the text and the game that it was made for: others have none until it is asked for.
  const same = text === old.filter && game.world.gameVersion(realm) === game.world.gameVersion(old.realm);
  const validation = validate ? validationOf(text, realm, game) : same ? old.validation : undefined;
  return {
    id: old.id,
    filter_name: body.filter_name ?? old.filter_name,
    realm,
    description: body.description ?? old.description,
    version: body.version ?? old.version,
    type: body.type ?? old.type,
    ...(body.public || old.public ? { public: true as const } : {}),
    filter: text,
    ...(validation ? { validation } : {}),
  };
}

function withoutText({ filter: _filter, ...rest }: StoredFilter): StoredFilter {
  return rest;
}
