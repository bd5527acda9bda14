import { check, group } from '../../engine/check.js';
import { areAll } from '../../model/schema.js';
import { askPage, describeNonPage, mostPages, readPage, wholeStream } from '../../model/stream.js';
import { member } from '../../wire/answer.js';

export default group('game/public-stashes', [
  check('PSTASH-001', async (run) => {
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
  }),

  check('PSTASH-002', { requests: mostPages }, async (run) => {
    const { steps, broken } = await wholeStream(run, 'pc');
    run.expect.that(broken === undefined, 'a page for every next_change_id', describeNonPage(broken), broken);
    const stuck = steps.find(({ asked, next, count }) => count > 0 && asked === next);
    run.expect.that(stuck === undefined, 'an id that leads on from a page with stashes', stuck?.next);
    if (steps.length < 2) run.expect.notExercised('the stream is at its end from the start');
  }),

  check('PSTASH-003', async (run) => {
    const { steps, repeated, end, broken } = await wholeStream(run, 'pc');
    run.expect.that(repeated === undefined, 'no id twice before the end of the stream', repeated);
    run.expect.that(broken === undefined, 'pages up to the end of the stream', describeNonPage(broken), broken);
    if (!end) run.expect.notExercised(`the stream has no end within ${steps.length} pages`);
    run.expect.that(true, 'an empty page at the end', steps.length);
  }),

  check('PSTASH-005', async (run) => {
    const { steps, end } = await wholeStream(run, 'pc');
    if (!end) run.expect.notExercised('the walk did not come to the end of the stream');
    let id = steps.at(-1)!.next;
    let quiet = 0;
    for (let poll = 0; poll < 20 && quiet < 3; poll += 1) {
      const page = await readPage(run, 'pc', id);
      run.expect.status(page.answer, 200);
      // A live stream may have gone on meanwhile.
      quiet = page.stashes.length === 0 ? quiet + 1 : 0;
      id = page.next;
    }
    if (quiet < 3) run.expect.notExercised('the stream does not come to rest');
  }),

  check('PSTASH-010', async (run) => {
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
  }),

  check('PSTASH-011', async (run) => {
    const said = async (realm: string, id: string): Promise<string> => {
      const answer = await askPage(run, realm, id);
      const stashes = member(answer.json, 'stashes');
      return `status ${answer.status}, ${Array.isArray(stashes) ? stashes.length : 'no'} stashes`;
    };
    const { steps } = await wholeStream(run, 'pc');
    run.expect.note(`without id: ${steps[0]?.count ?? 'no'} stashes`);
    run.expect.note(`an id that was never given: ${await said('pc', 'cx-no-such-id')}`);
    run.expect.note(`an empty id: ${await said('pc', '')}`);
    const old = steps[1];
    if (old?.asked === undefined) return;
    run.expect.note(`an old id again: ${await said('pc', old.asked)}, ${old.count} before`);
    run.expect.note(`an id of pc in realm xbox: ${await said('xbox', old.asked)}`);
  }),
]);
