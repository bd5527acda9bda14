import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

import { oauthParameters, operationList } from '../../../src/contract/index.js';
import { check } from '../../engine/check.js';
import type { Fields, Run } from '../../engine/run.js';
import { gBrokenJson, gNotText } from '../../generators/data.js';
import { attempt, NotOffered } from '../../verdict.js';
import type { Answer } from '../../wire/answer.js';
import { idOf, namedFilter } from './filter-pool.js';
import { allForms, ask, logicalForms } from './forms.js';
import type { OperationForm } from './forms.js';
import { brokenForms, notBroken, strayRequests } from './junk-forms.js';
import { isPaged, nameParameter } from '../../engine/operations.js';

const spiteful = [
  "'",
  '"><b>',
  '%',
  '%00',
  '../../x',
  '..;/',
  '${7*7}',
  '{"$gt":""}',
  '[]',
  'null',
  'NaN',
  '-1',
  '1.5',
  '1e309',
  '2147483648',
  '9007199254740993',
  '9223372036854775808',
  '99999999999999999999999999',
  ' ',
  'a'.repeat(2000),
  '\u202e\u200b',
  '𝔘𝔫𝔦',
];

/** Text that can stand in a URL once it is encoded, and that names nothing. */
const gText: Arbitrary<string> = fc
  .oneof(fc.constantFrom(...spiteful), fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }))
  .filter((text) => !/\0/.test(text) && !/^\.*$/.test(text) && !/^(pc|xbox|sony|game2|poe2)$/i.test(text));

const parameters = [
  'realm',
  'type',
  'season',
  'limit',
  'offset',
  'sort',
  'class',
  'league',
  'id',
  'validate',
  'zz',
  '',
];
const { authorize: queryParameters, ...forms } = oauthParameters;
const formNames: readonly string[] = [...new Set([...Object.values(forms).flat(), ''])];

type Junk =
  | { readonly kind: 'query'; readonly index: number; readonly query: Fields }
  | { readonly kind: 'name'; readonly index: number; readonly name: string }
  | { readonly kind: 'body'; readonly body: string }
  | { readonly kind: 'form'; readonly path: 'token' | 'revoke' | 'introspect'; readonly fields: Fields }
  | { readonly kind: 'authorize'; readonly fields: Fields };

/** No field of a filter: where a careless reader takes a broken form of it, nothing changes. */
const body = JSON.stringify({ zz: 'text', yy: [1, { a: null }] });

/** Bodies that are JSON, or nothing, and no filter; two have a text that JSON can hold and many a database cannot. */
const oddBodies = [
  '',
  ' ',
  'null',
  '[]',
  '"text"',
  '0',
  '[[[[]]]]',
  '{"filter_name":{}}',
  '{"__proto__":{"a":1}}',
  String.raw`{"zz":"a\u0000b"}`,
  String.raw`{"zz":"a\ud800b"}`,
];

const gPairs = (names: readonly string[]): Arbitrary<Fields> =>
  fc.array(fc.tuple(fc.constantFrom(...names), gText), { minLength: 1, maxLength: 4 });

const gJunk = (reads: number, lookups: number): Arbitrary<Junk> =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('query'), index: fc.nat(reads - 1), query: gPairs(parameters) }),
    },
    ...(lookups === 0
      ? []
      : [{ weight: 3, arbitrary: fc.record({ kind: fc.constant('name'), index: fc.nat(lookups - 1), name: gText }) }]),
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('body'),
        body: fc.oneof(
          gBrokenJson(body),
          gNotText.map((value) => JSON.stringify({ filter: value })),
          fc.constantFrom(...oddBodies),
        ),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constant('form'),
        path: fc.constantFrom('token', 'revoke', 'introspect'),
        fields: gPairs(formNames),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('authorize'),
        fields: gPairs([...queryParameters, '']),
      }),
    },
  ) as Arbitrary<Junk>;

/** Names and values that look right, each twice: the form that careless readers of forms take for a list. */
const doubled = (run: Run): Fields => {
  const role = run.facts.target.clients.confidential ? 'confidential' : 'public';
  const fields: Fields = run.facts.target.clients[role]
    ? run.oauth.refreshFields(role, 'cx-none')
    : [['grant_type', 'refresh_token']];
  return [...fields, ...fields];
};

/** What is no percent-encoding of any text: no digits, a byte that begins no character, characters cut short. */
const malformed = ['%zz', '%FF', '%E2%8', 'cx%'];

/**
 * A path whose percent-encoding is malformed: with which status it is refused is open, but it is not the server that
 * failed (RFC 9110 15.5, 15.6). The other names of the path are of something that is there, as far as that is known.
 */
export const cutNames = check({
  id: 'GEN-023',
  level: 'INFER',
  sentence: 'A path whose percent-encoding is malformed is never answered with 5xx.',
  source: '1',
  entailed:
    '1: over HTTP each request has a response, and a 5xx says that the server failed, and not the request (RFC 9110 3.4, 15.6)',
  needs: [
    ['client:confidential', 'client:public', 'client:service'],
    ['consent', 'client:service'],
  ],
  judge: async (run) => {
    const { forms } = await allForms(run);
    const open = operationList.filter(
      ({ server, scope, parameters }) =>
        server === 'data' &&
        scope !== undefined &&
        run.oauth.obtainable().has(scope) &&
        parameters.some((one) => one.in === 'path'),
    );
    const withstands = async ({ logical, method, path, scope }: (typeof open)[number]): Promise<void> => {
      const token = await run.oauth.token([scope!]);
      const there = forms.find((form) => form.logical === logical)?.request.args ?? {};
      const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
      for (const cut of names) {
        for (const text of malformed) {
          const spelled = path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
            name === cut ? text : encodeURIComponent(there[name] ?? (name === 'realm' ? 'xbox' : 'cx-none')),
          );
          const answer = await run.http.raw(method, spelled, { token, ...(method === 'POST' && { body: {} }) });
          run.expect.that(answer.status < 500, `any status but 5xx for ${spelled}`, answer.status, answer);
        }
      }
    };
    await run.expect.each('$method $path', open, withstands, { atOnce: true });
  },
});

/** A realm that there is none of, wherever a path has one. */
async function strayRealms(run: Run): Promise<void> {
  const { forms } = await allForms(run);
  const places = operationList.filter(
    ({ scope, parameters }) =>
      scope !== undefined &&
      run.oauth.obtainable().has(scope) &&
      parameters.some((one) => one.in === 'path' && one.name === 'realm'),
  );
  await run.expect.each(
    '$method $path',
    places,
    async ({ logical, method, path, scope }) => {
      const there = forms.find((form) => form.logical === logical)?.request.args ?? {};
      const spelled = path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
        name === 'realm' ? 'cx' : encodeURIComponent(there[name] ?? 'cx-none'),
      );
      const token = await run.oauth.token([scope!]);
      notBroken(run, await run.http.raw(method, spelled, { token, ...(method === 'POST' && { body: {} }) }));
    },
    { atOnce: true },
  );
}

/** Codings that a server may not know, and one that the body does not have. */
async function strayCodings(run: Run, { filter }: Sinks): Promise<void> {
  for (const coding of ['cx', 'gzip']) {
    const headers = { 'content-encoding': coding };
    for (const path of ['/oauth/token', '/oauth/token/revoke', '/oauth/token/introspect'])
      notBroken(run, await run.oauth.request('POST', path, { fields: doubled(run), headers }));
    if (filter !== undefined)
      notBroken(run, await run.http.data('updateItemFilter', { args: { id: filter }, body: '{}', headers }));
  }
}

/** Heads that are larger than many a server reads, and an expectation that none knows: refused, perhaps, and answered (RFC 9110 5.4, 10.1.1). */
async function strangeHeads(run: Run): Promise<void> {
  const long = [10, 20].map((size) => ({ 'x-cx': 'a'.repeat(size * 1024) }));
  for (const headers of [...long, { expect: 'cx' }]) {
    notBroken(run, await run.http.raw('GET', '/profile', { headers }));
    notBroken(run, await run.oauth.request('POST', '/oauth/token', { fields: doubled(run), headers }));
  }
}

/** Queries that careless readers of a window stumble over. */
const twice: Fields = [
  ['limit', '1'],
  ['limit', '2'],
  ['realm', 'pc'],
  ['realm', 'pc'],
];
const huge: Fields = [['offset', '99999999999999999999999999']];
/** Limits and offsets that are no uint, or one that a page cannot have. */
const noUints = ['0', '-1', '1.5', 'abc', '', '2147483648'];

/** What junk is sent to. */
interface Sinks {
  readonly reads: readonly OperationForm[];
  readonly lookups: readonly OperationForm[];
  /** The id of a filter that takes bodies, where there is one. */
  readonly filter: string | undefined;
}

async function sinks(run: Run): Promise<Sinks> {
  const reads = (await logicalForms(run)).filter(({ logical }) => logical !== 'createItemFilter');
  const lookups = reads.filter(({ logical }) => nameParameter(logical) !== undefined);
  const { value: filter } = run.oauth.obtainable().has('account:item_filter')
    ? await attempt(() => idOf(run, namedFilter), [NotOffered])
    : {};
  return { reads, lookups, filter };
}

async function send(run: Run, { reads, lookups, filter }: Sinks, one: Junk): Promise<Answer | undefined> {
  switch (one.kind) {
    case 'query': {
      const { logical, request } = reads[one.index]!;
      return run.http.data(logical, { ...request, query: one.query });
    }
    case 'name': {
      const { logical, request } = lookups[one.index]!;
      return run.http.data(logical, { ...request, args: { ...request.args, [nameParameter(logical)!]: one.name } });
    }
    case 'body':
      return filter === undefined
        ? undefined
        : run.http.data('updateItemFilter', { args: { id: filter }, body: one.body });
    case 'form':
      return run.oauth.request('POST', one.path === 'token' ? '/oauth/token' : `/oauth/token/${one.path}`, {
        fields: one.fields,
      });
    case 'authorize':
      return run.oauth.bareAuthorize(one.fields);
  }
}

/** Names and bodies that careless readers stumble over. */
async function spitefully(run: Run, to: Sinks): Promise<void> {
  const names = [...spiteful, '100% cx'].flatMap((name) =>
    [...to.lookups.keys()].map((index): Junk => ({ kind: 'name', index, name })),
  );
  await run.expect.each(
    (one) => (one.kind === 'name' ? `${to.lookups[one.index]!.name} ${one.name.slice(0, 60)}` : JSON.stringify(one)),
    [...names, ...oddBodies.map((text): Junk => ({ kind: 'body', body: text }))],
    (one) => withstands(run, to, one),
    { atOnce: true },
  );
}

async function withstands(run: Run, to: Sinks, one: Junk): Promise<void> {
  const answer = await send(run, to, one);
  if (answer) notBroken(run, answer);
}

async function badWindows(run: Run, { reads }: Sinks): Promise<void> {
  const windows = reads
    .filter(({ logical }) => isPaged(logical))
    .flatMap((form) => noUints.flatMap((value) => ['limit', 'offset'].map((name) => ({ form, name, value }))));
  await run.expect.each(
    '$form.name with $name=$value',
    windows,
    async ({ form, name, value }) => notBroken(run, await ask(run, form, { query: [[name, value]] })),
    { atOnce: true },
  );
}

async function anyJunk(run: Run, to: Sinks): Promise<void> {
  const forms = (['token', 'revoke', 'introspect'] as const).map((path): Junk => ({
    kind: 'form',
    path,
    fields: doubled(run),
  }));
  const queries = to.reads.flatMap(({ logical }, index) =>
    isPaged(logical) ? [twice, huge].map((query): Junk => ({ kind: 'query', index, query })) : [],
  );
  await run.expect.property(
    'a request that no client would send',
    gJunk(to.reads.length, to.lookups.length),
    { examples: [...forms, ...queries] },
    (one) => withstands(run, to, one),
  );
}

/** That nothing makes the server break. That no other answer of the run was 5xx is counted beside it. */
export const junk = check({
  id: 'GEN-016',
  level: 'INFER',
  sentence: 'Every syntactically valid HTTP request is answered, and not with 5xx.',
  source: '-',
  entailed:
    '1: over HTTP each request has a response, and a 5xx says that the server failed, and not the request (RFC 9110 3.4, 15.6)',
  needs: [
    ['client:confidential', 'client:public', 'client:service'],
    ['consent', 'client:service'],
  ],
  judge: async (run) => {
    const to = await sinks(run);
    await run.case('names and bodies', () => spitefully(run, to));
    await run.case('forms and credentials', () => brokenForms(run));
    await run.case('stray requests', () => strayRequests(run));
    await run.case('realms', () => strayRealms(run));
    await run.case('codings', () => strayCodings(run, to));
    await run.case('heads', () => strangeHeads(run));
    await run.case('limits and offsets', () => badWindows(run, to));
    await run.case('anything', () => anyJunk(run, to));
  },
});
