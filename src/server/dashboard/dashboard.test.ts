import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { launch, names, noBrowser, open, shot, startSite, title } from '../browser.fixture.js';
import type { Site, Visit } from '../browser.fixture.js';
import type { Mock } from '../mock.js';
import { startMock } from '../mock.js';

/** The dashboard as people meet it: in Debian's Chromium, without a network. */
let browser: Browser;
let mock: Mock;
let guarded: Mock;
let elsewhere: Site;
let visit: () => Visit;

beforeAll(async () => {
  if (noBrowser) return;
  [browser, mock, guarded, elsewhere] = await Promise.all([
    launch(),
    startMock({ allowHosts: [names.mock], epoch: '2026-01-01T00:00:00Z' }),
    startMock({ controlToken: 's3cret' }),
    startSite(),
  ]);
  // The first start loads what replies are judged by, which takes its time where it is compiled first.
  await mock.journal.start();
  visit = await open(browser);
});
afterAll(async () => {
  if (noBrowser) return;
  await Promise.all([browser.close(), mock.close(), guarded.close()]);
  elsewhere.close();
});
beforeEach(async ({ skip }) => {
  if (noBrowser) skip(noBrowser);
  await mock.journal.stop();
  await mock.reset();
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const requests = (page: Page) => page.getByRole('region', { name: 'Requests' }).getByRole('listitem');
const said = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();

describe(title('dashboard'), () => {
  it('starts the journal, and shows requests as they come, with the reason of a refusal', async () => {
    const { page, faults } = visit();
    await page.goto(mock.url);
    await button(page, 'Start the journal').click();
    await said(page, 'The journal records.');
    await fetch(`${mock.url}/profile`, { headers: { authorization: 'Bearer nobody-knows-this' } });
    const [row, reason] = [requests(page).filter({ hasText: 'GET /profile' }), (await mock.journal.list())[0]?.reason];
    await row.waitFor();
    expect(await row.textContent()).toContain('401 refused');
    expect(reason).toMatch(/token/);
    expect(await row.textContent()).toContain(reason);
    expect(await page.textContent('body')).not.toContain('nobody-knows-this');

    const { access_token: token } = await mock.issueToken({ account: 'alice', scopes: ['account:profile'] });
    await fetch(`${mock.url}/profile`, { headers: { authorization: `Bearer ${token}` } });
    await requests(page).filter({ hasText: '200 answered' }).waitFor();
    expect(await requests(page).first().textContent()).toContain('alice');
    await page.getByRole('checkbox', { name: 'Only refused and failed' }).check();
    expect(await requests(page).allTextContents()).toEqual([expect.stringContaining('401 refused')]);
    expect(faults).toEqual([]);
  });

  it('shows a request that looks like HTML as text, and runs none of it', async () => {
    const { page, faults } = visit();
    await mock.journal.start();
    await page.goto(mock.url);
    const hostile = `<img src=x onerror="document.title='owned'">`;
    const body = new URLSearchParams({ grant_type: 'authorization_code', client_id: hostile });
    await fetch(`${mock.url}/oauth/token?${hostile}`, { method: 'POST', body });
    await requests(page).filter({ hasText: '/oauth/token' }).waitFor();
    expect(await requests(page).filter({ hasText: hostile }).count()).toBe(1);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toBe('Game Data mock');
    expect(faults).toEqual([]);
  });

  it('moves the clock with keys alone, and shows where they are', async () => {
    const { page, faults } = visit();
    await page.goto(mock.url);
    await page.getByRole('region', { name: 'Clock' }).getByText('2026-01-01').waitFor();
    const focused = (): Promise<unknown> => page.evaluate('document.activeElement.textContent');
    for (let stop = 0; stop < 30 && (await focused()) !== '+28 days'; stop += 1) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    }
    await page.keyboard.press('Enter');
    await said(page, 'The clock went forward: +28 days.');
    expect((await mock.clock.now()).toISOString()).toMatch(/^2026-01-29/);
    await page.getByRole('region', { name: 'Clock' }).getByText('2026-01-29').waitFor();
    expect(await focused()).toBe('+28 days');
    expect(faults).toEqual([]);
  });

  it('advances the clock by a step of one’s own, and resets the mock', async () => {
    const { page, faults } = visit();
    await page.goto(mock.url);
    await page.getByRole('spinbutton', { name: 'Hours' }).fill('36');
    await button(page, 'Advance').click();
    await said(page, 'The clock went forward: +36 hours.');
    expect((await mock.clock.now()).toISOString()).toMatch(/^2026-01-02T12/);
    await button(page, 'Reset the mock').click();
    await said(page, 'The mock is as it was at the start.');
    expect((await mock.clock.now()).toISOString()).toMatch(/^2026-01-01/);
    expect(faults).toEqual([]);
  });

  it('shows a request and its response in full, and what is left of the limits', async () => {
    const { page, faults } = visit();
    const windows = [{ hits: 45, period: 60, restriction: 60 }];
    await mock.limits.set({
      policies: [{ name: 'everything', operations: '*', rules: [{ rule: 'client', windows }] }],
    });
    await mock.journal.start();
    await page.goto(mock.url);
    const { access_token: token } = await mock.issueToken({ account: 'alice', scopes: ['account:profile'] });
    const headers = { authorization: `Bearer ${token}`, 'user-agent': 'dashboard test' };
    const reply = await fetch(`${mock.url}/profile`, { headers });
    const row = requests(page).filter({ hasText: 'GET /profile' });
    await row.getByText('Request and response').click();
    const [sent, got] = await row.locator('pre').allTextContents();
    expect(sent).toMatch(/^GET \/profile\n[^]*user-agent: dashboard test/i);
    expect(got).toContain(`Status 200\n`);
    expect(got).toContain(await reply.text());
    expect(await page.textContent('body')).not.toContain(token);
    await page.getByRole('region', { name: 'Rate limits' }).getByText('44 of 45 left in 60 s').waitFor();
    expect(await page.getByRole('region', { name: 'Rate limits' }).textContent()).toContain('everything, client');
    expect(faults).toEqual([]);
  });

  it('lists grants and revokes one, and leaves the keyboard in its panel', async () => {
    const { page } = visit();
    for (const clientId of ['example-web', 'example-desktop'])
      await mock.issueToken({ account: 'alice', clientId, scopes: ['account:profile'] });
    await page.goto(mock.url);
    await button(page, 'Revoke example-web of alice').press('Enter');
    await said(page, 'Revoked example-web of alice.');
    const states = (await mock.tokens()).map(({ client_id: id, state }) => `${id} ${state}`);
    expect([...new Set(states)].sort()).toEqual(['example-desktop live', 'example-web revoked']);
    expect(await button(page, 'Revoke example-desktop of alice').count()).toBe(1);
    expect(await page.locator(':focus').textContent()).toBe('Tokens and grants');
  });

  it('switches limits and faults on and off', async () => {
    const { page } = visit();
    await page.goto(mock.url);
    await button(page, 'Realistic limits').click();
    await said(page, 'Realistic limits are in force.');
    expect(await mock.limits.get()).not.toBeNull();
    await button(page, 'Observed limits').click();
    await said(page, 'The limits of a live service are in force.');
    await button(page, 'No limits').click();
    await said(page, 'Nothing is limited.');
    expect(await mock.limits.get()).toBeNull();
    await page.getByRole('combobox', { name: 'What goes wrong' }).selectOption('503 with Retry-After');
    await page.getByRole('combobox', { name: 'Operation' }).selectOption('getProfile');
    await button(page, 'Add fault').click();
    await button(page, 'End fault-1').waitFor();
    expect(await mock.faults.list()).toMatchObject([{ kind: 'status', status: 503, operation: 'getProfile' }]);
    await button(page, 'Clear faults').click();
    await said(page, 'There are no faults.');
    expect(await mock.faults.list()).toEqual([]);
  });

  it('adds every fault that it offers', async () => {
    const { page } = visit();
    await page.goto(mock.url);
    const kinds = page.getByRole('combobox', { name: 'What goes wrong' });
    const offered = await kinds.locator('option').allTextContents();
    for (const name of offered) {
      await kinds.selectOption(name);
      await button(page, 'Add fault').click();
      await said(page, `Fault added: ${name}.`);
    }
    expect(offered.length).toBeGreaterThan(5);
    expect(await mock.faults.list()).toHaveLength(offered.length);
  });

  it('saves and restores a snapshot, and says what is wrong with one', async () => {
    const { page } = visit();
    await page.goto(mock.url);
    await page.getByRole('textbox', { name: 'Name' }).fill('dash');
    await page.keyboard.press('Enter');
    await said(page, 'Saved dash.');
    await button(page, '+1 day').click();
    await said(page, '+1 day');
    await button(page, 'Restore dash').click();
    await said(page, 'Restored dash.');
    expect((await mock.clock.now()).toISOString()).toMatch(/^2026-01-01/);
    await mock.snapshots.remove('dash');
    await button(page, 'Restore dash').click();
    await page.getByRole('alert').filter({ hasText: 'dash' }).waitFor();
  });

  it('works by a name that is not a loopback address, where browsers send no Sec-Fetch-Site', async () => {
    const { page, faults } = visit();
    await page.goto(`http://${names.mock}:${mock.port}/`);
    await button(page, '+1 hour').click();
    await said(page, '+1 hour');
    expect((await mock.clock.now()).toISOString()).toMatch(/^2026-01-01T01/);
    expect(faults).toEqual([]);
  });

  it('controls the namespace that it is the page of', async () => {
    const { page } = visit();
    const one = await mock.namespace('dash');
    await page.goto(one.url);
    await button(page, '+1 day').click();
    await said(page, '+1 day');
    expect((await one.clock.now()).toISOString()).toMatch(/^2026-01-02/);
    expect((await mock.clock.now()).toISOString()).toMatch(/^2026-01-01/);
    await one.remove();
  });

  it('asks for the control token, and keeps it for the tab alone', async () => {
    const { page } = visit();
    await page.goto(guarded.url);
    const field = page.getByLabel('Control token');
    await field.waitFor();
    await field.fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'That is not the control token.' }).waitFor();
    await field.fill('s3cret');
    await page.keyboard.press('Enter');
    await field.waitFor({ state: 'hidden' });
    await page.getByRole('alert').waitFor({ state: 'hidden' });
    await button(page, 'Freeze').click();
    await said(page, 'The clock stands still.');
    expect(await page.evaluate('JSON.stringify([localStorage.length, document.cookie, location.href])')).toBe(
      JSON.stringify([0, '', `${guarded.url}/`]),
    );
    await page.evaluate('sessionStorage.clear()');
  });

  it('has a name for everything that can be operated, and a landmark for every panel', async () => {
    const { page } = visit();
    await page.goto(mock.url);
    expect(await page.getByRole('region').count()).toBe(7);
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    const unnamed = `[...document.querySelectorAll('button, select, input')]
      .filter((one) => !/\\w/.test(one.ariaLabel || one.labels?.[0]?.textContent || one.textContent)).map(({ id }) => id)`;
    expect(await page.locator('button, select, input').count()).toBeGreaterThan(15);
    expect(await page.evaluate(unnamed)).toEqual([]);
    expect(await page.locator('#entries').getAttribute('aria-live')).toBe('polite');
  });

  it('is shown in no frame of another page', async () => {
    const { page, faults } = visit();
    await page.goto(`http://${names.evil}:${elsewhere.port}/`);
    await page.setContent(`<iframe src="${mock.url}/"></iframe>`);
    await expect.poll(() => faults.join()).toContain("frame-ancestors 'none'");
  });

  it('fits a wide window and a narrow one, in light and in dark', async () => {
    const { page } = visit();
    await mock.journal.start();
    const { access_token: token } = await mock.issueToken({
      account: 'alice',
      clientId: 'example-web',
      scopes: ['account:profile', 'account:characters'],
    });
    await mock.issueToken({ account: 'bob', clientId: 'example-desktop', scopes: ['account:profile'] });
    const headers = { authorization: `Bearer ${token}` };
    for (const path of ['/profile', '/character', '/league', '/stash/Nowhere?limit=1'])
      await fetch(mock.url + path, { headers });
    await fetch(`${mock.url}/profile`);
    await fetch(`${mock.url}/oauth/token`, { method: 'POST', body: new URLSearchParams({ grant_type: 'password' }) });
    await mock.faults.add({ kind: 'lost-reply', operation: 'issueToken', times: 1 });
    await mock.snapshots.save('before-the-migration');
    await page.goto(mock.url);
    await requests(page).nth(5).waitFor();
    await page.getByRole('button', { name: /^End fault-/ }).waitFor();
    await shot(page, 'light');
    await page.emulateMedia({ colorScheme: 'dark' });
    await shot(page, 'dark');
    await page.setViewportSize({ width: 400, height: 2400 });
    await shot(page, 'narrow');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.emulateMedia({ colorScheme: null });
    await page.setViewportSize({ width: 1280, height: 720 });
  });
});
