import { operationList } from '../../../src/contract/index.js';
import type { GameOperation, Operation, Scope } from '../../../src/contract/index.js';
import { isPlainTab } from '../../engine/operations.js';
import type { Args } from '../../engine/requests.js';
import type { DataRequest, Refuse, Run } from '../../engine/run.js';
import {
  attempt,
  MissingCapability,
  MissingScope,
  NotExercised,
  NotOffered,
  PrerequisiteFailed,
} from '../../verdict.js';
import { isOffered } from '../../target/offers.js';
import { member } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';
import { playedLeague } from '../../model/account.js';
import { listed, plainFilter } from './filter-pool.js';

/** An operation in one of its realm forms, with a request that a correct server answers 2xx. */
export interface OperationForm {
  /** `getStash in xbox`, for failures. */
  readonly name: string;
  readonly logical: GameOperation;
  readonly scope: Scope;
  readonly request: DataRequest;
}

export interface Forms {
  readonly forms: readonly OperationForm[];
  /** Forms without such a request, and why. */
  readonly left: readonly string[];
  /** Operations with such a form for which the target does not say, or the server does not have, what it needs. */
  readonly lacking: ReadonlyMap<GameOperation, MissingCapability | NotExercised>;
}

const pathRealms = ['xbox', 'sony', 'game2'] as const;

/**
 * Every data operation in every realm form of its path, with the documented minimum of input for a resource that is
 * there. Leagues of other realms are ones that the account has a character in, because what a server answers for a
 * league without play is not stated (K-025, K-127); guild realms are left to their own row (K-019). With `old filters`
 * no filter is created: for checks that share nothing with others, and would each create their own.
 */
export const allForms = (run: Run, filters: 'old filters' | 'shared filters' = 'shared filters'): Promise<Forms> =>
  run.facts.once('the forms of every operation', async () => {
    const left: string[] = [];
    const lacking = new Map<GameOperation, MissingCapability | NotExercised>();
    const made = await run.http.atOnce(wanted(run), async ([operation, realm]) => {
      const logical = operation.logical as GameOperation;
      const name = nameOf(operation, realm);
      const { value: request, undecided } = await attempt(() => requestFor(run, operation, realm, filters));
      if (undecided) left.push(`${name}: ${undecided.message}`);
      if (undecided && !(undecided instanceof PrerequisiteFailed)) lacking.set(logical, undecided);
      return request ? [{ name, logical, scope: operation.scope!, request }] : [];
    });
    const forms = made.flat();
    if (forms.length === 0) throw new PrerequisiteFailed(`no operation can be asked: ${left.join('; ')}`);
    return { forms, left, lacking };
  });

/** The operations whose scope can be had, each once in its shortest form. */
export async function logicalForms(run: Run): Promise<readonly OperationForm[]> {
  const { forms } = await allForms(run);
  return forms.filter((form, index) => forms.findIndex(({ logical }) => logical === form.logical) === index);
}

/** What lets a lookup be asked, where no client of the target may. */
export const lookupRemedy =
  'in the target file, add service:leagues, account:characters or account:stashes to the scopes of a client';

/** The forms of one operation; *not exercised* or *could not run* where there is none. */
export async function formsOf(run: Run, logical: GameOperation): Promise<readonly OperationForm[]> {
  const { forms, left, lacking } = await allForms(run);
  const own = forms.filter((form) => form.logical === logical);
  if (own.length === 0) {
    const forms = operationList.filter((operation) => operation.logical === logical);
    const scope = forms[0]?.scope;
    if (forms.every(({ id }) => !isOffered(run.facts.target, id)))
      throw new NotOffered(logical, 'it is declared in not_offered of the target');
    if (scope !== undefined && !run.oauth.obtainable().has(scope)) throw new MissingScope([scope]);
    throw (
      lacking.get(logical) ??
      new PrerequisiteFailed(left.find((reason) => reason.startsWith(logical)) ?? `${logical} cannot be asked`)
    );
  }
  return own;
}

/**
 * Asks as the form says, with what is changed. A filter is created once in the run, and whoever asks for the unchanged
 * creation gets that answer.
 */
export async function ask(run: Run, form: OperationForm, over: DataRequest = {}): Promise<Answer> {
  if (form.logical === 'createItemFilter' && Object.keys(over).length === 0) return (await plainFilter(run)).answer;
  return run.http.data(form.logical, { ...form.request, ...over });
}

/** The negative of a form: its own request works, and the changed one gets an answer that `refused` accepts. */
export const refusing = (
  run: Run,
  form: OperationForm,
  refused: (answer: Answer) => void,
): Promise<Refuse<DataRequest>> =>
  run.expect.negative<DataRequest>({ valid: () => ({}), send: (over) => ask(run, form, over), refused });

const nameOf = ({ logical, parameters }: Operation, realm: string | undefined): string => {
  const sub = parameters.some(({ name }) => name === 'substash_id') ? ' with substash' : '';
  const hour = logical === 'getCurrencyExchange' && parameters.some(({ name }) => name === 'id') ? ' of an hour' : '';
  return `${logical}${sub}${hour}${realm === undefined ? '' : ` in ${realm}`}`;
};

/** The forms that this server must have: no guild realms, and nothing of an operation that its edition may lack. */
function wanted(run: Run): [operation: Operation, realm: string | undefined][] {
  const obtainable = run.oauth.obtainable();
  return operationList.flatMap((operation): [Operation, string | undefined][] => {
    const { server, scope, flag, logical, realm, parameters } = operation;
    if (server !== 'data' || scope === undefined || !obtainable.has(scope)) return [];
    if (flag !== undefined && run.facts.flag(flag) === 'off') return [];
    if (!isOffered(run.facts.target, operation.id)) return [];
    if (realm !== undefined) return logical.includes('Guild') ? [] : [[operation, realm]];
    if (!parameters.some((one) => one.name === 'realm' && one.in === 'path')) return [[operation, undefined]];
    const second = operation.game !== 'g1';
    return pathRealms.filter((one) => second || one !== 'game2').map((one) => [operation, one]);
  });
}

async function requestFor(
  run: Run,
  operation: Operation,
  realm: string | undefined,
  filters: 'old filters' | 'shared filters',
): Promise<DataRequest> {
  const logical = operation.logical as GameOperation;
  const needs = new Set(operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name));
  const within: Args = realm === undefined ? {} : { realm };
  switch (logical) {
    case 'createItemFilter':
      return filters === 'old filters' ? run.facts.sample(logical) : { body: (await plainFilter(run)).body };
    case 'getItemFilter':
    case 'updateItemFilter': {
      const id = filters === 'old filters' ? (await listed(run))[0]?.['id'] : (await plainFilter(run)).id;
      if (typeof id !== 'string') throw new PrerequisiteFailed('the account has no item filter');
      return { args: { id }, ...(logical === 'updateItemFilter' && { body: {} }) };
    }
    case 'getLeagueEventLadder':
      return { args: { league: await leagueOf(run, 'event_ladder_league') } };
    case 'getCurrencyExchange':
      return { args: { ...within, ...(needs.has('id') && { id: await hour(run, within) }) } };
    case 'getCharacter':
      return characterRequest(run, realm);
    case 'listStashes':
    case 'getStash': {
      if (needs.has('substash_id')) {
        if (realm !== undefined) throw new MissingCapability('a sub-tab in that realm');
        const [stash_id, substash_id] = [run.facts.known('parent_tab'), run.facts.known('sub_tab')];
        return { args: { league: run.facts.known('stash_league'), stash_id, substash_id } };
      }
      const known = realm === undefined ? run.facts.target.known.stash_league : undefined;
      const args = { league: known ?? (await playedLeague(run, realm)), ...within };
      return { args: logical === 'getStash' ? { ...args, stash_id: await firstTab(run, args) } : args };
    }
    case 'getLeagueAccount': {
      const known = realm === undefined ? run.facts.target.known.atlas_league : undefined;
      return { args: { league: known ?? (await playedLeague(run, realm)), ...within } };
    }
    case 'listGuildStashes':
    case 'getGuildStash':
      await leagueOf(run, 'guild_league');
      if (needs.has('substash_id')) throw new MissingCapability('a sub-tab of the guild');
      return run.facts.sample(logical);
    default:
      return run.facts.sample(logical, realm === undefined ? {} : { realm });
  }
}

async function characterRequest(run: Run, realm: string | undefined): Promise<DataRequest> {
  // Whether an expired or deleted character can be fetched is not stated (K-134).
  const list = await run.facts.sample('listCharacters', realm === undefined ? {} : { realm });
  const words = new Set<unknown>([...pathRealms, 'pc', run.facts.target.names.game2]);
  const name = entries(await run.http.data('listCharacters', list), 'characters')
    .filter((one) => member(one, 'expired') !== true && member(one, 'deleted') !== true)
    .map((one) => member(one, 'name'))
    .find((one) => typeof one === 'string' && !words.has(one));
  if (typeof name !== 'string') throw new NotExercised(`the account has no character in realm ${realm ?? 'pc'}`);
  return { ...list, args: { ...(realm !== undefined && { realm }), name } };
}

async function leagueOf(run: Run, key: 'event_ladder_league' | 'guild_league'): Promise<string> {
  const league = await run.facts.found(key);
  if (league === undefined) throw new MissingCapability(`known.${key} in the target`);
  return league;
}

async function firstTab(run: Run, args: Args): Promise<string> {
  const tabs = entries(await run.http.data('listStashes', { args }), 'stashes').filter(isPlainTab);
  const id = tabs.map((tab) => member(tab, 'id')).find((one) => typeof one === 'string');
  if (typeof id !== 'string') throw new NotExercised('the account has no stash tab there');
  return id;
}

/** The hour that an answer of the exchange names next, as the interface has clients take it. */
async function hour(run: Run, args: Args): Promise<number> {
  const next = member((await run.http.data('getCurrencyExchange', { args })).json, 'next_change_id');
  if (typeof next !== 'number') throw new PrerequisiteFailed('the exchange answered without next_change_id');
  return next;
}

/** The objects of a list member; none where the answer has no such list. */
export function entries(answer: Answer, wrapper: string): readonly unknown[] {
  const list = answer.status === 200 ? member(answer.json, wrapper) : undefined;
  return Array.isArray(list) ? list : [];
}
