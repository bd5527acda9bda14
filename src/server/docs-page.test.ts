import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { operationList } from '../contract/index.js';
import { launch, noBrowser, open, shot, title } from './browser.fixture.js';
import type { Visit } from './browser.fixture.js';
import type { Mock } from './mock.js';
import { startMock } from './mock.js';
import { packageFile } from '../input/package.js';

/** The documentation page with the network cut: one file has everything that it shows. */
let browser: Browser;
let mock: Mock;
let visit: Visit;

beforeAll(async () => {
  if (noBrowser) return;
  if (!existsSync(packageFile('dist', 'docs', 'index.html'))) {
    await promisify(execFile)(process.execPath, ['--import', 'tsx', packageFile('scripts', 'docs.ts')]);
  }
  [browser, mock] = await Promise.all([launch(), startMock()]);
  visit = (await open(browser, { viewport: { width: 1400, height: 900 } }))();
  await visit.page.goto(`${mock.url}/docs/index.html`);
  await visit.page.getByRole('heading', { name: 'Game Data Developer Interface', level: 1 }).waitFor();
});
afterAll(async () => {
  if (!noBrowser) await Promise.all([browser.close(), mock.close()]);
});
beforeEach(({ skip }) => {
  if (noBrowser) skip(noBrowser);
});

/** What the menu calls the operations of each tag, in order. */
async function byTag(): Promise<Map<string, string[]>> {
  const text = await readFile(packageFile('dist', 'openapi', 'openapi.json'), 'utf8');
  const { paths } = JSON.parse(text) as {
    paths: Record<string, Record<string, { operationId?: string; summary: string }>>;
  };
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const tags = new Map<string, string[]>();
  for (const { id, tag } of operationList) {
    const summary = operations.find(({ operationId }) => operationId === id)?.summary ?? id;
    tags.set(tag, [...(tags.get(tag) ?? []), summary]);
  }
  return tags;
}

describe(title('documentation page'), () => {
  const menu = () => visit.page.getByTestId('menu-item-label');

  it('has samples for the mock that serves it', async () => {
    const text = await (await fetch(`${mock.url}/docs/index.html`)).text();
    expect(text).toContain(`curl ${mock.url}/profile`);
    expect(text).not.toContain('127.0.0.1:4010');
  });

  it('has the chapter on what the description leaves open', async () => {
    const headings = visit.page.getByRole('heading');
    await shot(visit.page, 'docs');
    await headings.filter({ hasText: 'Gaps and contradictions' }).waitFor();
    expect(await headings.filter({ hasText: /^Open: / }).count()).toBeGreaterThan(5);
  });

  it('lists every operation of the contract below its tag', async () => {
    const missing: string[] = [];
    for (const [tag, summaries] of await byTag()) {
      await menu().getByText(tag, { exact: true }).last().dispatchEvent('click');
      await menu()
        .filter({ hasText: summaries.at(-1) })
        .first()
        .waitFor();
      const shown = await menu().allTextContents();
      missing.push(...summaries.filter((summary) => !shown.some((text) => text.startsWith(summary))));
    }
    expect(missing).toEqual([]);
  });

  it('leads from the menu to an operation, whose schema opens', async () => {
    const { page } = visit;
    await menu().getByText('Leagues', { exact: true }).click();
    await menu()
      .filter({ hasText: /^Read a league/ })
      .first()
      .click();
    const operation = page.locator('[data-section-id$="/getleague"]');
    await operation.getByRole('heading').filter({ hasText: 'Read a league' }).first().waitFor();
    const field = operation.getByText('registerAt', { exact: true });
    expect(await field.count()).toBe(0);
    await operation.getByRole('button', { name: /Show \d+ properties/ }).click();
    await field.waitFor();
    await shot(page, 'docs-operation');
  });

  it('ran without an error and asked no other host for anything', () => {
    expect(visit.faults).toEqual([]);
  });

  it('leads on from an address that no page has', async () => {
    const reply = await fetch(`${mock.url}/docs/nothing.html`);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    const html = await reply.text();
    expect(html).toContain('There is no such page');
    expect(html).toContain('href="start.html"');
  });

  it('runs no script but its own: the policy names each by its hash', async () => {
    for (const path of ['/docs/index.html', '/docs/mutants.html', '/docs/start.html', '/docs/search.html']) {
      const policy = (await fetch(`${mock.url}${path}`)).headers.get('content-security-policy') ?? '';
      const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? '';
      expect(scripts).toMatch(/^('none'|('sha256-[^']+' ?)+)$/);
    }
    const inject = `document.head.append(Object.assign(document.createElement('script'), { textContent: 'injected = true' }))`;
    expect(await visit.page.evaluate(`${inject}; 'injected' in window`)).toBe(false);
  });
});
