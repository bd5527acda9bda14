import type { Realm } from '../contract/index.js';
import type { TabFixture } from './fixtures/index.js';
import type { ItemMaker } from './items/item.js';
import type { Making } from './making.js';
import type { Schemas } from './wire.js';

/** The account's own tabs in a league. */
export function makeStashes(
  making: Making,
  items: ItemMaker,
  account: string,
  realm: Realm,
  league: string,
): Schemas['StashTab'][] {
  if (realm === 'game2') return [];
  const fixture = making.fixtures.stashes();
  const held = fixture.accounts[account]?.[realm]?.[league] ?? [];
  const tabs = typeof held === 'string' ? (fixture.sets[held] ?? []) : held;
  const path = `stash/${account}/${realm}/${league}`;
  return making.projectAll(
    layOut(making, items, tabs, { path, league: making.leagueId(realm, league), sees: () => true }),
    'StashTab',
  );
}

/** The tabs of a guild in a league that an account may open. */
export function makeGuildStashes(
  making: Making,
  items: ItemMaker,
  account: string,
  guild: string,
  realm: Realm,
  league: string,
): Schemas['StashTab'][] {
  if (realm === 'game2') return [];
  const tabs = making.fixtures.guilds()[guild]?.tabs?.[realm]?.[league] ?? [];
  const sees = (tab: TabFixture) => tab.only === null || tab.only.includes(account);
  const path = `guild/${guild}/${realm}/${league}`;
  return making.projectAll(
    layOut(making, items, tabs, { path, league: making.leagueId(realm, league), sees }),
    'StashTab',
  );
}

interface Place {
  readonly path: string;
  readonly league: string;
  readonly sees: (tab: TabFixture) => boolean;
  readonly parent?: Schemas['StashTab'];
}

function layOut(making: Making, items: ItemMaker, tabs: readonly TabFixture[], place: Place): Schemas['StashTab'][] {
  const met = new Map<string, number>();
  const result: Schemas['StashTab'][] = [];
  for (const [index, fixture] of tabs.entries()) {
    const key = fixture.key ?? fixture.name;
    const before = met.get(key) ?? 0;
    met.set(key, before + 1);
    const path = `${place.path}/${key}${before === 0 ? '' : `~${before}`}`;
    if (place.sees(fixture)) result.push(tab(making, items, fixture, index, { ...place, path }));
  }
  return result;
}

function tab(making: Making, items: ItemMaker, fixture: TabFixture, index: number, place: Place): Schemas['StashTab'] {
  const { seeds, flags } = making;
  const metadata: Schemas['StashTabMetadata'] = {};
  const result: Schemas['StashTab'] = {
    id: seeds.hex(place.path, 10),
    name: fixture.name,
    type: fixture.type,
    index,
    metadata,
  };
  const inFolder = place.parent?.metadata.folder === true;
  if (place.parent) result[inFolder && flags['F-TAB-FOLDER'] ? 'folder' : 'parent'] = place.parent.id;
  if (fixture.public) metadata.public = true;
  if (fixture.tabs !== null && fixture.type === 'Folder') metadata.folder = true;
  if (fixture.colour !== 'none') {
    const colour = fixture.colour ?? seeds.hex(`${place.path}/colour`, 6);
    metadata.colour = flags['F-OBS-COLOUR'] ? colour.replace(/^(00){1,2}/, '') : colour;
  }
  if (fixture.map !== null) metadata.map = { ...fixture.map };
  if (fixture.tabs !== null) result.children = layOut(making, items, fixture.tabs, { ...place, parent: result });
  else result.items = items.inTab(place.path, fixture, place.league, index);
  return result;
}
