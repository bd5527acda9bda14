import { readdirSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { packageFile } from '../input/package.js';
import { launch, noBrowser, open, shot, title } from './browser.fixture.js';
import type { Mock } from './mock.js';
import { startMock } from './mock.js';

/** The pages as the mock serves them, in a browser that knows no other host. `npm run docs` makes them. */
const names = readdirSync(packageFile('dist', 'docs')).filter((name) => name.endsWith('.html') && name !== '404.html');
let mock: Mock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.close());

describe('the documentation', () => {
  it('has an address for each of its pages, pictures and schemas, and for nothing else', async () => {
    expect(names.length).toBeGreaterThan(25);
    const statusOf = async (path: string): Promise<number> => (await fetch(mock.url + path)).status;
    for (const name of names) expect([name, await statusOf(`/docs/${name}`)]).toEqual([name, 200]);
    expect(await statusOf('/docs/images/verify-dark.webp')).toBe(200);
    expect(await statusOf('/docs/schemas/target.schema.json')).toBe(200);
    for (const path of [
      '/docs/none.html',
      '/docs/redoc.NOTICES.txt',
      '/docs/..%2fopenapi%2fopenapi.json',
      '/docs/images/none.webp',
    ])
      expect([path, await statusOf(path)]).toEqual([path, 404]);
  });

  it('is at an address below which relative links lead, within a namespace too', async () => {
    for (const path of ['/docs', '/docs/']) {
      const reply = await fetch(`${mock.url}${path}`, { redirect: 'manual' });
      expect([reply.status, reply.headers.get('location')]).toEqual([302, '/docs/start.html']);
    }
    await mock.namespace('one');
    const within = await fetch(`${mock.url}/ns/one/docs`, { redirect: 'manual' });
    expect([within.status, within.headers.get('location')]).toEqual([302, '/ns/one/docs/start.html']);
  });

  it('leads from a page to the pages of the mock that serves it', async () => {
    const page = await (await fetch(`${mock.url}/docs/start.html`)).text();
    expect(page).toContain('<a href="../try">');
    expect(page).toContain('<a href="../">');
  });
});

describe(title('the documentation in a browser'), () => {
  let browser: Browser;
  beforeAll(async () => {
    if (!noBrowser) browser = await launch();
  });
  afterAll(() => browser?.close());
  beforeEach(({ skip }) => {
    if (noBrowser) skip(noBrowser);
  });

  it('is searched with the keyboard alone', async () => {
    const visit = (await open(browser, { viewport: { width: 1280, height: 900 } }))();
    const { page } = visit;
    await page.goto(`${mock.url}/docs/mock.html`);
    await page.getByRole('searchbox').focus();
    await page.keyboard.type('refresh token twice');
    await page.keyboard.press('Enter');
    await page.getByText(/\d+ found for/).waitFor();
    expect(new URL(page.url()).pathname).toBe('/docs/search.html');
    const first = page.locator('#results li').first();
    expect(await first.locator('mark').count()).toBeGreaterThan(0);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('TOK-REFRESH-004');
    await page.getByText('found for “TOK-REFRESH-004”').waitFor();
    await page.keyboard.press('Tab');
    await shot(page, 'docs-search');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/requirements.html#TOK-REFRESH-004');
    // Its group was folded.
    expect(await page.locator('#TOK-REFRESH-004').isVisible()).toBe(true);
    expect(visit.faults).toEqual([]);
    await page.close();
  });

  it('is found by the words that people have for it', async () => {
    const { page } = (await open(browser, { viewport: { width: 1280, height: 900 } }))();
    const first: Readonly<Record<string, string>> = {
      'error format': 'Data errors',
      PKCE: 'Authorization code: acting for a user',
      'User-Agent': 'PACE-AGENT-001',
      client_credentials: 'Client credentials: acting for yourself',
      'move the clock': 'Move the clock',
    };
    for (const [typed, title] of Object.entries(first)) {
      await page.goto(`${mock.url}/docs/search.html?q=${encodeURIComponent(typed)}`);
      expect([typed, await page.locator('#results a').first().textContent()]).toEqual([typed, title]);
    }
    await page.goto(`${mock.url}/docs/search.html?q=qqqqqqq`);
    await page.getByText('Nothing found for “qqqqqqq”. Try one word of it').waitFor();
    await page.close();
  });

  it('counts what a filter leaves of each group of requirements', async () => {
    const { page } = (await open(browser, { viewport: { width: 1280, height: 900 } }))();
    await page.goto(`${mock.url}/docs/requirements.html`);
    const count = page.locator('summary:visible .tag').first();
    const all = await count.textContent();
    await page.getByLabel('Find requirements').fill('AUTH-CODE-003');
    expect(await count.textContent()).toMatch(/^1 of \d+$/);
    await page.getByLabel('Find requirements').fill('');
    expect(await count.textContent()).toBe(all);
    await page.close();
  });
});
