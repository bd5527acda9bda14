import { operationList, parameterTable } from '../../src/contract/index.js';
import type { GameOperation, Operation, PlainOperation, Scope } from '../../src/contract/index.js';
import { member } from '../wire/answer.js';
import { found } from './found.js';
import type { DataRequest, Source } from './run.js';
import { isOffered } from '../target/offers.js';
import type { Target } from '../target/target.js';
import { MissingCapability, NotExercised, PrerequisiteFailed } from '../verdict.js';

type OptionalRealm = string | undefined;

type Sample = (run: Source, realm: OptionalRealm) => Promise<DataRequest>;

/** What the suite has to know of an operation and the contract does not say. */
export interface OperationTraits {
  /** A request that a correct server answers 2xx: facts of the target first, else what lists offer. */
  readonly sample: Sample;
  /** Needs nothing but a token and costs little: a lower number is asked sooner when a token is tried. */
  readonly cheap?: number;
  /** The member that holds what was asked for, where the contract names no wrapper. */
  readonly wrapper?: string;
  /** The member by which the entries of a list are told apart. */
  readonly identity?: string;
  /** How a name that is not there is answered: by null in the wrapper (interface 7), or in a way that is left open. */
  readonly unknown?: 'null' | 'open';
}

/** An operation that takes more than a realm and is not here does not compile. */
const traits = {
  getProfile: { sample: async () => ({}), cheap: 1 },
  listItemFilters: { sample: async () => ({}), cheap: 2 },
  getItemFilter: { sample: async (run) => ({ args: { id: await ownFilter(run) } }), unknown: 'open' },
  createItemFilter: { sample: async () => ({ body: sampleFilter }) },
  updateItemFilter: { sample: async (run) => ({ args: { id: await ownFilter(run) }, body: {} }) },
  listLeagues: { sample: async (_, realm) => ({ args: within(realm) }), cheap: 5 },
  getLeague: {
    sample: async (run, realm) => ({ args: { league: await league(run, realm), ...within(realm) } }),
    unknown: 'null',
  },
  getLeagueLadder: {
    sample: async (run, realm) => ({ args: { league: await ladderLeague(run, realm), ...within(realm) } }),
    unknown: 'open',
  },
  getLeagueEventLadder: {
    sample: async (run, realm) => {
      const shown = isPc(realm) ? await found(run, 'event_ladder_league') : undefined;
      return { args: { league: shown ?? (await ladderLeague(run, realm)), ...within(realm) } };
    },
    unknown: 'open',
  },
  listPvpMatches: { sample: async (_, realm) => ({ args: within(realm) }), cheap: 7 },
  getPvpMatch: {
    sample: async (run, realm) => ({ args: { match: await match(run, realm), ...within(realm) } }),
    unknown: 'null',
  },
  getPvpMatchLadder: {
    sample: async (run, realm) => ({ args: { match: await match(run, realm), ...within(realm) } }),
    unknown: 'open',
  },
  listAccountLeagues: { sample: async (_, realm) => ({ args: within(realm) }), cheap: 4 },
  listCharacters: {
    sample: async (run, realm) => ({ args: within(realm), ...(await player(run, realm)) }),
    cheap: 3,
    identity: 'id',
  },
  getCharacter: {
    sample: async (run, realm) => ({
      args: { name: await character(run, realm), ...within(realm) },
      ...(await player(run, realm)),
    }),
    unknown: 'null',
  },
  listStashes: {
    sample: async (run, realm) => ({ args: { league: await stashLeague(run, realm), ...within(realm) } }),
    identity: 'id',
    unknown: 'open',
  },
  getStash: {
    sample: async (run, realm) => {
      const inLeague = await stashLeague(run, realm);
      return { args: { league: inLeague, stash_id: await tab(run, 'listStashes', inLeague, realm), ...within(realm) } };
    },
    unknown: 'null',
  },
  getLeagueAccount: {
    sample: async (run, realm) => {
      const known = isPc(realm) ? run.facts.target.known.atlas_league : undefined;
      return { args: { league: known ?? (await stashLeague(run, realm)), ...within(realm) } };
    },
    unknown: 'open',
  },
  listGuildStashes: {
    sample: async (run, realm) => ({ args: { league: await guildLeague(run), ...within(realm) } }),
    identity: 'id',
    unknown: 'open',
  },
  getGuildStash: {
    sample: async (run, realm) => {
      const inLeague = await guildLeague(run);
      const stash_id = await tab(run, 'listGuildStashes', inLeague, realm);
      return { args: { league: inLeague, stash_id, ...within(realm) } };
    },
    unknown: 'null',
  },
  getPublicStashTabs: { sample: async (_, realm) => ({ args: within(realm) }), cheap: 6, wrapper: 'stashes' },
  getCurrencyExchange: { sample: async (_, realm) => ({ args: within(realm) }), cheap: 8, wrapper: 'markets' },
} as const satisfies Traits;

type Traits = Readonly<
  Record<Exclude<GameOperation, PlainOperation>, OperationTraits> & Partial<Record<PlainOperation, OperationTraits>>
>;

const plain: OperationTraits = { sample: async (_, realm) => ({ args: within(realm) }) };

const sampleFilter = { filter_name: 'cx-sample', realm: 'pc', filter: 'Show\n    BaseType "Gold Ring"\n' };

/** What the suite knows of an operation. */
export const traitsOf = (operation: GameOperation): OperationTraits => (traits as Traits)[operation] ?? plain;

/** The sample of an operation; known to a run as `run.facts.sample`. */
export const sampleOf = (run: Source, operation: GameOperation, realm?: string): Promise<DataRequest> =>
  traitsOf(operation).sample(run, realm);

// --- what the contract says of an operation -------------------------------------------------------------------------

/** All operations of the data API. */
export const gameOperations = [
  ...new Set(operationList.filter(({ server }) => server === 'data').map(({ logical }) => logical)),
] as readonly GameOperation[];

/** The operation in its shortest form. */
export const shortest = (operation: GameOperation): Operation =>
  operationList.find(({ logical }) => logical === operation)!;

/** The member of a reply that holds its object or list. */
export const wrapperOf = (operation: GameOperation): string | undefined =>
  shortest(operation).wrapper ?? traitsOf(operation).wrapper;

/** Whether it is asked in pages, by `limit` and `offset`. */
export const isPaged = (operation: GameOperation): boolean => Object.hasOwn(parameterTable[operation], 'limit');

/** The path parameter that names what is asked for: the last one that is required. */
export const nameParameter = (operation: GameOperation): string | undefined =>
  shortest(operation).parameters.findLast((one) => one.in === 'path' && one.name !== 'realm')?.name;

/** The realms that the interface lists for its query; none where the realm is no parameter of the query. */
export function queryRealms(operation: GameOperation): readonly string[] {
  const { game, parameters } = shortest(operation);
  if (!parameters.some((one) => one.in === 'query' && one.name === 'realm')) return [];
  return game === 'g1' ? ['pc', 'xbox', 'sony'] : ['pc', 'xbox', 'sony', 'game2'];
}

/** Whether realms other than pc are forms of its path. */
export const hasPathRealm = (operation: GameOperation): boolean =>
  operationList.some(
    ({ logical, realm, parameters }) =>
      logical === operation &&
      (realm !== undefined || parameters.some((one) => one.in === 'path' && one.name === 'realm')),
  );

/** The operations to try a token of these scopes on, the cheapest first; none of an edition that the target lacks. */
export const openedBy = (target: Target, scopes: readonly Scope[]): readonly GameOperation[] =>
  gameOperations
    .filter((operation) => {
      const { scope, flag } = shortest(operation);
      return (
        scope !== undefined &&
        scopes.includes(scope) &&
        (flag === undefined || target.edition[flag] !== 'off') &&
        isOffered(target, operation)
      );
    })
    .toSorted((a, b) => (traitsOf(a).cheap ?? 99) - (traitsOf(b).cheap ?? 99));

// --- where samples come from ----------------------------------------------------------------------------------------

/** Facts of the target about leagues are about realm pc. */
const isPc = (realm: OptionalRealm): boolean => realm === undefined || realm === 'pc';

const within = (realm: OptionalRealm): { realm?: string } => (realm === undefined ? {} : { realm });

/** Second-game characters may belong to another account than the first. */
async function player(run: Source, realm: OptionalRealm): Promise<{ account?: string }> {
  const account = realm === 'game2' ? run.facts.target.known.game2_account : undefined;
  return account === undefined ? {} : { account };
}

async function ids(
  run: Source,
  operation: GameOperation,
  wrapper: string,
  field: string,
  request: DataRequest,
  fits: (entry: unknown) => boolean = () => true,
): Promise<string[]> {
  return run.facts.once(`${operation} ${JSON.stringify(request.args)} ${request.account ?? ''}`, async () => {
    const answer = await run.http.data(operation, request);
    const list = member(answer.json, wrapper);
    if (answer.status !== 200 || !Array.isArray(list)) {
      throw new PrerequisiteFailed(`${operation} returned ${answer.status} without a list of ${wrapper}`);
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

async function league(run: Source, realm: OptionalRealm): Promise<string> {
  const known = run.facts.target.known.main_leagues?.[0];
  if (known !== undefined && isPc(realm)) return known;
  return first(
    await ids(run, 'listLeagues', 'leagues', 'id', { args: within(realm) }),
    `league in realm ${realm ?? 'pc'}`,
  );
}

const ladderLeague = async (run: Source, realm: OptionalRealm): Promise<string> =>
  isPc(realm) ? (run.facts.target.known.ladder_league ?? league(run, realm)) : league(run, realm);

async function match(run: Source, realm: OptionalRealm): Promise<string> {
  const { pvp_season: season } = run.facts.target.known;
  const inLeague = isPc(realm) ? await found(run, 'pvp_league') : run.facts.target.known.pvp_league;
  const lists: DataRequest['args'][] = [
    { ...within(realm) },
    ...(season === undefined ? [] : [{ type: 'season', season, ...within(realm) }]),
    ...(inLeague === undefined ? [] : [{ type: 'league', league: inLeague, ...within(realm) }]),
  ];
  for (const args of lists) {
    const [match] = await ids(run, 'listPvpMatches', 'matches', 'id', { args: args! });
    if (match !== undefined) return match;
  }
  throw new NotExercised(`the server lists no PvP match in realm ${realm ?? 'pc'}`);
}

async function character(run: Source, realm: OptionalRealm): Promise<string> {
  const reserved = new Set(['pc', 'xbox', 'sony', 'game2', run.facts.target.names.game2]);
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
async function stashLeague(run: Source, realm: OptionalRealm): Promise<string> {
  const { stash_league: known, main_leagues: main } = run.facts.target.known;
  const guess = known ?? main?.[0];
  if (guess !== undefined && isPc(realm)) return guess;
  const own = await ids(run, 'listAccountLeagues', 'leagues', 'id', { args: within(realm) });
  return guess !== undefined && own.includes(guess) ? guess : first(own, 'league of the account');
}

async function guildLeague(run: Source): Promise<string> {
  return (await found(run, 'guild_league')) ?? stashLeague(run, undefined);
}

async function tab(
  run: Source,
  operation: 'listStashes' | 'listGuildStashes',
  league: string,
  realm: OptionalRealm,
): Promise<string> {
  const listed = () => ids(run, operation, 'stashes', 'id', { args: { league, ...within(realm) } }, isPlainTab);
  const [known = []] =
    operation === 'listGuildStashes' && isPc(realm) ? Object.values(run.facts.target.known.guild_tabs ?? {}) : [];
  if (known.length === 0) return first(await listed(), `tab in league ${league}, realm ${realm ?? 'pc'}`);
  // The target may name sub-tabs too, and what they give by their own id is not stated.
  const plain = await listed().catch((): string[] => []);
  return known.find((id) => plain.includes(id)) ?? plain[0] ?? known[0]!;
}

/** A filter of the account: one that is there, or else one that the run makes, once. */
async function ownFilter(run: Source): Promise<string> {
  const there = await ids(run, 'listItemFilters', 'filters', 'id', {});
  if (there[0] !== undefined) return there[0];
  return run.facts.once('a filter of the run', async () => {
    const answer = await run.http.data('createItemFilter', { body: sampleFilter });
    const id = member(member(answer.json, 'filter'), 'id');
    if (typeof id !== 'string')
      throw new MissingCapability('an item filter', 'the account has none, and creating one failed');
    return id;
  });
}
