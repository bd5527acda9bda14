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
