import { limits } from '../contract/index.js';
import type { LeagueEntry } from './leagues.js';
import type { Making } from './making.js';
import type { LeagueRecord, World } from './world.js';
import type { Schemas } from './wire.js';

/**
 * Facts for a target file's `known` (control protocol, section 1). Each is looked for in the world, so that it holds
 * with the user's own fixtures too; what the world has not is left out.
 */
export function makeKnown(making: Making, world: World, leagues: readonly LeagueEntry[]): Record<string, unknown> {
  const open = leagues.filter((one) => one.members === null);
  const accounts = world.accounts.map((account) => account.key);
  const main = open.filter((one) => one.kind === 'main');
  const current = open.filter((one) => one.kind === 'event' && isCurrent(one.league, world.epoch));
  const ladder = (fits: (one: LeagueEntry) => boolean) =>
    open.find((one) => one.fixture.ladder && fits(one))?.league.id;
  const shows = (one: LeagueEntry, figure: string) =>
    one.fixture.ladder?.shows.some((shown) => shown === figure) === true;

  const stashLeague = most(main, (one) => world.stashes('alice', 'pc', one.league.id).length)?.league.id;
  const guildLeague = most(main, (one) => world.guildStashes('alice', 'pc', one.league.id).length)?.league.id;
  const atlasLeague = most(
    main,
    (one) => world.leagueAccount('alice', 'pc', one.league.id)?.atlas_passive_trees.length ?? 0,
  )?.league.id;
  const matches = world.pvpMatches('pc');
  const facts: Record<string, unknown> = {
    owner: world.clients.find((client) => client.credentialScopes.length > 0)?.owner,
    livestream: world.accounts.find((account) => account.livestream !== null)?.key,
    game2_account: most(accounts, (account) => world.characters(account, 'game2').length),
    main_leagues: ids(main.slice(0, 5)),
    event_leagues: ids(current),
    season: leagues.find((one) => one.season !== null)?.season ?? undefined,
    private_league: leagues.find((one) => onlyOf(one, 'alice'))?.league.id,
    private_league_of_bob: leagues.find((one) => onlyOf(one, 'bob'))?.league.id,
    ladder_league: ladder((one) => (one.fixture.ladder?.entries ?? 0) > limits.ladder_depth),
    time_league: ladder((one) => one.fixture.ladder?.order === 'time'),
    score_league: ladder((one) => shows(one, 'score') && !shows(one, 'time')),
    event_ladder_league: most(open, (one) => one.fixture.eventLadder ?? 0)?.league.id,
    // An earlier season shows what the list of upcoming matches never does: matches that are over.
    pvp_season: matches
      .filter(({ season }) => season !== null)
      .toSorted((a, b) => (a.match.endAt ?? '9').localeCompare(b.match.endAt ?? '9'))[0]?.season,
    pvp_league: matches.find((one) => one.league !== null)?.league ?? undefined,
    stash_league: stashLeague,
    guild_league: guildLeague,
    atlas_league: atlasLeague,
    odd_names: ids(main.filter((one) => encodeURIComponent(one.league.id) !== one.league.id).slice(0, 8)),
    ...(stashLeague === undefined ? {} : tabs(world.stashes('alice', 'pc', stashLeague))),
    ...(guildLeague === undefined ? {} : { guild_tabs: guildTabs(world, accounts, guildLeague) }),
    ...filterTexts(making),
    ...exchange(world),
  };
  return Object.fromEntries(Object.entries(facts).filter(([, fact]) => fact !== undefined));
}

/** The first of those that have the most, if any has something. */
function most<T>(list: readonly T[], count: (one: T) => number): T | undefined {
  let best: { one: T; count: number } | undefined;
  for (const one of list) {
    const counted = count(one);
    if (counted > (best?.count ?? 0)) best = { one, count: counted };
  }
  return best?.one;
}

function ids(leagues: readonly LeagueRecord[]): string[] {
  return leagues.map((one) => one.league.id);
}

function onlyOf(one: LeagueRecord, account: string): boolean {
  return one.members?.length === 1 && one.members[0] === account;
}

function isCurrent(league: Schemas['League'], now: number): boolean {
  return Date.parse(league.startAt ?? '') <= now && now < Date.parse(league.endAt ?? '');
}

function tabs(all: readonly Schemas['StashTab'][]): Record<string, unknown> {
  const parent = all.find((tab) => tab.metadata.folder !== true && (tab.children?.length ?? 0) > 0);
  return {
    folder_tab: all.find((tab) => tab.metadata.folder === true)?.id,
    parent_tab: parent?.id,
    sub_tab: parent?.children?.find((tab) => (tab.items?.length ?? 0) > 0)?.id,
    // A tab without items is worth telling of where others have some.
    empty_tab: all.some((tab) => (tab.items?.length ?? 0) > 0)
      ? all.find((tab) => tab.items?.length === 0)?.id
      : undefined,
  };
}

function guildTabs(world: World, accounts: readonly string[], league: string): Record<string, string[]> {
  const seen = accounts.map((account) => [account, flat(world.guildStashes(account, 'pc', league))] as const);
  return Object.fromEntries(seen.filter(([, list]) => list.length > 0));
}

function flat(all: readonly Schemas['StashTab'][]): string[] {
  return all.flatMap((tab) => [tab.id, ...flat(tab.children ?? [])]);
}

function filterTexts({ fixtures }: Making): Record<string, unknown> {
  const { good, bad, slow } = fixtures.filters().texts;
  return {
    good_filter: fixtures.filterText(good),
    bad_filter: fixtures.filterText(bad),
    slow_filter: fixtures.filterText(slow),
  };
}

function exchange(world: World): Record<string, unknown> {
  const { firstHour, markets } = world.exchange('pc');
  const last = Math.floor(world.epoch / 3_600_000) * 3600;
  for (let hour = firstHour; hour < last; hour += 3600) {
    if (markets(hour).length === 0) return { first_hour: firstHour, quiet_hour: hour };
  }
  return { first_hour: firstHour };
}
