import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import * as judges from '../contract/judges.gen.js';
import type { Edition, SchemaNode } from '../contract/index.js';
import { branches, deref, editions, operationList, replySchemas } from '../contract/index.js';
import type { Call } from './call.fixture.js';
import { callsOf, operationsIn } from './calls.fixture.js';
import type { Got } from './mock.fixture.js';
import { send, startTestMock, withToken } from './mock.fixture.js';
import type { Mock } from './mock.js';
import { packageFile } from '../input/package.js';

interface Complaint {
  readonly instancePath: string;
  readonly message?: string;
}
type Judge = ((body: unknown) => boolean) & { errors?: readonly Complaint[] | null };

const judgeOf = (name: string): Judge | undefined => (judges as unknown as Readonly<Record<string, Judge>>)[name];

interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, ResponseNode>> }>>>
  >;
  readonly components: { readonly responses: Readonly<Record<string, ResponseNode>> };
}
interface ResponseNode {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, unknown>>;
}

const document = JSON.parse(readFileSync(packageFile('dist/openapi/openapi.json'), 'utf8')) as Document;

/** The media types that the contract documents for a reply; undefined for a status that it does not document. */
function documented({ operation }: Call, status: number): readonly string[] | undefined {
  const response = document.paths[operation.path]?.[operation.method.toLowerCase()]?.responses[status];
  const target =
    response?.$ref === undefined ? response : document.components.responses[response.$ref.split('/').at(-1) ?? ''];
  return target && Object.keys(target.content ?? {});
}

/** Everything in which a reply leaves the contract, or what the call was to meet. */
function faultsOf(call: Call, got: Got): string[] {
  const { operation, status, nothing } = call;
  if (got.status !== status) return [`status ${got.status} instead of ${status}: ${got.text.slice(0, 200)}`];
  const types = documented(call, status);
  if (!types) return [`status ${status} is not documented`];
  const type = got.headers['content-type']?.split(';')[0];
  if (types.length === 0) return got.bytes.length === 0 ? [] : ['a body where none is documented'];
  if (type === undefined || !types.includes(type)) return [`content type ${type} instead of ${types.join(', ')}`];
  if (type !== 'application/json') return [];
  const body = got.json<Record<string, unknown>>();
  // Judges are made of each operation's plainest form, and only some realm forms document a 400.
  const judge = judgeOf(`${operation.logical}${status}`) ?? (status >= 400 ? judgeOf('schemaDataError') : undefined);
  if (!judge) return ['there is no judge'];
  const faults = judge(body)
    ? []
    : (judge.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  const schema = replySchemas[operation.logical]?.[status];
  return [...faults, ...(schema ? strangersIn(schema, body, '') : []), ...emptiness(call, body, nothing)];
}

/** Members that the contract does not list. The contract leaves objects open; the mock adds nothing (K-104). */
function strangersIn(node: SchemaNode, value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { schema } = deref(node);
  const options = branches(schema);
  if (options[0] !== schema) {
    let first: string[] | undefined;
    for (const option of options) {
      const found = strangersIn(option, value, path);
      if (found.length === 0) return found;
      first ??= found;
    }
    return first ?? [];
  }
  if (Array.isArray(value))
    return value.flatMap((entry, index) =>
      strangersIn(schema.prefixItems?.[index] ?? (schema.items || {}), entry, `${path}/${index}`),
    );
  return Object.entries(value).flatMap(([key, member]) => {
    const property =
      schema.properties?.[key] ??
      (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
    if (!property) return schema.properties ? [`${path}/${key} is not in the contract`] : [];
    return strangersIn(property, member, `${path}/${key}`);
  });
}

function emptiness({ operation, status }: Call, body: Record<string, unknown>, nothing: Call['nothing']): string[] {
  const { wrapper = operation.logical === 'getPublicStashTabs' ? 'stashes' : 'markets' } = operation;
  if (status !== 200 || !(wrapper in body)) return [];
  const value = body['ladder'] ?? body[wrapper];
  if (nothing === 'null') return body[wrapper] === null ? [] : [`${wrapper} is not null`];
  const list = Array.isArray(value) ? value : (value as { entries?: unknown[] } | null)?.entries;
  if (nothing === 'empty') return list?.length === 0 ? [] : [`${wrapper} is not empty`];
  return value === null ? [`${wrapper} is null`] : [];
}

describe.each(Object.keys(editions) as Edition[])('edition %s', (edition) => {
  let mock: Mock;
  let calls: Call[];
  beforeAll(async () => {
    mock = await startTestMock({ edition });
    calls = await callsOf(mock, edition);
  });
  afterAll(() => mock.close());

  it('answers every operation as the contract says, whatever the arguments', async () => {
    const faults: string[] = [];
    for (const call of calls) {
      const got = await send(mock.url, {
        method: call.operation.method,
        path: call.target,
        headers: call.headers,
        body: call.body,
      });
      faults.push(
        ...faultsOf(call, got).map(
          (fault) => `${call.operation.id} (${call.story}) ${call.operation.method} ${call.target}: ${fault}`,
        ),
      );
    }
    expect(faults).toEqual([]);
  });

  it('calls every operation of the edition, with and without a token', () => {
    const served = operationsIn(edition);
    const called = (fits: (call: Call) => boolean): string[] =>
      [...new Set(calls.filter(fits).map(({ operation }) => operation.id))].sort();
    const ids = served.map(({ id }) => id).sort();
    expect(called(({ status }) => status < 300)).toEqual(ids);
    const data = served
      .filter(({ server }) => server === 'data')
      .map(({ id }) => id)
      .sort();
    expect(called(({ status, operation }) => status === 401 && operation.server === 'data')).toEqual(data);
    expect(called(({ status, operation }) => status === 403 && operation.server === 'data')).toEqual(data);
  });
});

it('answers HEAD as GET, without the body', async () => {
  const mock = await startTestMock({ edition: 'observed' });
  const gets = (await callsOf(mock, 'observed')).filter(({ operation: { method } }) => method === 'GET');
  const faults: string[] = [];
  for (const { operation, target, headers } of gets) {
    const get = await send(mock.url, { path: target, headers });
    const head = await send(mock.url, { method: 'HEAD', path: target, headers });
    const { date: _, ...wanted } = get.headers;
    const { date: __, ...found } = head.headers;
    if (head.bytes.length > 0 || head.status !== get.status || JSON.stringify(found) !== JSON.stringify(wanted)) {
      faults.push(
        `${operation.id} ${target}: ${head.status} ${JSON.stringify(found)} instead of ${get.status} ${JSON.stringify(wanted)}`,
      );
    }
  }
  expect(faults).toEqual([]);
  await mock.close();
});

/** Every reading that another server may have without leaving the contract. */
const otherReadings = {
  'flags.falseForm': 'omit',
  'optional.absentForm': 'null',
  'optional.presence': 'sparse',
  'dates.form': 'offset',
  'json.form': 'escaped',
  'json.keyOrder': 'shuffled',
  'hex.case': 'upper',
  'lists.order': 'shuffled',
  'characters.caseTwins': true,
  'ladder.classNames': 'base',
  'ladder.classRank': 'within',
  'ladder.totalCapped': false,
  'items.overstack': true,
  'stash.listForm': 'flat',
  'stash.wrapperChildren': 'all',
  'psapi.unlistedForm': 'null-empty',
  'psapi.endId': 'fresh',
  'cx.keys': 'traded',
  'cx.ratioOrder': 'reversed',
  'cx.skipQuiet': true,
  'scopes.order': 'sorted',
  'tokens.form': 'jwt',
  'introspect.detail': 'active',
  'errors.wwwAuthenticate': false,
};

describe('other readings', () => {
  it.each([otherReadings, { 'dates.form': 'fraction', 'psapi.unlistedForm': 'null', 'realm.game2InPayload': 'omit' }])(
    'keep the contract too: %j',
    async (switches) => {
      const mock = await startTestMock({ switches });
      const faults: string[] = [];
      for (const call of await callsOf(mock)) {
        const { operation, target, headers, body, story } = call;
        const got = await send(mock.url, { method: operation.method, path: target, headers, body });
        faults.push(...faultsOf(call, got).map((fault) => `${operation.id} (${story}) ${target}: ${fault}`));
      }
      expect(faults).toEqual([]);
      await mock.close();
    },
  );
});

describe('an operation that the edition has not', () => {
  it('is 404, with a token or without one', async () => {
    const mock = await startTestMock({ edition: 'base' });
    const headers = await withToken(mock, 'service:leagues');
    const missing = operationList.filter(({ flag }) => flag === 'F-CX');
    expect(missing).toHaveLength(6);
    for (const { path } of missing) {
      const target = path.replace('{realm}', 'xbox').replace('{id}', '1767225600');
      expect([path, (await send(mock.url, { path: target, headers })).status]).toEqual([path, 404]);
      expect((await send(mock.url, { path: target })).status).toBe(404);
    }
    await expect(mock.issueToken({ scopes: ['service:cxapi'] })).rejects.toThrow('service:cxapi');
    await mock.close();
  });
});

describe('two names for one thing', () => {
  it('gives one reply, whether the realm pc is left out or named in the query', async () => {
    const mock = await startTestMock();
    const headers = await withToken(mock, 'service:leagues');
    const [bare, named] = await Promise.all(
      ['/league', '/league?realm=pc'].map((path) => send(mock.url, { path, headers })),
    );
    expect(bare?.text).toBe(named?.text);
    await mock.close();
  });
});
