import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { authorizationUrl } from '../../client/index.js';
import { press, readForms } from '../forms.fixture.js';
import type { Mock } from '../mock.js';
import { startMock } from '../mock.js';

/** What the pages promise on the wire, whoever looks; `browser.test.ts` has what people see. */
let mock: Mock;
let consentUrl: string;

beforeAll(async () => {
  mock = await startMock();
  consentUrl = urlFor('https://app.example/callback', 'example-web');
});
afterAll(() => mock.close());

const urlFor = (redirectUri: string, clientId: string): string =>
  authorizationUrl({
    authUrl: mock.url,
    clientId,
    redirectUri,
    scopes: ['account:profile'],
    state: 'state-1',
    challenge: 'c'.repeat(43),
  });

const post = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' });

const decision = { decision: 'approve', account: 'alice', scope: 'account:profile' };

describe('every page', () => {
  it.each(['/applications', '/oauth/authorize?client_id=nobody', '/applications?account=nobody'])(
    'runs no scripts, loads nothing, is framed by nobody, and is not kept: %s',
    async (path) => {
      const { headers } = await fetch(mock.url + path);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('script-src');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cache-control')).toBe('no-store');
    },
  );

  it('runs its own script alone where it is the dashboard, and asks the mock alone', async () => {
    const response = await fetch(`${mock.url}/`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    const script = /<script type="module">([^]*)<\/script>/.exec(await response.text())?.[1] ?? '';
    const hash = createHash('sha256').update(script).digest('base64');
    const own = "; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'";
    expect(policy.split('; script-src ')[1]).toBe(`'sha256-${hash}'${own}`);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(response.headers.get('x-frame-options')).toBe('DENY');
  });

  it('lets its forms lead nowhere but to the mock, and those of the consent page to where the client is', async () => {
    const policyOf = async (url: string): Promise<string> =>
      (await fetch(url)).headers.get('content-security-policy')?.split('form-action ')[1] ?? '';
    expect(await policyOf(`${mock.url}/applications`)).toBe("'self'");
    expect(await policyOf(consentUrl)).toBe("'self' http: https:");
  });
});

describe('the consent form', () => {
  it('asks for nothing but the decision and its account and scopes', async () => {
    const page = await fetch(consentUrl);
    const [form] = readForms(await page.text(), page.url);
    expect(form).toMatchObject({
      method: 'POST',
      action: consentUrl,
      fields: [
        { name: 'scope', value: 'account:profile' },
        { name: 'account', value: 'alice' },
      ],
      buttons: [
        { name: 'decision', value: 'approve', text: 'Approve' },
        { name: 'decision', value: 'deny', text: 'Deny' },
      ],
    });
  });

  it.each([
    ['a scope that was not asked for', { ...decision, scope: 'account:stashes' }, 'account:stashes'],
    ['an account that does not exist', { ...decision, account: 'zoe' }, 'there is no such account'],
    ['another decision', { ...decision, decision: 'maybe' }, 'field decision: it is maybe; say approve or deny'],
    ['no decision', { account: 'alice', scope: 'account:profile' }, 'field decision: it is missing'],
  ])('is refused with %s, in words', async (_case, fields, words) => {
    const response = await post(consentUrl, fields);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain(words);
    expect(response.headers.get('x-mock-reason')).toContain(words);
  });

  it('checks the request anew', async () => {
    const other = consentUrl.replace('app.example', 'evil.example');
    const response = await post(other, decision);
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  });
});

describe('a form from elsewhere', () => {
  const foreign: [name: string, headers: Record<string, string>, status: number][] = [
    ['the mock’s own page', { 'sec-fetch-site': 'same-origin', origin: 'OWN' }, 302],
    ['the mock’s own page, in a browser without Sec-Fetch-Site', { origin: 'OWN' }, 302],
    ['a program', {}, 302],
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, 403],
    ['another port', { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' }, 403],
    ['another site, in a browser without Sec-Fetch-Site', { origin: 'https://evil.example' }, 403],
    ['a sandboxed frame', { origin: 'null' }, 403],
  ];

  it.each(foreign)('is told by its headers: %s', async (_from, headers, status) => {
    const own = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value === 'OWN' ? mock.url : value]),
    );
    const consented = await post(consentUrl, decision, own);
    expect(consented.status).toBe(status);
    expect(consented.headers.has('location')).toBe(status === 302);
    const revoked = await post(`${mock.url}/applications`, { account: 'alice', client_id: 'example-web' }, own);
    expect(revoked.status).toBe(status === 302 ? 303 : 403);
  });
});

describe('the applications page', () => {
  it('leads to the start page of the mock', async () => {
    const page = await (await fetch(`${mock.url}/applications`)).text();
    expect(page).toContain('<a href="/">Start page of the mock</a>');
  });

  it('leads from a revocation back to the account, and leaves other accounts and clients alone', async () => {
    const issue = (account: string, clientId: string) =>
      mock.issueToken({ account, clientId, scopes: ['account:profile'] });
    const tokens = [
      await issue('alice', 'example-web'),
      await issue('bob', 'example-web'),
      await issue('alice', 'example-other'),
    ];
    const page = await fetch(`${mock.url}/applications?account=alice`);
    const form = readForms(await page.text(), page.url).find(({ fields }) =>
      fields.some(({ value }) => value === 'example-web'),
    );
    const response = await press(form ?? expect.fail('example-web is not on the page'), 'Revoke');
    expect([response.status, response.headers.get('location')]).toEqual([303, '/applications?account=alice']);
    const statuses = tokens.map(
      async ({ access_token: token }) =>
        (await fetch(`${mock.url}/profile`, { headers: { authorization: `Bearer ${token}` } })).status,
    );
    expect(await Promise.all(statuses)).toEqual([401, 200, 200]);
  });
});
