import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { launch, noBrowser, open, shot, title } from '../browser.fixture.js';
import type { Visit } from '../browser.fixture.js';
import type { Mock } from '../mock.js';
import { startMock } from '../mock.js';
import { packageFile } from '../../input/package.js';

/** The page to try operations on, in Debian's Chromium, without a network. */
let browser: Browser;
let mock: Mock;
let guarded: Mock;
let visit: () => Visit;
const desk = { width: 1200, height: 900 };

beforeAll(async () => {
  if (noBrowser) return;
  if (!existsSync(packageFile('dist', 'docs', 'try', 'swagger-ui-bundle.js')))
    await promisify(execFile)(process.execPath, ['--import', 'tsx', packageFile('scripts', 'docs.ts')]);
  [browser, mock, guarded] = await Promise.all([launch(), startMock(), startMock({ controlToken: 's3cret' })]);
  visit = await open(browser, { viewport: desk });
});
afterAll(async () => {
  if (!noBrowser) await Promise.all([browser.close(), mock.close(), guarded.close()]);
});
beforeEach(({ skip }) => {
  if (noBrowser) skip(noBrowser);
});

const status = (page: Page) => page.locator('#tokens');

/** Opens the form of an operation. */
async function operation(page: Page, id: string): Promise<Locator> {
  const block = page.locator(`[id$="-${id}"].opblock`);
  await block.locator('.opblock-summary-control').click();
  return block;
}

/** Presses Execute, and gives what the page shows of the answer. */
async function execute(block: Locator): Promise<string> {
  await block.getByRole('button', { name: 'Execute' }).click();
  const live = block.locator('.live-responses-table');
  await live.waitFor();
  return (await live.textContent()) ?? '';
}

describe(title('the page to try operations on'), () => {
  it('calls an operation of a user and one of a service, each with the token that is in place', async () => {
    const { page, faults } = visit();
    await page.goto(`${mock.url}/try`);
    await status(page).filter({ hasText: 'are set' }).waitFor();
    await shot(page, 'try');
    const profile = await execute(await operation(page, 'getProfile'));
    expect(profile).toContain('200');
    expect(profile).toContain('"uuid"');
    const leagues = await execute(await operation(page, 'listLeagues'));
    expect(leagues).toContain('"leagues"');
    await shot(page, 'try-called');
    // It fits a narrow screen while operations are open.
    await page.setViewportSize({ width: 375, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
    await page.setViewportSize(desk);
    expect(faults).toEqual([]);
  });

  it('gets a token by authorization code with PKCE, on the consent page', async () => {
    const { page, faults } = visit();
    await mock.journal.start();
    await page.goto(`${mock.url}/try`);
    await status(page).filter({ hasText: 'are set' }).waitFor();
    await page.locator('.auth-wrapper .authorize').click();
    await page.getByText('Available authorizations').waitFor();
    expect(await page.evaluate("document.querySelector('.modal-ux-content').scrollTop")).toBe(0);
    expect(await page.evaluate('document.activeElement.className')).toBe('close-modal');
    const form = page.locator('.auth-container').filter({ hasText: 'account (OAuth2, authorizationCode' });
    await form.getByRole('button', { name: 'Remove authorization' }).click();
    expect(await form.getByLabel('client_id:').inputValue()).toBe('example-desktop');
    await form.locator('label[for^="account:profile"]').click();
    const [consent] = await Promise.all([
      page.waitForEvent('popup'),
      form.getByRole('button', { name: 'Apply given OAuth2 credentials' }).click(),
    ]);
    await Promise.all([consent.waitForEvent('close'), consent.getByRole('button', { name: 'Approve' }).click()]);
    await form.getByRole('button', { name: 'Remove authorization' }).waitFor();
    await form.getByRole('button', { name: 'Close' }).first().click();
    expect(await execute(await operation(page, 'getProfile'))).toContain('"uuid"');
    const [exchange] = await mock.journal.list({ operation: 'issueToken' });
    expect(exchange).toMatchObject({ client_id: 'example-desktop', decision: 'answered' });
    expect(faults).toEqual([]);
  });

  it('says so where it may not issue tokens', async () => {
    const { page } = visit();
    await page.goto(`${guarded.url}/try`);
    await status(page).filter({ hasText: 'No token is in place' }).waitFor();
    expect(await page.content()).not.toContain('s3cret');
    await (await operation(page, 'getProfile')).getByRole('button', { name: 'Execute' }).waitFor();
  });
});
