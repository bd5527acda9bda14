import type { GameOperation } from '../../src/contract/index.js';
import { Stopped } from '../verdict.js';
import { member } from '../wire/answer.js';
import type { DataRequest, Findable, Source } from './run.js';

/** Leagues that are tried one by one. */
const most = 16;

/** A list of an answer; empty where the server gave none. The row of that operation says what is wrong with it. */
async function listOf(
  { http }: Source,
  operation: GameOperation,
  request: DataRequest,
  ...path: readonly string[]
): Promise<readonly unknown[]> {
  try {
    const { json } = await http.data(operation, request);
    const list = path.reduce<unknown>(member, json);
    return Array.isArray(list) ? list : [];
  } catch (error) {
    if (error instanceof Stopped) throw error;
    return [];
  }
}

const idsOf = (list: readonly unknown[]): readonly string[] =>
  list.map((entry) => member(entry, 'id')).filter((id) => typeof id === 'string' && id !== '') as string[];

/** The leagues of realm pc: current events first, then the others. */
const leagues = (source: Source): Promise<readonly string[]> =>
  source.facts.once('leagues to look at', async () => {
    const events = idsOf(await listOf(source, 'listLeagues', { args: { type: 'event' } }, 'leagues'));
    const others = idsOf(await listOf(source, 'listLeagues', {}, 'leagues'));
    return [...new Set([...events, ...others])].slice(0, most);
  });

/** The first for which the number is the greatest, of those for which it is above `least`. */
async function best(
  candidates: readonly string[],
  figure: (one: string) => Promise<number>,
  { least = 0, enough = Number.POSITIVE_INFINITY } = {},
): Promise<string | undefined> {
  let found: { readonly one: string; readonly value: number } | undefined;
  for (const one of candidates) {
    const value = await figure(one);
    if (value > (found?.value ?? least)) found = { one, value };
    if (value >= enough) break;
  }
  return found?.one;
}

/** How many different figures the top of a ladder in that order has. */
const figures = (source: Source, sort: 'time' | 'score') => async (league: string) => {
  const request = { args: { league, sort, limit: 20 } };
  const entries = await listOf(source, 'getLeagueLadder', request, 'league', 'entries');
  return new Set(entries.map((entry) => member(member(entry, 'character'), sort)).filter((one) => one !== undefined))
    .size;
};

const finders: Readonly<Record<Findable, (source: Source) => Promise<string | undefined>>> = {
  event_ladder_league: async (source) =>
    best(
      await leagues(source),
      async (league) =>
        (await listOf(source, 'getLeagueEventLadder', { args: { league, limit: 100 } }, 'league', 'entries')).length,
      { enough: 100 },
    ),
  time_league: async (source) => best(await leagues(source), figures(source, 'time'), { least: 1, enough: 3 }),
  score_league: async (source) => best(await leagues(source), figures(source, 'score'), { least: 1, enough: 3 }),
  // The more teams the first matches have, the more there is to judge.
  pvp_league: async (source) =>
    best(await leagues(source), async (league) => {
      const matches = idsOf(await listOf(source, 'listPvpMatches', { args: { type: 'league', league } }, 'matches'));
      let teams = 0;
      for (const match of matches.slice(0, 3)) {
        const request = { args: { match, limit: 100 } };
        teams += (await listOf(source, 'getPvpMatchLadder', request, 'match', 'entries')).length;
      }
      return matches.length + teams;
    }),
  guild_league: async (source) =>
    best(
      idsOf(await listOf(source, 'listAccountLeagues', {}, 'leagues')).slice(0, most),
      async (league) => {
        const tabs = await listOf(source, 'listGuildStashes', { args: { league } }, 'stashes');
        const inner = tabs.filter(
          (tab) => member(tab, 'children') !== undefined || member(tab, 'parent') !== undefined,
        );
        return tabs.length + 100 * inner.length;
      },
      { enough: 100 },
    ),
};

/** A fact of the target or, where it declares none, one that the lists of the server show; looked for once in a run. */
export const found = async (source: Source, key: Findable): Promise<string | undefined> =>
  source.facts.target.known[key] ?? source.facts.once(`found ${key}`, () => finders[key](source));
