import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { completed } from '../conformance/target/completed.js';
import { endpointPaths } from '../conformance/target/endpoints.js';
import { operationsNamed } from '../conformance/target/offers.js';
import type { Target } from '../conformance/target/target.js';
import type { Mock } from '../src/server/mock.js';
import { startMock } from '../src/server/mock.js';
import { elsewhere, targetOfMock, verdictsOf, verified } from './elsewhere.fixture.js';
import type { Elsewhere } from './elsewhere.fixture.js';

const oauthPaths = Object.values(endpointPaths);
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

describe('a server of which only tokens are known', () => {
  it('could not run what ends tokens, and is conformant without', async () => {
    const { control_url: _, ...rest } = await targetOfMock(mock);
    const scopes = ['account:profile'] as const;
    const issued = await mock.issueToken({ account: 'alice', clientId: 'example-web', scopes });
    const tokens = [{ token: issued.access_token, scopes, account: 'alice' }];
    const report = await verified({ ...rest, consent: 'none', known: {}, clients: {}, tokens }, [
      'ERR-001',
      'BEAR-004',
      'PROFILE-001',
    ]);
    expect(verdictsOf(report)).toEqual({
      'ERR-001': 'could not run',
      'BEAR-004': 'could not run',
      'PROFILE-001': 'pass',
    });
    expect(report.exitCode).toBe(0);
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

describe('a server for services alone', () => {
  const forServices = async (): Promise<Target> => {
    const { clients, control_url: _, ...target } = await targetOfMock(mock);
    const { service, operations } = clients;
    return { ...target, not_offered: ['authorize'], clients: { service, operations } };
  };

  it('has the scopes of operations judged by tokens of services, and nothing of users', async () => {
    const judged = ['SCOPE-OP-listLeagues', 'SCOPE-OP-introspectToken', 'SCOPE-OP-revokeToken'];
    const ofUsers = ['AUTH-CODE-001', 'TOK-REFRESH-001', 'LIFE-001'];
    expect(verdictsOf(await verified(await forServices(), [...judged, ...ofUsers]))).toEqual({
      ...Object.fromEntries(judged.map((row) => [row, 'pass'])),
      ...Object.fromEntries(ofUsers.map((row) => [row, 'not applicable'])),
    });
  });

  it.each([
    ['SCOPE-OP-introspectToken', 'oauth:introspect', '/oauth/token/introspect'],
    ['SCOPE-OP-revokeToken', 'oauth:revoke', '/oauth/token/revoke'],
  ] as const)('fails %s where every token has %s', async (row, scope, path) => {
    const { access_token: good } = await mock.issueToken({ clientId: 'example-operations', scopes: [scope] });
    const own = Object.fromEntries(Object.values(endpointPaths).map((one) => [one, one]));
    const open = await elsewhere(mock, own, (asked, headers) => {
      if (asked === path && headers.authorization !== undefined) headers.authorization = `Bearer ${good}`;
      return undefined;
    });
    const target = { ...(await forServices()), base_url: open.url, auth_url: open.url };
    expect(verdictsOf(await verified(target, [row]))).toEqual({ [row]: 'fail' });
    await open.close();
  });
});

describe('a server with the data API alone', () => {
  it('is tested with ready tokens, and nothing is asked of an authorization server', async () => {
    const asked: string[] = [];
    const data = await elsewhere(mock, {}, (path) => {
      asked.push(path);
      return undefined;
    });
    const { names, edition } = await targetOfMock(mock);
    const token = async (client_id: string, scopes: string[], account?: string) => ({
      token: (await mock.issueToken({ client_id, scopes, ...(account !== undefined && { account }) } as never))
        .access_token,
      scopes,
    });
    const target = completed(
      {
        base_url: data.url,
        names,
        edition,
        tokens: [
          await token('example-web', ['account:profile', 'account:characters', 'account:leagues'], 'alice'),
          await token('example-service', ['service:leagues']),
        ],
      },
      String,
    );
    const rows = ['PROFILE', 'LEAGUE-LIST', 'CHAR-LIST', 'BEAR', 'GEN', 'SCOPE-OP-getProfile', 'TOK', 'AUTH-REQ'];
    const report = await verified(target, rows);
    const verdicts = verdictsOf(report);
    expect(Object.entries(verdicts).filter(([, verdict]) => verdict === 'fail')).toEqual([]);
    expect(verdicts).toMatchObject({
      'PROFILE-001': 'pass',
      'LEAGUE-LIST-001': 'pass',
      'CHAR-LIST-001': 'pass',
      'BEAR-001': 'pass',
      'SCOPE-OP-getProfile': 'could not run',
      'TOK-CC-001': 'could not run',
      'AUTH-REQ-001': 'could not run',
    });
    expect(report.rows.find(({ id }) => id === 'TOK-CC-001')?.reason).toContain('declare clients.service');
    expect(asked.filter((path) => path.startsWith('/oauth/') && path !== '/oauth/authorize')).toEqual([]);
    expect(JSON.stringify(report)).not.toContain(target.tokens[0]?.token);
    await data.close();
  });

  it('lacks what it does not offer, which is not applicable, and noted where it is there', async () => {
    const missing = '/currency-exchange';
    const data = await elsewhere(mock, {}, (path) =>
      path.startsWith(missing) ? { status: 404, body: '' } : undefined,
    );
    const target = {
      ...(await targetOfMock(mock)),
      base_url: data.url,
      // By its shortest path it is gone in all realms.
      not_offered: operationsNamed(['/currency-exchange', '/profile']),
    };
    const report = await verified(target, [
      'CX',
      'PROFILE',
      'GEN-004',
      'LEAGUE-LIST-001',
      'SCOPE-OP-getCurrencyExchange',
    ]);
    const verdicts = verdictsOf(report);
    expect(verdicts).toMatchObject({
      'CX-001': 'not applicable',
      'PROFILE-001': 'not applicable',
      'SCOPE-OP-getCurrencyExchange': 'not applicable',
      'GEN-004': 'pass',
      'LEAGUE-LIST-001': 'pass',
    });
    expect(Object.values(verdicts)).not.toContain('fail');
    expect(report.observations).toContain(
      'getProfile is declared in not_offered, but GET /profile answered 200: remove it there to have it judged.',
    );
    expect(report.observations.join()).not.toContain('getCurrencyExchange is declared');
    await data.close();
  });
});

describe('a server that has some operations, and whose target does not say which', () => {
  it('is told which one a row about tokens could not do without', async () => {
    const part = await elsewhere(mock, Object.fromEntries(oauthPaths.map((path) => [path, path])), (path) =>
      path.startsWith('/oauth/') ? undefined : { status: 404, body: '' },
    );
    const target = { ...(await targetOfMock(mock)), base_url: part.url, auth_url: part.url };
    const { rows } = await verified(target, ['REV', 'INTRO-003']);
    const reasons = rows.flatMap(({ verdict, reason }) => (verdict === 'could not run' ? [reason] : []));
    expect(reasons.length).toBeGreaterThan(3);
    for (const reason of reasons)
      expect(reason).toMatch(
        / does not work, \w+ answered 404; if the server does not offer it, write not_offered: \[\w+\] in the target$/,
      );
    await part.close();
  });
});

describe('an authorization server alone', () => {
  it('has the rest of each row judged where a part of it is not offered', async () => {
    const target = {
      ...(await targetOfMock(mock)),
      not_offered: operationsNamed([
        'revokeToken',
        'introspectToken',
        'getCharacter',
        'listCharactersXbox',
        'listAccountLeagues',
        'getLeagueLadder',
        'getLeagueEventLadder',
        'createItemFilter',
      ]),
    };
    const rows = ['GEN-016', 'GEN-017', 'ERR-002', 'ERR-004', 'LIFE-009', 'CHAR-LIST-001', 'REALM-QUERY-003'];
    const report = await verified(target, [...rows, 'SCOPE-HIER-001', 'FILTER-MODEL-001']);
    const verdicts = verdictsOf(report);
    expect(rows.filter((row) => verdicts[row] !== 'pass')).toEqual([]);
    expect([verdicts['SCOPE-HIER-001'], verdicts['FILTER-MODEL-001']]).toEqual(['not applicable', 'not applicable']);
  });

  it('shows by introspection whether its tokens work', async () => {
    const alone = await elsewhere(mock, Object.fromEntries(oauthPaths.map((path) => [path, path])), (path) =>
      path.startsWith('/oauth/') ? undefined : { status: 404, body: '' },
    );
    const target = {
      ...(await targetOfMock(mock)),
      base_url: alone.url,
      auth_url: alone.url,
      not_offered: operationsNamed(['data']),
    };
    const rows = ['TOK-REFRESH-001', 'TOK-REFRESH-004', 'REV-001', 'AUTH-CODE-001', 'LIFE-001', 'PROFILE-001'];
    expect(verdictsOf(await verified(target, rows))).toEqual({
      ...Object.fromEntries(rows.map((row) => [row, 'pass'])),
      'PROFILE-001': 'not applicable',
    });
    await alone.close();
  });
});
