import { check, group, observation } from '../../engine/check.js';
import { areAll } from '../../model/schema.js';
import { askPage, describeNonPage, mostPages, readPage, wholeStream } from '../../model/stream.js';
import { member } from '../../wire/answer.js';

export default group('game/public-stashes', [
  check({
    id: 'PSTASH-001',
    level: 'MUST',
    sentence:
      'GET /public-stash-tabs returns `next_change_id`, a string, and `stashes`, an array of PublicStashChange.',
    source: '4.2',
    needs: ['client:service'],
    judge: async (run) => {
      const { answer, stashes } = await readPage(run, 'pc');
      for (const stash of stashes) {
        const { id, public: listed } = stash;
        run.expect.that(
          typeof id === 'string' && typeof listed === 'boolean',
          'stashes with id and public',
          stash,
          answer,
        );
      }
      const listed = stashes.filter((stash) => stash['public'] === true);
      areAll(run, 'ListedStash', listed, answer);
    },
  }),

  check({
    id: 'PSTASH-002',
    level: 'MUST',
    sentence: 'id is optional, and the next_change_id of any response is a valid id.',
    source: '4.2',
    needs: ['client:service'],
    requests: mostPages,
    judge: async (run) => {
      const { steps, broken } = await wholeStream(run, 'pc');
      run.expect.that(broken === undefined, 'a page for every next_change_id', describeNonPage(broken), broken);
      const stuck = steps.find(({ asked, next, count }) => count > 0 && asked === next);
      run.expect.that(stuck === undefined, 'an id that leads on from a page with stashes', stuck?.next);
      if (steps.length < 2) run.expect.notExercised('the stream is at its end from the start');
    },
  }),

  check({
    id: 'PSTASH-003',
    level: 'INFER',
    sentence:
      'Following next_change_id leads to an empty page, the end of the stream, in finitely many steps and never in a circle.',
    source: '4.2',
    entailed: '4.2: next_change_id pages through the stashes, and an empty page is the end',
    gap: 'K-049',
    needs: ['client:service'],
    judge: async (run) => {
      const { steps, repeated, end, broken } = await wholeStream(run, 'pc');
      run.expect.that(repeated === undefined, 'no id twice before the end of the stream', repeated);
      run.expect.that(broken === undefined, 'pages up to the end of the stream', describeNonPage(broken), broken);
      if (!end) run.expect.notExercised(`the stream has no end within ${steps.length} pages`);
      run.expect.that(true, 'an empty page at the end', steps.length);
    },
  }),

  check({
    id: 'PSTASH-005',
    level: 'INFER',
    sentence:
      'At the end, without changes, a poll keeps answering 200 with an empty array and a usable next_change_id.',
    source: '4.2',
    entailed: '4.2: the end is an empty array, and polling again with the same next_change_id goes on from there',
    gap: 'K-049',
    needs: ['client:service'],
    judge: async (run) => {
      const { steps, end } = await wholeStream(run, 'pc');
      if (!end) run.expect.notExercised('the walk did not come to the end of the stream');
      // What leads on from a page with stashes: an id that leads there again is of a page before the end.
      const walked = new Set(steps.filter(({ count }) => count > 0).map(({ next }) => next));
      let id = steps.at(-1)!.next;
      let quiet = 0;
      for (let poll = 0; poll < 20 && quiet < 3; poll += 1) {
        const page = await readPage(run, 'pc', id);
        run.expect.status(page.answer, 200);
        // A live stream may have gone on meanwhile.
        const isBack = page.stashes.length > 0 && walked.has(page.next);
        run.expect.that(!isBack, `nothing, or what is new, after the end at ${id}`, 'an earlier page', page.answer);
        quiet = page.stashes.length === 0 ? quiet + 1 : 0;
        id = page.next;
      }
      if (quiet < 3) run.expect.notExercised('the stream does not come to rest');
    },
  }),

  check({
    id: 'PSTASH-010',
    level: 'MUST',
    sentence: 'xbox and sony are accepted as the realm of the stream.',
    source: '4.2',
    needs: ['client:service'],
    judge: async (run) => {
      const owners = new Map<unknown, string>();
      for (const realm of ['pc', 'xbox', 'sony']) {
        const page = await readPage(run, realm);
        run.expect.status(page.answer, 200);
        const more = await readPage(run, realm, page.next);
        run.expect.status(more.answer, 200);
        for (const { id } of [...page.stashes, ...more.stashes]) {
          const owner = owners.get(id) ?? realm;
          run.expect.that(
            owner === realm,
            `stashes of realm ${realm}`,
            `${String(id)}, as in realm ${owner}`,
            page.answer,
          );
          owners.set(id, realm);
        }
      }
    },
  }),

  observation({
    id: 'PSTASH-011',
    sentence:
      'What an invalid id does, where the stream starts, whether old ids replay and what an id does in another realm is not stated.',
    source: '4.2',
    gap: 'K-051',
    needs: ['client:service'],
    observe: async (run, note) => {
      const said = async (realm: string, id: string): Promise<string> => {
        const answer = await askPage(run, realm, id);
        const stashes = member(answer.json, 'stashes');
        return `status ${answer.status}, ${Array.isArray(stashes) ? stashes.length : 'no'} stashes`;
      };
      const { steps } = await wholeStream(run, 'pc');
      note(`without id: ${steps[0]?.count ?? 'no'} stashes`);
      note(`an id that was never given: ${await said('pc', 'cx-no-such-id')}`);
      note(`an empty id: ${await said('pc', '')}`);
      const old = steps[1];
      if (old?.asked === undefined) return;
      note(`an old id again: ${await said('pc', old.asked)}, ${old.count} before`);
      note(`an id of pc in realm xbox: ${await said('xbox', old.asked)}`);
    },
  }),
]);
