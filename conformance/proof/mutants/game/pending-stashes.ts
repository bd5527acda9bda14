import type { Realm } from '../../../../src/contract/index.js';
import { changeId, streamOf, visibleLength } from '../../../../src/game/stream.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import { listAt } from '../../interceptor/json.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';

const operation = 'getPublicStashTabs';

const pages = (seam: Interceptor, to: (body: Json, changes: Json[], realm: Realm) => void): void =>
  seam.data(operation, (body, { request }) =>
    to(body, listAt(body, 'stashes'), (/xbox|sony|game2/.exec(request.path)?.[0] ?? 'pc') as Realm),
  );

/** An empty page leads `skipped` of the changes that are held back too far, if more than one is. */
const skips =
  (skipped: number, concerns: (realm: Realm) => boolean = () => true): Mutant['plant'] =>
  (seam) =>
    pages(seam, (body, changes, realm) => {
      const { game } = seam.service;
      const stream = streamOf(game, realm);
      const end = visibleLength(stream, game.now());
      if (changes.length > 0 || stream.length - end < 2 || !concerns(realm)) return;
      body.next_change_id = changeId(Math.min(stream.length, end + skipped), realm, game);
    });

/** Bugs of the stream while changes are held back, and of the streams of other realms than pc. */
export const pendingStashes: readonly Mutant[] = [
  {
    id: 'N-PSTASH-004-burst',
    bug: 'where two changes are held back, an empty page leads past the first of them',
    rows: ['PSTASH-004', 'PSTASH-008'],
    plant: skips(1),
  },
  {
    id: 'N-PSTASH-004-xbox',
    bug: 'where two changes of realm xbox are held back, an empty page leads past them',
    rows: ['PSTASH-004'],
    plant: skips(1000, (realm) => realm === 'xbox'),
  },
  {
    id: 'N-PSTASH-004-sony',
    bug: 'what is new in realm sony never shows',
    rows: ['PSTASH-004', 'PSTASH-UNLIST-004'],
    plant: (seam) =>
      pages(seam, (body, changes, realm) => {
        const { game } = seam.service;
        if (realm !== 'sony') return;
        const events = streamOf(game, realm).length - game.world.publicStashes(realm).changes.length;
        if (events > 0 && changes.length > 0 && changes.length < 50) body.stashes = [];
      }),
  },
  {
    id: 'N-PSTASH-UNLIST-004-xbox',
    bug: 'unlisting in realm xbox is not shown',
    rows: ['PSTASH-UNLIST-004'],
    plant: (seam) =>
      pages(seam, (body, changes, realm) => {
        if (realm === 'xbox') body.stashes = changes.filter((one) => one.public !== false);
      }),
  },
];
