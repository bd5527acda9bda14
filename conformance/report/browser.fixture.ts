import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** Debian's; nothing is downloaded. */
const executable = '/usr/bin/chromium';

/** Why there is no browser to test with; undefined where there is one. */
export const noBrowser = existsSync(executable)
  ? undefined
  : `there is no ${executable}; install Debian's package chromium to run these tests`;

if (noBrowser) console.error(`SKIPPED, every test of the report's page in a browser: ${noBrowser}`);

/** A browser that knows no host: the network is cut. */
export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: executable, args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND'] });

/** A page, and what went wrong in it: errors on the console, whatever it asked for beside itself. */
export interface Visit {
  readonly page: Page;
  readonly faults: readonly string[];
}

export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(30_000);
  const faults: string[] = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('dialog', (dialog) => {
    faults.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const asked = request.url().split('#')[0];
    if (asked !== url && asked !== 'data:,') faults.push(`request to ${asked}`);
  });
  await page.goto(url);
  return { page, faults };
}
