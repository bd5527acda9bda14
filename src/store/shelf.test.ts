import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { Perishable } from './shelf.js';
import { Shelf } from './shelf.js';

const thing = (text: string, expiresAt: number | null): Perishable => ({ text, expiresAt });

describe('Shelf', () => {
  it('forgets at the end, not before, and tells of what left', () => {
    const left: string[] = [];
    const shelf = new Shelf<Perishable>(10, ({ text }) => left.push(text));
    shelf.put(thing('b', 20), 0);
    shelf.put(thing('a', 10), 0);
    shelf.forget(9);
    expect(left).toEqual([]);
    shelf.forget(10);
    expect(left).toEqual(['a']);
    shelf.forget(1000);
    expect(left).toEqual(['a', 'b']);
  });

  it('goes by the end of what stands there now, not of what stood there before', () => {
    const shelf = new Shelf<Perishable>(10);
    shelf.put(thing('a', 10), 0);
    shelf.put(thing('a', 30), 0);
    shelf.forget(10);
    expect(shelf.get('a')).toBeDefined();
    shelf.forget(30);
    expect(shelf.get('a')).toBeUndefined();
  });

  it('replaces only what is there', () => {
    const shelf = new Shelf<Perishable & { note?: string }>(10);
    shelf.put(thing('a', 10), 0);
    shelf.replace({ text: 'a', expiresAt: 10, note: 'seen' });
    shelf.replace({ text: 'b', expiresAt: 10 });
    expect([...shelf.values()]).toEqual([{ text: 'a', expiresAt: 10, note: 'seen' }]);
  });

  it('agrees with a plain list under any sequence of puts, removals and looks at the clock', () => {
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ put: fc.nat(40), life: fc.option(fc.nat(50), { nil: null }) }) },
      { weight: 2, arbitrary: fc.record({ remove: fc.nat(40) }) },
      { weight: 1, arbitrary: fc.record({ wait: fc.nat(30) }) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const shelf = new Shelf<Perishable>(1000);
        let list: Perishable[] = [];
        let now = 0;
        for (const each of steps) {
          if ('put' in each) {
            const item = thing(String(each.put), each.life === null ? null : now + each.life);
            shelf.put(item, now);
            list = [...list.filter(({ text }) => text !== item.text), item];
          } else if ('remove' in each) {
            shelf.remove(String(each.remove));
            list = list.filter(({ text }) => text !== String(each.remove));
          } else {
            now += each.wait;
            shelf.forget(now);
            list = list.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
          }
        }
        expect([...shelf.values()]).toEqual(list);
      }),
    );
  });
});
