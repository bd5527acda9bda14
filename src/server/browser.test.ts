import { createHash } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { authorizationUrl, exchangeCode } from '../client/index.js';
import { launch, names, noBrowser, open, shot, startSite, title } from './browser.fixture.js';
import type { Site, Visit } from './browser.fixture.js';
import type { Mock } from './mock.js';
import { startMock } from './mock.js';
import { escape } from './pages/html.js';

/** The pages as people meet them: in Debian's Chromium, without a network. */
let browser: Browser;
let mock: Mock;
let client: Site;
let redirectUri: string;
let visits: { readonly [scripts in 'with scripts' | 'without scripts']: () => Visit };

beforeAll(async () => {
  if (noBrowser) return;
  [browser, mock, client] = await Promise.all([launch(), startMock({ allowHosts: [names.mock] }), startSite()]);
  const [plain, bare] = await Promise.all([open(browser), open(browser, { javaScriptEnabled: false })]);
  visits = { 'with scripts': plain, 'without scripts': bare };
  redirectUri = `http://127.0.0.1:${client.port}/callback`;
});
afterAll(async () => {
  if (noBrowser) return;
  await Promise.all([browser.close(), mock.close()]);
  client.close();
});
beforeEach(({ skip }) => {
  if (noBrowser) skip(noBrowser);
});

const verifier = 'browser-'.repeat(6);
const challenge = createHash('sha256').update(verifier).digest('base64url');
const scopes = ['account:profile', 'account:characters', 'account:stashes'];

interface Asked {
  readonly clientId?: string;
  readonly redirectUri?: string;
  readonly state?: string;
  /** Address of the mock as the browser knows it. */
  readonly authUrl?: string;
}

const consentUrl = (asked: Asked = {}): string =>
  authorizationUrl({
    authUrl: mock.url,
    clientId: 'example-desktop',
    redirectUri,
    scopes,
    state: 'state-1',
    challenge,
    ...asked,
  });

const confidential = { clientId: 'example-web', redirectUri: 'https://app.example/callback' };

/** The query that the client's callback is met with. */
async function arrival(page: Page): Promise<URLSearchParams> {
  await page.waitForURL(`${redirectUri}?**`);
  return new URL(page.url()).searchParams;
}

const exchange = (query: URLSearchParams) =>
  exchangeCode(
    { authUrl: mock.url, clientId: 'example-desktop' },
    { code: query.get('code') ?? '', redirectUri, verifier },
  );

const profileStatus = async (token: string): Promise<number> =>
  (await fetch(`${mock.url}/profile`, { headers: { authorization: `Bearer ${token}` } })).status;

const issue = async (clientId: string, account = 'alice'): Promise<string> =>
  (await mock.issueToken({ account, clientId, scopes: ['account:profile'] })).access_token;

const scripts = ['with scripts', 'without scripts'] as const;
const visit = (): Visit => visits['with scripts']();

describe.each(scripts)(title('consent page %s'), (kind) => {
  it('leads back with a code for the account that was chosen', async () => {
    const { page, faults } = visits[kind]();
    await page.goto(consentUrl());
    await page.getByRole('combobox', { name: 'Your account' }).selectOption('bob');
    await page.getByRole('button', { name: 'Approve' }).click();
    const query = await arrival(page);
    expect(query.get('state')).toBe('state-1');
    expect(await exchange(query)).toMatchObject({ username: 'bob', scope: scopes.join(' ') });
    expect(faults).toEqual([]);
  });

  it('leads back with access_denied', async () => {
    const { page, faults } = visits[kind]();
    await page.goto(consentUrl());
    await page.getByRole('button', { name: 'Deny' }).click();
    const query = await arrival(page);
    expect(Object.fromEntries(query)).toMatchObject({ error: 'access_denied', state: 'state-1' });
    expect(query.has('code')).toBe(false);
    expect(faults).toEqual([]);
  });

  it('grants the part that stays ticked', async () => {
    const { page } = visits[kind]();
    await page.goto(consentUrl());
    await page.getByRole('checkbox', { name: 'account:characters' }).uncheck();
    await page.getByRole('button', { name: 'Approve' }).click();
    expect((await exchange(await arrival(page))).scope).toBe('account:profile account:stashes');
  });
});

describe(title('consent page'), () => {
  it.each(['Approve', 'Deny'])('lets a callback send its user on to another site: %s', async (button) => {
    const { page, faults } = visit();
    const home = `http://${names.front}:${client.port}/home`;
    await page.goto(consentUrl({ state: home }));
    await page.getByRole('button', { name: button }).click();
    await page.waitForURL(home);
    expect(faults).toEqual([]);
  });

  it.each(['Approve', 'Deny'])(
    'works by a name that is not a loopback address, where browsers send no Sec-Fetch-Site: %s',
    async (button) => {
      const { page, faults } = visit();
      await page.goto(consentUrl({ authUrl: `http://${names.mock}:${mock.port}` }));
      await page.getByRole('button', { name: button }).click();
      expect((await arrival(page)).get('state')).toBe('state-1');
      expect(faults).toEqual([]);
    },
  );

  it('warns of a public client, and not of a confidential one', async () => {
    const { page } = visit();
    const warning = page.getByRole('alert');
    await page.goto(consentUrl());
    expect(await warning.textContent()).toMatch(/authenticity of this request cannot be verified/);
    await page.goto(consentUrl(confidential));
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Authorize Example Web?');
    expect(await warning.count()).toBe(0);
  });

  it('has a name for everything that can be operated', async () => {
    const { page } = visit();
    await page.goto(consentUrl());
    expect(await page.title()).toBe('Authorize Example Desktop');
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    const boxes = page.getByRole('group', { name: 'What it may do' }).getByRole('checkbox');
    expect(await boxes.count()).toBe(scopes.length);
    for (const name of [
      'account:profile basic profile',
      'account:characters characters and inventories',
      'account:stashes stashes and items',
    ]) {
      expect(await boxes.and(page.getByRole('checkbox', { name, exact: true })).count()).toBe(1);
    }
    const controls = await page.locator('input, select, button').count();
    expect(controls).toBe(scopes.length + 3);
    for (const [role, name] of [
      ['combobox', 'Your account'],
      ['button', 'Approve'],
      ['button', 'Deny'],
    ] as const) {
      expect(await page.getByRole(role, { name, exact: true }).count()).toBe(1);
    }
  });

  it.each([
    ['Approve', 5, 'code'],
    ['Deny', 6, 'error'],
  ])('is operated with keys alone, and shows where they are: %s', async (button, stops, parameter) => {
    const { page } = visit();
    await page.goto(consentUrl());
    for (let stop = 1; stop <= stops; stop += 1) {
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus');
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
      if (stop === 2) await page.keyboard.press('Space');
      if (stop === 4) await page.keyboard.type('bo');
      if (stop === stops) expect(await focused.textContent()).toBe(button);
    }
    await page.keyboard.press('Enter');
    const query = await arrival(page);
    expect(query.has(parameter)).toBe(true);
    if (parameter === 'code')
      expect(await exchange(query)).toMatchObject({ username: 'bob', scope: 'account:profile account:stashes' });
  });

  it('gives back a state that looks like HTML as it came, and runs none of it', async () => {
    const { page, faults } = visit();
    const state = `"><script>document.title='owned'</script><img src=x onerror=alert(1)>&amp;'`;
    await page.goto(consentUrl({ state }));
    expect(await page.title()).toBe('Authorize Example Desktop');
    expect(await page.locator('script, img').count()).toBe(0);
    await page.getByRole('button', { name: 'Approve' }).click();
    expect((await arrival(page)).get('state')).toBe(state);
    expect(faults).toEqual([]);
  });

  const hostile = `https://evil.test/"><script>document.title='owned'</script><img src=x onerror=alert(1)>`;
  it.each([
    ['redirect_uri', { redirectUri: hostile }],
    ['client_id', { clientId: hostile }],
  ])('shows a hostile %s as text on a page of status 400, and redirects nobody', async (_name, asked) => {
    const { page } = visit();
    const url = consentUrl(asked);
    const response = await page.goto(url);
    expect(response?.status()).toBe(400);
    expect(page.url()).toBe(new URL(url).href);
    expect(await page.title()).toBe('This request cannot be answered');
    expect(await page.locator('script, img, form').count()).toBe(0);
    expect(await page.textContent('main')).toContain(hostile);
  });

  it('fits a wide window and a phone, in light and in dark', async () => {
    const { page } = visit();
    await page.goto(consentUrl());
    await shot(page, 'consent-light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await shot(page, 'consent-dark');
    await page.setViewportSize({ width: 390, height: 844 });
    await shot(page, 'consent-mobile');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.emulateMedia({ colorScheme: null });
    await page.setViewportSize({ width: 1280, height: 720 });
  });
});

describe.each(scripts)(title('applications page %s'), (kind) => {
  it('lists what has access, and takes it away at once', async () => {
    const { page, faults } = visits[kind]();
    await mock.reset();
    const [web, desktop, bobs] = [
      await issue('example-web'),
      await issue('example-desktop'),
      await issue('example-web', 'bob'),
    ];
    await page.goto(`${mock.url}/applications?account=bob`);
    await page.getByRole('combobox', { name: 'Account' }).selectOption('alice');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('heading', { name: 'Applications of alice' }).waitFor();
    const items = page.getByRole('listitem');
    expect(await items.getByRole('heading').allTextContents()).toEqual(['Example Web', 'Example Desktop']);
    await shot(page, 'applications');

    await page.getByRole('button', { name: 'Revoke Example Web' }).click();
    await items.nth(1).waitFor({ state: 'detached' });
    expect(await items.getByRole('heading').allTextContents()).toEqual(['Example Desktop']);
    expect(await Promise.all([web, desktop, bobs].map(profileStatus))).toEqual([401, 200, 200]);

    await page.getByRole('button', { name: 'Revoke Example Desktop' }).click();
    await page.getByText('No application has access.').waitFor();
    expect(await profileStatus(desktop)).toBe(401);
    expect(faults).toEqual([]);
  });
});

describe(title('applications page'), () => {
  it('revokes by a name that is not a loopback address', async () => {
    const { page } = visit();
    await mock.reset();
    const token = await issue('example-web');
    await page.goto(`http://${names.mock}:${mock.port}/applications`);
    await page.getByRole('button', { name: 'Revoke Example Web' }).click();
    await page.getByText('No application has access.').waitFor();
    expect(await profileStatus(token)).toBe(401);
  });

  it('says on a page what is wrong with an account that does not exist', async () => {
    const { page } = visit();
    const response = await page.goto(`${mock.url}/applications?account=<b>nobody</b>`);
    expect(response?.status()).toBe(400);
    expect(await page.textContent('main')).toContain('there is no such account; there are owner, alice');
  });
});

describe.each([
  ['another site', names.evil],
  ['another port of this machine', '127.0.0.1'],
])(title('a page of %s'), (_name, host) => {
  const elsewhere = (): string => `http://${host}:${client.port}/`;

  /** Sends a form from a page of the other origin, and returns what the mock's page says. */
  async function post(page: Page, action: string, fields: Record<string, string>): Promise<string | null> {
    await page.goto(elsewhere());
    const inputs = Object.entries(fields).map(([name, value]) => `<input name="${name}" value="${value}">`);
    await page.setContent(
      `<form method="post" action="${escape(action)}">${inputs.join('')}<button>Win a prize</button></form>`,
    );
    const answered = page.waitForResponse((response) => response.url().startsWith(mock.url));
    await page.getByRole('button').click();
    expect((await answered).status()).toBe(403);
    return page.locator('main').textContent();
  }

  it('cannot drive the control surface', async () => {
    const { page } = visit();
    const token = await issue('example-web');
    await page.goto(elsewhere());
    const send = (path: string, body: string): Promise<string> =>
      page.evaluate(
        async ([url, text]) => {
          const response = await fetch(url, { method: 'POST', mode: 'no-cors', body: text });
          return response.type;
        },
        [`${mock.controlUrl}${path}`, body] as const,
      );
    const before = (await mock.tokens()).length;
    expect(await send('/reset', '')).toBe('opaque');
    expect(await send('/tokens', JSON.stringify({ account: 'alice', scopes: ['account:profile'] }))).toBe('opaque');
    expect((await mock.tokens()).length).toBe(before);
    expect(await profileStatus(token)).toBe(200);
    const read = page.evaluate((url) => fetch(url).then((response) => response.status), `${mock.controlUrl}/tokens`);
    await expect(read).rejects.toThrow('Failed to fetch');
  });

  it('cannot send the consent form', async () => {
    const { page } = visit();
    const text = await post(page, consentUrl(), { decision: 'approve', account: 'alice', scope: 'account:profile' });
    expect(text).toContain('this form came from another site');
  });

  it('cannot revoke', async () => {
    const { page } = visit();
    const token = await issue('example-web');
    const text = await post(page, `${mock.url}/applications`, { account: 'alice', client_id: 'example-web' });
    expect(text).toContain('this form came from another site');
    expect(await profileStatus(token)).toBe(200);
  });

  it('cannot show the consent page in a frame', async () => {
    const { page, faults } = visit();
    await page.goto(elsewhere());
    await page.setContent(`<iframe src="${escape(consentUrl())}"></iframe>`);
    await expect.poll(() => faults.join()).toContain("frame-ancestors 'none'");
    expect(await page.frameLocator('iframe').getByRole('button').count()).toBe(0);
  });
});
