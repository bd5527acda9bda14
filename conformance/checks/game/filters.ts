import fc from 'fast-check';

import { check, group } from '../../engine/check.js';
import type { Check } from '../../engine/check.js';
import type { DataRequest, Run } from '../../engine/run.js';
import { Prerequisite } from '../../engine/verdict.js';
import type { RowId } from '../../ledger.gen.js';
import { gBrokenJson, gWord } from '../../generators/data.js';
import { header, member } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';
import { model, publicity } from './filter-model.js';
import {
  charsetFilter,
  filterPrefix,
  fullFilter,
  idOf,
  largeFilter,
  listed,
  namedFilter,
  nothingCreated,
  nullFilter,
  oddFilter,
  plainFilter,
  plainText,
  publicFilter,
  refusedName,
  stored,
  validatedFilter,
} from './filter-pool.js';
import type { Pooled } from './filter-pool.js';
import { updates } from './filter-updates.js';

/** The filter that an answer wraps. */
const filterOf = (answer: Answer): unknown => member(answer.json, 'filter');

/** That a filter was created, which is not the row of whoever builds upon it. */
async function created(run: Run, make: (run: Run) => Promise<Pooled>): Promise<Pooled & { readonly id: string }> {
  const pooled = await make(run);
  return { ...pooled, id: await idOf(run, make) };
}

const list = check(
  'FILTER-LIST-001',
  async (run) => {
    await plainFilter(run);
    const answer = await run.data('listItemFilters');
    for (const filter of run.list(answer, 'filters')) {
      run.that(typeof filter['id'] === 'string', 'an ItemFilter with an id', filter, answer);
      run.that(typeof filter['filter_name'] === 'string', 'an ItemFilter with a filter_name', filter, answer);
    }
  },
  { requests: 2 },
);

const single = check(
  'FILTER-GET-001',
  async (run) => {
    const { id, body } = await created(run, plainFilter);
    const answer = await run.data('getItemFilter', { args: { id } });
    run.status(answer, 200);
    run.equal(member(filterOf(answer), 'id'), id, 'the id that was asked for', answer);
    run.equal(member(filterOf(answer), 'filter'), body['filter'], 'the filter text', answer);
  },
  { requests: 1 },
);

/** Fields that the list and the single lookup both show. */
const summary = ['id', 'filter_name', 'realm', 'description', 'version', 'type', 'public'] as const;

const sameInList = check(
  'FILTER-GET-002',
  async (run) => {
    await created(run, plainFilter);
    const filters = await listed(run);
    await run.each(
      filters.slice(-8),
      ({ filter_name: name }) => `filter ${JSON.stringify(name)}`,
      async (filter) => {
        const answer = await run.data('getItemFilter', { args: { id: String(filter['id']) } });
        run.status(answer, 200);
        for (const field of summary) {
          run.equal(member(filterOf(answer), field) ?? null, filter[field] ?? null, `${field} as in the list`, answer);
        }
      },
    );
  },
  { requests: 10 },
);

const unknownId = check(
  'FILTER-GET-003',
  async (run) => {
    const answer = await run.data('getItemFilter', { args: { id: 'cx-unknown' } });
    const filter = filterOf(answer);
    run.note(
      `an unknown id is answered ${answer.status}${filter === null ? ' with filter: null' : filter === undefined ? '' : ' with a filter'}`,
    );
  },
  { requests: 1 },
);

const create = check(
  'FILTER-CREATE-001',
  async (run) => {
    const { answer } = await plainFilter(run);
    run.status(answer, '2xx');
    run.that(answer.status !== 202, 'a status other than 202, which is for updates', answer.status, answer);
    const id = member(filterOf(answer), 'id');
    run.that(typeof id === 'string' && id !== '', 'filter: an ItemFilter with an id', filterOf(answer), answer);
  },
  { requests: 1 },
);

const asSent = check(
  'FILTER-CREATE-002',
  async (run) => {
    let judged = 0;
    for (const make of [plainFilter, oddFilter, largeFilter, namedFilter]) {
      const { body, answer, id } = await make(run);
      // Names and texts may be refused: what they may hold is not stated. What is taken is kept as it is.
      if (answer.status >= 400 && answer.status <= 499) continue;
      if (id === undefined) throw new Prerequisite(`POST /item-filter answered ${answer.status} without a filter id`);
      const read = await run.data('getItemFilter', { args: { id } });
      run.status(read, 200);
      judged += 1;
      run.equal(member(filterOf(read), 'filter'), body['filter'], 'the filter text, byte for byte', read);
      run.equal(member(filterOf(read), 'realm'), body['realm'], 'realm', read);
      const name = member(filterOf(read), 'filter_name');
      if (typeof name === 'string' && name !== body['filter_name'] && name === String(body['filter_name']).trim()) {
        run.warn('white space around filter_name is cut off');
      } else run.equal(name, body['filter_name'], 'filter_name', read);
    }
    if (judged === 0) run.notExercised('the server refused every filter');
  },
  { requests: 8 },
);

const optional = check(
  'FILTER-CREATE-003',
  async (run) => {
    const { body, answer, id } = await created(run, fullFilter);
    const read = await run.once('the full filter as it was created', () => stored(run, id));
    for (const field of ['description', 'version', 'type']) {
      run.equal(member(filterOf(answer), field), body[field], `${field} in the answer to the creation`, answer);
      run.equal(read[field], body[field], `${field} as stored`);
    }
  },
  { requests: 2 },
);

const realms = check(
  'REALM-FILTER-001',
  (run) =>
    run.each(
      [plainFilter, fullFilter, oddFilter, largeFilter],
      (make) => ['pc', 'xbox', 'sony', 'game2'][[plainFilter, fullFilter, oddFilter, largeFilter].indexOf(make)]!,
      async (make) => {
        const { body, answer, id } = await make(run);
        run.status(answer, '2xx');
        run.equal(member(filterOf(answer), 'realm'), body['realm'], 'realm in the answer', answer);
        if (id === undefined) return;
        const read = await run.data('getItemFilter', { args: { id } });
        run.equal(member(filterOf(read), 'realm'), body['realm'], 'realm as stored', read);
      },
    ),
  { requests: 8 },
);

/** `public` in the answer to a creation, in a lookup and in the list. */
async function shownPublic(run: Run, { answer, id }: Pooled & { readonly id: string }) {
  const inList = (await listed(run)).find((filter) => filter['id'] === id);
  return {
    'the answer to the creation': member(filterOf(answer), 'public'),
    'the lookup': (await stored(run, id))['public'],
    'the list': inList?.['public'],
  };
}

const privateByDefault = check(
  'FILTER-CREATE-004',
  async (run) => {
    for (const make of [plainFilter, fullFilter]) {
      const shown = await shownPublic(run, await created(run, make));
      for (const [where, value] of Object.entries(shown)) run.equal(value, undefined, `public in ${where}`);
    }
  },
  { requests: 6 },
);

const publicAtOnce = check(
  'FILTER-CREATE-005',
  async (run) => {
    const shown = await shownPublic(run, await created(run, publicFilter));
    for (const [where, value] of Object.entries(shown)) run.equal(value, true, `public in ${where}`);
  },
  { requests: 3 },
);

/**
 * A creation that is refused. The control is the creation of the plain filter, which the run makes once: every other
 * one would leave a filter behind. A body that is taken ends the check, before it can happen again.
 */
const refuses = (run: Run) =>
  run.negative<DataRequest | 'as it was made'>({
    valid: () => 'as it was made',
    send: async (request) =>
      request === 'as it was made' ? (await plainFilter(run)).answer : run.data('createItemFilter', request),
    refused: (answer) => run.status(answer, '4xx'),
  });

const minimal = { filter_name: refusedName, realm: 'pc', filter: plainText };

const refusedBodies = (
  row: RowId,
  bodies: (
    run: Run,
  ) => readonly (readonly [what: string, body: unknown])[] | Promise<readonly (readonly [string, unknown])[]>,
): Check =>
  check(
    row,
    (run) =>
      nothingCreated(run, async () => {
        const refuse = await refuses(run);
        for (const [what, body] of await bodies(run)) await refuse(what, () => ({ body }));
      }),
    { requests: 24 },
  );

const subsets = [
  ['filter_name'],
  ['realm'],
  ['filter'],
  ['filter_name', 'realm'],
  ['filter_name', 'filter'],
  ['realm', 'filter'],
  ['filter_name', 'realm', 'filter'],
];

const missingFields = refusedBodies('FILTER-CREATE-006', () =>
  subsets.map((names) => [
    `without ${names.join(' and ')}`,
    Object.fromEntries(Object.entries(minimal).filter(([name]) => !names.includes(name))),
  ]),
);

/** Some words of a generator, the same in every run: each one that is wrongly taken would leave a filter behind. */
const words = (except: readonly string[]): readonly string[] => fc.sample(gWord(except), { numRuns: 5, seed: 12 });

const badRealm = refusedBodies('FILTER-CREATE-007', (run) =>
  ['cx-realm', '', ...words([run.target.names.game2])].map((realm) => [
    `realm ${JSON.stringify(realm)}`,
    { ...minimal, realm },
  ]),
);

const badType = refusedBodies('FILTER-CREATE-008', () =>
  ['ruthless', 'normal', 'RUTHLESS', ...words(['Normal', 'Ruthless'])].map((type) => [
    `type ${JSON.stringify(type)}`,
    { ...minimal, type },
  ]),
);

const mediaType = check(
  'FILTER-CREATE-009',
  (run) =>
    nothingCreated(run, async () => {
      const { answer, id } = await charsetFilter(run);
      run.status(answer, '2xx');
      run.that(id !== undefined, 'a filter with an id, by application/json; charset=utf-8', filterOf(answer), answer);
      const refuse = await refuses(run);
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml', null]) {
        await refuse(type === null ? 'without Content-Type' : `as ${type}`, () => ({
          body: minimal,
          headers: { 'content-type': type },
        }));
      }
    }),
  { requests: 8 },
);

/** Bodies that are no JSON from their first characters on, or that end too soon. */
const broken = fc
  .sample(gBrokenJson(JSON.stringify(minimal)), { numRuns: 12, seed: 8259 })
  .filter((text) => !text.startsWith(JSON.stringify(minimal)));

const wrongTypes = refusedBodies('FILTER-CREATE-010', () => [
  ...[5, true, [refusedName], { a: refusedName }, null].map(
    (value) => [`filter_name ${JSON.stringify(value)}`, { ...minimal, filter_name: value }] as const,
  ),
  ...[[plainText], { a: 1 }, 7, null].map(
    (value) => [`filter ${JSON.stringify(value)}`, { ...minimal, filter: value }] as const,
  ),
  ...[1, ['pc'], null].map((value) => [`realm ${JSON.stringify(value)}`, { ...minimal, realm: value }] as const),
  ['an array around the body', [minimal]],
  ['a JSON string', JSON.stringify(refusedName)],
  ...broken.map((text) => [`the body ${text}`, text] as const),
]);

const typeByDefault = check(
  'FILTER-CREATE-011',
  async (run) => {
    const { answer } = await created(run, plainFilter);
    const type = member(filterOf(answer), 'type');
    run.that(type === 'Normal' || type === 'Ruthless', 'type Normal or Ruthless', type, answer);
  },
  { requests: 1 },
);

const manners = check(
  'FILTER-CREATE-012',
  async (run) => {
    const { answer } = await plainFilter(run);
    const location = header(answer, 'location') === undefined ? 'no Location' : 'a Location';
    run.note(`a creation is answered ${answer.status} with ${location}`);
  },
  { requests: 1 },
);

const nulls = check(
  'FILTER-CREATE-013',
  async (run) => {
    const { answer, id } = await nullFilter(run);
    run.status(answer, '2xx');
    run.that(id !== undefined, 'a filter with an id', filterOf(answer), answer);
    const omitted = await created(run, plainFilter);
    for (const field of ['description', 'version', 'type', 'public']) {
      const expected = member(filterOf(omitted.answer), field);
      run.equal(member(filterOf(answer), field), expected, `${field} null as if it were left out`, answer);
    }
  },
  { requests: 2 },
);

const last = check(
  'FILTER-LIST-003',
  async (run) => {
    const made = [plainFilter, fullFilter, oddFilter, largeFilter, publicFilter, nullFilter, charsetFilter];
    const pooled = await Promise.all(made.map((make) => make(run)));
    const target = await idOf(run, charsetFilter);
    const name = `${await filterPrefix(run)} last write`;
    const update = await run.data('updateItemFilter', {
      args: { id: target },
      body: { filter_name: name, description: 'last' },
    });
    if (update.status !== 200) throw new Prerequisite(`POST /item-filter/<id> answered ${update.status}`);
    const filters = await listed(run);
    for (const { id, body } of pooled) {
      if (id === undefined) continue;
      const filter = filters.find((one) => one['id'] === id);
      run.that(
        filter !== undefined,
        `the created filter ${JSON.stringify(body['filter_name'])} in the list`,
        filters.length,
      );
      // The others are written to by other checks of this group.
      if (id !== target) continue;
      run.equal(filter!['filter_name'], name, 'filter_name of the last write in the list');
      run.equal(filter!['description'], 'last', 'description of the last write in the list');
    }
  },
  { requests: 9 },
);

const validates = check(
  'FILTER-VALID-001',
  async (run) => {
    const { answer, id, body } = await created(run, validatedFilter);
    const judged = (reply: Answer, what: string): void => {
      const valid = member(member(filterOf(reply), 'validation'), 'valid');
      run.that(
        typeof valid === 'boolean',
        `${what} with validate=true: validation with a boolean valid`,
        filterOf(reply),
        reply,
      );
    };
    judged(answer, 'a creation');
    const update = await run.data('updateItemFilter', {
      args: { id, validate: true },
      body: { filter: body['filter'] },
    });
    // 202: further processing is required, so the result may not be there yet.
    if (update.status !== 202) judged(update, 'an update');
  },
  { requests: 2 },
);

const rightAndWrong = check(
  'FILTER-VALID-003',
  async (run) => {
    const texts = [
      [run.known('good_filter'), true],
      [run.known('bad_filter'), false],
    ] as const;
    const { id } = await created(run, validatedFilter);
    for (const [filter, expected] of texts) {
      const answer = await run.data('updateItemFilter', { args: { id, validate: true }, body: { filter } });
      if (answer.status === 202) continue;
      run.status(answer, 200);
      run.equal(member(member(filterOf(answer), 'validation'), 'valid'), expected, 'validation.valid', answer);
    }
  },
  { requests: 3 },
);

const otherValidate = check(
  'FILTER-VALID-004',
  async (run) => {
    const { id } = await created(run, validatedFilter);
    const told: string[] = [];
    for (const value of ['1', 'false', '']) {
      const answer = await run.data('updateItemFilter', { args: { id }, body: {}, query: [['validate', value]] });
      told.push(`validate=${value}: status ${answer.status}`);
    }
    run.note(told.join('; '));
  },
  { requests: 4 },
);

export default group('game/filters', [
  list,
  single,
  sameInList,
  unknownId,
  create,
  asSent,
  optional,
  realms,
  privateByDefault,
  publicAtOnce,
  missingFields,
  badRealm,
  badType,
  mediaType,
  wrongTypes,
  typeByDefault,
  manners,
  nulls,
  last,
  validates,
  rightAndWrong,
  otherValidate,
  ...updates,
  ...publicity,
  model,
]);
