import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Perishable } from './expiring-map.js';
import { ExpiringMap } from './expiring-map.js';

const thing = (text: string, expiresAt: number | null, clientId = 'app'): Perishable => ({
  text,
  expiresAt,
  grant: { clientId },
});

describe('ExpiringMap', () => {
  it('forgets at the end, not before, and tells of what left', () => {
    const left: string[] = [];
    const map = new ExpiringMap<Perishable>(10, ({ text }) => left.push(text));
    map.put(thing('b', 20), 0);
    map.put(thing('a', 10), 0);
    map.forget(9);
    expect(left).toEqual([]);
    map.forget(10);
    expect(left).toEqual(['a']);
    map.forget(1000);
    expect(left).toEqual(['a', 'b']);
  });

  it('goes by the end of what stands there now, not of what stood there before', () => {
    const map = new ExpiringMap<Perishable>(10);
    map.put(thing('a', 10), 0);
    map.put(thing('a', 30), 0);
    map.forget(10);
    expect(map.get('a')).toBeDefined();
    map.forget(30);
    expect(map.get('a')).toBeUndefined();
  });

  it('replaces only what is there', () => {
    const map = new ExpiringMap<Perishable & { note?: string }>(10);
    map.put(thing('a', 10), 0);
    map.replace({ ...thing('a', 10), note: 'seen' });
    map.replace(thing('b', 10));
    expect([...map.values()]).toEqual([{ ...thing('a', 10), note: 'seen' }]);
  });

  it('agrees with a plain list for each client where all hold as much as they may', () => {
    const step = fc.record({ client: fc.constantFrom('a', 'b', 'c'), text: fc.nat(30), remove: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), fc.integer({ min: 1, max: 4 }), (steps, most) => {
        const dropped: string[] = [];
        const map = new ExpiringMap<Perishable>(most, ({ text }, crowdedOut) => {
          if (crowdedOut) dropped.push(text);
        });
        let list: Perishable[] = [];
        const expected: string[] = [];
        for (const { client, text, remove } of steps) {
          const item = thing(`${client}${text}`, null, client);
          list = list.filter((other) => other.text !== item.text);
          map.remove(item.text);
          if (remove) continue;
          map.put(item, 0);
          list.push(item);
          const own = list.filter(({ grant }) => grant.clientId === client);
          if (own.length <= most) continue;
          expected.push(own[0]!.text);
          list = list.filter((other) => other !== own[0]);
        }
        expect([...map.values()]).toEqual(list);
        expect(dropped).toEqual(expected);
      }),
    );
  });

  it('agrees with a plain list under any sequence of puts, removals and looks at the clock', () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ put: fc.nat(40), life: fc.option(fc.nat(50), { nil: null }) }) },
      { weight: 2, arbitrary: fc.record({ remove: fc.nat(40) }) },
      { weight: 1, arbitrary: fc.record({ wait: fc.nat(30) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const map = new ExpiringMap<Perishable>(1000);
        let list: Perishable[] = [];
        let now = 0;
        for (const each of steps) {
          if ('put' in each) {
            const item = thing(String(each.put), each.life === null ? null : now + each.life);
            map.put(item, now);
            list = [...list.filter(({ text }) => text !== item.text), item];
          } else if ('remove' in each) {
            map.remove(String(each.remove));
            list = list.filter(({ text }) => text !== String(each.remove));
          } else {
            now += each.wait;
            map.forget(now);
            list = list.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
          }
        }
        expect([...map.values()]).toEqual(list);
      }),
    );
  });
});
