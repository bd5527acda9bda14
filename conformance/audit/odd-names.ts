import type { LeagueRecord, World } from '../../src/world/world.js';

/**
 * What every name may have in it (interface 2), and a path must have percent-encoded (RFC 3986 2.1 and 2.2); with what
 * a client may take for something else: a combining mark, two spaces, one that does not break, an entity of HTML, an escape.
 */
const marks = ['? e\u0301  ', '#&amp;', '/%41', ' + 𝔘 ', '% é ', '&=', 'ß?#\u00a0'] as const;

/** A name with marks in its middle: the first of a list with all, for many a client reads no other, and a space at its end; each of the rest with one. */
const odd = (name: string, at: number): string => {
  const middle = Math.ceil(name.length / 2);
  return `${name.slice(0, middle)}${at === 0 ? marks.join('') : marks[at % marks.length]}${name.slice(middle)}${at === 0 ? ' ' : ''}`;
};

/** The league that a client is told to use where leagues have odd names; everything in it is that of `Standard`. */
export const oddLeague = 'Stand? #1/2  + 100%25 ård e\u0301 &amp; %41 𝔘';
const plainLeague = 'Standard';

/** Leagues, characters, matches and tabs whose names need percent-encoding; leagues with such names come first. */
export function oddNames(world: World): Partial<World> {
  const { leagues, ladder, eventLadder, stashes, guildStashes, leagueAccount, characters } = world;
  const { pvpMatches, pvpLadder, itemFilters } = world;
  const own = (league: string): string => (league === oddLeague ? plainLeague : league);
  const plain = ({ league }: LeagueRecord): number => (/^[\w-]+$/.test(league.id) ? 1 : 0);
  const copies = (all: readonly LeagueRecord[]): LeagueRecord[] =>
    all
      .filter(({ league }) => league.id === plainLeague)
      .map((one) => ({
        ...one,
        league: { ...one.league, id: oddLeague, ...(one.league.name !== undefined && { name: oddLeague }) },
      }));
  const matches: World['pvpMatches'] = (realm) =>
    pvpMatches(realm).map((one, at) => ({ ...one, match: { ...one.match, id: odd(one.match.id, at) } }));
  return {
    leagues: (realm) => {
      const all = leagues(realm);
      return [...copies(all), ...all.toSorted((a, b) => plain(a) - plain(b))];
    },
    ladder: (realm, league) => ladder(realm, own(league)),
    eventLadder: (realm, league) => eventLadder(realm, own(league)),
    stashes: (account, realm, league) =>
      stashes(account, realm, own(league)).map((tab, at) => ({ ...tab, name: odd(tab.name, at) })),
    guildStashes: (account, realm, league) =>
      guildStashes(account, realm, own(league)).map((tab, at) => ({ ...tab, name: odd(tab.name, at) })),
    leagueAccount: (account, realm, league) => leagueAccount(account, realm, own(league)),
    characters: (account, realm) => characters(account, realm).map((one, at) => ({ ...one, name: odd(one.name, at) })),
    itemFilters: (account) =>
      itemFilters(account).map((one) => ({
        ...one,
        filter: `# ${marks[3].trim()} ${marks[4].trim()}\n${one.filter ?? ''}`,
      })),
    pvpMatches: matches,
    pvpLadder: (realm, match) => {
      const at = matches(realm).findIndex((one) => one.match.id === match);
      return at < 0 ? undefined : pvpLadder(realm, pvpMatches(realm)[at]!.match.id);
    },
  };
}
