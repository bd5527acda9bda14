import type { Making } from './making.js';
import { dateTime, type Schemas } from './wire.js';

/** The filters that an account has at the start. */
export function makeFilters(making: Making, account: string): Schemas['ItemFilter'][] {
  const { accounts, gameVersion } = making.fixtures.filters();
  const list = accounts[account] ?? [];
  return list.map((fixture) => {
    const path = `filter/${account}/${fixture.name}`;
    const filter: Schemas['ItemFilter'] = {
      id: making.seeds.hex(path, 7),
      filter_name: fixture.name,
      realm: fixture.realm,
      description: fixture.description,
      version: fixture.version,
      type: fixture.type,
    };
    if (fixture.public) filter.public = true;
    filter.filter = making.fixtures.filterText(fixture.text);
    if (fixture.validation !== 'never') {
      const days = making.seeds.chance(path).between(1, 30);
      filter.validation = {
        valid: fixture.validation === 'valid',
        version: fixture.realm === 'game2' ? gameVersion.second : gameVersion.first,
        validated: dateTime(making.epoch - days * 86_400_000),
      };
    }
    return making.project(filter, 'ItemFilter');
  });
}
