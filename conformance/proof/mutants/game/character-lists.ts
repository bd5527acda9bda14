import type { Realm } from '../../../../src/contract/index.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import { change, everywhere, gone, having, listAt } from '../../interceptor/json.js';
import { answerOf } from '../../interceptor/interceptor.js';
import type { DataReply, Json, Interceptor } from '../../interceptor/interceptor.js';
import { accountOf, kept, realmOf } from '../../interceptor/who.js';

/** The characters of an account in a realm, whole. */
const charactersOf = (seam: Interceptor, account: string, realm: Realm): Json[] =>
  seam.service.world.characters(account, realm) as unknown as Json[];

/** What a lookup finds where the server finds nothing. */
const foundInstead = (seam: Interceptor, find: (all: readonly Json[], context: DataReply) => Json | undefined): void =>
  seam.data('getCharacter', (body, context) => {
    if (body.character !== null) return;
    body.character = find(charactersOf(seam, accountOf(seam, context), realmOf(context)), context) ?? null;
  });

/** Changes the character that a lookup gives. */
const shown = (seam: Interceptor, to: (character: Json, context: DataReply) => void): void =>
  seam.data('getCharacter', (body, context) => {
    if (body.character) to(body.character as Json, context);
  });

const passivesOf = (body: unknown): Json[] => having(body, 'hashes', 'jewel_data');

export const characterLists: readonly Mutant[] = [
  {
    id: 'N-CHAR-GET-003-like',
    bug: 'a name is looked up as a pattern, in which _ stands for any character',
    rows: ['CHAR-GET-003'],
    plant: (seam) =>
      foundInstead(seam, (all, { args }) => {
        const name = args.name ?? '';
        if (!/^[\w-]+$/.test(name)) return undefined;
        const pattern = new RegExp(`^${name.replaceAll('_', '.')}$`, 'i');
        return all.find((one) => pattern.test(String(one.name)));
      }),
  },
  {
    id: 'N-CHAR-GET-003-start',
    bug: 'the beginning of a name is enough',
    rows: ['CHAR-GET-003'],
    plant: (seam) =>
      foundInstead(seam, (all, { args }) => all.find((one) => String(one.name).startsWith(args.name ?? '-'))),
  },
  {
    id: 'N-CHAR-GET-003-first',
    bug: 'an unknown name in realm game2 gives the first character',
    rows: ['CHAR-GET-003'],
    plant: (seam) => foundInstead(seam, (all, context) => (realmOf(context) === 'game2' ? all[0] : undefined)),
  },
  {
    id: 'N-CHAR-GET-003-xbox',
    bug: 'an unknown name in realm xbox gives 404 and no wrapper',
    rows: ['CHAR-GET-003'],
    plant: (seam) =>
      seam.reply((reply, request) => {
        if (request.operation !== 'getCharacter' || !request.path.startsWith('/character/xbox/')) return;
        if ((reply.json as Json | undefined)?.character !== null) return;
        reply.status = 404;
        reply.json = { error: { code: 1, message: 'Resource not found' } };
      }),
  },
  {
    id: 'N-CHAR-GET-006',
    bug: 'a character of any realm is found in pc',
    rows: ['CHAR-GET-006', 'REALM-ISO-001'],
    plant: (seam) =>
      foundInstead(seam, (_, context) => {
        if (realmOf(context) !== 'pc') return undefined;
        const account = accountOf(seam, context);
        const others: Realm[] = ['xbox', 'sony', 'game2'];
        return others
          .flatMap((realm) => charactersOf(seam, account, realm))
          .find(({ name }) => name === context.args.name);
      }),
  },
  {
    id: 'N-CHAR-GET-005',
    bug: 'a lookup tells a level that is one behind',
    rows: ['CHAR-GET-005'],
    plant: (seam) => shown(seam, (character) => change(character, 'level', (level: number) => Math.max(1, level - 1))),
  },
  {
    id: 'N-CHAR-GET-005-league',
    bug: 'a lookup tells no league but Standard',
    rows: ['CHAR-GET-005'],
    plant: (seam) => shown(seam, (character) => void (character.league = 'Standard')),
  },
  {
    id: 'N-CHAR-GET-005-id',
    bug: 'the list of characters has ids of its own',
    rows: ['CHAR-GET-005'],
    plant: (seam) =>
      seam.data('listCharacters', (body) => {
        for (const one of listAt(body, 'characters')) one.id = [...String(one.id)].toReversed().join('');
      }),
  },
  {
    id: 'N-CHAR-GET-001-last',
    bug: 'the last character of the list is not found',
    rows: ['CHAR-GET-001'],
    plant: (seam) =>
      seam.data('getCharacter', (body, context) => {
        const last = charactersOf(seam, accountOf(seam, context), realmOf(context)).at(-1);
        if (body.character && (body.character as Json).name === last?.name) body.character = null;
      }),
  },
  {
    id: 'N-CHAR-GET-001-kept',
    bug: 'lookups of characters are kept by the realm',
    rows: ['CHAR-GET-001'],
    plant: (seam) => kept(seam, 'getCharacter', ({ path }) => path.slice(0, path.lastIndexOf('/'))),
  },
  {
    id: 'N-CHAR-LIST-001-null',
    bug: 'an empty list of characters is null',
    rows: ['ERR-005'],
    beside: ['CHAR-LIST-001', 'CHAR-LIST-002', 'CHAR-GET-004'],
    plant: (seam) =>
      seam.data('listCharacters', (body) => void (listAt(body, 'characters').length === 0 && (body.characters = null))),
  },
  {
    id: 'N-CHAR-LIST-001-twice',
    bug: 'a character is listed twice',
    rows: ['GEN-013'],
    beside: ['CHAR-LIST-001'],
    plant: (seam) =>
      seam.data(
        'listCharacters',
        (body) => void listAt(body, 'characters').push(...listAt(body, 'characters').slice(0, 1)),
      ),
  },
  {
    id: 'N-CHAR-LIST-002-sony',
    bug: 'realm sony lists the characters of xbox',
    rows: ['CHAR-LIST-002'],
    plant: (seam) =>
      seam.request((request) => {
        if (request.path === '/character/sony') request.path = '/character/xbox';
      }),
  },
  {
    id: 'N-CHAR-FLAG-001',
    bug: 'every character is the current one',
    rows: ['CHAR-FLAG-001'],
    beside: ['CHAR-LIST-001'],
    plant: (seam) =>
      seam.data('listCharacters', (body) => {
        for (const one of listAt(body, 'characters')) one.current = true;
      }),
  },
  {
    id: 'N-REALM-QUERY-004',
    bug: 'a character of realm xbox says that it is of pc',
    rows: ['REALM-QUERY-004'],
    beside: ['CHAR-GET-001', 'CHAR-LIST-002'],
    plant: (seam) =>
      shown(seam, (character) => change(character, 'realm', (realm) => (realm === 'xbox' ? 'pc' : realm))),
  },
  {
    id: 'N-REALM-PATH-005',
    bug: '/character/sony is taken for the name of a character',
    rows: ['REALM-PATH-005'],
    plant: (seam) =>
      seam.request(({ path }) => (path === '/character/sony' ? answerOf(200, { character: null }) : undefined)),
  },
  {
    id: 'N-CHAR-GET-002-items',
    bug: 'characters come without equipment',
    rows: ['CHAR-GET-002'],
    plant: (seam) => shown(seam, (character) => change(character, 'equipment', () => [])),
  },
  {
    id: 'N-CHAR-GET-002-inventory',
    bug: 'characters come without their inventory',
    rows: ['CHAR-GET-002'],
    plant: (seam) => shown(seam, (character) => change(character, 'inventory', () => gone)),
  },
  {
    id: 'N-CHAR-PASS-001',
    bug: 'the hashes of passives are texts',
    rows: ['CHAR-PASS-001'],
    beside: ['CHAR-GET-001'],
    plant: (seam) =>
      seam.data('getCharacter', (body) => {
        for (const all of passivesOf(body)) change(all, 'hashes', (hashes: number[]) => hashes.map(String));
      }),
  },
  {
    id: 'N-CHAR-PASS-003-keys',
    bug: 'the keys of mastery_effects are hexadecimal',
    rows: ['GEN-022'],
    beside: ['CHAR-GET-001'],
    plant: (seam) =>
      seam.data('getCharacter', (body) =>
        everywhere(body, 'mastery_effects', (all: Json) =>
          Object.fromEntries(Object.entries(all).map(([node, effect]) => [`0x${Number(node).toString(16)}`, effect])),
        ),
      ),
  },
  {
    id: 'N-CHAR-PASS-005',
    bug: 'jewel_data is keyed by the place of the jewel in the list, from 1',
    rows: ['CHAR-PASS-005'],
    beside: ['CHAR-GET-001'],
    plant: (seam) =>
      seam.data('getCharacter', (body) =>
        everywhere(body, 'jewel_data', (all: Json) =>
          Object.fromEntries(Object.values(all).map((data, index) => [String(1_000_001 + index), data])),
        ),
      ),
  },
  {
    id: 'N-CHAR-PASS-006',
    bug: 'all jewels are at the same x',
    rows: ['CHAR-PASS-006'],
    beside: ['CHAR-GET-001'],
    plant: (seam) =>
      shown(seam, (character) => {
        for (const jewel of listAt(character, 'jewels')) jewel.x = 1;
      }),
  },
  {
    id: 'N-CHAR-PASS-007',
    bug: 'every jewel has a subgraph',
    rows: ['CHAR-PASS-007'],
    plant: (seam) =>
      seam.data('getCharacter', (body) => {
        const data = having(body, 'jewel_data').flatMap((all) => Object.values(all.jewel_data as Json) as Json[]);
        for (const one of data) one.subgraph ??= { groups: {}, nodes: {} };
      }),
  },
  {
    id: 'N-CHAR-PASS-007-none',
    bug: 'cluster jewels have no subgraph',
    rows: ['CHAR-PASS-007'],
    noticed: 'warn',
    plant: (seam) => seam.data('getCharacter', (body) => everywhere(body, 'subgraph', () => gone)),
  },
  {
    id: 'N-CHAR-PASS-008',
    bug: 'a group of a subgraph lists a node that is not there',
    rows: ['CHAR-PASS-008'],
    beside: ['CHAR-GET-001'],
    plant: (seam) =>
      seam.data('getCharacter', (body) => {
        for (const group of having(body, 'orbits', 'nodes')) (group.nodes as string[]).push('999999');
      }),
  },
  {
    id: 'N-CHAR-PASS-009',
    bug: 'edges of a subgraph are told at one end only',
    rows: ['CHAR-PASS-009'],
    beside: ['CHAR-GET-001'],
    plant: (seam) =>
      seam.data('getCharacter', (body) => {
        for (const graph of having(body, 'groups', 'nodes')) {
          for (const node of Object.values(graph.nodes as Json) as Json[]) node.in = [];
        }
      }),
  },
  {
    id: 'N-CHAR-PASS-010',
    bug: 'nodes of a subgraph are on the orbit after theirs',
    rows: ['CHAR-PASS-010'],
    beside: ['CHAR-GET-001'],
    plant: (seam) =>
      seam.data('getCharacter', (body) => {
        for (const graph of having(body, 'groups', 'nodes')) {
          for (const node of Object.values(graph.nodes as Json) as Json[])
            change(node, 'orbit', (orbit: number) => orbit + 10);
        }
      }),
  },
  {
    id: 'N-CHAR-PASS-012',
    bug: 'hashes have 32 bits',
    rows: ['CHAR-PASS-012'],
    beside: ['CHAR-GET-001'],
    plant: (seam) =>
      seam.data('getCharacter', (body) => {
        for (const all of passivesOf(body))
          change(all, 'hashes', (list: number[]) => list.map((hash) => hash + 65_536));
      }),
  },
];
