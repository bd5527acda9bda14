import type { Realm } from '../contract/index.js';
import type { LeagueFixture } from './fixtures/index.js';
import type { Making } from './making.js';
import type { LeagueRecord } from './world.js';
import { dateTime, SITE, type Schemas } from './wire.js';

/** A league with what the fixtures say of its ladders. */
export interface LeagueEntry extends LeagueRecord {
  /** The key in the fixtures. */
  readonly key: string;
  readonly fixture: LeagueFixture;
}

/** The leagues of a realm, in the order of the fixtures. */
export function makeLeagues(making: Making, realm: Realm): readonly LeagueEntry[] {
  const named = Object.entries(making.fixtures.leagues().realms[realm] ?? {});
  return named.flatMap(([key, fixture]) => {
    if (fixture.count === null) return [entry(making, realm, key, fixture)];
    return Array.from({ length: fixture.count }, (_, index) => {
      const number = String(index + 1).padStart(2, '0');
      const numbered = {
        ...fixture,
        name: fixture.name && fixture.name.replace('{n}', number),
        description: fixture.description && fixture.description.replace('{n}', number),
      };
      return entry(making, realm, key.replace('{n}', number), numbered);
    });
  });
}

function entry(making: Making, realm: Realm, key: string, fixture: LeagueFixture): LeagueEntry {
  const name = fixture.name ?? key;
  const at = (offset: number | null) => (offset === null ? {} : dateTime(making.epoch + offset));
  const league: Schemas['League'] = { id: making.flags['F-LEAGUE-NAME'] ? key : name, name, realm };
  if (fixture.description !== null) league.description = fixture.description;
  if (fixture.category !== null) {
    // Both spellings of the flag: the edition keeps one of them.
    league.category = { id: fixture.category, ...(fixture.current ? { current: true, active: true } : {}) };
  }
  if (fixture.rules !== null) league.rules = fixture.rules.map((id) => rule(making, id));
  for (const date of ['registerAt', 'startAt', 'endAt'] as const) {
    const value = at(fixture[date]);
    if (typeof value === 'string') league[date] = value;
  }
  if (fixture.goal !== null) league.goal = fixture.goal;
  if (fixture.url !== null) league.url = `${SITE}/forum/view-thread/${fixture.url}`;
  for (const flag of fixture.flags) league[flag] = true;
  return {
    key,
    fixture,
    league: making.project(league, 'League'),
    kind: fixture.kind,
    season: fixture.season,
    members: fixture.members,
  };
}

function rule(making: Making, id: string): Schemas['LeagueRule'] {
  const known = making.fixtures.leagues().rules[id];
  return { id, name: known?.name ?? id, ...(known?.description ? { description: known.description } : {}) };
}
