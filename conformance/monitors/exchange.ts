import { isObject } from '../json.js';
import type { JsonObject } from '../json.js';
import type { Reply } from './reply.js';
import { asDescribed, objects, replies } from './rule.js';
import type { Listener, Rule, MonitorRow } from './rule.js';
import type { Cursor } from './cursor.js';
import { elements, own, show } from './values.js';

const dictionaries = ['volume_traded', 'lowest_stock', 'highest_stock', 'lowest_ratio', 'highest_ratio'] as const;

/** The two codes of a market, or undefined where the id is not of that form. */
function codes(market: JsonObject): readonly [string, string] | undefined {
  const id = own(market, 'market_id');
  const [first, second, ...more] = typeof id === 'string' && id.length < 1000 ? id.split('|') : [];
  return first && second && more.length === 0 ? [first, second] : undefined;
}

/** The amount of a currency in one of a market's dictionaries. */
function amount(market: JsonObject, dictionary: string, code: string): number | undefined {
  const value = own(own(market, dictionary), code);
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}

/**
 * On which side of the highest ratio the lowest one is, both read as first code : second code. The interface tells no
 * order of a ratio's two numbers, so only that the side is always the same can be asked for (K-054).
 */
function side(market: JsonObject): 'below' | 'above' | undefined {
  const [first, second] = codes(market) ?? [];
  if (first === undefined || second === undefined) return undefined;
  const [a, b] = [amount(market, 'lowest_ratio', first), amount(market, 'lowest_ratio', second)];
  const [c, d] = [amount(market, 'highest_ratio', first), amount(market, 'highest_ratio', second)];
  // Beyond what a double holds the order may be the reader's own rounding.
  if (!a || !b || !c || !d || ![a, b, c, d].every(Number.isSafeInteger)) return undefined;
  const [low, high] = [BigInt(a) * BigInt(d), BigInt(c) * BigInt(b)];
  return low === high ? undefined : low < high ? 'below' : 'above';
}

function oneSide({ observe }: Parameters<Rule>[0]): Listener {
  let first: 'below' | 'above' | undefined;
  return {
    objects: {
      ExchangeMarket: (market, at, findings) => {
        const here = side(market);
        if (here === undefined) return;
        findings.look();
        if (first === undefined) {
          first = here;
          observe(`Ratios of the exchange: the lowest is ${here} the highest, read as first code : second code.`);
        } else if (first !== here) {
          findings.fail(
            `the lowest ratio ${first} the highest, as elsewhere in the run`,
            `${marketAt(at, market)} has it ${here}`,
            at,
          );
        }
      },
    },
  };
}

const marketAt = (at: Cursor, market: JsonObject): string => at.got(own(market, 'market_id'), 'market_id');

const market = (judge: Parameters<typeof objects>[1]): Rule => objects('ExchangeMarket', judge);

const all: readonly MonitorRow[] = [
  {
    id: 'CX-002',
    level: 'MUST',
    sentence: 'next_change_id is truncated to the hour: a multiple of 3600.',
    source: '4.2',
    needs: ['client:service', 'flag:F-CX'],
    rule: replies(['getCurrencyExchange'], ({ body, args, answer }: Reply, findings) => {
      const next = body['next_change_id'];
      if (typeof next !== 'number') return;
      // What an id gives that no response had is not stated: it may come back as it is (CX-012).
      if (String(next) === String(args['id']) && next % 3600 !== 0) return;
      findings.look();
      if (next % 3600 !== 0) findings.fail('a whole hour, divisible by 3600', `$.next_change_id is ${next}`, answer);
    }),
  },
  {
    id: 'CX-MARKET-001',
    level: 'MUST',
    sentence: 'market_id is two different currency codes joined by one pipe character.',
    source: '4.2',
    needs: ['client:service', 'flag:F-CX'],
    rule: market((value, at, findings) => {
      findings.look();
      const [first, second] = codes(value) ?? [];
      if (first === undefined || first === second) {
        findings.fail('two different codes joined by one pipe', marketAt(at, value), at);
      }
    }),
  },
  {
    id: 'CX-MARKET-002',
    level: 'MUST',
    sentence: "The keys of a market's five dictionaries are among the two currency codes of its market_id.",
    source: '4.2',
    gap: 'K-054',
    needs: ['client:service', 'flag:F-CX'],
    rule: market((value, at, findings) => {
      const own2 = codes(value);
      if (!own2) return;
      for (const name of dictionaries) {
        const dictionary = own(value, name);
        if (!isObject(dictionary)) continue;
        findings.look();
        for (const code of Object.keys(dictionary)) {
          if (own2.includes(code)) continue;
          findings.fail(`keys among ${own2.join(' and ')}`, at.got(dictionary[code], name, code), at);
        }
      }
    }),
  },
  // Which codes are there when only one side traded is open, so a missing one is no failure (K-054).
  {
    id: 'CX-MARKET-003',
    level: 'INFER',
    sentence: 'Each of the five dictionaries has both currency codes.',
    source: '4.2',
    plausible: 'the keys are currency codes of the market, not necessarily both',
    gap: 'K-054',
    needs: ['client:service', 'flag:F-CX'],
    rule: market((value, _at, findings) => {
      const own2 = codes(value);
      for (const name of dictionaries) {
        const dictionary = own(value, name);
        if (!own2 || !isObject(dictionary)) continue;
        findings.look();
        if (!own2.every((code) => Object.hasOwn(dictionary, code))) {
          findings.warn('Some dictionaries of markets have one of the two codes only.');
        }
      }
    }),
  },
  {
    id: 'CX-MARKET-004',
    level: 'MUST',
    sentence: 'The values of the five dictionaries are unsigned integers.',
    source: '4.2',
    needs: ['client:service', 'flag:F-CX'],
    rule: asDescribed(dictionaries.map((name) => `getCurrencyExchange.markets[].${name}`)),
  },
  {
    id: 'CX-MARKET-005',
    level: 'INFER',
    sentence: 'lowest_stock is not above highest_stock, for each currency.',
    source: '4.2',
    entailed: '4.2: the lowest and the highest of the same figure',
    needs: ['client:service', 'flag:F-CX'],
    rule: market((value, at, findings) => {
      for (const code of codes(value) ?? []) {
        const [low, high] = [amount(value, 'lowest_stock', code), amount(value, 'highest_stock', code)];
        if (low === undefined || high === undefined) continue;
        findings.look();
        if (low > high) {
          findings.fail(
            'lowest_stock at most highest_stock',
            `${at.got(low, 'lowest_stock', code)}, highest_stock ${high}`,
            at,
          );
        }
      }
    }),
  },
  {
    id: 'CX-MARKET-006',
    level: 'INFER',
    sentence:
      'The ratios of all markets are ordered the same way: as fractions, the lowest lies on one side of the highest throughout.',
    source: '4.2',
    plausible: 'what a ratio is of is not stated, nor that all markets have it the same way',
    gap: 'K-054',
    needs: ['client:service', 'flag:F-CX'],
    rule: oneSide,
  },
  {
    id: 'CX-MARKET-007',
    level: 'INFER',
    sentence: 'A market that is returned had activity: some volume_traded is above 0.',
    source: '4.2',
    plausible: 'markets with activity are returned; that no others are is not said',
    needs: ['client:service', 'flag:F-CX'],
    rule: market((value, at, findings) => {
      const volume = own(value, 'volume_traded');
      if (!isObject(volume)) return;
      findings.look();
      const traded = Object.values(volume).some((amount) => typeof amount === 'number' && amount > 0);
      if (!traded) findings.fail('some volume_traded above 0', at.got(volume, 'volume_traded'), at);
    }),
  },
  {
    id: 'CX-MARKET-008',
    level: 'INFER',
    sentence: 'No two markets of a response have the same league and market_id.',
    source: '4.2',
    entailed: '4.2: a digest is the aggregate of an hour, so a market is in it once',
    needs: ['client:service', 'flag:F-CX'],
    rule: replies(['getCurrencyExchange'], ({ body, answer }, findings) => {
      const seen = new Set<string>();
      for (const [index, value] of elements(body['markets']).entries()) {
        const [league, id] = [own(value, 'league'), own(value, 'market_id')];
        if (typeof league !== 'string' || typeof id !== 'string') continue;
        findings.look();
        const key = JSON.stringify([league, id]);
        if (seen.has(key))
          findings.fail(
            'each league and market once',
            `$.markets[${index}] is ${show(id)} in ${show(league)} again`,
            answer,
          );
        seen.add(key);
      }
    }),
  },
  {
    id: 'CX-MARKET-009',
    level: 'MUST',
    sentence: 'league of a market is a string.',
    source: '4.2',
    needs: ['client:service', 'flag:F-CX'],
    rule: asDescribed(['getCurrencyExchange.markets[].league']),
  },
];

/** Rows of the currency exchange history (interface 4.2, Currency exchange), where the edition has one. */
export const exchange: readonly MonitorRow[] = all.map(({ rule, ...row }) => ({
  ...row,
  rule: (setting) => ({
    ...rule(setting),
    ...(setting.flag('F-CX') === 'off' && { idle: 'F-CX is declared off: there is no currency exchange' }),
  }),
}));
