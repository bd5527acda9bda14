import type { Realm } from '../../../../src/contract/index.js';
import { changeId, streamOf, visibleLength } from '../../../../src/game/stream.js';
import type { DataReply, Interceptor, Json } from '../../interceptor/interceptor.js';
import { listAt } from '../../interceptor/json.js';
import { realmOf } from '../../interceptor/who.js';
import { mutants, operator, together } from '../../mutant.js';
import { list, reply, set } from '../../operators/replies.js';
import type { When } from '../../operators/requests.js';
import { clock, ignoreParameter, refuse, request } from '../../operators/requests.js';

const stream = 'getPublicStashTabs';

/** How many changes of a realm can be seen. */
const visible = ({ service: { game } }: Interceptor, realm: Realm): number =>
  visibleLength(streamOf(game, realm), game.now());

/** Pages are read from another position than the one that is asked for. */
const moved = operator('moved', (at, to: (position: number, realm: Realm, at: Interceptor) => number) =>
  request(stream, (one) => {
    const { query } = one;
    const id = query.get('id');
    if (id === null) return;
    const realm = realmOf({ request: one });
    query.set('id', changeId(to(Number(id.split('-')[0]), realm, at), realm, at.service.game));
    one.query = query;
  }),
);

/** Changes of one kind, and what follows them, show `ms` after they happened. */
const early = operator('early', (at, op: 'list' | 'update' | 'unlist', ms: number) =>
  at.game((game, acted) => ({
    now() {
      const now = game.now();
      const { current } = at;
      if (current?.operation !== stream) return now;
      const changes = streamOf({ ...game, now: () => now }, realmOf({ request: current }));
      const next = visibleLength(changes, now);
      if (next >= changes.length || changes.at(next).op !== op) return now;
      acted();
      return now + 300_000 - ms;
    },
  })),
);

/** The empty pages at the end. */
const emptyPage = operator(
  'emptyPage',
  (at, change: (body: Json, context: DataReply, at: Interceptor) => void, when: When = {}) =>
    reply(
      stream,
      (body, context) => {
        if (listAt(body, 'stashes').length === 0) change(body, context, at);
      },
      when,
    ),
);

/** An empty page leads `skipped` of the changes that are held back too far, if more than one is. */
const skips = operator('skips', (at, skipped: number, when: When = {}) =>
  emptyPage((body, context) => {
    const realm = realmOf(context);
    const { length } = streamOf(at.service.game, realm);
    const end = visible(at, realm);
    if (length - end >= 2) body.next_change_id = changeId(Math.min(length, end + skipped), realm, at.service.game);
  }, when),
);

/** The stream as a client follows it: its ids, its end, its delay and its order. */
export const streamChain = mutants({
  'PSTASH-001 M-PS-06: next_change_id is a number': () =>
    set(stream, 'next_change_id', (id: string) => Number(id.split('-')[0])),
  'PSTASH-001 length: the number of stashes is in their place': () =>
    set(stream, 'stashes', (all: Json[]) => all.length),
  'PSTASH-002 M-PS-15: the parameter id is ignored': () => ignoreParameter(stream, 'id').also('PSTASH-003'),
  'PSTASH-002 later: the id of the second page is refused': () => refuse(stream, { id: /^34-/ }),
  'PSTASH-003 cycle: after a few pages the stream begins anew': () => moved((position) => position % 200),
  'PSTASH-003 N-PSTASH-005-status: at the end the status is 404': () =>
    emptyPage((_, { reply: one }) => void (one.status = 404)),
  'PSTASH-003 N-PSTASH-005-null: at the end next_change_id is null': () =>
    emptyPage((body) => void (body.next_change_id = null)),
  'PSTASH-003 N-PSTASH-005-list: at the end stashes is left out': () => emptyPage((body) => void delete body.stashes),
  'PSTASH-005 start: the id at the end leads back to the start': () =>
    emptyPage((body, context, at) => void (body.next_change_id = changeId(0, realmOf(context), at.service.game))),
  'PSTASH-005 empty: the id at the end is an empty text': () => emptyPage((body) => void (body.next_change_id = '')),
  'PSTASH-004 M-PS-05: the id at the end passes over what comes until it is used': () =>
    together(
      request(stream, (one, at) => {
        const { query } = one;
        if (!query.get('id')?.startsWith('end-')) return;
        const realm = realmOf({ request: one });
        query.set('id', changeId(visible(at, realm), realm, at.service.game));
        one.query = query;
      }),
      emptyPage((body, _, at) => void (body.next_change_id = `end-${at.service.authority.newId(8)}`)),
    ).also('PSTASH-008'),
  'PSTASH-004 kept: a page that was empty is kept for its id': (kept = new Map<string, Json>()) =>
    reply(stream, (body, { request: { url } }) => {
      const found = kept.get(url);
      if (!found && listAt(body, 'stashes').length === 0) kept.set(url, structuredClone(body));
      return found && structuredClone(found);
    }).also('PSTASH-008'),
  'PSTASH-004 burst: where two changes are held back, an empty page leads past the first of them': () =>
    skips(1).also('PSTASH-008'),
  'PSTASH-004 xbox: where two changes of realm xbox are held back, an empty page leads past them': () =>
    skips(1000, { realm: 'xbox' }),
  'PSTASH-004 sony: what is new in realm sony never shows': () =>
    list(
      stream,
      'stashes',
      (changes, _, { service: { game } }) => {
        const isNew = streamOf(game, 'sony').length > game.world.publicStashes('sony').changes.length;
        return isNew && changes.length < 50 ? [] : changes;
      },
      { realm: 'sony' },
    ).also('PSTASH-UNLIST-004'),
  'PSTASH-007 M-PS-09: changes are shown without a delay': () => clock(stream, 300_000),
  'PSTASH-007 M-PS-10: changes are shown after five hours': () => clock(stream, -5 * 3_600_000 + 300_000),
  'PSTASH-007 unlist: unlistings show at once': () => early('unlist', 0),
  'PSTASH-007 update: updates show at once': () => early('update', 0),
  'PSTASH-007 four: listings show after four minutes': () => early('list', 240_000),
  'PSTASH-007 state: a listing shows that the stash was unlisted meanwhile': () =>
    list(stream, 'stashes', (shown, context, at) => {
      const realm = realmOf(context);
      const changes = streamOf(at.service.game, realm);
      const unlisted = new Set<unknown>();
      for (let index = visible(at, realm); index < changes.length; index += 1) {
        const { op, stash } = changes.at(index);
        if (op === 'unlist') unlisted.add(stash);
      }
      return shown.map((one) => (unlisted.has(one.id) ? { id: one.id, public: false } : one));
    }),
  'PSTASH-008 M-PS-11: the last change of a full page is lost': () =>
    list(stream, 'stashes', (changes) => (changes.length === 25 ? changes.slice(0, -1) : changes)),
  'PSTASH-008 second: changes of the second in which a page ends are passed over': () =>
    moved((position, realm, at) => {
      const changes = streamOf(at.service.game, realm);
      const second = (index: number): number => Math.floor(changes.at(index).at / 1000);
      const end = visible(at, realm);
      let next = position;
      const last = position > 0 ? second(position - 1) : undefined;
      while (next < end && second(next) === last) next += 1;
      return next;
    }),
  'PSTASH-008 old: an id that lies more than thirty changes back leads to the end': () =>
    moved((position, realm, at) => {
      const end = visible(at, realm);
      return position > 600 && position < end - 30 ? end : position;
    }),
  'PSTASH-008 N-PSTASH-009-listed: a stash that is listed again within the delay is lost': () =>
    list(stream, 'stashes', (shown, context, at) => {
      const changes = streamOf(at.service.game, realmOf(context));
      const times = new Map<unknown, number>();
      for (let index = 0; index < changes.length; index += 1) {
        const { op, stash, at: time } = changes.at(index);
        if (op === 'unlist') times.set(stash, time);
        else if (time - (times.get(stash) ?? -Infinity) < 300_000) times.set(stash, Infinity);
      }
      return shown.filter(({ id, public: is }) => !(is === true && times.get(id) === Infinity));
    }).also('PSTASH-009'),
  'PSTASH-010: the stream of realm sony is refused': () => refuse(stream, { realm: 'sony' }),
  'PSTASH-010 id: the ids of realm xbox are good in realm pc only': () => refuse(stream, { realm: 'xbox', id: /^/ }),
  'PSTASH-010 pc: the stream of every realm is that of pc': () =>
    request(stream, (one) => void (one.path = one.path.replace(/\/(xbox|sony)$/, ''))),
  'PSTASH-012 M-PS-12: a stash is shown once more as it was, after it was shown as it is': (
    before = new Map<unknown, Json>(),
  ) =>
    list(stream, 'stashes', (changes) => {
      const stale: Json[] = [];
      for (const one of changes) {
        const old = before.get(one.id);
        if (one.public === false) before.delete(one.id);
        else before.set(one.id, one);
        if (one.public === true && old && JSON.stringify(old) !== JSON.stringify(one)) stale.push(old);
      }
      return [...changes, ...stale];
    }),
  'PSTASH-012 back: an unlisted stash is listed once more on the page after': (listed = new Map<unknown, Json>()) =>
    list(stream, 'stashes', (changes) => {
      const stale = changes.filter(({ id, public: is }) => is === false && listed.has(id));
      for (const one of changes) if (one.public === true) listed.set(one.id, one);
      return [...changes, ...stale.map(({ id }) => structuredClone(listed.get(id)))];
    }),
});
