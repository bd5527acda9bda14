import fc from 'fast-check';

import { check } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import type { JsonObject } from '../../json.js';
import { PrerequisiteFailed } from '../../verdict.js';
import { member } from '../../wire/answer.js';
import {
  filterPrefix,
  fullFilter,
  idOf,
  keptAsSent,
  secondFilter,
  listed,
  plainText,
  publicFilter,
  stored,
  validatedFilter,
} from './filter-pool.js';
import { gUpdate, holdsNow, merged, oddField, send } from './filter-updates.js';

/** The public filter; that it can be made public is another row. */
async function publicId(run: Run): Promise<string> {
  const id = await idOf(run, publicFilter);
  const isPublic = async (): Promise<boolean> => (await stored(run, id))['public'] === true;
  if (await isPublic()) return id;
  await send(run, id, { public: true });
  if (!(await isPublic())) throw new PrerequisiteFailed('no filter could be made public');
  return id;
}

/** Neither a validation that fails nor further processing makes it private. */
async function afterTexts(run: Run, id: string): Promise<void> {
  const { bad_filter: bad, slow_filter: slow } = run.facts.target.known;
  const staysPublic = async (what: string): Promise<void> =>
    run.expect.equal((await stored(run, id))['public'], true, `public after an update of the text${what}`);
  for (const filter of [bad, slow, plainText(run)]) {
    if (filter === undefined) continue;
    await send(run, id, { filter }, { args: { id, validate: true } });
    await staysPublic(' with validate=true');
    await send(run, id, { filter });
    await staysPublic('');
  }
}

const gPublicUpdates = (run: Run, prefix: string): fc.Arbitrary<JsonObject[]> =>
  fc.array(
    fc.record(
      {
        public: fc.constantFrom<unknown>(false, null, 0, 'false', '', true, []),
        filter_name: fc.constantFrom(`${prefix} public`, `${prefix} open`),
        description: fc.constantFrom('a', 'b'),
        version: fc.constantFrom('1', '2'),
        filter: fc.constantFrom(plainText(run), `${plainText(run)}\n${plainText(run)}`),
        realm: fc.constantFrom('pc', 'xbox', 'sony'),
        type: fc.constantFrom('Normal', 'Ruthless'),
      },
      { requiredKeys: [] },
    ),
    { minLength: 1, maxLength: 3 },
  );

async function afterUpdates(run: Run, id: string): Promise<void> {
  const prefix = await filterPrefix(run);
  const examples: JsonObject[][] = [
    [{ public: null }],
    [{ public: false }],
    // With one other member each.
    ...[{ filter_name: `${prefix} public` }, { version: '2' }, { filter: plainText(run) }].map((more) => [
      { ...more, public: false },
    ]),
    [{ description: 'a' }, { description: 'b' }],
    [{}],
    [{ filter: `${plainText(run)}\n` }],
    [{ realm: 'sony' }, { realm: 'pc' }],
    [{ type: 'Ruthless' }, { type: 'Normal' }],
  ];
  await run.expect.property(
    'updates of a public filter',
    gPublicUpdates(run, prefix),
    { share: 0.12, examples },
    async (bodies) => {
      for (const [index, body] of bodies.entries()) {
        // Some with validation.
        await send(run, id, body, index === 1 ? { args: { id, validate: true } } : {});
        const filter = await stored(run, id);
        run.expect.equal(filter['public'], true, `public after the update ${JSON.stringify(body)}`);
      }
    },
  );
}

const stays = check({
  id: 'FILTER-PUBLIC-001',
  level: 'MUST',
  sentence: 'A public filter never becomes private again, whatever updates follow (public false, null or left out).',
  source: '3',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    const id = await publicId(run);
    await run.case('updates of the text', () => afterTexts(run, id));
    await run.case('any updates', () => afterUpdates(run, id));
  },
});

const notPrivate = check({
  id: 'FILTER-PUBLIC-002',
  level: 'INFER',
  sentence: 'public=false in an update is refused with 4xx, and nothing changes.',
  source: '3,4.2',
  entailed: '3, 4.2: public must be true if present, and a public filter is never private again',
  gap: 'K-071',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    const judged: readonly (readonly [name: string, id: string, query: Readonly<Record<string, boolean>>])[] = [
      ['a public filter', await publicId(run), {}],
      ['a public filter that was validated', await idOf(run, validatedFilter), { validate: true }],
    ];
    for (const [name, id, query] of judged) await run.case(name, () => neverPrivate(run, id, query));
  },
});

/** An update that would make a filter private is refused, and changes nothing. */
async function neverPrivate(run: Run, id: string, query: Readonly<Record<string, boolean>>): Promise<void> {
  const refuse = await run.expect.negative<JsonObject>({
    valid: () => ({ public: true }),
    send: (body) => send(run, id, body, { args: { id, ...query } }),
    refused: (answer) => {
      if (answer.status >= 200 && answer.status <= 299) {
        // To leave it as it is without a word is a reading too (K-071); to say that it is private is none.
        run.expect.that(
          member(member(answer.json, 'filter'), 'public') !== false,
          'public true or left out',
          false,
          answer,
        );
        run.expect.warn('public: false in an update is taken without an error, and changes nothing', answer);
      } else run.expect.status(answer, '4xx');
    },
    unharmed: async () => run.expect.equal((await stored(run, id))['public'], true, 'public as it was'),
  });
  await refuse('an update with public: false', () => ({ public: false }));
  const before = await stored(run, id);
  const answer = await refuse('an update with public: false and more', () => ({
    description: 'half',
    public: false,
  }));
  if (answer.status < 400) return;
  run.expect.equal(
    (await stored(run, id))['description'],
    before['description'],
    'description after a refusal',
    answer,
  );
}

/** The rows about what is public for ever. */
export const publicity = [stays, notPrivate];

type FilterStep =
  | { readonly do: 'update'; readonly which: number; readonly body: JsonObject }
  | { readonly do: 'get'; readonly which: number }
  | { readonly do: 'list' };

/** Fields that the list shows as well. */
const summary = ['filter_name', 'realm', 'description', 'version', 'type', 'public'] as const;

/** Sequences of updates, lookups and lists against a map from id to what was written last. */
/** That a filter is as it was written last. */
function isWritten(run: Run, filter: JsonObject, expected: JsonObject): void {
  const field = oddField(filter, expected);
  run.expect.that(
    field === undefined,
    `${field} as it was written last: ${JSON.stringify(expected[field!])}`,
    filter[field!],
  );
}

export const model = check({
  id: 'FILTER-MODEL-001',
  level: 'INFER',
  sentence: 'Any sequence of creates, updates, lookups and lists agrees with a plain map of filters.',
  source: '3,4.2',
  entailed: '4.2: what was just written is read, in lists and lookups alike',
  gap: 'K-072',
  needs: [['client:confidential', 'client:public'], 'consent', 'scope:account:item_filter'],
  judge: async (run) => {
    const prefix = await filterPrefix(run);
    const ids = [await idOf(run, fullFilter), await idOf(run, secondFilter), await idOf(run, validatedFilter)] as const;
    const which = fc.nat({ max: ids.length - 1 });
    const step: fc.Arbitrary<FilterStep> = fc.oneof(
      { weight: 4, arbitrary: fc.record({ do: fc.constant('update'), which, body: gUpdate(run, prefix) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('get'), which }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('list') }) },
    ) as fc.Arbitrary<FilterStep>;
    await run.expect.property(
      'a sequence of updates, lookups and lists',
      fc.array(step, { minLength: 4, maxLength: 10 }),
      { share: 0.1 },
      async (steps) => {
        const read = (): Promise<readonly JsonObject[]> => run.http.atOnce(ids, (id) => stored(run, id));
        const world = new Map((await read()).map((filter, at) => [ids[at]!, filter]));
        for (const one of steps) {
          if (one.do === 'list') {
            const filters = await listed(run);
            for (const [id, expected] of world) {
              const filter = filters.find((entry) => entry['id'] === id);
              run.expect.that(filter !== undefined, 'every filter in the list', filters.length);
              for (const field of summary)
                keptAsSent(run, filter![field] ?? null, expected[field] ?? null, field, `${field} in the list`);
            }
            continue;
          }
          const id = ids[one.which]!;
          const before = world.get(id)!;
          if (one.do === 'get') {
            const now = await stored(run, id);
            isWritten(run, now, before);
            continue;
          }
          const answer = await send(run, id, one.body);
          const refused = answer.status >= 400 && answer.status <= 499;
          world.set(id, refused ? before : merged(before, one.body));
          if (answer.status === 202) await holdsNow(run, id, answer, world.get(id)!, 'after an update');
        }
        for (const [at, now] of (await read()).entries()) isWritten(run, now, world.get(ids[at]!)!);
      },
    );
  },
});
