import type { Json } from '../../interceptor/interceptor.js';
import { mutants, operator } from '../../mutant.js';
import { give, list, omit, put, set } from '../../operators/replies.js';
import type { When } from '../../operators/requests.js';

const stream = 'getPublicStashTabs';
const pages = ['PSTASH-001', 'PSTASH-002'] as const;
const laterPages = ['PSTASH-002', 'PSTASH-003'] as const;

/** A member that listed stashes, or unlisted ones, have another value of. */
const shown = operator('shown', (_, isListed: boolean, name: string, value: unknown) =>
  put(stream, `stashes[].${name}`, (before: unknown, one: Json) => (one.public === isListed ? value : before)),
);

const withoutUnlisted = (when?: When) => omit(stream, 'stashes', ({ public: is }) => is === false, when);

/** What the stream shows of a stash. */
export const publicStashes = mutants({
  'PSTASH-006: a change has an id of its own': () =>
    list(stream, 'stashes', (all, _, at) => all.map((one) => ({ ...one, id: at.service.authority.newId(64) }))),
  'PSTASH-006 again: a stash that is listed again has another id': (unlisted = new Set<unknown>()) =>
    set(stream, 'stashes[].id', (id: string, { public: is }: Json) => {
      if (is === false) unlisted.add(id);
      return is !== false && unlisted.has(id) ? id.split('').toReversed().join('') : id;
    }).also('PSTASH-008'),
  'PSTASH-006 update: updates do not show': (listed = new Set<unknown>()) =>
    omit(stream, 'stashes', ({ id, public: is }) => {
      const before = listed.has(id);
      if (is === true) listed.add(id);
      else listed.delete(id);
      return before && is === true;
    }),
  'PSTASH-006 N-PSTASH-UNLIST-004-first: a stash is unlisted with its first update': (
    seen = new Map<unknown, string>(),
  ) =>
    list(stream, 'stashes', (changes) =>
      changes.map((one) => {
        const text = JSON.stringify(one);
        const before = seen.get(one.id) ?? text;
        seen.set(one.id, text);
        return before !== text && one.public === true ? { id: one.id, public: false } : one;
      }),
    ),
  'PSTASH-UNLIST-001 M-PS-01: an unlisted stash keeps its account and its items': () =>
    list(stream, 'stashes', (changes) => {
      const listed = changes.find(({ public: is, items }) => is === true && (items as Json[]).length > 0);
      const kept = listed && { accountName: listed.accountName, items: listed.items };
      return changes.map((one) => (one.public === false ? { ...one, ...kept } : one));
    }).also('PSTASH-UNLIST-002'),
  'PSTASH-UNLIST-001 league: an unlisted stash keeps its league': () =>
    shown(false, 'league', 'Standard').exercise('PSTASH-002'),
  'PSTASH-UNLIST-003: an unlisted stash does not say public: false': () => shown(false, 'public', undefined),
  'PSTASH-UNLIST-004: unlisting is not shown': () => withoutUnlisted(),
  'PSTASH-UNLIST-004 xbox: unlisting in realm xbox is not shown': () => withoutUnlisted({ realm: 'xbox' }),
  'PSTASH-LISTED-001: a listed stash has no type': () => shown(true, 'stashType', null),
  'PSTASH-LISTED-002: lastCharacterName is shown to everybody': () => shown(true, 'lastCharacterName', 'Somebody'),
  'PSTASH-LISTED-002 empty: lastCharacterName is shown as an empty text': () =>
    put(stream, 'stashes[].lastCharacterName', (name: unknown, one: Json) => ('stashType' in one ? '' : name)).exercise(
      'PSTASH-002',
    ),
  'PSTASH-EXT-001: items of characters have extended': () =>
    give('getCharacter', ['typeLine'], 'extended', { prefixes: 1 }).exercise('PSTASH-001', 'CHAR-GET-001'),
  'PSTASH-EXT-001 text: prefixes are a text': () => set(stream, '**.prefixes', String).exercise(...laterPages),
  'PSTASH-EXT-001 one: a single subcategory is no list': () =>
    set(stream, '**.subcategories', (all: string[] | string) =>
      Array.isArray(all) && all.length === 1 ? all[0] : all,
    ).exercise(...laterPages),
  'PSTASH-G1-001: items of the stream have gem sockets of the second game': () =>
    give(stream, ['typeLine'], 'gemSockets', ['W']).exercise(...pages),
  'PSTASH-G1-001 socket: sockets of the stream have a type as those of the second game have': () =>
    give(stream, ['group', 'sColour'], 'type', 'gem').exercise(...pages),
});
