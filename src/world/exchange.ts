import type { Realm } from '../contract/index.js';
import type { Chance } from './chance.js';
import type { Making } from './making.js';
import type { ExchangeHistory } from './world.js';
import type { Schemas } from './wire.js';

const HOUR = 3600;

/** Hours after the first one that are always quiet: the second, and two in a row. */
const QUIET = [1, 10, 11];

/** Prices are counted in this part of the second currency. */
const PARTS = 10_000;

/**
 * The currency exchange of a realm: each hour is a function of its number, so that history costs nothing until it is
 * asked for and goes on as the clock moves.
 */
export function makeExchange(making: Making, realm: Realm, hours: number): ExchangeHistory {
  const firstHour = (Math.floor(making.epoch / 1000 / HOUR) - hours) * HOUR;
  const fixture = making.fixtures.exchange();
  const leagues = (fixture.realms[realm] ?? []).map((league) => making.leagueId(realm, league));
  const worth = (code: string) => fixture.codes[code] ?? 1;
  return {
    firstHour,
    markets: (hour) => {
      const number = (hour - firstHour) / HOUR;
      if (!Number.isInteger(number) || number < 0 || quiet(making, realm, hour, number)) return [];
      return leagues.flatMap((league) =>
        fixture.markets.flatMap((market, index) => {
          const chance = making.seeds.chance(`exchange/${realm}/${hour}/${league}/${market}`);
          // The first market of each league is traded in every hour that is not quiet.
          if (chance.once(3) && index > 0) return [];
          return [making.project(digest(league, market, worth, chance), 'ExchangeMarket')];
        }),
      );
    },
  };
}

function quiet(making: Making, realm: Realm, hour: number, number: number): boolean {
  if (QUIET.includes(number)) return true;
  return number > 0 && making.seeds.chance(`exchange/${realm}/${hour}/quiet`).once(6);
}

function digest(
  league: string,
  market: string,
  worth: (code: string) => number,
  chance: Chance,
): Schemas['ExchangeMarket'] {
  const [one = '', other = ''] = market.split('|');
  // What one `one` costs in `other`; the highest ratio is never below the lowest.
  const fair = (worth(one) / worth(other)) * PARTS;
  const lowest = Math.max(1, Math.round(fair * (0.8 + 0.15 * chance.part())));
  const highest = lowest + chance.below(Math.max(2, Math.round(fair * 0.3)));
  const volume = chance.between(1, 4000);
  // Now and then one side of a market is sold out: that is what the reading of K-054 is about.
  const least = (): number => (chance.once(12) ? 0 : chance.below(500));
  const low = { [one]: least(), [other]: least() };
  return {
    league,
    market_id: market,
    volume_traded: { [one]: volume, [other]: Math.max(1, Math.round((volume * (lowest + highest)) / (2 * PARTS))) },
    lowest_stock: low,
    highest_stock: { [one]: (low[one] ?? 0) + chance.below(2000), [other]: (low[other] ?? 0) + chance.below(2000) },
    lowest_ratio: ratio(one, other, lowest),
    highest_ratio: ratio(one, other, highest),
  };
}

/** `parts` of the other currency for one, as a reduced pair of whole numbers. */
function ratio(one: string, other: string, parts: number): Record<string, number> {
  const divisor = common(PARTS, parts);
  return { [one]: PARTS / divisor, [other]: parts / divisor };
}

function common(a: number, b: number): number {
  return b === 0 ? a : common(b, a % b);
}
