import type { GameOperation } from '../../src/contract/index.js';
import { member } from '../wire/answer.js';
import type { DataRequest, Run } from './run.js';
import { Missing, NotExercised, Prerequisite } from '../verdict.js';

type Realm = string | undefined;
type Sample = (run: Run, realm: Realm) => Promise<DataRequest>;

/** What an operation needs so that a correct server answers 2xx: facts of the target first, else what lists offer. */
const samples: Readonly<Record<GameOperation, Sample>> = {
  getProfile: async () => ({}),
  listItemFilters: async () => ({}),
  getItemFilter: async (run) => ({ args: { id: await ownFilter(run) } }),
  createItemFilter: async () => ({
    body: { filter_name: 'cx-sample', realm: 'pc', filter: 'Show\n    BaseType "Gold Ring"\n' },
  }),
  updateItemFilter: async (run) => ({ args: { id: await ownFilter(run) }, body: {} }),
  listLeagues: async (_, realm) => ({ args: within(realm) }),
  getLeague: async (run, realm) => ({ args: { league: await league(run, realm), ...within(realm) } }),
  getLeagueLadder: async (run, realm) => ({
    args: { league: await ladderLeague(run, realm), ...within(realm) },
  }),
  getLeagueEventLadder: async (run, realm) => ({
    args: {
      league: (isPc(realm) ? run.target.known.event_ladder_league : undefined) ?? (await ladderLeague(run, realm)),
      ...within(realm),
    },
  }),
  listPvpMatches: async (_, realm) => ({ args: within(realm) }),
  getPvpMatch: async (run, realm) => ({ args: { match: await match(run, realm), ...within(realm) } }),
  getPvpMatchLadder: async (run, realm) => ({ args: { match: await match(run, realm), ...within(realm) } }),
  listAccountLeagues: async (_, realm) => ({ args: within(realm) }),
  listCharacters: async (run, realm) => ({ args: within(realm), ...(await player(run, realm)) }),
  getCharacter: async (run, realm) => ({
    args: { name: await character(run, realm), ...within(realm) },
    ...(await player(run, realm)),
  }),
  listStashes: async (run, realm) => ({ args: { league: await stashLeague(run, realm), ...within(realm) } }),
  getStash: async (run, realm) => {
    const inLeague = await stashLeague(run, realm);
    return { args: { league: inLeague, stash_id: await tab(run, 'listStashes', inLeague, realm), ...within(realm) } };
  },
  getLeagueAccount: async (run, realm) => ({
    args: {
      league: (isPc(realm) ? run.target.known.atlas_league : undefined) ?? (await stashLeague(run, realm)),
      ...within(realm),
    },
  }),
  listGuildStashes: async (run, realm) => ({ args: { league: await guildLeague(run), ...within(realm) } }),
  getGuildStash: async (run, realm) => {
    const inLeague = await guildLeague(run);
    return {
      args: { league: inLeague, stash_id: await tab(run, 'listGuildStashes', inLeague, realm), ...within(realm) },
    };
  },
  getPublicStashTabs: async (_, realm) => ({ args: within(realm) }),
  getCurrencyExchange: async (_, realm) => ({ args: within(realm) }),
};

/** The sample of an operation; known to a run as `run.sample`. */
export const sampleOf = (run: Run, operation: GameOperation, realm: Realm): Promise<DataRequest> =>
  samples[operation](run, realm);

/** Facts of the target about leagues are about realm pc. */
const isPc = (realm: Realm): boolean => realm === undefined || realm === 'pc';

const within = (realm: Realm): { realm?: string } => (realm === undefined ? {} : { realm });

/** Second-game characters may belong to another account than the first. */
async function player(run: Run, realm: Realm): Promise<{ account?: string }> {
  const account = realm === 'game2' ? run.target.known.game2_account : undefined;
  return account === undefined ? {} : { account };
}

async function ids(
  run: Run,
  operation: GameOperation,
  wrapper: string,
  field: string,
  request: DataRequest,
  fits: (entry: unknown) => boolean = () => true,
): Promise<string[]> {
  return run.once(`${operation} ${JSON.stringify(request.args)} ${request.account ?? ''}`, async () => {
    const answer = await run.data(operation, request);
    const list = member(answer.json, wrapper);
    if (answer.status !== 200 || !Array.isArray(list)) {
      throw new Prerequisite(`${operation} answered ${answer.status} without a list of ${wrapper}`);
    }
    return list
      .filter(fits)
      .map((entry) => member(entry, field))
      .filter((id) => typeof id === 'string');
  });
}

function first(values: readonly string[], what: string): string {
  const value = values.find((candidate) => candidate !== '');
  if (value === undefined) throw new NotExercised(`the server lists no ${what}`);
  return value;
}

async function league(run: Run, realm: Realm): Promise<string> {
  const known = run.target.known.main_leagues?.[0];
  if (known !== undefined && isPc(realm)) return known;
  return first(
    await ids(run, 'listLeagues', 'leagues', 'id', { args: within(realm) }),
    `league in realm ${realm ?? 'pc'}`,
  );
}

const ladderLeague = async (run: Run, realm: Realm): Promise<string> =>
  isPc(realm) ? (run.target.known.ladder_league ?? league(run, realm)) : league(run, realm);

async function match(run: Run, realm: Realm): Promise<string> {
  const { pvp_season: season, pvp_league: inLeague } = run.target.known;
  const lists: DataRequest['args'][] = [
    { ...within(realm) },
    ...(season === undefined ? [] : [{ type: 'season', season, ...within(realm) }]),
    ...(inLeague === undefined ? [] : [{ type: 'league', league: inLeague, ...within(realm) }]),
  ];
  for (const args of lists) {
    const found = await ids(run, 'listPvpMatches', 'matches', 'id', { args: args! });
    if (found.length > 0) return found[0]!;
  }
  throw new NotExercised(`the server lists no PvP match in realm ${realm ?? 'pc'}`);
}

async function character(run: Run, realm: Realm): Promise<string> {
  const reserved = new Set(['pc', 'xbox', 'sony', 'game2', run.target.names.game2]);
  const request = { args: within(realm), ...(await player(run, realm)) };
  const names = (await ids(run, 'listCharacters', 'characters', 'name', request, lasting)).filter(
    (name) => !reserved.has(name),
  );
  return first(names, `character in realm ${realm ?? 'pc'}`);
}

/** Whether a deleted or expired character can still be looked up is not stated (K-134). */
const lasting = (entry: unknown): boolean => member(entry, 'deleted') !== true && member(entry, 'expired') !== true;

/**
 * A tab that is no sub-tab, in no folder and none itself, wherever the list has it (K-042): where the bare id of such a
 * tab leads is not stated (K-045).
 */
export const isPlainTab = (entry: unknown): boolean =>
  [member(entry, 'parent'), member(entry, 'folder')].every((owner) => (owner ?? null) === null) &&
  member(member(entry, 'metadata'), 'folder') !== true;

/** A league of the account in which it may have tabs: the known one where the account has it in that realm too. */
async function stashLeague(run: Run, realm: Realm): Promise<string> {
  const { stash_league: known, main_leagues: main } = run.target.known;
  const guess = known ?? main?.[0];
  if (guess !== undefined && isPc(realm)) return guess;
  const own = await ids(run, 'listAccountLeagues', 'leagues', 'id', { args: within(realm) });
  return guess !== undefined && own.includes(guess) ? guess : first(own, 'league of the account');
}

async function guildLeague(run: Run): Promise<string> {
  return run.target.known.guild_league ?? (await stashLeague(run, undefined));
}

async function tab(
  run: Run,
  operation: 'listStashes' | 'listGuildStashes',
  league: string,
  realm: Realm,
): Promise<string> {
  const known = operation === 'listGuildStashes' ? Object.values(run.target.known.guild_tabs ?? {})[0]?.[0] : undefined;
  if (known !== undefined && isPc(realm)) return known;
  return first(
    await ids(run, operation, 'stashes', 'id', { args: { league, ...within(realm) } }, isPlainTab),
    `tab in league ${league}, realm ${realm ?? 'pc'}`,
  );
}

/** A filter of the account: one that is there, or else one that the run makes, once. */
async function ownFilter(run: Run): Promise<string> {
  const there = await ids(run, 'listItemFilters', 'filters', 'id', {});
  if (there[0] !== undefined) return there[0];
  return run.once('a filter of the run', async () => {
    const answer = await run.data('createItemFilter', await samples.createItemFilter(run, undefined));
    const id = member(member(answer.json, 'filter'), 'id');
    if (typeof id !== 'string')
      throw new Missing('a filter of the account: there is none, and creating one did not work');
    return id;
  });
}
