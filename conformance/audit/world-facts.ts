import type { Tab } from '../../src/game/tabs.js';
import type { Service } from '../../src/server/service.js';
import type { WorldFacts } from './run.js';

const realms = ['pc', 'xbox', 'sony', 'game2'] as const;

/** What the judge knows of the world of a service. `given` are the tokens that the client has from the start. */
export function factsOf({ world, authority, store }: Service, given: readonly (string | undefined)[]): WorldFacts {
  const leagues = realms.flatMap((realm) => world.leagues(realm).map(({ league }) => league.id));
  const matches = realms.flatMap((realm) => world.pvpMatches(realm).map(({ match }) => match.id));
  const people = world.accounts.flatMap(({ key }) => realms.flatMap((realm) => world.characters(key, realm)));
  return {
    clients: new Map(
      [...authority.clients].map(([id, { secret, type }]) => [id, { secret, public: type === 'public' }]),
    ),
    names: new Set([...leagues, ...matches, ...people.map(({ name }) => name)]),
    tabs: (realm, league) =>
      new Map(
        world.accounts.flatMap(({ key }) =>
          [...world.stashes(key, realm, league), ...world.guildStashes(key, realm, league)].flatMap((tab) =>
            tabsOf(tab),
          ),
        ),
      ),
    given: given.filter((token) => token !== undefined),
    issued: (token) => [...store.tokens()].some(({ text, kind }) => kind === 'access' && text === token),
  };
}

const tabsOf = (tab: Tab, parent?: string): [string, string | undefined][] => [
  [tab.id.toLowerCase(), parent],
  ...(tab.children ?? []).flatMap((child) => tabsOf(child, isFolder(tab) ? undefined : tab.id.toLowerCase())),
];

const isFolder = ({ type, metadata }: Tab): boolean => type === 'Folder' || metadata?.folder === true;
