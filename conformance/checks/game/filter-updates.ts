import { setTimeout as pause } from 'node:timers/promises';

import fc from 'fast-check';

import { check } from '../../engine/check.js';
import type { DataRequest, Run } from '../../engine/run.js';
import type { JsonObject } from '../../json.js';
import { gPartial } from '../../generators/data.js';
import { canonical } from '../../engine/format.js';
import { member } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';
import {
  charsetFilter,
  filterOf,
  filterPrefix,
  fullFilter,
  idOf,
  keptAsSent,
  listed,
  marks,
  nullFilter,
  oddFilter,
  oddWords,
  otherTypes,
  plainFilter,
  plainly,
  publicFilter,
  plainText,
  secondFilter,
  validatedFilter,
  visibleWithin,
  settled,
  stored,
  tokenOfOther,
} from './filter-pool.js';

/** What an update must leave as it was, or set; dates and results of validation are the server's. */
const kept = ['id', 'filter_name', 'realm', 'description', 'version', 'type', 'public', 'filter'] as const;

/**
 * An update. Where its answer says that further processing is required, it has had time for that: what is read of the
 * filter afterwards, by whichever check, is not from before.
 */
export async function send(run: Run, id: string, body: unknown, over: DataRequest = {}): Promise<Answer> {
  const answer = await run.http.data('updateItemFilter', { args: { id }, body, ...over });
  if (answer.status === 202) {
    // What is public stays so, whatever is written (K-071), and an id is the server's.
    const written = kept.filter((field) => !['public', 'id'].includes(field) && member(body, field) !== undefined);
    const isThere = (now: JsonObject): boolean =>
      written.every((field) => canonical(plainly(now[field])) === canonical(plainly(member(body, field))));
    await settled(run, id, true, isThere);
  }
  return answer;
}

/** The filter after an update, as far as the interface tells. */
export const merged = (before: JsonObject, body: JsonObject): JsonObject =>
  Object.fromEntries(kept.map((field) => [field, field in body ? body[field] : before[field]]));

/** The first field of a filter that is not as expected; line ends and blanks at the ends apart (K-121). */
export const oddField = (filter: JsonObject, expected: JsonObject): (typeof kept)[number] | undefined =>
  kept.find((field) => canonical(plainly(filter[field])) !== canonical(plainly(expected[field])));

/** Whether a filter is as expected, field by field. */
const asExpected = (filter: JsonObject, expected: JsonObject): boolean => oddField(filter, expected) === undefined;

/** That what is stored, which it answers, is as expected; the first field that differs is told. */
export async function holdsNow(
  run: Run,
  id: string,
  answer: Answer,
  expected: JsonObject,
  what: string,
): Promise<JsonObject> {
  const filter = await settled(run, id, answer.status === 202, (now) => asExpected(now, expected));
  const late = answer.status === 202 ? `, ${visibleWithin} seconds after its 202` : '';
  for (const field of kept) keptAsSent(run, filter[field], expected[field], field, `${field} ${what}${late}`);
  return filter;
}

/** Any part of a filter's texts and its realm. */
export const gUpdate = (run: Run, prefix: string): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(
      gPartial(prefix),
      fc.option(fc.constantFrom('pc', 'xbox', 'sony', run.facts.target.names.game2), { nil: undefined }),
    )
    .map(([texts, realm]) => ({ ...texts, ...(realm !== undefined && { realm }) }));

/** An update that succeeds, and after which what was sent is there and the rest as it was. */
async function keepsTheRest(
  run: Run,
  id: string,
  body: JsonObject,
  what: string,
  over: DataRequest = {},
): Promise<void> {
  const before = await stored(run, id);
  const answer = await send(run, id, body, over);
  run.expect.status(answer, 200, 202);
  await holdsNow(run, id, answer, merged(before, body), `after an update of ${what}`);
}

/** Each field, and some together. */
async function ofFields(run: Run, id: string, prefix: string): Promise<void> {
  const bodies: readonly JsonObject[] = [
    { description: 'changed' },
    { version: '2.0' },
    { type: 'Normal' },
    ...['xbox', 'sony', run.facts.target.names.game2, 'pc'].map((realm) => ({ realm })),
    { filter_name: `${prefix} renamed` },
    { filter: `${plainText(run)}\n${plainText(run)}` },
    { description: 'two', version: '2.1', type: 'Ruthless', filter_name: `${prefix} renamed again` },
  ];
  for (const body of bodies) await keepsTheRest(run, id, body, Object.keys(body).join());
}

/** What names and texts may hold is not stated, so an update may be refused; then nothing changes. */
async function ofAnyTexts(run: Run, id: string, prefix: string): Promise<void> {
  // What the update before left, where that was as expected.
  let left: JsonObject | undefined;
  const examples: readonly JsonObject[] = [
    { description: '' },
    { version: '' },
    {},
    { filter: `${marks}${plainText(run)}` },
    // What is too long may be refused, and is not cut.
    { filter_name: `${prefix} ${'long name '.repeat(12)}end` },
    { description: `${'a long description '.repeat(40)}end` },
    { filter_name: `${prefix} ${oddWords}` },
    { description: oddWords },
    { description: 'one line\r\nand\tanother\n\nend' },
    { version: '1.10  "b" \\ <c> e\u0301' },
  ];
  await run.expect.property('a partial update', gUpdate(run, prefix), { share: 0.3, examples }, async (body) => {
    const before = left ?? (await stored(run, id));
    left = undefined;
    const answer = await send(run, id, body);
    const refused = answer.status >= 400 && answer.status <= 499;
    const names = Object.keys(body).join() || 'nothing';
    left = await holdsNow(run, id, answer, refused ? before : merged(before, body), `after an update of ${names}`);
  });
}

/** With further processing (interface 4.2): each of the fields is written, and no other. */
async function withProcessing(run: Run, id: string, prefix: string, slow: string): Promise<void> {
  const before = await stored(run, id);
  const body = { filter: slow, filter_name: `${prefix} slow`, description: 'slow', version: '3.1', realm: 'sony' };
  const answer = await send(run, id, body);
  if (answer.status !== 200 && answer.status !== 202) return;
  await holdsNow(run, id, answer, merged(before, body), 'after an update that needs processing');
}

/** Another update while the first is processed may be refused; where it is not, both have been written in the end. */
async function duringProcessing(run: Run, id: string, slow: string): Promise<void> {
  const before = await stored(run, id);
  const text = `${slow}\n`;
  const first = await run.http.data('updateItemFilter', { args: { id }, body: { filter: text } });
  const second = await run.http.data('updateItemFilter', { args: { id }, body: { description: 'quick' } });
  if (first.status !== 202 || second.status < 200 || second.status > 299) return;
  const expected = { ...merged(before, {}), filter: text, description: 'quick' };
  await settled(run, id, true, (now) => asExpected(now, expected));
  await pause(750);
  await holdsNow(run, id, first, expected, 'after two updates');
}

/**
 * Two updates of different fields at the same moment: what each leaves out keeps its value, which is that of the other. One
 * may be refused. Nothing is said of requests at one moment, so one that is lost is told and fails nobody.
 */
async function atOnce(run: Run, id: string): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    const before = await stored(run, id);
    const bodies: readonly JsonObject[] = [{ description: `at once ${turn}` }, { version: `4.${turn}` }];
    const answers = await Promise.all(bodies.map((body) => run.http.data('updateItemFilter', { args: { id }, body })));
    const taken = bodies.filter((_, at) => answers[at]!.status < 300);
    const expected = taken.reduce(merged, before);
    const isLate = answers.some(({ status }) => status === 202);
    const filter = await settled(run, id, isLate, (now) => asExpected(now, expected));
    const lost = oddField(filter, expected);
    if (lost !== undefined) return run.expect.warn(`of two updates at once, that of ${lost} is lost`, answers[0]);
  }
}

const partial = check({
  id: 'FILTER-UPDATE-001',
  level: 'MUST',
  sentence: 'POST /item-filter/<id> is a partial update: what is sent changes, what is left out keeps its value.',
  source: '4.2',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    const id = await idOf(run, fullFilter);
    const prefix = await filterPrefix(run);
    await run.case('some fields', () => ofFields(run, id, prefix));
    const token = await tokenOfOther(run);
    if (token !== undefined)
      await run.case('another client', () =>
        keepsTheRest(run, id, { description: 'by another' }, 'description', { token }),
      );
    await run.case('validate=true', () =>
      keepsTheRest(run, id, { description: 'validated' }, 'description', { args: { id, validate: true } }),
    );
    await run.case('at once', () => atOnce(run, id));
    await run.case('any texts', () => ofAnyTexts(run, id, prefix));
    const { slow_filter: slow } = run.facts.target.known;
    if (slow === undefined) return;
    await run.case('with processing', () => withProcessing(run, id, prefix, slow));
    await run.case('during processing', () => duringProcessing(run, id, slow));
  },
});

const nothing = check({
  id: 'FILTER-UPDATE-002',
  level: 'MUST',
  sentence: 'All members of an update are optional: `{}` succeeds and changes nothing.',
  source: '4.2',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    const id = await idOf(run, fullFilter);
    const before = await stored(run, id);
    const answer = await send(run, id, {});
    run.expect.status(answer, 200, 202);
    await holdsNow(run, id, answer, before, 'after an update of nothing');
  },
});

const publish = check({
  id: 'FILTER-UPDATE-003',
  level: 'MUST',
  sentence: 'public=true in an update publishes a private filter.',
  source: '3,4.2',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    const id = await idOf(run, nullFilter);
    const written = await send(run, id, { description: 'to publish', version: '3.9', type: 'Normal' });
    const held = written.status === 200 ? await stored(run, id) : undefined;
    const answer = await send(run, id, { public: true });
    run.expect.status(answer, 200, 202);
    if (held)
      await run.case('alone', () =>
        holdsNow(run, id, answer, merged(held, { public: true }), 'after an update of public'),
      );
    const filter = await settled(run, id, answer.status === 202, (now) => now['public'] === true);
    run.expect.equal(filter['public'], true, 'public after it was set to true');
    // What is processed further need not be there yet.
    const told = member(filterOf(answer), 'public');
    if (answer.status === 200 && typeof told !== 'boolean')
      run.expect.warn('the answer to an update with public: true does not tell that the filter is public', answer);
    else if (answer.status === 200) run.expect.equal(told, true, 'public in the answer', answer);
    // It is one field of the update among others.
    const other = await idOf(run, validatedFilter);
    const before = await stored(run, other);
    const body = { public: true, description: 'published', version: '4.0' };
    const more = await send(run, other, body);
    run.expect.status(more, 200, 202);
    await holdsNow(run, other, more, merged(before, body), 'after an update with public and more');
  },
});

const wrapped = check({
  id: 'FILTER-UPDATE-004',
  level: 'MUST',
  sentence: 'An update returns `filter`, an ItemFilter, and perhaps `error`.',
  source: '4.2',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    const id = await idOf(run, charsetFilter);
    const bodies: readonly JsonObject[] = [
      { description: 'told once' },
      { description: 'told again', version: '5.0', type: 'Ruthless', filter_name: `${await filterPrefix(run)} told` },
    ];
    for (const body of bodies) {
      const answer = await send(run, id, body);
      // What is processed further is not there yet.
      if (answer.status === 202) continue;
      for (const [field, sent] of Object.entries(body)) {
        const told = member(filterOf(answer), field) ?? sent;
        run.expect.equal(told, sent, `the ${field} as the update sent it`, answer);
      }
    }
    const { slow_filter: slow } = run.facts.target.known;
    for (const filter of [plainText(run), ...(slow === undefined ? [] : [slow])]) {
      const answer = await send(run, id, { filter });
      run.expect.has(answer, 'filter');
      const wrapper = member(answer.json, 'filter');
      run.expect.equal(member(wrapper, 'id'), id, 'the id of the filter', answer);
      run.expect.that(typeof member(wrapper, 'filter_name') === 'string', 'filter: an ItemFilter', wrapper, answer);
      const error = member(answer.json, 'error') ?? null;
      run.expect.that(
        typeof error === 'object' && !Array.isArray(error),
        'error: an object, null or absent',
        error,
        answer,
      );
    }
  },
});

/** That a filter is as it was; an earlier update, which was right, may still be under way. */
const unchanged = (run: Run, id: string, before: JsonObject) => async (): Promise<void> => {
  const now = await settled(run, id, true, (filter) => asExpected(filter, before));
  for (const field of kept) run.expect.equal(now[field], before[field], `${field} as it was`);
};

const mediaType = check({
  id: 'FILTER-UPDATE-007',
  level: 'INFER',
  sentence: 'Content-Type application/json is required for updates too; any other is refused and nothing changes.',
  source: '4.2',
  entailed: '4.2: the header is required for updates as for creation',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    const id = await idOf(run, fullFilter);
    const body = { description: 'by the right type' };
    const before = merged(await stored(run, id), body);
    const refuse = await run.expect.negative<DataRequest>({
      valid: () => ({ body }),
      send: (request) => send(run, id, request.body, request),
      refused: (answer) => run.expect.status(answer, '4xx'),
      unharmed: unchanged(run, id, before),
    });
    for (const type of [...otherTypes, null]) {
      await refuse(type === null ? 'without Content-Type' : `as ${type}`, () => ({
        body: { description: 'by another type' },
        headers: { 'content-type': type },
      }));
    }
  },
});

const atomic = check({
  id: 'FILTER-UPDATE-008',
  level: 'INFER',
  sentence: 'A refused update changes nothing, whatever else its body holds.',
  source: '4.2',
  entailed: '4.2: what was last written is read, and a refused update wrote nothing',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    const id = await idOf(run, fullFilter);
    const before = await stored(run, id);
    const refuse = await run.expect.negative<JsonObject>({
      valid: () => ({}),
      send: (body) => send(run, id, body),
      refused: (answer) => run.expect.status(answer, '4xx'),
      unharmed: unchanged(run, id, before),
    });
    const half = `${await filterPrefix(run)} half`;
    const text = `${plainText(run)}\n# half\n`;
    const other = before['type'] === 'Normal' ? 'Ruthless' : 'Normal';
    const bad: readonly JsonObject[] = [
      { description: 'half', realm: 'cx-realm' },
      { description: 'half', type: 'cx-type' },
      { version: 'half', type: 'ruthless' },
      { description: 'half', filter: 5 },
      { filter: `${plainText(run)}\n`, filter_name: [] },
      { filter_name: half, description: 'half', version: 'half', type: other, filter: text, realm: 'cx-realm' },
      { filter_name: half, description: 'half', version: 'half', realm: 'sony', filter: text, type: 'cx-type' },
      { filter_name: half, realm: 'sony', type: other, description: 5 },
      { filter: text, filter_name: half, realm: 'PC' },
    ];
    for (const body of bad) await refuse(`the update ${JSON.stringify(body)}`, () => body);
  },
});

const foreign = check({
  id: 'FILTER-UPDATE-009',
  level: 'INFER',
  sentence: 'The filter of another account cannot be updated.',
  source: '4.2',
  entailed: "1, 4.2, 5: a token is of one account, and the filters are that account's",
  needs: [['client:confidential', 'client:public'], 'consent', 'second-account'],
  judge: async (run) => {
    if (!run.oauth.accounts().includes('bob')) return run.expect.missing('a second account, bob');
    const id = await idOf(run, plainFilter);
    const before = await stored(run, id);
    const refuse = await run.expect.negative<DataRequest>({
      valid: () => ({}),
      send: (over) => send(run, id, { description: before['description'] }, over),
      refused: (answer) => {
        const seen = member(member(answer.json, 'filter'), 'id');
        run.expect.that(seen !== id, 'no filter of another account', seen, answer);
      },
      unharmed: unchanged(run, id, before),
    });
    await refuse('an update by another account', () => ({ account: 'bob', body: { description: 'foreign' } }));
    // Others may read a public one perhaps; it is the account's all the same.
    const open = await idOf(run, publicFilter);
    const was = await stored(run, open);
    await run.http.data('updateItemFilter', { args: { id: open }, body: { description: 'foreign' }, account: 'bob' });
    await unchanged(run, open, was)();
  },
});

const steady = check({
  id: 'FILTER-UPDATE-010',
  level: 'INFER',
  sentence: 'The id of a filter stays the same over updates, and an `id` in the body has no effect.',
  source: '4.2',
  entailed: '4.2: the id names what is updated, and is no member of the body',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    const id = await idOf(run, fullFilter);
    const other = await idOf(run, secondFilter);
    const [before, otherBefore] = [await stored(run, id), await stored(run, other)];
    const idsBefore = new Set((await listed(run)).map((filter) => filter['id']));
    const body = { description: 'with an id' };
    const answer = await send(run, id, { ...body, id: other });
    // A server that refuses a field that it does not know keeps to this as well.
    if (answer.status < 400) run.expect.equal(member(member(answer.json, 'filter'), 'id'), id, 'the same id', answer);
    await holdsNow(
      run,
      id,
      answer,
      answer.status < 400 ? merged(before, body) : before,
      'after an update with an id in the body',
    );
    await unchanged(run, other, otherBefore)();
    const copies = (await listed(run)).filter(
      (filter) => !idsBefore.has(filter['id']) && filter['filter_name'] === before['filter_name'],
    );
    run.expect.that(copies.length === 0, 'an update that adds no filter to the list', copies, answer);
    // A new name is none of the id, of a public filter either.
    const open = await idOf(run, publicFilter);
    const was = await stored(run, open);
    const renamed = await send(run, open, { filter_name: `${await filterPrefix(run)} renamed` });
    if (renamed.status >= 400) return;
    run.expect.equal(member(member(renamed.json, 'filter'), 'id'), open, 'the same id under another name', renamed);
    await send(run, open, { filter_name: was['filter_name'] });
    await unchanged(run, open, was)();
  },
});

const unknownId = check({
  id: 'FILTER-UPDATE-011',
  level: 'INFER',
  sentence: 'What the update of an unknown filter gives is not stated; it creates nothing.',
  source: '4.2',
  entailed: '4.2: the id names the filter that is updated, and POST /item-filter is what creates one',
  gap: 'K-025',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    const unknown = 'cx-unknown';
    const before = new Set((await listed(run)).map(({ id }) => id));
    const name = `${await filterPrefix(run)} of an unknown id`;
    const body = { filter_name: name, realm: 'pc', filter: plainText(run) };
    const answer = await send(run, unknown, body);
    const created = (await listed(run)).filter(
      ({ id, filter_name }) => !before.has(id) && (id === unknown || filter_name === name),
    );
    run.expect.that(created.length === 0, `no filter by the update of the unknown ${unknown}`, created, answer);
    const read = member((await run.http.data('getItemFilter', { args: { id: unknown } })).json, 'filter');
    run.expect.that(member(read, 'filter_name') !== name, `no filter ${unknown}`, read, answer);
    run.expect.note(`an update of an unknown id is answered ${answer.status}`);
  },
});

const storedText = check({
  id: 'FILTER-UPDATE-012',
  level: 'MUST',
  sentence: '`filter` in the answers to creates and updates, if present, is the stored text.',
  source: '4.2',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    const shows = (answer: Answer, text: unknown, what: string): void => {
      // What is processed further is stored when that is over (4.2).
      if (answer.status === 202) return;
      const shown = member(member(answer.json, 'filter'), 'filter');
      if (shown === undefined || shown === null) run.expect.that(true, 'no filter text', shown);
      else keptAsSent(run, shown, text, 'filter', `the filter text in the answer to ${what}`, answer);
    };
    for (const make of [plainFilter, oddFilter, fullFilter]) {
      const { answer, id, body } = await make(run);
      if (id !== undefined) shows(answer, body['filter'], 'a creation');
    }
    const id = await idOf(run, fullFilter);
    const filter = `${plainText(run)}\r\n`;
    shows(await send(run, id, { filter }), filter, 'an update of the text');
    const { filter: text } = await stored(run, id);
    shows(await send(run, id, { version: '3' }), text, 'an update of something else');
  },
});

const processed = check({
  id: 'FILTER-UPDATE-013',
  level: 'MUST',
  sentence: 'An update that needs further processing is answered with 202.',
  source: '7',
  gap: 'K-068',
  needs: [['client:confidential', 'client:public'], 'consent', 'known:slow_filter'],
  judge: async (run) => {
    const id = await idOf(run, fullFilter);
    const { slow_filter: slow = '' } = run.facts.target.known;
    await send(run, id, { filter: plainText(run) });
    const first = await send(run, id, { filter: slow });
    // A text that was processed before may need it no more: one that nobody has sent yet does.
    const fresh = `${slow}\n# ${await filterPrefix(run)} processed\n`;
    const answer = first.status === 200 ? await send(run, id, { filter: fresh }) : first;
    run.expect.status(answer, 202);
  },
});

/** The rows about updates. */
export const updates = [
  partial,
  nothing,
  publish,
  wrapped,
  mediaType,
  atomic,
  foreign,
  steady,
  unknownId,
  storedText,
  processed,
];
