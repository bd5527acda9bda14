import { IMAGES, type Making, type Schemas } from '../making.js';

export class ItemMaker {
  constructor(private readonly making: Making) {}
  inStream(path: string, stash: Schemas['ListedStash'], slot: number): Schemas['Item'] {
    return { ...this.one(path), x: slot, y: 0, inventoryId: 'Stash1', league: stash.league, note: '~price 1 bell', extended: { prefixes: 1, suffixes: 2 } };
  }
  inTab(path: string, fixture: { items: number }, league: string, index: number): Schemas['Item'][] {
    return Array.from({ length: fixture.items }, (_, slot) => ({ ...this.one(`${path}/${slot}`), league, x: slot % 12, y: Math.floor(slot / 12), inventoryId: `Stash${index + 1}` }));
  }
  one(path: string): Schemas['Item'] {
    const { id, chance } = this.making.seeds.entity(path);
    return { id, verified: false, w: 1, h: 1, icon: `${IMAGES}/ring.png`, name: '', typeLine: 'Salt Ring', baseType: 'Salt Ring', rarity: 'Normal', identified: true, ilvl: chance.between(1, 86), frameType: 0 };
  }
}
