import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { PassingClient, passingRows } from '../conformance/audit/passing.js';
import type { RunReport } from '../conformance/result.js';
import { loadTarget } from '../conformance/target/load.js';
import { formats } from '../conformance/report/write.js';
import { startMock } from '../src/server/mock.js';
import { recordedFrom } from './recording.fixture.js';
import type { HarEntry } from './recording.fixture.js';

let entries: HarEntry[];
let base: string;
beforeAll(async () => {
  await using mock = await startMock({ autoApprove: true, epoch: '2026-01-01T00:00:00Z' });
  base = mock.url;
  // One request asks for what no server gives.
  entries = (await recordedFrom(mock)).filter(({ request: { url } }) => !url.includes('limit=-1')).map(named);
});
afterAll(() => void (entries = []));

/** The client gives itself a name. */
function named(entry: HarEntry): HarEntry {
  const headers = entry.request.headers.filter(({ name }) => name !== 'user-agent');
  return {
    ...entry,
    request: { ...entry.request, headers: [...headers, { name: 'User-Agent', value: 'my-tool/1.0' }] },
  };
}

async function judged(recording: readonly HarEntry[]): Promise<RunReport> {
  const settings = await loadTarget({
    env: {},
    overrides: {
      'base-url': base,
      'client-id': 'app',
      'client-secret': 'a secret of 12',
      'redirect-uri': 'http://127.0.0.1:1/',
      scopes: 'account:profile',
    },
  });
  const mobile = { client_id: 'mobile', redirect_uris: [], scopes: [], refresh: false };
  const target = { ...settings, clients: { ...settings.clients, public: mobile } };
  const client = new PassingClient({
    target,
    waivers: [],
    today: '2026-01-01',
    version: '0',
    command: '',
    audit: 'audit',
  });
  for (const entry of recording) client.take(entry, Date.now());
  return client.report();
}

const wrong = ({ rows }: RunReport): string[] =>
  rows.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ id }) => id);

const request = (method: string, path: string, headers: Record<string, string> = {}, text?: string): HarEntry => ({
  startedDateTime: '2026-01-01T00:00:00Z',
  time: 1,
  request: {
    method,
    url: base + path,
    headers: Object.entries({ 'user-agent': 'my-tool/1.0', ...headers }).map(([name, value]) => ({ name, value })),
    ...(text !== undefined && { postData: { mimeType: headers['content-type'] ?? '', text } }),
  },
  response: {
    status: 200,
    headers: [{ name: 'content-type', value: 'application/json' }],
    redirectURL: '',
    content: { size: 2, mimeType: 'application/json', text: '{}' },
  },
});

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const query = (changes: Record<string, string> = {}): string =>
  new URLSearchParams({
    client_id: 'app',
    response_type: 'code',
    scope: 'account:profile',
    state: 'abc',
    redirect_uri: 'http://127.0.0.1:1/',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    ...changes,
  }).toString();

/** The verifier of RFC 7636 B, whose challenge that is. */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const exchange = (changes: Record<string, string> = {}): string =>
  new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: 'app',
    code: 'a-code-of-the-server',
    redirect_uri: 'http://127.0.0.1:1/',
    code_verifier: verifier,
    ...changes,
  }).toString();

describe('a client by what passes', () => {
  it('is not blamed for what a correct one does', async () => {
    const report = await judged(entries);
    expect(wrong(report)).toEqual([]);
    expect(report.counts.pass).toBeGreaterThan(15);
    expect(report).toMatchObject({ subject: 'client', exitCode: 0 });
  });

  const authorize = (path: string, headers?: Record<string, string>) =>
    request('GET', `/oauth/authorize${path}`, headers);
  const token = (text: string, headers: Record<string, string> = {}) =>
    request('POST', '/oauth/token', { ...form, ...headers }, text);
  const issued = (): HarEntry => {
    const entry = token('grant_type=client_credentials&client_id=app');
    entry.response.content.text = '{"access_token":"an-access-token-1","refresh_token":"a-refresh-token-1"}';
    return entry;
  };
  const secret = encodeURIComponent('a secret of 12');

  it.each<[row: string, make: () => HarEntry[]]>([
    ['AUTH-PARAM-001', () => [authorize(`?${query({ state: '' })}`)]],
    ['AUTH-PARAM-002', () => [authorize(`?${query()}&state=abc`)]],
    ['AUTH-TYPE-001', () => [authorize(`?${query({ response_type: 'token' })}`)]],
    ['AUTH-SCOPE-001', () => [authorize(`?${query({ scope: 'service:leagues' })}`)]],
    ['AUTH-REDIR-001', () => [authorize(`?${query()}`), token(exchange({ redirect_uri: 'http://127.0.0.1:2/' }))]],
    ['AUTH-PKCE-001', () => [authorize(`?${query({ code_challenge: 'short' })}`)]],
    ['AUTH-PKCE-002', () => [authorize(`?${query({ code_challenge_method: 'plain' })}`)]],
    ['AUTH-PKCE-003', () => [token(exchange({ code_verifier: 'short' }))]],
    ['AUTH-PKCE-006', () => [authorize(`?${query({ state: verifier })}`), token(exchange())]],
    ['TOK-BEARER-002', () => [issued(), request('GET', '/profile?access_token=an-access-token-1')]],
    ['TOK-SECRET-001', () => [request('POST', `/oauth/token?client_secret=${secret}`, form, exchange())]],
    ['TOK-SECRET-002', () => [request('GET', '/profile', { 'x-key': 'a secret of 12' })]],
    ['TOK-SECRET-003', () => [token(exchange({ client_id: 'mobile', client_secret: 'any' }))]],
    ['TOK-GRANT-001', () => [token('grant_type=client_credentials&client_id=mobile')]],
    [
      'TOK-SECRET-004',
      () => [token(exchange({ client_secret: 'a secret of 12' }), { authorization: `Basic ${btoa(`app:${secret}`)}` })],
    ],
    ['TOK-SECRET-005', () => [issued(), request('GET', '/profile', { authorization: 'Bearer a-refresh-token-1' })]],
    ['TOK-FORM-001', () => [request('POST', '/oauth/token', { 'content-type': 'application/json' }, '{}')]],
    ['TOK-FORM-003', () => [token(`${exchange()}&client_id=app`)]],
    ['TOK-FORM-006', () => [request('POST', '/oauth/token/revoke', form, 'client_id=app')]],
    ['ADDR-ENCODE-001', () => [request('GET', '/character/K\u00e4ya')]],
    ['ADDR-LIMIT-001', () => [request('GET', '/league?limit=51')]],
    ['ADDR-REALM-002', () => [request('GET', '/character?realm=xbox')]],
    ['PACE-AGENT-001', () => [request('GET', '/profile', { 'user-agent': 'curl/8.0' })]],
  ])('violates %s', async (row, make) => {
    expect(wrong(await judged(make()))).toContain(row);
  });

  it('is not blamed for where pages and redirects of the server lead', async () => {
    const here = base.replace('http://', '');
    const moved = authorize(`?${query()}`);
    moved.response.headers.push({ name: 'location', value: '/oauth/authorize?session=1' });
    const report = await judged([
      moved,
      authorize('?session=1'),
      authorize('?decision=allow', { referer: `${base}/oauth/authorize`, host: here }),
      authorize('?decision=allow', { 'sec-fetch-site': 'same-origin' }),
    ]);
    expect(wrong(report)).toEqual([]);
  });

  it('shows no credential in any report', async () => {
    const report = await judged([
      issued(),
      request('GET', '/profile?access_token=an-access-token-1'),
      token(exchange({ client_secret: 'a secret of 12' }), { authorization: `Basic ${btoa(`app:${secret}`)}` }),
    ]);
    expect(wrong(report)).toContain('TOK-SECRET-004');
    const all = Object.values(formats).map((format) => format(report));
    for (const text of ['an-access-token-1', 'a-refresh-token-1', 'a secret of 12', verifier, btoa(`app:${secret}`)])
      expect(all.join('\n')).not.toContain(text);
  });

  it('is not judged where nothing passed', async () => {
    expect(await judged([])).toMatchObject({ exitCode: 3, requests: { sent: 0 } });
  });

  it('is judged by rows that the audit has', () => {
    expect(passingRows).toHaveLength(24);
    expect(passingRows.filter(({ judge }) => judge === undefined)).toEqual([]);
  });
});
