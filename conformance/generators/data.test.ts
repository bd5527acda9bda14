import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  gBadAuthHeader,
  gBadLimit,
  gBrokenJson,
  gFilterBody,
  gHex10,
  gOverLimit,
  gParamOrder,
  gPartial,
  gPartition,
  gToken,
  gUnknownName,
  gUnknownParam,
  gWindow,
  gWord,
} from './data.js';

describe('names', () => {
  it('are unknown, and survive a path', () => {
    fc.assert(
      fc.property(gUnknownName(['Standard', 'A+B']), (name) => {
        const url = new URL(`http://x/league/${encodeURIComponent(name)}`);
        expect(url.pathname.split('/')).toHaveLength(3);
        expect(decodeURIComponent(url.pathname.split('/')[2] ?? '')).toBe(name);
        expect(['standard', 'a+b', 'pc', 'xbox', 'sony', 'game2']).not.toContain(name.trim().toLowerCase());
      }),
    );
  });

  it('of tabs are ten hexadecimal digits', () => {
    fc.assert(fc.property(gHex10(), (id) => /^[0-9a-f]{10}$/.test(id)));
    expect(fc.sample(gHex10(['0000000000']), 50)).not.toContain('0000000000');
  });

  it('as words leave out what is named, in whatever case', () => {
    fc.assert(
      fc.property(gWord(['a', 'Normal']), (word) => /^[\w-]{1,12}$/.test(word) && !/^(a|normal|pc)$/i.test(word)),
    );
  });
});

describe('windows', () => {
  it('lie within their bounds', () => {
    fc.assert(
      fc.property(gWindow(20, 35), ({ limit, offset }) => limit >= 1 && limit <= 20 && offset >= 0 && offset <= 35),
    );
  });

  it('of a partition cover the list once, in order', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 300 }).chain((total) => fc.tuple(fc.constant(total), gPartition(total, 20, 5))),
        ([total, windows]) => {
          let next = 0;
          for (const { offset, limit } of windows) {
            expect(offset).toBe(next);
            expect(limit).toBeGreaterThanOrEqual(1);
            expect(limit).toBeLessThanOrEqual(20);
            next = offset + limit;
          }
          expect(next).toBe(Math.min(total, 100));
        },
      ),
    );
  });

  it('have limits that are too large, or none', () => {
    fc.assert(fc.property(gOverLimit(50), (limit) => limit > 50));
    fc.assert(
      fc.property(gBadLimit(50), (limit) => !(Number.isInteger(Number(limit)) && /^([1-9]|[1-4]\d|50)$/.test(limit))),
    );
  });
});

describe('parameters', () => {
  it('that nobody knows have names of their own', () => {
    fc.assert(
      fc.property(gUnknownParam(['limit', 'zz_ab']), (pairs) =>
        pairs.every(([name]) => name !== 'zz_ab' && name !== 'limit'),
      ),
    );
  });

  it('are all there in any order', () => {
    fc.assert(fc.property(gParamOrder(['a', 'b', 'c']), (order) => order.toSorted().join('') === 'abc'));
  });
});

describe('headers', () => {
  it('carry tokens of the form that RFC 6750 gives', () => {
    fc.assert(fc.property(gToken, (token) => /^[\w\-.~+/]+=*$/.test(token) && token.length <= 200));
  });

  it('that are malformed carry no single token behind the scheme', () => {
    fc.assert(
      fc.property(gBadAuthHeader('abc'), (value) => {
        const rest = /^Bearer +(.*)$/.exec(value)?.[1];
        expect(rest === undefined || !/^[\w\-.~+/]+=*$/.test(rest)).toBe(true);
      }),
    );
  });
});

describe('bodies', () => {
  it('that are broken are no JSON', () => {
    const text = JSON.stringify({ filter_name: 'a', realm: 'pc', filter: 'Show' });
    fc.assert(
      fc.property(gBrokenJson(text), (broken) => {
        expect(() => JSON.parse(broken)).toThrow(SyntaxError);
      }),
    );
  });

  it('of filters keep their bounds, and have every hard kind of character', () => {
    const texts = fc.sample(gFilterBody('cx-1'), 300);
    for (const { filter_name, filter } of texts) {
      expect(filter_name.startsWith('cx-1 ')).toBe(true);
      expect([...filter_name].length).toBeLessThanOrEqual(60);
      expect(filter_name).toBe(filter_name.trim());
      expect(() => encodeURIComponent(filter_name + filter)).not.toThrow();
      expect(filter.length).toBeLessThanOrEqual(4096);
    }
    const all = texts.map(({ filter }) => filter).join('');
    for (const hard of ['\r\n', '\t', '"', '\\', '𝔘', '\ufeff']) expect(all).toContain(hard);
  });

  it('of updates have any of the fields, and empty ones', () => {
    const partials = fc.sample(gPartial('cx-1'), 300);
    expect(partials.some((partial) => Object.keys(partial).length === 0)).toBe(true);
    expect(partials.some((partial) => Object.keys(partial).length === 5)).toBe(true);
    expect(partials.some((partial) => partial.description === '')).toBe(true);
  });
});
