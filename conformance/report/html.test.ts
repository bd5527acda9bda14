import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { launch, noBrowser, visit } from './browser.fixture.js';
import { html } from './html.js';
import type { RunReport } from '../result.js';
import { canaryReport, hostileReport, sampleReport, withRows } from './sample.fixture.js';

describe('the page as text', () => {
  it.each([
    ['a full ledger', sampleReport(980)],
    ['a server that answers 500 to everything', canaryReport()],
    ['hostile text everywhere', hostileReport()],
  ])('stays below 1.5 MB: %s', (_, report) => {
    expect(Buffer.byteLength(html(report))).toBeLessThan(1_500_000);
  });

  it('begins with what came of each operation', () => {
    const text = html(sampleReport());
    const table = text.slice(text.indexOf('id="overview"'), text.indexOf('id="failures"'));
    expect(table).toContain('<code>POST /oauth/token</code>');
    expect(table).toContain('<code>GET /league/{league}/ladder</code>');
    expect(table).toMatch(/<th scope="col" class="num">failed<\/th>[^]*not judged<\/th>/);
    expect(html({ ...sampleReport(), subject: 'client' })).not.toContain('id="overview"');
  });

  it('stays below it with hundreds of failures, long and different ones', () => {
    const long = 'status 500 '.repeat(400);
    const rows = canaryReport().rows.map((row, index) => ({
      ...row,
      ...(row.failure && { failure: { ...row.failure, got: `answer ${index}: ${long}` } }),
    }));
    expect(Buffer.byteLength(html(withRows(rows)))).toBeLessThan(1_500_000);
  });

  it('allows its own style and script by their hashes and nothing else', () => {
    const text = html(sampleReport());
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(text)?.[1];
    const hash = (tag: string): string =>
      createHash('sha256')
        .update(new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text)?.[1] ?? '')
        .digest('base64');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`style-src 'sha256-${hash('style')}'`);
    expect(policy).toContain(`script-src 'sha256-${hash('script')}'`);
    expect(policy).not.toContain('unsafe');
    expect(text).not.toMatch(/ style="| on\w+="/);
  });

  it('has every requirement once in the ledger, with its verdict', () => {
    const text = html(sampleReport(980));
    expect(text.match(/<tr id="row-/g)).toHaveLength(980);
    for (const { id } of sampleReport(980).rows) expect(text).toContain(`id="row-${id}"`);
  });

  it('draws a lane for each copy of a client, and what is wrong in red', () => {
    const text = html(sampleReport()).split('id="copies"')[1]!;
    const drawn = text.slice(text.indexOf('class="lanes"'), text.indexOf('</svg>', text.indexOf('class="lanes"')));
    expect(drawn.match(/class="caller">[^<]*/g)).toEqual([
      'class="caller">copy 1: code 0',
      'class="caller">copy 2: killed',
    ]);
    expect(drawn.match(/<g class="[^"]*"><title>[^<]*/g)).toEqual([
      '<g class="call"><title>refresh 200',
      '<g class="call culprit"><title>refresh 400',
      '<g class="call culprit"><title>authorize unanswered',
    ]);
    expect(drawn).toContain('Red: what does not keep COPY-CONSENT-001.');
  });

  it('is short when all is well', () => {
    const rows = sampleReport().rows.filter(({ verdict }) => verdict === 'pass');
    const text = html(
      withRows(rows, { lifecycle: undefined, edition: {}, copies: [], observations: [], problems: [] }),
    );
    expect([...text.matchAll(/<section [^>]*id="([^"]+)"/g)].map(([, id]) => id)).toEqual(['ledger']);
  });
});

const title = (name: string): string => (noBrowser ? `${name} (SKIPPED: ${noBrowser})` : name);

describe(title('the page in a browser without a network'), () => {
  let browser: Browser;
  const folder = mkdtempSync(join(tmpdir(), 'report-'));
  const file = (name: string, report: RunReport): string => {
    writeFileSync(join(folder, name), html(report));
    return pathToFileURL(join(folder, name)).href;
  };
  const sample = file('sample.html', sampleReport(980));

  beforeAll(async () => {
    if (!noBrowser) browser = await launch();
  });
  afterAll(async () => {
    if (!noBrowser) await browser.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(({ skip }) => {
    if (noBrowser) skip(noBrowser);
  });

  it('filters the ledger by words, verdict, level and group', async () => {
    const { page, faults } = await visit(browser, sample);
    const rows = page.locator('#ledger tbody tr:visible');
    expect(await rows.count()).toBe(980);
    await page.getByLabel('Verdict').selectOption('could not run');
    expect(await rows.count()).toBe(3);
    await page.getByLabel('Text').fill('REFRESH life');
    expect(await rows.allTextContents()).toEqual([expect.stringContaining('LIFE-004')]);
    expect(await page.getByRole('status').textContent()).toBe('1 of 980 requirements');
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => rows.count()).toBe(980);
    await page.getByLabel('Level').selectOption('INFER');
    await page.getByLabel('Group').selectOption('LEAGUE-GET');
    expect(await rows.count()).toBe(1);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('leads from a number to its rows, and from a row to its failure and back', async () => {
    const { page, faults } = await visit(browser, sample);
    await page.getByRole('link', { name: '4 failed' }).click();
    const rows = page.locator('#ledger tbody tr:visible');
    expect(await rows.count()).toBe(4);
    await rows.getByRole('link', { name: 'LADDER-SORT-003' }).click();
    expect(new URL(page.url()).hash).toBe('#failure-LADDER-SORT-003');
    await page.locator('#failure-LADDER-SORT-003').getByRole('link', { name: 'LADDER-SORT-003' }).click();
    expect(new URL(page.url()).hash).toBe('#row-LADDER-SORT-003');
    expect(faults).toEqual([]);
    await page.close();
  });

  it('opens what a link leads to, also into folded failures', async () => {
    const canary = file('canary.html', canaryReport());
    const { page, faults } = await visit(browser, canary);
    const last = canaryReport().rows.findLast(({ verdict }) => verdict === 'fail')!;
    const folded = page.locator(`[id="failure-${last.id}"]`);
    expect(await folded.isVisible()).toBe(false);
    await page.goto(`${canary}#failure-${last.id}`);
    await folded.waitFor();
    expect(faults).toEqual([]);
    await page.close();
  });

  it('copies the command, unfolds the trace and the script by keyboard', async () => {
    const { page, faults } = await visit(browser, sample, { permissions: ['clipboard-read', 'clipboard-write'] });
    const copy = page.getByRole('button', { name: 'Copy' }).first();
    await copy.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(sampleReport().command);
    const failure = page.locator('#failure-TOK-REFRESH-004');
    await failure.getByText('HTTP trace, 2 requests').focus();
    await page.keyboard.press('Enter');
    await failure.getByText('Status 200').first().waitFor();
    await failure.getByText('curl script').click();
    expect(await failure.locator('pre').last().textContent()).toBe(sampleReport().rows[0]!.failure!.script);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('is a plain page without scripts', async () => {
    const { page, faults } = await visit(browser, sample, { javaScriptEnabled: false });
    expect(await page.locator('#ledger tbody tr').count()).toBe(980);
    expect(await page.locator('button:visible').count()).toBe(0);
    expect(await page.locator('.filter').isVisible()).toBe(false);
    await page.getByText('HTTP trace').first().click();
    await page.getByText('Status 200').first().waitFor();
    expect(faults).toEqual([]);
    await page.close();
  });

  it('never scrolls sideways, from 1280 pixels down to 320', async () => {
    for (const url of [sample, file('hostile.html', hostileReport())]) {
      const { page } = await visit(browser, url);
      await page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })");
      for (const width of [1280, 800, 390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      }
      await page.close();
    }
  });

  it('lets no text of the server act', async () => {
    const report = hostileReport();
    const { page, faults } = await visit(browser, file('hostile.html', report));
    expect(await page.title()).toContain('my-server');
    expect(await page.locator('img, b:text-is("bold"), script').count()).toBe(1);
    expect(await page.locator('a[href^="javascript"], a[href*="evil"]').count()).toBe(0);
    expect(await page.locator('#ledger tbody tr').count()).toBe(report.rows.length);
    expect(faults).toEqual([]);
    await page.close();
  });

  it('prints the whole ledger, without what is for the screen', async () => {
    const { page } = await visit(browser, sample);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('nav:visible, button:visible, .filter:visible').count()).toBe(0);
    expect(await page.locator('#ledger tbody tr:visible').count()).toBe(980);
    await page.close();
  });
});
