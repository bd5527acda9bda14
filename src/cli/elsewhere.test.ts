import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Mock } from '../server/mock.js';
import { startMock } from '../server/mock.js';
import { elsewhere, targetOfMock, verdictsOf, verified } from './elsewhere.fixture.js';
import type { Elsewhere } from './elsewhere.fixture.js';

let mock: Mock;
let server: Elsewhere;
beforeAll(async () => {
  mock = await startMock({});
  server = await elsewhere(mock, {
    '/realms/x/auth': '/oauth/authorize',
    '/realms/x/token': '/oauth/token',
    '/realms/x/logout': '/oauth/token/revoke',
    '/inspect': '/oauth/token/introspect',
  });
});
afterAll(async () => {
  await server.close();
  await mock.close();
});

describe('a server with a login of its own', () => {
  it('has its consent pages judged as the adapter hands them out', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'login-'));
    const adapter = join(folder, 'adapter.mjs');
    writeFileSync(
      adapter,
      `export async function page({ url, account }) {
        const answer = await fetch(url, { headers: { cookie: 'session=' + account } });
        return { status: answer.status, body: await answer.text() };
      }`,
    );
    const guarded = await elsewhere(mock, { '/oauth/authorize': '/oauth/authorize' }, (path, { cookie }) =>
      path === '/oauth/authorize' && cookie !== 'session=alice'
        ? { status: 200, body: '<form method=post><input name=user><input type=password name=pw></form>' }
        : undefined,
    );
    const target = { ...(await targetOfMock(mock)), auth_url: guarded.url };
    const judge = async (more: object) => verdictsOf(await verified({ ...target, ...more }, ['AUTH-WARN']));
    expect(await judge({})).toMatchObject({ 'AUTH-WARN-001': 'could not run', 'AUTH-WARN-002': 'could not run' });
    expect(await judge({ adapter })).toMatchObject({ 'AUTH-WARN-001': 'pass', 'AUTH-WARN-002': 'pass' });
    await guarded.close();
    rmSync(folder, { recursive: true });
  });
});

describe('a server with its endpoints elsewhere', () => {
  it('is tested where the target says they are, and only the row about paths fails', async () => {
    const target = {
      ...(await targetOfMock(mock)),
      auth_url: `${server.url}/realms/x`,
      consent: 'form' as const,
      paths: { authorize: '/auth', token: '/token', revoke: '/logout', introspect: `${server.url}/inspect` },
    };
    const rows = ['GEN-003', 'AUTH-REQ-001', 'AUTH-REQ-013', 'AUTH-CODE-010', 'TOK-CC-001', 'REV-001', 'INTRO-001'];
    const report = await verified(target, rows);
    expect(verdictsOf(report)).toEqual({
      ...Object.fromEntries(rows.map((row) => [row, 'pass'])),
      'GEN-003': 'fail',
    });
    const paths = report.rows.find(({ id }) => id === 'GEN-003')?.failure;
    expect(paths?.expected).toContain('/oauth/authorize');
  });
});
