import type { Realm } from '../../../../src/contract/index.js';
import type { Json } from '../../interceptor/interceptor.js';
import { having } from '../../interceptor/json.js';
import { accountOf, realmOf } from '../../interceptor/who.js';
import { mutants, operator, together } from '../../mutant.js';
import { charactersOf, foundCharacter, listedCharacters } from '../../operators/characters.js';
import { drop, list, put, refuseUnknown, reply, set, stale } from '../../operators/replies.js';
import { request, respond } from '../../operators/requests.js';

const realms: readonly Realm[] = ['pc', 'xbox', 'sony', 'game2'];
const dictionaries = 'mastery_effects skill_overrides jewel_data specialisations nodes groups rewards metadata'.split(
  ' ',
);

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;

const emptyLists = operator('emptyLists', (at) => {
  for (const name of dictionaries)
    set('all', `**.${name}`, (value: unknown) => (isEmptyObject(value) ? [] : value)).apply(at);
});

/** A member that some characters have, at whatever depth, with another value. */
const member = (place: string, value: unknown) => set('getCharacter', `**.${place}`, value);

/** A dictionary with other entries. */
const entries = (name: string, to: (key: string, value: unknown, index: number) => readonly [string, unknown]) =>
  member(name, (all: Json) =>
    Object.fromEntries(Object.entries(all).map(([key, value], index) => to(key, value, index))),
  );

const bare = (name: string): string => name.replaceAll(/[ _-]/g, '');

/** The hashes of the passives of characters, changed. */
const hashes = operator('hashes', (_, to: (hash: number) => unknown) =>
  reply('getCharacter', (body) => {
    for (const all of having(body, 'hashes', 'jewel_data')) all.hashes = (all.hashes as number[]).map(to);
  }),
);

export const characters = mutants({
  'CHAR-FLAG-001: every character is the current one': () =>
    put('listCharacters', 'characters[].current', true).exercise('CHAR-LIST-001'),
  'CHAR-G2-001: characters of the first game have skills': () =>
    put('getCharacter', 'character.skills', [], ({ path }) => !path.startsWith('/character/game2/')),
  'CHAR-GET-001 M-AD-67: characters whose names are not ASCII are not found': () =>
    set('getCharacter', 'character', null, { name: /[^\x20-\x7e]/ }),
  'CHAR-GET-001 last: the last character of the list is not found': () =>
    reply('getCharacter', (body, context, at) => {
      const last = charactersOf(at, accountOf(at, context), realmOf(context)).at(-1);
      if (body.character && (body.character as Json).name === last?.name) body.character = null;
    }),
  'CHAR-GET-001 kept: lookups of characters are kept by the realm': () =>
    stale('getCharacter', ({ path }) => path.slice(0, path.lastIndexOf('/'))),
  'CHAR-GET-002: a character comes without its passives': () => drop('getCharacter', 'character.passives'),
  'CHAR-GET-002 items: characters come without equipment': () => set('getCharacter', 'character.equipment', []).warns(),
  'CHAR-GET-002 inventory: characters come without their inventory': () => drop('getCharacter', 'character.inventory'),
  'CHAR-GET-003 M-CI-01: an unknown character is answered with {}': () =>
    reply('getCharacter', ({ character }) => (character === null ? {} : undefined)).also('ERR-002'),
  'CHAR-GET-003 M-CI-01-404: an unknown character is answered with 404 and no wrapper': () =>
    refuseUnknown('getCharacter', 'character').also('ERR-002'),
  'CHAR-GET-003 like: a name is looked up as a pattern, in which _ stands for any character': () =>
    foundCharacter({ name: /^[\w-]+$/ }, (all, { args: { name = '' } }) => {
      const pattern = new RegExp(`^${name.replaceAll('_', '.')}$`, 'i');
      return all.find((one) => pattern.test(String(one.name)));
    }),
  'CHAR-GET-003 separators: a name is found with other separators, or none': () =>
    foundCharacter({}, (all, { args: { name = '' } }) => all.find((one) => bare(String(one.name)) === bare(name))),
  'CHAR-GET-003 start: the beginning of a name is enough': () =>
    foundCharacter({}, (all, { args }) => all.find(({ name }) => String(name).startsWith(args.name ?? '-'))),
  'CHAR-GET-003 first: an unknown name in realm game2 gives the first character': () =>
    foundCharacter({ realm: 'game2' }, ([first]) => first),
  'CHAR-GET-003 xbox: an unknown name in realm xbox gives 404 and no wrapper': () =>
    refuseUnknown('getCharacter', 'character', { realm: 'xbox' }),
  'CHAR-GET-005: a lookup tells a level that is one behind': () =>
    set('getCharacter', 'character.level', (level: number) => Math.max(1, level - 1)),
  'CHAR-GET-005 experience: a lookup tells more experience than the list': () =>
    set('getCharacter', 'character.experience', (experience: number) => experience + 1),
  'CHAR-GET-005 league: a lookup tells no league but Standard': () =>
    put('getCharacter', 'character.league', 'Standard'),
  'CHAR-GET-005 id: the list of characters has ids of its own': () =>
    set('listCharacters', 'characters[].id', (id: string) => [...id].toReversed().join('')),
  'CHAR-GET-006: a character of any realm is found in pc': () =>
    foundCharacter({}, (_, context, at) => {
      if (realmOf(context) !== 'pc') return undefined;
      const account = accountOf(at, context);
      const all = realms.slice(1).flatMap((realm) => charactersOf(at, account, realm));
      return all.find(({ name }) => name === context.args.name);
    }).also('REALM-ISO-001'),
  'CHAR-LIST-001 M-AD-66-keyed: the list of characters is keyed by name': () =>
    set('listCharacters', 'characters', (all: Json[]) => Object.fromEntries(all.map((one) => [one.name, one]))),
  'CHAR-LIST-002 M-AD-66: the list of characters has those of all realms': () =>
    listedCharacters((account, _, at) => realms.flatMap((realm) => charactersOf(at, account, realm))),
  'CHAR-LIST-002 sony: realm sony lists the characters of xbox': () =>
    request('listCharacters', (one) => void (one.path = one.path.replace(/^\/character\/sony$/, '/character/xbox'))),
  'CHAR-META-001 M-AD-70: metadata.version is a number': () =>
    put('getCharacter', '**.metadata.version', (version: unknown) => Number.parseFloat(String(version)) || 3),
  'CHAR-PASS-001: the hashes of passives are texts': () => hashes(String).exercise('CHAR-GET-001'),
  'CHAR-PASS-002: characters of the second game have a bandit choice': () =>
    put('getCharacter', '**.passives.bandit_choice', 'Alira', ({ path }) => path.startsWith('/character/game2/')),
  'CHAR-PASS-003 M-CI-08: keys and values of mastery_effects are swapped': () =>
    entries('mastery_effects', (key, value) => [String(value), Number(key)]),
  'CHAR-PASS-004 M-CI-10: specialisations have shapeshift and set3': () =>
    member('specialisations', (sets: Json) => ({ shapeshift: [], set3: [], ...sets })).also('ED-007'),
  'CHAR-PASS-005 M-CI-06: jewel_data is there, and the jewels are not': () => member('jewels', []),
  'CHAR-PASS-005: jewel_data is keyed by the place of the jewel in the list, from 1': () =>
    entries('jewel_data', (_, data, index) => [String(1_000_001 + index), data]).exercise('CHAR-GET-001'),
  'CHAR-PASS-006: all jewels are at the same x': () =>
    put('getCharacter', 'character.jewels[].x', 1).exercise('CHAR-GET-001'),
  'CHAR-PASS-007: every jewel has a subgraph': () =>
    put('getCharacter', '**.jewel_data[].subgraph', (graph: unknown) => graph ?? { groups: {}, nodes: {} }),
  'CHAR-PASS-007 none: cluster jewels have no subgraph': () => drop('getCharacter', '**.subgraph').warns(),
  'CHAR-PASS-008: a group of a subgraph lists a node that is not there': () =>
    reply('getCharacter', (body) => {
      for (const { nodes } of having(body, 'orbits', 'nodes')) (nodes as string[]).push('999999');
    }).exercise('CHAR-GET-001'),
  'CHAR-PASS-011 M-CI-16: a value of skill_overrides is a bare hash': () =>
    entries('skill_overrides', (key, node) => [key, (node as Json).skill ?? 1]),
  'CHAR-PASS-012: hashes have 32 bits': () => hashes((hash) => hash + 65_536).exercise('CHAR-GET-001'),
  'ERR-005 N-CHAR-LIST-001-null: an empty list of characters is null': () =>
    set('listCharacters', 'characters', (all: Json[]) => (all.length === 0 ? null : all)).exercise(
      'CHAR-LIST-001',
      'CHAR-LIST-002',
      'CHAR-GET-004',
    ),
  'GEN-022: the keys of all dictionaries have a zero before': () =>
    together(
      entries('mastery_effects', (node, effect) => [`0${node}`, effect]),
      entries('jewel_data', (x, data) => [`0${x}`, data]),
    ).exercise('CHAR-GET-001'),
  'GEN-022 empty: nodes of subgraphs lead to a node without an identifier': () =>
    put('getCharacter', '**.subgraph.nodes[].out', (out: unknown) => [...(out as string[]), '']),
  'GEN-011 M-CI-04: an empty dictionary is written as a list': () => emptyLists(),
  'GEN-013 N-CHAR-LIST-001-twice: a character is listed twice': () =>
    list('listCharacters', 'characters', (all) => [...all, ...all.slice(0, 1)]).exercise('CHAR-LIST-001'),
  'PASSIVES-FIELD-mastery_effects N-CHAR-PASS-003-keys: the keys of mastery_effects are hexadecimal': () =>
    entries('mastery_effects', (node, effect) => [`0x${Number(node).toString(16)}`, effect]).exercise('CHAR-GET-001'),
  'REALM-PATH-005: /character/sony is taken for the name of a character': () =>
    respond('listCharacters', ({ path }) => path === '/character/sony', 200, { character: null }),
  'REALM-QUERY-004: a character of realm xbox says that it is of pc': () =>
    set('getCharacter', 'character.realm', (realm: string) => (realm === 'xbox' ? 'pc' : realm)).exercise(
      'CHAR-GET-001',
      'CHAR-LIST-002',
    ),
});
