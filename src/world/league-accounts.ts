import type { Realm } from '../contract/index.js';
import { hashes } from './passives/hashes.js';
import type { Making } from './making.js';
import type { Schemas } from './wire.js';

/** An account's atlas passives in a league; undefined where it has not played. */
export function makeLeagueAccount(
  making: Making,
  account: string,
  realm: Realm,
  league: string,
): Schemas['LeagueAccount'] | undefined {
  if (realm === 'game2') return undefined;
  const fixture = making.fixtures.leagueAccounts()[account]?.[realm]?.[league];
  if (!fixture) return undefined;
  const path = `atlas/${account}/${realm}/${league}`;
  const result: Schemas['LeagueAccount'] = {
    atlas_passive_trees: Object.entries(fixture.trees).map(([name, count]) => ({
      name,
      hashes: hashes(making.seeds.chance(`${path}/${name}`), count),
    })),
  };
  if (fixture.old) result.atlas_passives = { hashes: hashes(making.seeds.chance(`${path}/old`), 24) };
  return making.project(result, 'LeagueAccount');
}
