import type { GameOperation } from '../../../../src/contract/index.js';
import type { Json } from '../../interceptor/interceptor.js';
import { having, listAt } from '../../interceptor/json.js';
import { mutants, operator, together } from '../../mutant.js';
import { put, reply, set } from '../../operators/replies.js';

const replies = ['getCharacter', 'getStash', 'getGuildStash', 'getPublicStashTabs'] as const;

/** Items at whatever depth, changed. */
const everyItem = operator(
  'everyItem',
  (_, change: (item: Json) => void, operations: GameOperation | readonly GameOperation[] = replies) =>
    reply(operations, (body) => having(body, 'typeLine', 'frameType').forEach(change)),
);

/** A member that some items have, with another value. */
const member = (place: string, value: unknown) => set(replies, `**.${place}`, value);

const isSecond = ({ realm }: Json): boolean => realm === 'game2';
const tiered = (tier: number) => member('scourged', (all: Json | null) => all && { ...all, tier });

const anywhere = ['CHAR-GET-001', 'STASH-GET-001'] as const;
const mostly = ['STASH-GET-001', 'CHAR-GET-001'] as const;

/** Members that some items have, each with another value. */
const members = (values: Readonly<Record<string, unknown>>) =>
  together(...Object.entries(values).map(([place, value]) => member(place, value)));

export const items = mutants({
  'GEN-005: optional numbers and texts of items are quoted and counted': () =>
    members({ stackSize: String, maxStackSize: String, descrText: (text: string) => text.length }).exercise(...mostly),
  'GEN-006: identified is left out where it is true, and the name where it is empty': () =>
    members({ identified: (is: boolean) => is && undefined, name: (name: string) => name || undefined }).exercise(
      ...mostly,
    ),
  'GEN-007: flags of items are 1': () =>
    members({ corrupted: 1, fractured: 1, duplicated: 1, split: 1 }).exercise(...mostly),
  'GEN-008: places of items are quoted': () =>
    members({ x: String, y: String, w: String, h: String }).exercise(...mostly),
  'GEN-010: words of items are in lower case': () =>
    members({ rarity: (word: string) => word.toLowerCase(), colour: (word: string) => word.toLowerCase() }).exercise(
      ...mostly,
    ),
  'GEN-012: ids have 63 digits': () =>
    together(
      set(['getCharacter', 'listCharacters'], 'character.id', (id: string) => id.slice(1)),
      set('listCharacters', 'characters[].id', (id: string) => id.slice(1)),
      member('id', (id: unknown) => (typeof id === 'string' ? id.slice(0, 63) : id)),
    ).exercise(...mostly),
  'GEN-014: items of the first game have gem sockets and runes': () =>
    everyItem((item) => {
      if (!isSecond(item)) Object.assign(item, { gemSockets: ['W'], runeMods: ['rune'] });
    }).exercise(...mostly),
  'CHAR-EXT-001 inner: extended is shown for items in sockets': () =>
    put(replies, '**.socketedItems[].extended', { prefixes: 1 }).exercise('CHAR-GET-001'),
  'ED-004 M-CI-21: frameType is a word': () =>
    member('frameType', (type: number) => ['Normal', 'Magic', 'Rare', 'Unique', 'Gem'][type] ?? 'Currency').also(
      'ITEM-FIELD-frameType',
    ),
  'ITEM-FIELD-verified M-CI-22: verified is left out when it is false': () =>
    member('verified', (value: boolean) => value || undefined),
  'ITEM-FIELD-baseType inner: items in sockets have no baseType': () =>
    member('socketedItems[].baseType', undefined).exercise(...mostly),
  'ITEM-FIELD-influences.elder M-CI-20: influences say elder: false': () =>
    member('influences', (flags: Json) => ({ elder: false, ...flags })),
  'ITEM-FIELD-corrupted one: corrupted is 1': () => member('corrupted', 1).exercise(...mostly),
  'ITEM-FIELD-colour M-CI-27: the colour of a gem is R, G, B or W': () =>
    everyItem((item) => {
      const words: Record<string, string> = { S: 'R', D: 'G', I: 'B', G: 'W' };
      if ('colour' in item) item.colour = words[String(item.colour)] ?? item.colour;
    }),
  'PROP-FIELD-displayMode M-CI-31: a property has displayMode 5': () =>
    member('displayMode', (mode: number) => (mode === 3 ? 5 : mode)),
  'ITEM-FIELD-crucible.nodes M-CI-36: the nodes of crucible are a list': () =>
    member('crucible.nodes', (nodes: Json) => Object.values(nodes)),
  'ITEM-FIELD-id short: ids of items in sockets have 63 digits': () =>
    member('socketedItems[].id', (id: unknown) =>
      typeof id === 'string' ? id.replace(/^0+/, '').slice(0, 63) : id,
    ).exercise(...mostly),
  'GEN-013 inner: items in the sockets of one host share their id': () =>
    everyItem((host) => {
      const [first, ...rest] = listAt(host, 'socketedItems');
      for (const item of rest) item.id = first?.id;
    }).exercise(...mostly),
  'GEN-013 socketed: a socketed item has the id of the item that it is in': () =>
    reply(['getCharacter', 'getStash'], (body) => {
      for (const host of having(body, 'socketedItems'))
        for (const item of listAt(host, 'socketedItems')) if ('id' in item) item.id = host.id;
    }).exercise(...anywhere),
  'SOCKET-FIELD-type M-CI-24: sockets of the first game have a type': () =>
    everyItem((item) => {
      if (!isSecond(item)) for (const socket of listAt(item, 'sockets')) socket.type = 'gem';
    }),
  'ITEM-FIELD-gemSockets inner: items in sockets have the sockets of a second-game gem': () =>
    everyItem((host) => {
      if (host.realm === undefined) for (const item of listAt(host, 'socketedItems')) item.gemSockets = ['W'];
    }).exercise(...mostly),
  'GEN-015 M-CI-25: sockets of the second game have attr and sColour': () =>
    everyItem((item) => {
      if (isSecond(item))
        for (const socket of listAt(item, 'sockets')) Object.assign(socket, { attr: 'S', sColour: 'R' });
    }),
  'ITEM-FIELD-crucible.nodes zero: the nodes of crucible trees have keys with a zero before': () =>
    member('crucible.nodes', (nodes: Json) =>
      Object.fromEntries(Object.entries(nodes).map(([key, node]) => [`0${key}`, node])),
    ).exercise(...mostly),
  'REALM-ITEM-001 M-CI-26: items of the first game say realm: pc': () =>
    everyItem((item) => {
      if (!isSecond(item)) item.realm = 'pc';
    }),
  'REALM-ITEM-001 pc: items of the first game have the realm of the second': () =>
    everyItem((item) => void (item.realm = 'game2'), 'getStash').exercise(...mostly),
  'STASH-EXT-001 M-CI-32: extended is shown in stashes and characters': () =>
    everyItem((item) => void (item.extended ??= { prefixes: 1, suffixes: 1 })).also('CHAR-EXT-001'),
  'XF-004 M-CI-33: an item sits in a socket that its host has not': () =>
    member('socketedItems[].socket', (socket: number) => socket + 6),
  'XF-004: sockets are counted from 1': () =>
    member('socketedItems[].socket', (socket: number) => socket + 1).exercise(...anywhere),
  'XF-005: an incubated item has progressed past its total': () =>
    member('incubatedItem', (all: Json | null) => all && { ...all, progress: Number(all.total) + 1 })
      .warns()
      .exercise(...anywhere),
  'XF-006 M-CI-29: a value of a property has no value type': () =>
    reply(replies, (body) => {
      for (const property of having(body, 'values', 'name'))
        property.values = (property.values as unknown[][]).map(([text]) => [text]);
    }),
  'XF-008: edges of crucible trees count from 1, nodes from 0': () =>
    member('crucible.nodes[].out', (out: string[]) => out.map((id) => String(Number(id) + 1000))).exercise(...anywhere),
  'XF-009: the tier of a scourged item is counted from 0': () => tiered(0).exercise(...anywhere, 'STASH-SUB-001'),
  'XF-009 high: the tier of a scourged map goes to 16': () => tiered(16).exercise(...anywhere, 'STASH-SUB-001'),
});
