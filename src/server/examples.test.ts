import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { Scope } from '../contract/index.js';
import { packageFile } from '../input/package.js';
import { send, startTestMock, withToken } from './mock.fixture.js';
import type { Mock } from './mock.js';

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly example?: unknown;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

const { paths, components } = JSON.parse(readFileSync(packageFile('dist/openapi/openapi.json'), 'utf8')) as {
  readonly paths: Readonly<Record<string, { readonly get?: Operation }>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
};

/** Operations by id, whose path parameters all have an example. Realms beside the first have none. */
const filled = Object.entries(paths).flatMap(([path, { get }]) => {
  const scopes = get?.security?.flatMap(Object.values).flat() ?? [];
  if (!get || scopes.length === 0 || /[/](xbox|sony)[/]/.test(path)) return [];
  const given = (get.parameters ?? [])
    .map((one) => (one.$ref === undefined ? one : components.parameters[one.$ref.split('/').at(-1)!]!))
    .filter((one) => one.in === 'path');
  if (given.length === 0 || given.some(({ example }) => example === undefined)) return [];
  const target = given.reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
    path,
  );
  return [{ id: get.operationId, target, scope: scopes[0] as Scope }];
});

let mock: Mock;
beforeAll(async () => {
  mock = await startTestMock();
});
afterAll(() => mock.close());

it.each(filled)('the examples of $id show something in the mock', async ({ target, scope }) => {
  const got = await send(mock.url, { path: target, headers: await withToken(mock, scope) });
  expect(got.status).toBe(200);
  expect(Object.values(got.json<Record<string, unknown>>()).filter((member) => member !== null)).not.toEqual([]);
});

it('there are such operations of users and of services', () => {
  expect(filled.length).toBeGreaterThan(12);
});
