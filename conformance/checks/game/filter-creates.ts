import { check, observation } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import type { JsonObject } from '../../json.js';
import { PrerequisiteFailed } from '../../verdict.js';
import { header, member } from '../../wire/answer.js';
import {
  created,
  filterOf,
  fullFilter,
  keptAsSent,
  secondFilter,
  listed,
  namedFilter,
  longFilter,
  marksFilter,
  nullFilter,
  oddFilter,
  plainFilter,
  fullValidatedFilter,
  publicFilter,
  ruthlessFilter,
  stored,
  validatedFilter,
  wordyFilter,
} from './filter-pool.js';
import type { Pooled } from './filter-pool.js';

const create = check({
  id: 'FILTER-CREATE-001',
  level: 'MUST',
  sentence:
    'POST /item-filter with filter_name, realm and filter succeeds and returns `filter`, an ItemFilter with an id.',
  source: '4.2',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    const { answer } = await plainFilter(run);
    run.expect.status(answer, '2xx');
    run.expect.that(answer.status !== 202, 'a status other than 202, which is for updates', answer.status, answer);
    const id = member(filterOf(answer), 'id');
    run.expect.that(typeof id === 'string' && id !== '', 'filter: an ItemFilter with an id', filterOf(answer), answer);
  },
});

const asSent = check({
  id: 'FILTER-CREATE-002',
  level: 'MUST',
  sentence:
    'filter_name, realm and filter are stored as they were sent: tabs, quotes, backslashes, non-ASCII characters. Other line ends, and blanks cut off at the ends, are a warning.',
  source: '4.2',
  gap: 'K-121',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    let judged = 0;
    for (const make of [plainFilter, oddFilter, longFilter, secondFilter, namedFilter, marksFilter, wordyFilter]) {
      const { body, answer, id } = await make(run);
      // Names and texts may be refused: what they may hold is not stated. What is taken is kept as it is.
      if (answer.status >= 400 && answer.status <= 499) continue;
      if (id === undefined)
        throw new PrerequisiteFailed(`POST /item-filter answered ${answer.status} without a filter id`);
      const read = await run.http.data('getItemFilter', { args: { id } });
      run.expect.status(read, 200);
      judged += 1;
      const { filter, filter_name: name } = (filterOf(read) ?? {}) as JsonObject;
      keptAsSent(run, filter, body['filter'], 'filter', 'the filter text as it was sent', read);
      run.expect.equal(member(filterOf(read), 'realm'), body['realm'], 'realm', read);
      keptAsSent(run, name, body['filter_name'], 'filter_name', 'filter_name', read);
    }
    if (judged === 0) run.expect.notExercised('the server refused every filter');
  },
});

const optional = check({
  id: 'FILTER-CREATE-003',
  level: 'MUST',
  sentence: 'description, version and type, where sent, are stored and returned.',
  source: '4.2',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    for (const make of [fullFilter, fullValidatedFilter]) {
      const { body, answer, id } = await created(run, make);
      const read = await run.facts.once(`the filter ${id} as it was created`, () => stored(run, id));
      for (const field of ['description', 'version', 'type']) {
        run.expect.equal(
          member(filterOf(answer), field),
          body[field],
          `${field} in the answer to the creation`,
          answer,
        );
        run.expect.equal(read[field], body[field], `${field} as stored`);
      }
    }
    // They may be refused for their length or their characters: what is taken is kept.
    for (const other of [await wordyFilter(run), await marksFilter(run)]) {
      if (other.id === undefined) continue;
      const kept = (await stored(run, other.id))['description'];
      run.expect.equal(kept, other.body['description'], 'a description, as it was sent');
    }
  },
});

const realms = check({
  id: 'REALM-FILTER-001',
  level: 'MUST',
  sentence: 'The realm of an item filter may be pc, xbox, sony or game2, and is returned as stored.',
  source: '4.2',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: (run) =>
    run.expect.each(
      'realm $0',
      [
        ['pc', plainFilter],
        ['xbox', fullFilter],
        ['sony', validatedFilter],
        ['game2', secondFilter],
      ] as const,
      async ([, make]) => {
        const { body, answer, id } = await make(run);
        run.expect.status(answer, '2xx');
        run.expect.equal(member(filterOf(answer), 'realm'), body['realm'], 'realm in the answer', answer);
        if (id === undefined) return;
        const read = await run.http.data('getItemFilter', { args: { id } });
        run.expect.equal(member(filterOf(read), 'realm'), body['realm'], 'realm as stored', read);
      },
    ),
});

/** `public` in the answer to a creation, in a lookup and in the list. */
async function shownPublic(run: Run, { answer, id }: Pooled & { readonly id: string }) {
  const inList = (await listed(run)).find((filter) => filter['id'] === id);
  return {
    'the answer to the creation': member(filterOf(answer), 'public'),
    'the lookup': (await stored(run, id))['public'],
    'the list': inList?.['public'],
  };
}

const privateByDefault = check({
  id: 'FILTER-CREATE-004',
  level: 'MUST',
  sentence: 'public defaults to false: after a create without it, or with false, `public` is absent.',
  source: '4.2',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    for (const make of [plainFilter, fullFilter, ruthlessFilter]) {
      const shown = await shownPublic(run, await created(run, make));
      for (const [where, value] of Object.entries(shown)) run.expect.equal(value, undefined, `public in ${where}`);
    }
  },
});

const publicAtOnce = check({
  id: 'FILTER-CREATE-005',
  level: 'MUST',
  sentence: 'A filter created with public=true has `public: true` in the answer, in lookups and in the list.',
  source: '4.2',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    for (const make of [publicFilter, fullValidatedFilter]) {
      const shown = await shownPublic(run, await created(run, make));
      for (const [where, value] of Object.entries(shown)) run.expect.equal(value, true, `public in ${where}`);
    }
  },
});

const typeByDefault = check({
  id: 'FILTER-CREATE-011',
  level: 'INFER',
  sentence: 'Where type is left out, the returned type is Normal or Ruthless.',
  source: '4.2',
  entailed: '2: the type of a filter is Normal or Ruthless',
  gap: 'K-070',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    const { answer } = await created(run, plainFilter);
    const type = member(filterOf(answer), 'type');
    run.expect.that(type === 'Normal' || type === 'Ruthless', 'type Normal or Ruthless', type, answer);
  },
});

const manners = observation({
  id: 'FILTER-CREATE-012',
  sentence: 'Whether a create answers 200 or 201, and what limits there are to size, count and names, is not stated.',
  source: '4.2',
  gap: 'K-070',
  needs: [['client:confidential', 'client:public'], 'consent'],
  observe: async (run, note) => {
    const { answer } = await plainFilter(run);
    const location = header(answer, 'location') === undefined ? 'no Location' : 'a Location';
    note(`a creation is answered ${answer.status} with ${location}`);
  },
});

const nulls = check({
  id: 'FILTER-CREATE-013',
  level: 'INFER',
  sentence: 'Null for an optional member of the body equals leaving it out.',
  source: '4.2',
  entailed: '2, 4.2: a question mark says null or absent, for these members of the body too',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    const { answer, id } = await nullFilter(run);
    run.expect.status(answer, '2xx');
    run.expect.that(id !== undefined, 'a filter with an id', filterOf(answer), answer);
    const omitted = await created(run, plainFilter);
    for (const field of ['description', 'version', 'type', 'public']) {
      const expected = member(filterOf(omitted.answer), field);
      run.expect.equal(member(filterOf(answer), field), expected, `${field} null as if it were left out`, answer);
    }
  },
});

/** The rows about creations that work. */
export const creations = [
  create,
  asSent,
  optional,
  realms,
  privateByDefault,
  publicAtOnce,
  typeByDefault,
  manners,
  nulls,
];
