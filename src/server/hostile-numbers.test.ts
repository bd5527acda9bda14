/** What an import, a switch or a call accepts, every page can show. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import type { SnapshotFile } from '../client/index.js';
import { switchTable } from '../contract/index.js';
import { controlCall } from './control.fixture.js';
import type { Mock } from './mock.js';
import { send, startTestMock } from './mock.fixture.js';
import { readSwitches } from './switches.js';

const open: Mock[] = [];
const started = async (...options: Parameters<typeof startTestMock>): Promise<Mock> => {
  const mock = await startTestMock(...options);
  open.push(mock);
  return mock;
};
afterEach(async () => {
  await Promise.all(open.splice(0).map((mock) => mock.close()));
});

const pages = [
  '/',
  '/applications',
  '/__control/clock',
  '/__control/tokens',
  '/__control/snapshots',
  '/__control/limits',
];

/** The statuses of all that shows what a mock holds. */
const shown = (mock: Mock): Promise<number[]> =>
  Promise.all(pages.map(async (path) => (await send(mock.url, { path })).status));
const allShown = pages.map(() => 200);

interface Node {
  readonly type?: string | readonly string[];
  readonly [member: string]: unknown;
}

/** The places of schemas of numbers that lack a bound. */
function unbounded(node: unknown, place: string): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { type, ...members } = node as Node;
  const isNumber = [type].flat().some((one) => one === 'integer' || one === 'number');
  const isOpen =
    !('const' in members || 'enum' in members) &&
    !(('minimum' in members || 'exclusiveMinimum' in members) && 'maximum' in members);
  const inner = Object.entries(node).flatMap(([name, member]) => unbounded(member, `${place}/${name}`));
  return isNumber && isOpen ? [place, ...inner] : inner;
}

describe('a number from outside', () => {
  const text = readFileSync(new URL('../../openapi/control.yaml', import.meta.url), 'utf8');
  const { paths, components } = parse(text, { merge: true }) as Record<string, Record<string, unknown>>;
  const { schemas = {}, parameters } = components as Record<string, Record<string, unknown>>;

  /** The schemas that requests name, and those that these name. */
  function asked(node: unknown, found = new Set<string>()): Set<string> {
    for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      asked(schemas[name], found.add(name));
    }
    return found;
  }
  const operations = Object.values(paths!).flatMap((path) => Object.values(path as Record<string, Node>));
  const bodies = asked(operations.map(({ requestBody }) => requestBody ?? null));

  it('has both bounds in every request of the control protocol', () => {
    expect(bodies.size).toBeGreaterThan(10);
    const named = [...bodies, 'SnapshotFile', 'Limits', 'FaultRuleList', 'FaultRule'];
    const open = named.flatMap((name) => unbounded(schemas[name], name));
    expect([
      ...open,
      ...unbounded(
        operations.map((one) => one.parameters ?? null),
        'operations',
      ),
    ]).toEqual([]);
    expect(unbounded({ a: { type: 'integer', minimum: 1 } }, 'x')).toEqual(['x/a']);
    expect(unbounded(parameters, 'parameters')).toEqual([]);
  });

  it.each(switchTable.flatMap((row) => (row.type === 'integer' ? [row] : [])))(
    'of the switch $name is within bounds, and shows at both',
    async ({ name, minimum, maximum }) => {
      for (const value of [minimum - 1, maximum + 1, 1e15, 1e308])
        expect(() => readSwitches({ [name]: value })).toThrow(`it takes a whole number from ${minimum} to ${maximum}`);
      for (const value of [minimum, maximum]) {
        const mock = await started({ switches: { [name]: value }, autoApprove: true });
        await mock.issueToken({ account: 'alice', scopes: ['account:profile'] });
        await mock.clock.set('9999-12-31T23:59:59Z');
        await mock.issueToken({ account: 'alice', scopes: ['account:profile'] });
        expect([value, await shown(mock)]).toEqual([value, allShown]);
      }
    },
  );

  it.each([1e308, -1e308, 1e300, 8.64e15 + 1, 253_402_300_800_000, -8.64e15])(
    '%s: moves no clock there',
    async (seconds) => {
      const mock = await started();
      const { status } = await controlCall(mock, 'POST', '/clock', { advance: seconds });
      expect(status).toBe(400);
      expect(await shown(mock)).toEqual(allShown);
    },
  );
});

describe('an import', () => {
  const hostile = [1e308, -1e308, 8.64e15, 8.64e15 + 1, -8.64e15 - 1, 1e15, 253_402_300_799_999, 2 ** 53, 0, -1];

  /** Every path to a number in a value. */
  const numbers = (value: unknown, path: readonly string[] = []): (readonly string[])[] => {
    if (typeof value === 'number') return [path];
    if (typeof value !== 'object' || value === null) return [];
    return Object.entries(value).flatMap(([key, member]) => numbers(member, [...path, key]));
  };
  function withValue(file: SnapshotFile, path: readonly string[], value: unknown): SnapshotFile {
    const copy = structuredClone(file);
    let at = copy as unknown as Record<string, never>;
    for (const step of path.slice(0, -1)) at = at[step]!;
    (at as Record<string, unknown>)[path.at(-1)!] = value;
    return copy;
  }

  it('is refused, or shown on every page', async () => {
    const mock = await started();
    await mock.issueToken({ account: 'alice', scopes: ['account:profile'] });
    await mock.stashEvent({ op: 'list' });
    await mock.snapshots.save('start');
    const file = await mock.snapshots.export('start');
    const code = {
      text: 'c'.repeat(40),
      grant: (file.tokens[0] as { readonly grant: object }).grant,
      redirectUri: 'https://app.example/callback',
      challenge: 'x',
      issuedAt: 1,
      expiresAt: 2,
      used: false,
    };
    const whole = { ...file, codes: [code] } as SnapshotFile;
    const leaps = [
      '2016-12-31T23:59:60Z',
      '1990-12-31T15:59:60-08:00',
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59-23:00',
    ];
    const cases = [
      ...leaps.map((instant) => [['clock', 'now'], instant] as const),
      ...numbers(whole).flatMap((path) => hostile.map((value) => [path, value] as const)),
    ];
    expect(cases.length).toBeGreaterThan(60);
    const kept: unknown[] = [];
    for (const [path, value] of cases) {
      const snapshot = withValue(whole, path, value);
      const { status } = await controlCall(
        mock,
        'POST',
        '/snapshots/imports',
        { name: 'hostile', snapshot },
        'SnapshotInfo',
      );
      expect([path, value, [201, 400].includes(status)]).toEqual([path, value, true]);
      if (status === 400) continue;
      kept.push(value);
      await mock.snapshots.restore('hostile');
      expect([path, value, await shown(mock)]).toEqual([path, value, allShown]);
      await mock.reset();
      expect([path, value, await shown(mock)]).toEqual([path, value, allShown]);
    }
    expect(kept).toContain(0);
    expect(kept).not.toContain(1e308);
  });
});

describe('a name', () => {
  it.each(['..', '.', '...', '.hidden', '', 'a/b', 'é', '%2e%2e', 'a'.repeat(65)])('is not %j', async (name) => {
    const mock = await started();
    for (const path of ['/namespaces', '/snapshots', '/namespaces/removals', '/snapshots/restorations'])
      expect([path, (await controlCall(mock, 'POST', path, { name })).status]).toEqual([path, 400]);
    expect(await mock.tokens()).toEqual([]);
  });
  it.each(['a', 'a..b', '-x', '_', 'A.1'])('is %j', async (name) => {
    const mock = await started();
    const child = await mock.namespace(name);
    expect(child.url).toBe(`${mock.url}/ns/${name}`);
    expect((await send(child.url, { path: `/ns/${name}/__control/clock` })).status).toBe(200);
  });
});
