import type { Realm } from '../../../../src/contract/index.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import { change, everywhere, gone, having, listAt } from '../../interceptor/json.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;

const dictionaries = [
  'mastery_effects',
  'skill_overrides',
  'jewel_data',
  'specialisations',
  'nodes',
  'groups',
  'rewards',
  'metadata',
];

const itemReplies = ['getCharacter', 'getStash', 'getGuildStash', 'getPublicStashTabs'] as const;

/** Changes every item of the replies that carry items. */
const items = (seam: Interceptor, to: (item: Json, isSecond: boolean) => void): void =>
  seam.data(itemReplies, (body) => {
    for (const item of having(body, 'typeLine', 'frameType')) to(item, item.realm === 'game2');
  });

const swapped = (table: Json): Json =>
  Object.fromEntries(Object.entries(table).map(([key, value]) => [String(value), Number(key)]));

export const characters: readonly Mutant[] = [
  {
    id: 'M-AD-66',
    bug: 'the list of characters has those of all realms',
    rows: ['CHAR-LIST-002'],
    plant: (seam) =>
      seam.data('listCharacters', (body, { request }) => {
        const { world, authority } = seam.service;
        const token = authority.store.findToken(request.headers.authorization?.replace(/^bearer /i, '') ?? '');
        const realms: Realm[] = ['pc', 'xbox', 'sony', 'game2'];
        body.characters = realms.flatMap((realm) =>
          world
            .characters(token?.grant.account ?? '', realm)
            .map(({ id, name, realm: own, class: kind, league, level, experience }) => ({
              id,
              name,
              realm: own,
              class: kind,
              league,
              level,
              experience,
            })),
        );
      }),
  },
  {
    id: 'M-AD-66-keyed',
    bug: 'the list of characters is keyed by name',
    rows: ['CHAR-LIST-001'],
    plant: (seam) =>
      seam.data('listCharacters', (body) => {
        body.characters = Object.fromEntries(listAt(body, 'characters').map((one) => [one.name, one]));
      }),
  },
  {
    id: 'M-AD-67',
    bug: 'characters whose names are not ASCII are not found',
    rows: ['CHAR-GET-001'],
    plant: (seam) =>
      seam.data('getCharacter', (body, { args }) => {
        if (/[^\x20-\x7e]/.test(args.name ?? '')) body.character = null;
      }),
  },
  {
    id: 'M-AD-70',
    bug: 'metadata.version is a number',
    rows: ['CHAR-META-001'],
    plant: (seam) =>
      seam.data('getCharacter', (body) =>
        everywhere(body, 'metadata', (metadata: Json) => ({
          ...metadata,
          version: Number.parseFloat(String(metadata.version)) || 3,
        })),
      ),
  },
  {
    id: 'M-CI-01',
    bug: 'an unknown character is answered with {}',
    rows: ['CHAR-GET-003', 'ERR-002'],
    plant: (seam) => seam.data('getCharacter', (body) => (body.character === null ? {} : undefined)),
  },
  {
    id: 'M-CI-01-404',
    bug: 'an unknown character is answered with 404 and no wrapper',
    rows: ['CHAR-GET-003', 'ERR-002'],
    plant: (seam) =>
      seam.data('getCharacter', (body, { reply }) => {
        if (body.character !== null) return undefined;
        reply.status = 404;
        return { error: { code: 1, message: 'Resource not found' } };
      }),
  },
  {
    id: 'M-CI-04',
    bug: 'an empty dictionary is written as a list',
    rows: ['GEN-011'],
    plant: (seam) =>
      seam.data('all', (body) => {
        for (const name of dictionaries) everywhere(body, name, (value) => (isEmptyObject(value) ? [] : value));
      }),
  },
  {
    id: 'M-CI-06',
    bug: 'jewel_data is there, and the jewels are not',
    rows: ['CHAR-PASS-005'],
    plant: (seam) => seam.data('getCharacter', (body) => everywhere(body, 'jewels', () => [])),
  },
  {
    id: 'M-CI-08',
    bug: 'keys and values of mastery_effects are swapped',
    rows: ['CHAR-PASS-003'],
    plant: (seam) => seam.data('getCharacter', (body) => everywhere(body, 'mastery_effects', swapped)),
  },
  {
    id: 'M-CI-10',
    bug: 'specialisations have shapeshift and set3',
    rows: ['CHAR-PASS-004', 'ED-007'],
    plant: (seam) =>
      seam.data('getCharacter', (body) =>
        everywhere(body, 'specialisations', (sets: Json) => ({ shapeshift: [], set3: [], ...sets })),
      ),
  },
  {
    id: 'M-CI-16',
    bug: 'a value of skill_overrides is a bare hash',
    rows: ['CHAR-PASS-011'],
    plant: (seam) =>
      seam.data('getCharacter', (body) =>
        everywhere(body, 'skill_overrides', (table: Record<string, Json>) =>
          Object.fromEntries(Object.entries(table).map(([key, node]) => [key, node.skill ?? 1])),
        ),
      ),
  },
  {
    id: 'M-CI-20',
    bug: 'influences say elder: false',
    rows: ['GEN-007'],
    plant: (seam) =>
      seam.data(itemReplies, (body) => everywhere(body, 'influences', (flags: Json) => ({ elder: false, ...flags }))),
  },
  {
    id: 'M-CI-21',
    bug: 'frameType is a word',
    rows: ['ED-004', 'GEN-008'],
    plant: (seam) =>
      items(seam, (item) => {
        item.frameType = ['Normal', 'Magic', 'Rare', 'Unique', 'Gem'][Number(item.frameType)] ?? 'Currency';
      }),
  },
  {
    id: 'M-CI-22',
    bug: 'verified is left out when it is false',
    rows: ['GEN-006'],
    plant: (seam) => items(seam, (item) => change(item, 'verified', (value) => value || gone)),
  },
  {
    id: 'M-CI-24',
    bug: 'sockets of the first game have a type',
    rows: ['GEN-014'],
    plant: (seam) =>
      items(seam, (item, isSecond) => {
        if (!isSecond) for (const socket of listAt(item, 'sockets')) socket.type = 'gem';
      }),
  },
  {
    id: 'M-CI-25',
    bug: 'sockets of the second game have attr and sColour',
    rows: ['GEN-015'],
    plant: (seam) =>
      items(seam, (item, isSecond) => {
        if (isSecond) for (const socket of listAt(item, 'sockets')) Object.assign(socket, { attr: 'S', sColour: 'R' });
      }),
  },
  {
    id: 'M-CI-26',
    bug: 'items of the first game say realm: pc',
    rows: ['REALM-ITEM-001'],
    plant: (seam) => items(seam, (item, isSecond) => void (isSecond || (item.realm = 'pc'))),
  },
  {
    id: 'M-CI-27',
    bug: 'the colour of a gem is R, G, B or W',
    rows: ['GEN-010'],
    plant: (seam) =>
      seam.data(itemReplies, (body) => {
        const words: Record<string, string> = { S: 'R', D: 'G', I: 'B', G: 'W' };
        for (const item of having(body, 'frameType', 'colour')) item.colour = words[String(item.colour)] ?? item.colour;
      }),
  },
  {
    id: 'M-CI-29',
    bug: 'a value of a property has no value type',
    rows: ['XF-006'],
    plant: (seam) =>
      seam.data(itemReplies, (body) => {
        for (const property of having(body, 'values', 'name'))
          property.values = (property.values as unknown[][]).map(([text]) => [text]);
      }),
  },
  {
    id: 'M-CI-31',
    bug: 'a property has displayMode 5',
    rows: ['GEN-010'],
    plant: (seam) =>
      seam.data(itemReplies, (body) => everywhere(body, 'displayMode', (mode: number) => (mode === 3 ? 5 : mode))),
  },
  {
    id: 'M-CI-32',
    bug: 'extended is shown in stashes and characters',
    rows: ['STASH-EXT-001', 'CHAR-EXT-001'],
    plant: (seam) => items(seam, (item) => void (item.extended ??= { prefixes: 1, suffixes: 1 })),
  },
  {
    id: 'M-CI-33',
    bug: 'an item sits in a socket that its host has not',
    rows: ['XF-004'],
    plant: (seam) =>
      items(seam, (item) => {
        for (const inner of listAt(item, 'socketedItems')) change(inner, 'socket', (place: number) => place + 6);
      }),
  },
  {
    id: 'M-CI-36',
    bug: 'the nodes of crucible are a list',
    rows: ['GEN-011'],
    plant: (seam) =>
      seam.data(itemReplies, (body) =>
        everywhere(body, 'crucible', (crucible: Json) => ({
          ...crucible,
          nodes: Object.values(crucible.nodes as Json),
        })),
      ),
  },
  {
    id: 'N-CHAR-GET-002',
    bug: 'a character comes without its passives',
    rows: ['CHAR-GET-002'],
    plant: (seam) =>
      seam.data('getCharacter', (body) => void (body.character && delete (body.character as Json).passives)),
  },
  {
    id: 'N-CHAR-PASS-002',
    bug: 'characters of the second game have a bandit choice',
    rows: ['CHAR-PASS-002'],
    plant: (seam) =>
      seam.data('getCharacter', (body, { request }) => {
        if (request.path.startsWith('/character/game2/'))
          everywhere(body, 'passives', (all: Json) => ({ ...all, bandit_choice: 'Alira' }));
      }),
  },
  {
    id: 'N-CHAR-G2-001',
    bug: 'characters of the first game have skills',
    rows: ['CHAR-G2-001'],
    plant: (seam) =>
      seam.data('getCharacter', (body, { request }) => {
        if (body.character && !request.path.startsWith('/character/game2/')) (body.character as Json).skills = [];
      }),
  },
];
