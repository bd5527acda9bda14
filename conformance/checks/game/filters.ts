import { check, group, observation } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { sameForEveryClient } from '../../model/one-answer.js';
import { PrerequisiteFailed } from '../../verdict.js';
import { member } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';
import { creations } from './filter-creates.js';
import { model, publicity } from './filter-model.js';
import {
  charsetFilter,
  created,
  filterOf,
  filterPrefix,
  fullFilter,
  fullValidatedFilter,
  idOf,
  keptAsSent,
  secondFilter,
  listed,
  longFilter,
  marksFilter,
  namedFilter,
  nullFilter,
  oddFilter,
  plainFilter,
  publicFilter,
  settled,
  stored,
  tokenOfOther,
  validatedFilter,
  wordyFilter,
} from './filter-pool.js';
import { refusals } from './filter-refusals.js';
import { updates } from './filter-updates.js';

const list = check({
  id: 'FILTER-LIST-001',
  level: 'MUST',
  sentence: 'GET /item-filter returns `filters`, an array of ItemFilter.',
  source: '4.2',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    await plainFilter(run);
    const answer = await run.http.data('listItemFilters');
    for (const filter of run.expect.list(answer, 'filters')) {
      run.expect.that(typeof filter['id'] === 'string', 'an ItemFilter with an id', filter, answer);
      run.expect.that(typeof filter['filter_name'] === 'string', 'an ItemFilter with a filter_name', filter, answer);
    }
    const { id } = await plainFilter(run);
    if (id === undefined) return;
    // They are the account's, whichever client it was that created them.
    const token = await tokenOfOther(run);
    if (token !== undefined) {
      const own = await run.http.data('listItemFilters', { token });
      const there = run.expect.list(own, 'filters').some((filter) => filter['id'] === id);
      run.expect.that(there, 'the filter that another client created for the account', `no ${id} in the list`, own);
    }
    if (!run.oauth.accounts().includes('bob')) return;
    // The filters of the account, and none of another, whether it is private or public.
    const { id: open } = await publicFilter(run);
    const foreign = await run.http.data('listItemFilters', { account: 'bob' });
    const own = [id, open].filter((one) => one !== undefined);
    const seen = run.expect.list(foreign, 'filters').find((filter) => own.includes(String(filter['id'])));
    run.expect.that(!seen, 'no filter of another account', `${String(seen?.['id'])} in the list of bob`, foreign);
  },
});

const single = check({
  id: 'FILTER-GET-001',
  level: 'MUST',
  sentence: 'GET /item-filter/<id> returns `filter`, the ItemFilter of that id with its text.',
  source: '4.2',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    const { id, body } = await created(run, plainFilter);
    const answer = await run.http.data('getItemFilter', { args: { id } });
    run.expect.status(answer, 200);
    run.expect.equal(member(filterOf(answer), 'id'), id, 'the id that was asked for', answer);
    keptAsSent(run, member(filterOf(answer), 'filter'), body['filter'], 'filter', 'the filter text', answer);
    await sameForEveryClient(run, 'getItemFilter', { args: { id } });
  },
});

/** Fields that the list and the single lookup both show. */
const summary = ['id', 'filter_name', 'realm', 'description', 'version', 'type', 'public'] as const;

const sameInList = check({
  id: 'FILTER-GET-002',
  level: 'INFER',
  sentence: 'List and lookup of a filter agree on id, filter_name, realm, description, version, type and public.',
  source: '4.2',
  entailed: '4.2: list and lookup are two ways to ask for one fact, and agree',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    await created(run, plainFilter);
    const filters = await listed(run);
    await run.expect.each(
      ({ filter_name: name }) => `filter ${JSON.stringify(name)}`,
      filters.slice(-8),
      async (filter) => {
        const answer = await run.http.data('getItemFilter', { args: { id: String(filter['id']) } });
        run.expect.status(answer, 200);
        for (const field of summary) {
          run.expect.equal(
            member(filterOf(answer), field) ?? null,
            filter[field] ?? null,
            `${field} as in the list`,
            answer,
          );
        }
      },
    );
  },
});

const unknownId = observation({
  id: 'FILTER-GET-003',
  sentence: "What the lookup of an unknown filter gives is not stated; it shows nobody's filter.",
  source: '4.2',
  gap: 'K-025',
  needs: [['client:confidential', 'client:public'], 'consent'],
  observe: async (run, note) => {
    const answer = await run.http.data('getItemFilter', { args: { id: 'cx-unknown' } });
    const filter = filterOf(answer);
    note(
      `an unknown id is answered ${answer.status}${filter === null ? ' with filter: null' : filter === undefined ? '' : ' with a filter'}`,
    );
  },
});

const foreignRead = check({
  id: 'FILTER-GET-004',
  level: 'INFER',
  sentence: 'A private filter of another account is not returned.',
  source: '4.2',
  entailed: "1, 4.2, 5: a token is of one account, and the filters are that account's",
  gap: 'K-075',
  needs: [['client:confidential', 'client:public'], 'consent', 'second-account'],
  judge: async (run) => {
    if (!run.oauth.accounts().includes('bob')) return run.expect.missing('a second account, bob');
    const { id } = await created(run, plainFilter);
    // Its owner has just seen it, in case a server keeps its answers.
    await stored(run, id);
    const answer = await run.http.data('getItemFilter', { args: { id }, account: 'bob' });
    const seen = member(filterOf(answer), 'id');
    run.expect.that(seen !== id, 'no private filter of another account', seen, answer);
  },
});

const last = check({
  id: 'FILTER-LIST-003',
  level: 'INFER',
  sentence: 'Every created filter is in the list, with what was last written.',
  source: '4.2',
  entailed: '4.2: what was just written is read',
  gap: 'K-073',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    const made = [
      plainFilter,
      fullFilter,
      oddFilter,
      secondFilter,
      publicFilter,
      nullFilter,
      validatedFilter,
      charsetFilter,
      marksFilter,
      longFilter,
      wordyFilter,
      namedFilter,
      fullValidatedFilter,
    ];
    const pooled = await Promise.all(made.map((make) => make(run)));
    const target = await idOf(run, charsetFilter);
    const name = `${await filterPrefix(run)} last write`;
    // The list is seen before the write as well, in case a server keeps it.
    await listed(run);
    const update = await run.http.data('updateItemFilter', {
      args: { id: target },
      body: { filter_name: name, description: 'last' },
    });
    if (update.status !== 200 && update.status !== 202) {
      throw new PrerequisiteFailed(`POST /item-filter/<id> answered ${update.status}`);
    }
    await settled(run, target, update.status === 202, (filter) => filter['filter_name'] === name);
    const filters = await listed(run);
    for (const { id, body } of pooled) {
      if (id === undefined) continue;
      const filter = filters.find((one) => one['id'] === id);
      run.expect.that(
        filter !== undefined,
        `the created filter ${JSON.stringify(body['filter_name'])} in the list`,
        filters.length,
      );
      // The others are written to by other checks of this group.
      if (id !== target) continue;
      run.expect.equal(filter!['filter_name'], name, 'filter_name of the last write in the list');
      run.expect.equal(filter!['description'], 'last', 'description of the last write in the list');
    }
  },
});

/** The result of a validation in the answer to whoever wrote a filter. */
const validOf = (answer: Answer): unknown => member(member(filterOf(answer), 'validation'), 'valid');

/** Filters of the other realms are validated too. A text that is wrong in one of them may be refused. */
async function validatesInRealms(run: Run, judged: (reply: Answer, what: string) => void): Promise<void> {
  for (const make of [plainFilter, fullFilter, secondFilter]) {
    const { id, body } = await created(run, make);
    const answer = await run.http.data('updateItemFilter', {
      args: { id, validate: true },
      body: { filter: body['filter'] },
    });
    if (answer.status === 202 || [400, 422].includes(answer.status)) continue;
    judged(answer, `an update of a filter of realm ${String(body['realm'])}`);
  }
}

const validates = check({
  id: 'FILTER-VALID-001',
  level: 'MUST',
  sentence:
    'validate=true validates against the current game version: the returned filter has `validation` with a boolean `valid`.',
  source: '4.2',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    const { answer, id, body } = await created(run, validatedFilter);
    const judged = (reply: Answer, what: string): void => {
      run.expect.that(
        typeof validOf(reply) === 'boolean',
        `${what} with validate=true: validation with a boolean valid`,
        filterOf(reply),
        reply,
      );
    };
    // A creation may be answered before the filter is validated: then the filter has the result afterwards.
    const later =
      typeof validOf(answer) === 'boolean' ? undefined : await run.http.data('getItemFilter', { args: { id } });
    if (later === undefined || typeof validOf(later) !== 'boolean') judged(answer, 'a creation');
    else
      run.expect.warn('the reply to a creation with validate=true has no result: the filter has it afterwards', answer);
    const update = await run.http.data('updateItemFilter', {
      args: { id, validate: true },
      body: { filter: body['filter'] },
    });
    // 202: further processing is required, so the result may not be there yet.
    if (update.status !== 202) judged(update, 'an update');
    await run.case('in every realm', () => validatesInRealms(run, judged));
    // `the filter` may be that of the body, which has none here.
    const plain = await run.http.data('updateItemFilter', { args: { id, validate: true }, body: {} });
    if (plain.status === 200 && typeof validOf(plain) !== 'boolean')
      run.expect.warn('an update with validate=true and no text in its body does not validate the stored one', plain);
  },
});

const rightAndWrong = check({
  id: 'FILTER-VALID-003',
  level: 'INFER',
  sentence: 'A filter with wrong syntax validates as false, a correct one as true.',
  source: '4.2',
  entailed: '2, 4.2: valid says whether the text is valid, and the target says of two texts which is',
  needs: [['client:confidential', 'client:public'], 'consent', 'known:good_filter', 'known:bad_filter'],
  judge: async (run) => {
    const texts = [
      [run.facts.known('good_filter'), true],
      [run.facts.known('bad_filter'), false],
    ] as const;
    const { id } = await created(run, validatedFilter);
    const create = { filter_name: `${await filterPrefix(run)} validated at once`, realm: 'pc' };
    const { http } = run;
    const sent = texts.flatMap(([filter, expected]) => [
      {
        expected,
        isCreate: false,
        send: () => http.data('updateItemFilter', { args: { id, validate: true }, body: { filter } }),
      },
      {
        expected,
        isCreate: true,
        send: () => http.data('createItemFilter', { args: { validate: true }, body: { ...create, filter } }),
      },
    ]);
    for (const { expected, isCreate, send } of sent) {
      const answer = await send();
      // What may be created is not stated, nor when an update is carried out.
      if (answer.status === 202 || (isCreate && answer.status >= 400)) continue;
      // Nothing says that a filter with wrong syntax is taken.
      if (!expected && [400, 422].includes(answer.status)) continue;
      run.expect.status(answer, 200, 201);
      const valid = validOf(answer);
      // A new filter may be validated later.
      if (isCreate && typeof valid !== 'boolean') continue;
      run.expect.equal(valid, expected, 'validation.valid', answer);
      if (isCreate) continue;
      const plain = await http.data('updateItemFilter', { args: { id, validate: true }, body: {} });
      if (plain.status !== 200 || typeof validOf(plain) !== 'boolean') continue;
      run.expect.equal(validOf(plain), expected, 'validation.valid after an update that leaves the text out', plain);
    }
  },
});

const otherValidate = observation({
  id: 'FILTER-VALID-004',
  sentence: 'What values of validate other than true do is not stated.',
  source: '4.2',
  gap: 'K-069',
  needs: [['client:confidential', 'client:public'], 'consent'],
  observe: async (run, note) => {
    const { id } = await created(run, validatedFilter);
    const told: string[] = [];
    for (const value of ['1', 'false', '']) {
      const answer = await run.http.data('updateItemFilter', { args: { id }, body: {}, query: [['validate', value]] });
      told.push(`validate=${value}: status ${answer.status}`);
    }
    note(told.join('; '));
  },
});

/** Everything that writes filters, one after the other. */
export default group('game/filters', { inOrder: true }, [
  list,
  single,
  sameInList,
  foreignRead,
  unknownId,
  ...creations,
  ...refusals,
  last,
  validates,
  rightAndWrong,
  otherValidate,
  ...updates,
  ...publicity,
  model,
]);
