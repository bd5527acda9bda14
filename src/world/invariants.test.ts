import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Edition, Realm } from '../contract/index.js';
import * as judges from '../contract/judges.gen.js';
import { levelOf } from './experience.js';
import { CLASSES } from './ladders.js';
import { sampleWorld } from './samples.fixture.js';
import { ORDERS, REALMS, tour } from './tour.fixture.js';
import type { World } from './world.js';
import type { Schemas } from './wire.js';

/** Of each property, with seeds that no two runs share. */
const RUNS = 12;
const ACCOUNTS = ['owner', 'alice', 'bob', 'carol', 'dave'];
const FIRST_GAME = REALMS.filter((realm) => realm !== 'game2');

type Judge = ((value: unknown) => boolean) & { errors?: unknown };
const judgeOf = judges as unknown as Record<string, Judge>;

/** Holds over many worlds: any seed, both editions. */
function always(holds: (world: World, edition: Edition) => void): void {
  const editions = fc.constantFrom<Edition>('base', 'extended');
  fc.assert(
    fc.property(fc.nat(), editions, (seed, edition) => holds(sampleWorld(edition, seed), edition)),
    { numRuns: RUNS },
  );
}

/** The items in a value, wherever they are. */
function* itemsIn(value: unknown): Generator<Schemas['Item']> {
  if (typeof value !== 'object' || value === null) return;
  if ('typeLine' in value) yield value as Schemas['Item'];
  for (const member of Object.values(value)) yield* itemsIn(member);
}

describe('any world', () => {
  it('is valid by the contract', () => {
    always((world) => {
      for (const { schema, value, where } of tour(world, 60)) {
        const judge = judgeOf[`schema${schema}`];
        if (!judge?.(value)) throw new Error(`${schema} of ${where}: ${JSON.stringify(judge?.errors)}`);
      }
    });
  });

  it('has items whose members agree', () => {
    always((world) => {
      let some = 0;
      for (const { value } of tour(world, 60)) {
        for (const { mutated, mutatedMods, stackSize, stackSizeText } of itemsIn(value)) {
          some += 1;
          if (mutated === false) expect(mutatedMods).toBeUndefined();
          if (stackSizeText) expect(stackSizeText).toBe(`${Math.floor(stackSize! / 1000)}k`);
        }
      }
      expect(some).toBeGreaterThan(100);
    });
  });

  it('names a private league once', () => {
    always((world) => {
      const names = new Map<string, string>();
      for (const realm of FIRST_GAME) {
        for (const { league } of world.leagues(realm)) {
          const ladder = world.eventLadder(realm, league.id);
          for (let index = 0; index < (ladder?.length ?? 0); index += 97) {
            const { name, url } = ladder!.at(index).private_league;
            expect(names.get(url) ?? name).toBe(name);
            names.set(url, name);
          }
        }
      }
    });
  });

  it('has characters that hold together', () => {
    always((world) => {
      for (const realm of REALMS) {
        for (const account of ACCOUNTS) {
          const characters = world.characters(account, realm);
          expect(new Set(characters.map((one) => one.name)).size).toBe(characters.length);
          expect(characters.filter((one) => one.current).length).toBeLessThanOrEqual(1);
          for (const one of characters) checkCharacter(world, account, realm, one);
        }
      }
    });
  });

  it('has stash tabs that hold together', () => {
    always((world, edition) => {
      const met = new Set<string>();
      for (const realm of FIRST_GAME) {
        for (const { league } of world.leagues(realm)) {
          const lists = [
            ...ACCOUNTS.map((account) => world.stashes(account, realm, league.id)),
            world.guildStashes('alice', realm, league.id),
          ];
          for (const tabs of lists) for (const tab of tabs) checkTab(tab, null, met, edition);
        }
      }
    });
  });

  it('shows an account the leagues of its characters and stashes', () => {
    always((world) => {
      for (const realm of REALMS) {
        for (const account of ACCOUNTS) {
          const visible = world.leagues(realm).filter((one) => one.members === null || one.members.includes(account));
          const ids = visible.map((one) => one.league.id);
          for (const one of world.characters(account, realm)) if (one.league) expect(ids).toContain(one.league);
          const stashed = world.leagues(realm).filter((one) => world.stashes(account, realm, one.league.id).length > 0);
          for (const one of stashed) expect(ids).toContain(one.league.id);
        }
      }
    });
  });

  it('has ladders in order, each order with every runner', () => {
    always((world) => {
      for (const id of ['Hardcore', 'A/B']) checkSmallLadder(world, id);
      checkOrders(world, world.known['ladder_league']);
      checkOrders(world, world.known['time_league']);
      checkOrders(world, world.known['score_league']);
    });
  });

  it('has a stash stream that a client can follow', () => {
    always((world) => {
      for (const realm of FIRST_GAME) checkStream(world, realm);
    });
  });

  it('has an exchange whose figures agree', () => {
    always((world) => {
      for (const realm of REALMS) checkExchange(world, realm);
    });
  });

  it('rates teams only where the match is rated', () => {
    always((world) => {
      for (const { match } of world.pvpMatches('pc')) {
        const ladder = world.pvpLadder('pc', match.id);
        for (let place = 0; place < (ladder?.length ?? 0); place += 1) {
          const team = ladder?.at(place);
          if (!match.glickoRatings) expect(team).not.toHaveProperty('rating');
          if (team?.last_game_time)
            expect(Date.parse(team.last_game_time)).toBeGreaterThanOrEqual(Date.parse(match.startAt ?? ''));
          expect(team?.members.length).toBeGreaterThan(0);
        }
      }
    });
  });
});

function checkCharacter(world: World, account: string, realm: Realm, one: Schemas['Character']): void {
  const where = `${account} ${realm} ${one.name}`;
  expect(levelOf(one.experience), where).toBe(one.level);
  for (const items of [one.equipment, one.inventory, one.rucksack, one.jewels, one.skills])
    checkItems(items ?? [], where);
  const jewels = one.jewels ?? [];
  const places = jewels.map((jewel) => String(jewel.x));
  expect(new Set(places).size, where).toBe(places.length);
  const passives = one.passives;
  if (!passives) return;
  expect(Object.keys(passives.jewel_data).sort(), where).toEqual([...places].sort());
  for (const [x, data] of Object.entries(passives.jewel_data)) {
    const jewel = jewels.find((item) => String(item.x) === x);
    expect(data.subgraph !== undefined, where).toBe(jewel?.baseType.includes('Cluster'));
    if (data.subgraph) checkSubgraph(data.subgraph);
  }
  if (realm === 'game2') return;
  for (const list of [passives.hashes, passives.hashes_ex ?? []]) {
    expect(list.length, where).toBeLessThanOrEqual(255);
    expect(new Set(list).size, where).toBe(list.length);
    for (const hash of list)
      if (!(hash >= 0 && hash <= 65_535)) throw new Error(`${where}: hash ${hash} has more than 16 bits`);
  }
  for (const [node, effect] of Object.entries(passives.mastery_effects ?? {})) {
    expect(passives.hashes, where).toContain(Number(node));
    expect(effect).toBeLessThanOrEqual(65_535);
  }
  expect(world.characters(account, realm)).toContain(one);
}

function checkSubgraph({ groups, nodes }: Schemas['JewelSubgraph']): void {
  for (const [key, node] of Object.entries(nodes)) {
    const group = groups[node.group ?? ''];
    expect(group?.nodes).toContain(key);
    expect(group?.orbits).toContain(node.orbit);
    for (const to of node.out ?? []) if (nodes[to]) expect(nodes[to].in).toContain(key);
    for (const from of node.in ?? []) if (nodes[from]) expect(nodes[from].out).toContain(key);
  }
  for (const [key, group] of Object.entries(groups)) {
    for (const node of group.nodes) expect(nodes[node]?.group).toBe(key);
    if (group.proxy) expect(nodes[group.proxy]?.isProxy).toBe(true);
  }
}

/** Ids are unique, sockets exist, crucible edges are known at both ends; `extended` is for the stream only. */
function checkItems(items: readonly Schemas['Item'][], where: string, stream = false): void {
  const ids = new Set<string>();
  const visit = (item: Schemas['Item']): void => {
    if (item.id) {
      if (ids.has(item.id)) throw new Error(`${where}: item ${item.id} twice`);
      ids.add(item.id);
    }
    if (item.extended && !stream) throw new Error(`${where}: extended outside the stream`);
    const { prefixes, suffixes } = item.extended ?? {};
    if (prefixes !== undefined && Number(prefixes) + Number(suffixes) !== item.explicitMods?.length)
      throw new Error(`${where}: ${item.id} has ${prefixes} prefixes, ${suffixes} suffixes and other mods`);
    if (!item.identified && (item.explicitMods ?? item.fracturedMods ?? item.craftedMods ?? item.desecratedMods))
      throw new Error(`${where}: ${item.id} is not identified, and shows its mods`);
    if (item.baseType.endsWith(' Support') && item.support !== true)
      throw new Error(`${where}: ${item.typeLine} supports nothing`);
    const nodes = item.crucible?.nodes ?? {};
    for (const [key, node] of Object.entries(nodes)) {
      for (const to of node.out)
        if (!nodes[to]?.in.includes(key)) throw new Error(`${where}: crucible edge ${key} to ${to}`);
      for (const from of node.in)
        if (!nodes[from]?.out.includes(key)) throw new Error(`${where}: crucible edge ${from} to ${key}`);
    }
    for (const part of [item.incubatedItem, item.scourged]) {
      if ((part?.progress ?? 0) > (part?.total ?? Infinity)) throw new Error(`${where}: progress beyond total`);
    }
    for (const inner of item.socketedItems ?? []) {
      if ((inner.socket ?? 0) >= (item.sockets ?? []).length)
        throw new Error(`${where}: socket ${inner.socket} is not there`);
      visit(inner);
    }
  };
  for (const item of items) visit(item);
}

/** Items of a container that lie on one another. */
function overlapping(items: readonly Schemas['Item'][]): number {
  const taken = items.flatMap(({ x = 0, y = 0, w, h }) =>
    Array.from({ length: w * h }, (_, cell) => `${Number(x) + (cell % w)} ${Number(y) + Math.floor(cell / w)}`),
  );
  return taken.length - new Set(taken).size;
}

function checkTab(
  tab: Schemas['StashTab'],
  parent: Schemas['StashTab'] | null,
  met: Set<string>,
  edition: Edition,
): void {
  if (met.has(tab.id) && parent === null && tab.children === undefined) throw new Error(`tab ${tab.id} twice`);
  met.add(tab.id);
  if (parent) {
    const inFolder = parent.metadata.folder === true && edition === 'extended';
    expect(inFolder ? tab.folder : tab.parent).toBe(parent.id);
    expect(inFolder ? tab.parent : tab.folder).toBeUndefined();
  }
  checkItems(tab.items ?? [], tab.name);
  for (const child of tab.children ?? []) checkTab(child, tab, met, edition);
}

function entries(world: World, id: string, order: (typeof ORDERS)[number]): Schemas['LadderEntry'][] {
  const listing = world.ladder('pc', id)?.by(order);
  const length = Math.min(listing?.length ?? 0, 45);
  return Array.from({ length }, (_, index) => listing?.at(index) as Schemas['LadderEntry']);
}

function checkSmallLadder(world: World, id: string): void {
  const all = new Set(entries(world, id, 'xp').map((entry) => entry.character.id));
  for (const order of ORDERS) {
    expect(new Set(entries(world, id, order).map((entry) => entry.character.id)), `${id} by ${order}`).toEqual(all);
  }
  const classed: string[] = [];
  for (const name of CLASSES) {
    const listing = world.ladder('pc', id)?.by('class', name);
    for (let index = 0; index < (listing?.length ?? 0); index += 1) classed.push(listing?.at(index).character.id ?? '');
  }
  expect(classed.length).toBe(all.size);
  expect(new Set(classed)).toEqual(all);
}

function checkOrders(world: World, league: unknown): void {
  const id = String(league);
  const falls = (figures: (number | null | undefined)[], order: string) => {
    const shown = figures.filter((figure) => typeof figure === 'number');
    expect(shown, `${id} by ${order}`).toEqual([...shown].sort((a, b) => b - a));
  };
  const lists = new Map(ORDERS.map((order) => [order, entries(world, id, order)]));
  for (const list of lists.values()) {
    expect(list.map((entry) => entry.rank)).toEqual(list.map((_, index) => index + 1));
    expect(new Set(list.map((entry) => entry.character.id)).size).toBe(list.length);
  }
  const figures = (order: (typeof ORDERS)[number]) => (lists.get(order) ?? []).map((entry) => entry.character);
  falls(
    figures('xp').map((one) => one.experience),
    'xp',
  );
  falls(
    figures('depth').map((one) => one.depth?.default),
    'depth',
  );
  falls(
    figures('depthsolo').map((one) => one.depth?.solo),
    'depthsolo',
  );
  falls(
    figures('score').map((one) => one.score),
    'score',
  );
  falls(
    figures('time').map((one) => (typeof one.time === 'number' ? -one.time : null)),
    'time',
  );
  const experience = figures('xp').map((one) => one.experience);
  expect(experience[19]).toBe(experience[20]);
  for (const one of figures('xp')) expect(levelOf(one.experience ?? 0), one.name).toBe(one.level);
}

function checkStream(world: World, realm: Realm): void {
  const { changes, snapshot, last } = world.publicStashes(realm);
  const state = new Map<string, { op: string; revision: number }>();
  let relisted = 0;
  let before = -Infinity;
  for (let index = 0; index < changes.length; index += 1) {
    const change = changes.at(index);
    expect(change.at).toBeGreaterThanOrEqual(before);
    before = change.at;
    const was = state.get(change.stash);
    if (change.op === 'list') expect(was?.op ?? 'unlist').toBe('unlist');
    else expect(['list', 'update']).toContain(was?.op);
    expect(change.revision).toBe(was ? was.revision + 1 : 0);
    if (was && change.op === 'list') relisted += 1;
    state.set(change.stash, change);
    if (index % 61 === 0) {
      const stash = snapshot(change.stash, change.revision);
      expect(stash.id).toBe(change.stash);
      checkItems(stash.items, stash.id, true);
      expect(overlapping(stash.items), stash.id).toBe(0);
      expect(world.leagues(realm).map(({ league }) => league.name ?? league.id)).toContain(stash.league);
      expect(snapshot(change.stash, change.revision + 1)).not.toEqual(stash);
    }
  }
  expect(relisted).toBeGreaterThanOrEqual(5);
  expect([...state.values()].filter((one) => one.op === 'unlist').length).toBeGreaterThanOrEqual(10);
  for (const [id, change] of state) expect(last(id)).toEqual(change);
  expect(last('0'.repeat(64))).toBeUndefined();
  const visible = Array.from({ length: changes.length }, (_, index) => changes.at(index)).filter(
    (change) => change.at <= world.epoch - 300_000,
  );
  expect(visible.length).toBe(changes.length - 1);
  expect(visible.length % 25).toBe(0);
}

function checkExchange(world: World, realm: Realm): void {
  const { firstHour, markets } = world.exchange(realm);
  expect(firstHour % 3600).toBe(0);
  expect(markets(firstHour).length).toBeGreaterThan(0);
  expect(markets(firstHour + 3600)).toEqual([]);
  expect(markets(firstHour - 3600)).toEqual([]);
  for (let hour = firstHour; hour * 1000 < world.epoch; hour += 3 * 3600) {
    const keys = new Set<string>();
    const digest = markets(hour);
    for (const market of digest) {
      keys.add(`${market.league}/${market.market_id}`);
      const [one = '', other = ''] = market.market_id.split('|');
      const at = (dictionary: Record<string, number>, code: string) => dictionary[code] ?? NaN;
      for (const code of [one, other]) {
        if (!(at(market.lowest_stock, code) <= at(market.highest_stock, code)))
          throw new Error(`stock of ${market.market_id}`);
        if (!(at(market.volume_traded, code) > 0)) throw new Error(`volume of ${market.market_id}`);
      }
      const low = at(market.lowest_ratio, other) * at(market.highest_ratio, one);
      const high = at(market.highest_ratio, other) * at(market.lowest_ratio, one);
      if (!(low <= high)) throw new Error(`ratios of ${market.market_id}`);
    }
    expect(keys.size).toBe(digest.length);
  }
}
