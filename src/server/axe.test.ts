import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { html } from '../../conformance/report/html.js';
import { sampleReport } from '../../conformance/report/sample.fixture.js';
import { chapters } from '../../scripts/docs/chapters.js';
import { launch, noBrowser, open, shot, title } from './browser.fixture.js';
import type { Visit } from './browser.fixture.js';
import type { Mock } from './mock.js';
import { startMock } from './mock.js';

/** Every page of the mock and every report by the rules of axe-core, in light and dark, on a phone and on a desk. */
let browser: Browser;
let mock: Mock;
const folder = mkdtempSync(join(tmpdir(), 'gamedata-axe-'));

beforeAll(async () => {
  if (noBrowser) return;
  for (const [name, text] of Object.entries(reports)) writeFileSync(join(folder, `${name}.html`), text);
  [browser, mock] = await Promise.all([launch(), startMock({ journal: true, epoch: '2026-01-01T00:00:00Z' })]);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  if (noBrowser) return;
  await Promise.all([browser.close(), mock.close()]);
});

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// Redoc: its menu stands in no landmark, code and wide tables scroll without a tab stop.
const redoc = ['region', 'scrollable-region-focusable'];

/** What a page holds of a library, and what the library does that nobody outside it can change. */
const excepted: Readonly<Record<string, readonly string[]>> = {
  // Swagger UI: a summary that opens has a button to copy its path, and a part of the page stands beside its own main.
  try: ['nested-interactive', 'region'],
  // Its choice of an example has no label.
  call: ['nested-interactive', 'region', 'select-name'],
  reference: redoc,
  // An operation has no heading of the first level, and the list of its examples is called Example.
  operation: [...redoc, 'page-has-heading-one', 'heading-order', 'label-content-name-mismatch'],
};

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}

const authorize = new URLSearchParams({
  client_id: 'example-web',
  response_type: 'code',
  scope: 'account:profile account:characters',
  state: 'abcdefghijkl',
  redirect_uri: 'https://app.example/callback',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
});

/** The pages that runs write, as people open them: from a folder. */
const reports: Readonly<Record<string, string>> = {
  verdicts: html(sampleReport()),
  audit: html({ ...sampleReport(), subject: 'client' }),
};

const places: Readonly<Record<string, string>> = {
  dashboard: '/',
  applications: '/applications?account=alice',
  consent: `/oauth/authorize?${authorize}`,
  refusal: '/oauth/authorize',
  reference: '/docs/index.html',
  operation: '/docs/index.html#/item-filters/createitemfilter',
  proof: '/docs/mutants.html',
  requirements: '/docs/requirements.html#TOK-REFRESH-004',
  search: '/docs/search.html?q=refresh',
  // A chapter with pictures, one with code, one with wide tables, one with a drawing.
  start: '/docs/start.html',
  verify: '/docs/verify.html',
  foreign: '/docs/foreign.html',
  machine: '/docs/machine.html',
  try: '/try',
  // An operation with its form open.
  call: '/try#/Profile/getProfile',
};

/** How pages are looked at, in turn: by all rules in light, by their colours in dark. */
const looks = [
  { width: 1280, scheme: 'light' },
  { width: 375, scheme: 'light' },
  { width: 375, scheme: 'dark' },
  { width: 1280, scheme: 'dark' },
] as const;
type Look = (typeof looks)[number];

/** Chapters are made alike: those that no place names are looked at in one of the widths, in turn. */
const others = chapters.filter(({ name }) => !(name in places));

const pages: readonly [name: string, address: string, looks: readonly Look[]][] = [
  ...Object.entries(places),
  ...others.map(({ name }): [string, string] => [name, `/docs/${name}.html`]),
  ...Object.keys(reports).map((name): [string, string] => [
    `report of ${name}`,
    pathToFileURL(join(folder, `${name}.html`)).href,
  ]),
].map(([name, address]) => {
  const at = others.findIndex((one) => one.name === name);
  return [name, address, looks.filter(({ width }) => at < 0 || (at % 2 === 0) === (width === 1280))];
});

/** Loads axe beside a page, in a world of its own, which the page's policy does not reach. */
async function axeOn(page: Page, name: string): Promise<(rule?: string) => Promise<readonly string[]>> {
  const client = await page.context().newCDPSession(page);
  const { frameTree } = await client.send('Page.getFrameTree');
  const { executionContextId: contextId } = await client.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  });
  const evaluate = (expression: string) =>
    client.send('Runtime.evaluate', { contextId, awaitPromise: true, returnByValue: true, expression });
  await evaluate(`${axe}; null`);
  return async (rule) => {
    const options = { resultTypes: ['violations'], ...(rule !== undefined && { runOnly: [rule] }) };
    const { result } = await evaluate(
      `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`,
    );
    return (result.value as readonly Violation[])
      .filter(({ id }) => !excepted[name]?.includes(id))
      .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
  };
}

/** Leaves a few of the rows of a table, of the entries of a list and of the sections of a page, which are all made alike: axe takes minutes for thousands. */
const shorten = `
  for (const { rows } of document.querySelectorAll('tbody')) for (const row of [...rows].slice(3)) row.remove();
  for (const { children } of document.querySelectorAll('main ul, main details')) for (const item of [...children].slice(3)) item.remove();
`;

/** Redoc and Swagger UI fade from colour to colour, and what inherits a fading colour fades after it. */
const still = `
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { transition: none !important }');
  document.adoptedStyleSheets.push(sheet);
`;

/** Pictures that a page has and that did not come. */
const broken = '[...document.images].filter((one) => !one.naturalWidth).map((one) => one.src)';

/** Redoc asks for the scheme only when it loads. */
const settle = `(dark) => document.documentElement.classList.toggle('dark', dark)`;

describe(title('without a finding, narrow and wide, in light and dark'), () => {
  let visit: () => Visit;
  beforeAll(async () => {
    if (!noBrowser) visit = await open(browser, { reducedMotion: 'reduce' });
  });

  it.each(pages)(
    'is the page %s',
    async (name, path, own) => {
      const { page, faults } = visit();
      const look = async ({ width, scheme }: Look): Promise<void> => {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme: scheme });
        await page.evaluate(`(${settle})(${scheme === 'dark'})`);
      };
      await look(own[0]!);
      // Another place of the same page would be the page as the last test left it.
      await page.goto('about:blank');
      await page.goto(new URL(path, mock.url).href);
      if (name === 'try') await page.locator('.opblock').first().waitFor({ timeout: 30_000 });
      if (name === 'call') await page.getByRole('button', { name: 'Cancel' }).waitFor({ timeout: 30_000 });
      if (name === 'operation') await page.getByRole('heading', { name: 'Create an item filter' }).waitFor();
      if (name === 'dashboard') await page.getByText('Recording.').waitFor();
      for (const { width } of looks) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      }
      expect(await page.evaluate(broken)).toEqual([]);
      await page.evaluate(shorten);
      await page.evaluate(still);
      const findings = await axeOn(page, name);
      for (const one of own) {
        await look(one);
        await shot(page, `${name}-${one.scheme}-${one.width}`);
        const found = await findings(one.scheme === 'dark' ? 'color-contrast' : undefined);
        expect(found, `${one.scheme}, ${one.width} px`).toEqual([]);
      }
      expect(name === 'refusal' ? [] : faults).toEqual([]);
    },
    120_000,
  );
});
