import type { components, Realm } from '../contract/index.js';
import type { Seeds } from './chance.js';
import type { Fixtures } from './fixtures/index.js';

export type Schemas = components['schemas'];

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

/** An instant as the interface writes it: ISO 8601 in UTC, whole seconds. */
export function dateTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

export const IMAGES = 'https://images.example';
export const SITE = 'https://game.example';
