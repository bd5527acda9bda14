import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { packageFile } from '../../../src/input/package.js';
import { launch, noBrowser, open, title } from '../../../src/server/browser.fixture.js';
import type { Visit } from '../../../src/server/browser.fixture.js';
import { workerFile } from './page.js';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
};

/** A host of files and nothing else, with the documentation in a folder of it, as such hosts are. */
const asked: string[] = [];
const host = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  asked.push(`${request.method} ${pathname}`);
  const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
  const name = /^\/manual\/([\w./-]+)$/.exec(path)?.[1] ?? '';
  readFile(join(packageFile('dist', 'docs'), name)).then(
    (content) => response.writeHead(200, { 'content-type': types[extname(name)] ?? 'text/plain' }).end(content),
    () => response.writeHead(404).end(),
  );
});

let browser: Browser;
let visit: () => Visit;
let manual: string;

beforeAll(async () => {
  if (noBrowser) return;
  if (!existsSync(packageFile('dist', 'docs', workerFile)))
    await promisify(execFile)(process.execPath, ['--import', 'tsx', packageFile('scripts', 'docs.ts')]);
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done));
  manual = `http://127.0.0.1:${(host.address() as AddressInfo).port}/manual/`;
  browser = await launch();
  visit = await open(browser, { viewport: { width: 1200, height: 900 } });
});
afterAll(async () => {
  if (noBrowser) return;
  await browser.close();
  host.closeAllConnections();
  await new Promise((done) => host.close(done));
});
beforeEach(({ skip }) => {
  if (noBrowser) skip(noBrowser);
});

const status = (page: Page) => page.locator('#tokens');

async function operation(page: Page, id: string): Promise<Locator> {
  const block = page.locator(`[id$="-${id}"].opblock`);
  await block.locator('.opblock-summary-control').click();
  return block;
}

async function execute(block: Locator): Promise<string> {
  await block.getByRole('button', { name: 'Execute' }).click();
  const live = block.locator('.live-responses-table');
  await live.waitFor();
  return (await live.textContent()) ?? '';
}

describe(title('the documentation on a host of files'), () => {
  it('starts the mock in the browser, and calls it with the token that is in place', async () => {
    const { page, faults } = visit();
    page.setDefaultTimeout(60_000);
    await page.goto(`${manual}start.html`);
    await page.getByRole('link', { name: 'Try it' }).first().click();
    await status(page).filter({ hasText: 'are set' }).waitFor();
    const profile = await execute(await operation(page, 'getProfile'));
    expect(profile).toContain('200');
    expect(profile).toContain('"uuid"');
    expect(faults).toEqual([]);
  });

  it('gets a token by authorization code with PKCE, on the consent page', async () => {
    const { page, faults } = visit();
    await page.goto(`${manual}try`);
    await status(page).filter({ hasText: 'are set' }).waitFor();
    await page.locator('.auth-wrapper .authorize').click();
    const form = page.locator('.auth-container').filter({ hasText: 'account (OAuth2, authorizationCode' });
    await form.getByRole('button', { name: 'Remove authorization' }).click();
    await form.locator('label[for^="account:profile"]').click();
    const [consent] = await Promise.all([
      page.waitForEvent('popup'),
      form.getByRole('button', { name: 'Apply given OAuth2 credentials' }).click(),
    ]);
    await Promise.all([consent.waitForEvent('close'), consent.getByRole('button', { name: 'Approve' }).click()]);
    await form.getByRole('button', { name: 'Remove authorization' }).waitFor();
    await form.getByRole('button', { name: 'Close' }).first().click();
    expect(await execute(await operation(page, 'getProfile'))).toContain('"uuid"');
    expect(faults).toEqual([]);
  });

  it('keeps tokens when the browser ends the worker, as it does with an idle one', async () => {
    const { page } = visit();
    await page.goto(`${manual}try`);
    const kept = `caches.open('gamedata-mock').then((store) => store.match('mock-state')).then((found) => found.json())`;
    expect(await page.evaluate(kept)).toMatchObject({ snapshot: 1 });
    const mint = `fetch('__control/tokens', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"account":"alice","scopes":["account:profile"]}' }).then((response) => response.json())`;
    const { access_token: token } = (await page.evaluate(mint)) as { access_token: string };
    await page.waitForFunction(`${kept}.then((state) => JSON.stringify(state).includes(${JSON.stringify(token)}))`);
    const session = await browser.newBrowserCDPSession();
    const { targetInfos } = await session.send('Target.getTargets');
    for (const { targetId, type } of targetInfos)
      if (type === 'service_worker') await session.send('Target.closeTarget', { targetId });
    const call = `fetch('profile', { headers: { authorization: 'Bearer ${token}' } }).then((response) => response.status)`;
    expect(await page.evaluate(call)).toBe(200);
  });

  it('asked the host for files alone', () => {
    expect(asked.filter((one) => !/^GET \/manual\/(?:[\w/-]+\.(?:html|js|css|json|webp|svg))$/.test(one))).toEqual([]);
    expect(asked.length).toBeGreaterThan(3);
  });
});
