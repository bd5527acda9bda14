import { operationList } from '../../../src/contract/index.js';
import type { GameOperation } from '../../../src/contract/index.js';
import { isPlainTab } from '../../engine/operations.js';
import type { Args } from '../../engine/requests.js';
import type { DataRequest, Run } from '../../engine/run.js';
import { member } from '../../wire/answer.js';
import { validatedFilter } from './filter-pool.js';
import { allForms, ask, entries } from './forms.js';
import type { OperationForm } from './forms.js';

const ladderSorts = ['xp', 'depth', 'depthsolo', 'ancestor', 'time', 'score'] as const;

/** The optional query parameters of an operation, in turn and some together, with values that the interface lists. */
function queriesOf(run: Run, logical: GameOperation): readonly Args[] {
  const { season, pvp_season, pvp_league } = run.facts.target.known;
  const game2 = { realm: 'game2' };
  const realms: readonly Args[] = ['pc', 'xbox', 'sony'].map((realm) => ({ realm }));
  const window: readonly Args[] = [{ limit: 5 }, { offset: 1 }, { realm: 'pc', limit: 5, offset: 1 }];
  switch (logical) {
    case 'listLeagues':
      return [
        ...realms,
        game2,
        ...window,
        { type: 'main' },
        { type: 'event' },
        ...(season === undefined ? [] : [{ type: 'season', season }]),
        { realm: 'xbox', type: 'event', limit: 5, offset: 1 },
      ];
    case 'getLeague':
      return [...realms, game2];
    case 'getLeagueLadder':
      return [
        ...realms,
        ...window,
        ...ladderSorts.map((sort) => ({ sort })),
        { sort: 'class', class: 'witch' },
        { realm: 'pc', sort: 'class', class: 'witch', limit: 5, offset: 1 },
      ];
    case 'getLeagueEventLadder':
    case 'getPvpMatchLadder':
      return [...realms, ...window];
    case 'listPvpMatches':
      return [
        ...realms,
        { type: 'upcoming' },
        ...(pvp_season === undefined ? [] : [{ type: 'season', season: pvp_season }]),
        ...(pvp_league === undefined ? [] : [{ type: 'league', league: pvp_league }]),
        { realm: 'xbox', type: 'upcoming' },
      ];
    case 'getPvpMatch':
      return realms;
    case 'createItemFilter':
    case 'updateItemFilter':
      return [{ validate: true }];
    default:
      return [];
  }
}

/** Matches that a season or a league has are not those that the shortest form asks for; realms have leagues of their own. */
async function requestsFor(run: Run, form: OperationForm): Promise<readonly DataRequest[]> {
  const { logical, request } = form;
  const found: DataRequest[] = queriesOf(run, logical).map((args) => ({
    ...request,
    args: { ...request.args, ...args },
  }));
  if (logical === 'getLeague') {
    for (const realm of ['xbox', 'sony', 'game2']) {
      const list = entries(await run.http.data('listLeagues', { args: { realm } }), 'leagues');
      const league = list.map((one) => member(one, 'id')).find((id) => typeof id === 'string');
      if (typeof league === 'string') found.push({ args: { league, realm } });
    }
  }
  if (logical === 'getPublicStashTabs') {
    const id = member((await ask(run, form)).json, 'next_change_id');
    if (typeof id === 'string') found.push({ ...request, args: { ...request.args, id } });
  }
  // One that the operation does not have. A server may refuse it; one that takes it is held to the rest.
  if (found.length === 0) found.push({ ...request, query: [['cx', '1']] });
  return found;
}

/** Operations in a realm of which it is not known that the account has something there, with what is known of pc. */
async function elsewhere(
  run: Run,
  logical: GameOperation,
  own: readonly OperationForm[],
): Promise<readonly DataRequest[]> {
  const { league } = own[0]?.request.args ?? {};
  if (league === undefined || !/Stash|LeagueAccount/.test(logical)) return [];
  const found: DataRequest[] = [];
  // That nothing is there is for whoever has a token that works to know.
  if (logical === 'getStash' || logical === 'getGuildStash')
    for (const realm of [undefined, 'xbox', 'sony'])
      found.push({ args: { league, ...(realm && { realm }), stash_id: 'c0ffee0000', substash_id: 'c0ffee0001' } });
  for (const realm of ['xbox', 'sony']) {
    if (own.some(({ request }) => request.args?.['realm'] === realm)) continue;
    const args = { league, realm };
    if (!logical.startsWith('get') || logical === 'getLeagueAccount') found.push({ args });
    else {
      const list = await run.http.data(logical === 'getStash' ? 'listStashes' : 'listGuildStashes', { args });
      const tab = entries(list, 'stashes')
        .filter(isPlainTab)
        .map((one) => member(one, 'id'))
        .find((id) => typeof id === 'string');
      if (typeof tab === 'string') found.push({ args: { ...args, stash_id: tab } });
    }
  }
  return found;
}

/**
 * The forms of an operation with optional query parameters, and in realms of which less is known. Whether a correct
 * server answers 2xx is not said of each: whoever refuses one has to see first that it works with the right token.
 */
const candidates = (run: Run, logical: GameOperation, filters?: 'old filters'): Promise<readonly OperationForm[]> =>
  run.facts.once(`more forms of ${logical}`, async () => {
    const own = (await allForms(run, filters)).forms.filter((form) => form.logical === logical);
    const found: OperationForm[] = [];
    // Only the stream has a parameter that is of each realm's own.
    for (const form of logical === 'getPublicStashTabs' ? own : own.slice(0, 1)) {
      for (const request of await requestsFor(run, form)) found.push({ ...form, request });
    }
    for (const request of await elsewhere(run, logical, own)) found.push({ ...own[0]!, request });
    return found.map((form) => ({ ...form, name: `${logical}${described(form.request)}` }));
  });

const described = ({ args = {}, query = [] }: DataRequest): string => {
  const all = [...Object.entries(args), ...query].filter(([name]) => !/^(id|name|match|stash_id)$/.test(name));
  return all.length === 0 ? '' : ` with ${all.map(([name, value]) => `${name}=${value}`).join(' and ')}`;
};

/** Those of the candidates that were seen to give something with the right token. */
export const queriedForms = (run: Run, logical: GameOperation): Promise<readonly OperationForm[]> =>
  run.facts.once(`more forms of ${logical} that work`, async () => {
    const wrapper = operationList.find((operation) => operation.logical === logical)?.wrapper;
    const isCreation = logical === 'createItemFilter';
    const found = await run.http.atOnce(await candidates(run, logical), async (form) => {
      const { status, json } = isCreation ? (await validatedFilter(run)).answer : await ask(run, form);
      if (status < 200 || status > 299) return [];
      return wrapper === undefined || isCreation || (member(json, wrapper) ?? null) !== null ? [form] : [];
    });
    return found.flat();
  });

/** Of every operation that can be asked at all. */
export async function allQueriedForms(run: Run): Promise<readonly OperationForm[]> {
  return (await run.http.atOnce(await logicals(run), (logical) => queriedForms(run, logical))).flat();
}

/** Candidates of every operation, without a filter that is made for it. */
export async function allCandidates(run: Run): Promise<readonly OperationForm[]> {
  const all = await logicals(run, 'old filters');
  return (await run.http.atOnce(all, (logical) => candidates(run, logical, 'old filters'))).flat();
}

const logicals = async (run: Run, filters?: 'old filters'): Promise<ReadonlySet<GameOperation>> =>
  new Set((await allForms(run, filters)).forms.map(({ logical }) => logical));
