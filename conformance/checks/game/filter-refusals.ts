import fc from 'fast-check';

import { check } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { DataRequest, Run } from '../../engine/run.js';
import type { Requirement } from '../../requirement.js';
import { gBrokenJson, gWord } from '../../generators/data.js';
import { charsetFilter, filterOf, nothingCreated, otherTypes, plainFilter, refusedName } from './filter-pool.js';

/**
 * A creation that is refused. The control is the creation of the plain filter, which the run makes once: every other
 * one would leave a filter behind. A body that is taken ends the check, before it can happen again.
 */
const refuses = (run: Run) =>
  run.expect.negative<DataRequest | 'as it was made'>({
    valid: () => 'as it was made',
    send: async (request) =>
      request === 'as it was made' ? (await plainFilter(run)).answer : run.http.data('createItemFilter', request),
    refused: (answer) => run.expect.status(answer, '4xx'),
  });

const minimal = { filter_name: refusedName, realm: 'pc', filter: 'Show\n' };

const refusedBodies = (
  requirement: Requirement,
  bodies: (
    run: Run,
  ) => readonly (readonly [what: string, body: unknown])[] | Promise<readonly (readonly [string, unknown])[]>,
): DefinedCheck =>
  check({
    ...requirement,
    judge: (run) =>
      nothingCreated(run, async () => {
        const refuse = await refuses(run);
        for (const [what, body] of await bodies(run)) await refuse(what, () => ({ body }));
      }),
  });

const subsets = [
  ['filter_name'],
  ['realm'],
  ['filter'],
  ['filter_name', 'realm'],
  ['filter_name', 'filter'],
  ['realm', 'filter'],
  ['filter_name', 'realm', 'filter'],
];

const missingFields = refusedBodies(
  {
    id: 'FILTER-CREATE-006',
    level: 'MUST',
    sentence: 'A create without filter_name, realm or filter is refused with 4xx and creates nothing.',
    source: '4.2',
    needs: [['client:confidential', 'client:public'], 'consent'],
  },
  () =>
    subsets.map((names) => [
      `without ${names.join(' and ')}`,
      Object.fromEntries(Object.entries(minimal).filter(([name]) => !names.includes(name))),
    ]),
);

/** Some words of a generator, the same in every run: each one that is wrongly taken would leave a filter behind. */
const words = (except: readonly string[]): readonly string[] => fc.sample(gWord(except), { numRuns: 5, seed: 12 });

const badRealm = refusedBodies(
  {
    id: 'FILTER-CREATE-007',
    level: 'INFER',
    sentence: 'A realm other than pc, xbox, sony and game2 is refused and creates nothing.',
    source: '4.2',
    entailed: '2, 4.2: realm is required and one of four; another value is no realm, and no filter could show it',
    needs: [['client:confidential', 'client:public'], 'consent'],
  },
  (run) =>
    ['cx-realm', '', 'PC', 'Xbox', ' pc', ...words([run.facts.target.names.game2])].map((realm) => [
      `realm ${JSON.stringify(realm)}`,
      { ...minimal, realm },
    ]),
);

const badType = refusedBodies(
  {
    id: 'FILTER-CREATE-008',
    level: 'INFER',
    sentence: 'A type other than Normal and Ruthless is refused and creates nothing.',
    source: '4.2',
    plausible: 'the values are listed; a server may fall back to one of them, as the member is optional',
    needs: [['client:confidential', 'client:public'], 'consent'],
  },
  () =>
    ['ruthless', 'normal', 'RUTHLESS', ...words(['Normal', 'Ruthless'])].map((type) => [
      `type ${JSON.stringify(type)}`,
      { ...minimal, type },
    ]),
);

const mediaType = check({
  id: 'FILTER-CREATE-009',
  level: 'INFER',
  sentence:
    'Content-Type application/json is required: it is accepted with parameters, and any other or none is refused with 4xx and creates nothing.',
  source: '4.2',
  entailed: '4.2: the header is required',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: (run) =>
    nothingCreated(run, async () => {
      const { answer, id } = await charsetFilter(run);
      run.expect.status(answer, '2xx');
      run.expect.that(
        id !== undefined,
        'a filter with an id, by application/json; charset=utf-8',
        filterOf(answer),
        answer,
      );
      const refuse = await refuses(run);
      for (const type of [...otherTypes, 'application/xml', null]) {
        await refuse(type === null ? 'without Content-Type' : `as ${type}`, () => ({
          body: minimal,
          headers: { 'content-type': type },
        }));
      }
    }),
});

/** Bodies that are no JSON from their first characters on, or that end too soon. */
const broken = fc
  .sample(gBrokenJson(JSON.stringify(minimal)), { numRuns: 12, seed: 8259 })
  .filter((text) => !text.startsWith(JSON.stringify(minimal)));

const wrongTypes = refusedBodies(
  {
    id: 'FILTER-CREATE-010',
    level: 'INFER',
    sentence: 'Wrong JSON types and broken JSON are refused with 4xx and create nothing.',
    source: '4.2',
    entailed: '4.2: the body is JSON, its members have these types, and three of them are required',
    needs: [['client:confidential', 'client:public'], 'consent'],
  },
  () => [
    ...[5, true, [refusedName], { a: refusedName }, null].map(
      (value) => [`filter_name ${JSON.stringify(value)}`, { ...minimal, filter_name: value }] as const,
    ),
    ...[['Show\n'], { a: 1 }, 7, null].map(
      (value) => [`filter ${JSON.stringify(value)}`, { ...minimal, filter: value }] as const,
    ),
    ...[1, ['pc'], null].map((value) => [`realm ${JSON.stringify(value)}`, { ...minimal, realm: value }] as const),
    ...[
      ['description', 5],
      ['description', ['a']],
      ['version', 2.1],
      ['public', 'true'],
      ['public', 1],
    ].map(([name, value]) => [`${name} ${JSON.stringify(value)}`, { ...minimal, [name as string]: value }] as const),
    ['an array around the body', [minimal]],
    ['a JSON string', JSON.stringify(refusedName)],
    ...broken.map((text) => [`the body ${text}`, text] as const),
  ],
);

/** The rows about creations that are refused, and leave nothing behind. */
export const refusals = [missingFields, badRealm, badType, mediaType, wrongTypes];
