import type { Realm } from '../../../../src/contract/index.js';
import { changeId, streamOf, visibleLength } from '../../../../src/game/stream.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import { change, everywhere, having, listAt } from '../../interceptor/json.js';
import { answerOf } from '../../interceptor/interceptor.js';
import type { DataReply, Json, Interceptor } from '../../interceptor/interceptor.js';

const operation = 'getPublicStashTabs';

const pages = (seam: Interceptor, to: (body: Json, changes: Json[], context: DataReply) => unknown): void =>
  seam.data(operation, (body, context) => to(body, listAt(body, 'stashes'), context));

const realmOf = (route: { readonly realm: string | undefined } | undefined): Realm => (route?.realm ?? 'pc') as Realm;

/** The position that an id of the stream stands for. */
const place = (id: string | null): number => Number((id ?? '0').split('-')[0]);

/** Reads a page from another position than the one that is asked for. */
const moved = (seam: Interceptor, to: (position: number, realm: Realm, seam: Interceptor) => number): void =>
  seam.request((request) => {
    const { query, route } = request;
    const id = query.get('id');
    if (route?.operation !== operation || id === null) return;
    const realm = realmOf(route);
    query.set('id', changeId(to(place(id), realm, seam), realm, seam.service.game));
    request.query = query;
  });

/** Changes of one kind, and what follows them, show `ms` after they happened. */
const early = (seam: Interceptor, op: 'list' | 'update' | 'unlist', ms: number): void =>
  seam.game((game, acted) => ({
    now() {
      const now = game.now();
      const { current } = seam;
      if (current?.operation !== operation) return now;
      const stream = streamOf({ ...game, now: () => now }, realmOf(current.route));
      const next = visibleLength(stream, now);
      if (next >= stream.length || stream.at(next).op !== op) return now;
      acted();
      return now + 300_000 - ms;
    },
  }));

const refusal = () => answerOf(400, { error: { code: 2, message: 'Invalid query: id' } });

export const streamChain: readonly Mutant[] = [
  {
    id: 'N-PSTASH-001-length',
    bug: 'the number of stashes is in their place',
    rows: ['PSTASH-001'],
    plant: (seam) => pages(seam, (body, changes) => void (body.stashes = changes.length)),
  },
  {
    id: 'N-PSTASH-002-later',
    bug: 'the id of the second page is refused',
    rows: ['PSTASH-002'],
    plant: (seam) =>
      seam.request(({ route, query }) =>
        route?.operation === operation && place(query.get('id')) === 50 ? refusal() : undefined,
      ),
  },
  {
    id: 'N-PSTASH-003-cycle',
    bug: 'after a few pages the stream begins anew',
    rows: ['PSTASH-003'],
    plant: (seam) => moved(seam, (position) => position % 200),
  },
  {
    id: 'N-PSTASH-004-kept',
    bug: 'a page that was empty is kept for its id',
    rows: ['PSTASH-004', 'PSTASH-008'],
    plant(seam) {
      const kept = new Map<string, Json>();
      pages(seam, (body, changes, { request }) => {
        const found = kept.get(request.url);
        if (changes.length === 0 && !found) kept.set(request.url, structuredClone(body));
        return found ? structuredClone(found) : undefined;
      });
    },
  },
  {
    id: 'N-PSTASH-005-status',
    bug: 'at the end the status is 404',
    rows: ['PSTASH-003'],
    plant: (seam) =>
      pages(seam, (_, changes, { reply }) => {
        if (changes.length === 0) reply.status = 404;
      }),
  },
  {
    id: 'N-PSTASH-005-null',
    bug: 'at the end next_change_id is null',
    rows: ['PSTASH-003'],
    plant: (seam) => pages(seam, (body, changes) => void (changes.length === 0 && (body.next_change_id = null))),
  },
  {
    id: 'N-PSTASH-005-list',
    bug: 'at the end stashes is left out',
    rows: ['PSTASH-003'],
    plant: (seam) => pages(seam, (body, changes) => void (changes.length === 0 && delete body.stashes)),
  },
  {
    id: 'N-PSTASH-006-again',
    bug: 'a stash that is listed again has another id',
    rows: ['PSTASH-006', 'PSTASH-008'],
    plant(seam) {
      const unlisted = new Set<unknown>();
      pages(seam, (_, changes) => {
        for (const one of changes) {
          if (one.public === false) unlisted.add(one.id);
          else if (unlisted.has(one.id)) one.id = String(one.id).split('').toReversed().join('');
        }
      });
    },
  },
  {
    id: 'N-PSTASH-006-update',
    bug: 'updates do not show',
    rows: ['PSTASH-006'],
    plant(seam) {
      const listed = new Set<unknown>();
      pages(seam, (body, changes) => {
        body.stashes = changes.filter(({ id, public: is }) => {
          const before = listed.has(id);
          if (is === true) listed.add(id);
          else listed.delete(id);
          return !(before && is === true);
        });
      });
    },
  },
  {
    id: 'N-PSTASH-007-unlist',
    bug: 'unlistings show at once',
    rows: ['PSTASH-007'],
    plant: (seam) => early(seam, 'unlist', 0),
  },
  {
    id: 'N-PSTASH-007-update',
    bug: 'updates show at once',
    rows: ['PSTASH-007'],
    plant: (seam) => early(seam, 'update', 0),
  },
  {
    id: 'N-PSTASH-007-four',
    bug: 'listings show after four minutes',
    rows: ['PSTASH-007'],
    plant: (seam) => early(seam, 'list', 240_000),
  },
  {
    id: 'N-PSTASH-008-second',
    bug: 'changes of the second in which a page ends are passed over',
    rows: ['PSTASH-008'],
    plant: (seam) =>
      moved(seam, (position, realm) => {
        const stream = streamOf(seam.service.game, realm);
        const second = (at: number): number => Math.floor(stream.at(at).at / 1000);
        const end = visibleLength(stream, seam.service.game.now());
        let next = position;
        const last = position > 0 ? second(position - 1) : undefined;
        while (next < end && second(next) === last) next += 1;
        return next;
      }),
  },
  {
    id: 'N-PSTASH-008-old',
    bug: 'an id that lies more than thirty changes back leads to the end',
    rows: ['PSTASH-008'],
    plant: (seam) =>
      moved(seam, (position, realm) => {
        const end = visibleLength(streamOf(seam.service.game, realm), seam.service.game.now());
        return position > 600 && position < end - 30 ? end : position;
      }),
  },
  {
    id: 'N-PSTASH-009-listed',
    bug: 'a stash that is listed again within the delay is lost',
    rows: ['PSTASH-008', 'PSTASH-009'],
    plant: (seam) =>
      pages(seam, (body, changes, { request }) => {
        const realm = realmOf(request.route);
        const stream = streamOf(seam.service.game, realm);
        const times = new Map<unknown, number>();
        for (let at = 0; at < stream.length; at += 1) {
          const one = stream.at(at);
          if (one.op === 'unlist') times.set(one.stash, one.at);
          else if (one.at - (times.get(one.stash) ?? -Infinity) < 300_000) times.set(one.stash, Infinity);
        }
        body.stashes = changes.filter(({ id, public: is }) => !(is === true && times.get(id) === Infinity));
      }),
  },
  {
    id: 'N-PSTASH-010',
    bug: 'the stream of realm sony is refused',
    rows: ['PSTASH-010'],
    plant: (seam) => seam.request(({ path }) => (path === '/public-stash-tabs/sony' ? refusal() : undefined)),
  },
  {
    id: 'N-PSTASH-010-id',
    bug: 'the ids of realm xbox are good in realm pc only',
    rows: ['PSTASH-010'],
    plant: (seam) =>
      seam.request(({ path, query }) =>
        path === '/public-stash-tabs/xbox' && query.has('id') ? refusal() : undefined,
      ),
  },
  {
    id: 'N-PSTASH-010-pc',
    bug: 'the stream of every realm is that of pc',
    rows: ['PSTASH-010'],
    plant: (seam) =>
      seam.request((request) => {
        request.path = request.path.replace(/^\/public-stash-tabs\/(xbox|sony)$/, '/public-stash-tabs');
      }),
  },
  {
    id: 'N-PSTASH-012-back',
    bug: 'an unlisted stash is listed once more on the page after',
    rows: ['PSTASH-012'],
    plant(seam) {
      const listed = new Map<unknown, Json>();
      pages(seam, (_, changes) => {
        const stale = changes.filter(({ id, public: is }) => is === false && listed.has(id));
        for (const one of changes) if (one.public === true) listed.set(one.id, one);
        for (const { id } of stale) changes.push(structuredClone(listed.get(id)!));
      });
    },
  },
  {
    id: 'N-PSTASH-UNLIST-001-league',
    bug: 'an unlisted stash keeps its league',
    rows: ['PSTASH-UNLIST-001'],
    beside: ['PSTASH-002'],
    plant: (seam) =>
      pages(seam, (_, changes) => {
        for (const one of changes) if (one.public === false) one.league = 'Standard';
      }),
  },
  {
    id: 'N-PSTASH-UNLIST-004-first',
    bug: 'a stash is unlisted with its first update',
    rows: ['PSTASH-006'],
    plant(seam) {
      const seen = new Map<unknown, string>();
      pages(seam, (_, changes) => {
        for (const one of changes) {
          const text = JSON.stringify(one);
          const before = seen.get(one.id);
          seen.set(one.id, text);
          if (before === undefined || before === text || one.public !== true) continue;
          for (const name of Object.keys(one)) if (name !== 'id') delete one[name];
          one.public = false;
        }
      });
    },
  },
  {
    id: 'N-PSTASH-EXT-001',
    bug: 'items of characters have extended',
    rows: ['PSTASH-EXT-001'],
    beside: ['PSTASH-001', 'CHAR-GET-001'],
    plant: (seam) =>
      seam.data('getCharacter', (body) => {
        for (const item of having(body, 'typeLine')) item.extended = { prefixes: 1 };
      }),
  },
  {
    id: 'N-PSTASH-EXT-001-text',
    bug: 'prefixes are a text',
    rows: ['PSTASH-EXT-001'],
    beside: ['PSTASH-002', 'PSTASH-003'],
    plant: (seam) => pages(seam, (body) => everywhere(body, 'prefixes', String)),
  },
  {
    id: 'N-PSTASH-EXT-001-one',
    bug: 'a single subcategory is no list',
    rows: ['PSTASH-EXT-001'],
    beside: ['PSTASH-002', 'PSTASH-003'],
    plant: (seam) =>
      pages(seam, (body) =>
        everywhere(body, 'subcategories', (all: string[] | string) =>
          Array.isArray(all) && all.length === 1 ? all[0] : all,
        ),
      ),
  },
  {
    id: 'N-PSTASH-G1-001',
    bug: 'items of the stream have gem sockets of the second game',
    rows: ['PSTASH-G1-001'],
    beside: ['PSTASH-001', 'PSTASH-002'],
    plant: (seam) =>
      pages(seam, (body) => {
        for (const item of having(body, 'typeLine')) item.gemSockets = ['W'];
      }),
  },
  {
    id: 'N-PSTASH-G1-001-socket',
    bug: 'sockets of the stream have a type as those of the second game have',
    rows: ['PSTASH-G1-001'],
    beside: ['PSTASH-001', 'PSTASH-002'],
    plant: (seam) =>
      pages(seam, (body) => {
        for (const socket of having(body, 'group', 'sColour')) socket.type = 'gem';
      }),
  },
  {
    id: 'N-PSTASH-LISTED-002-empty',
    bug: 'lastCharacterName is shown as an empty text',
    rows: ['PSTASH-LISTED-002'],
    beside: ['PSTASH-002'],
    plant: (seam) =>
      pages(seam, (_, changes) => {
        for (const one of changes) change(one, 'stashType', (type) => ((one.lastCharacterName = ''), type));
      }),
  },
];
