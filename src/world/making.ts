import type { Realm } from '../contract/index.js';
import type { Seeds } from './chance.js';
import type { Fixtures } from './fixtures/index.js';

/** What every part of the world is made from. */
export interface Making {
  readonly seeds: Seeds;
  readonly fixtures: Fixtures;
  readonly flags: Readonly<Record<string, boolean>>;
  /** The instant that the world is laid out around, ms. */
  readonly epoch: number;
  /** The id that the edition has for a league of the fixtures: the identifier, or the name (F-LEAGUE-NAME). */
  leagueId(realm: Realm, league: string): string;
  /** The league's name, whatever the edition. */
  leagueName(realm: Realm, league: string): string;
  /** Leaves of a value only what the edition has. */
  project<T extends object>(value: T, schema: string): T;
  projectAll<T extends object>(values: T[], schema: string): T[];
}
