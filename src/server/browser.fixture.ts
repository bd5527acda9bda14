import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** Debian's; nothing is downloaded. */
const executable = '/usr/bin/chromium';

/** Why there is no browser to test with; undefined where there is one. */
export const noBrowser = existsSync(executable)
  ? undefined
  : `there is no ${executable}; install Debian's package chromium to run these tests`;

if (noBrowser) console.error(`SKIPPED, every test in a browser: ${noBrowser}`);

/** The name of a test suite, and why it is skipped where it is. */
export const title = (name: string): string => (noBrowser ? `${name} (SKIPPED: ${noBrowser})` : name);

/** Names that the browser takes for this machine. Every other name is unknown to it, as with the network cut. */
export const names = { mock: 'mock.test', front: 'front.test', evil: 'evil.test' } as const;

/** What draws and what fetches are threads of the browser, not processes: a seventh of the time of a test is theirs. */
const fewProcesses = ['--in-process-gpu', '--enable-features=NetworkServiceInProcess2'];

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: executable,
    args: ['--no-sandbox', ...fewProcesses, `--host-resolver-rules=${resolverRules()}`],
  });

const resolverRules = (): string =>
  [...Object.values(names).map((name) => `MAP ${name} 127.0.0.1`), 'MAP * ~NOTFOUND', 'EXCLUDE 127.0.0.1'].join(' , ');

/** A page, and what went wrong in it: errors on the console, requests that left this machine. */
export interface Visit {
  readonly page: Page;
  readonly faults: readonly string[];
}

/** Opens the one page of a browser for tests to use in turn: the mock leaves nothing behind in it. */
export async function open(browser: Browser, options: BrowserContextOptions = {}): Promise<() => Visit> {
  const page = await browser.newPage(options);
  // Waiting for something that does not come fails after half a minute: a busy machine draws slowly.
  page.setDefaultTimeout(30_000);
  let faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    const here = ['127.0.0.1', ...Object.values<string>(names)].includes(hostname);
    if (protocol.startsWith('http') && !here) faults.push(`request to ${request.url()}`);
  });
  return () => ({ page, faults: (faults = []) });
}

/** Keeps a picture in the folder SHOTS, where that is set: for people to look at. */
export async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** A site of its own on a free port: an empty page at every address but `/hop?to=…`, which sends on to elsewhere. */
export interface Site {
  readonly port: number;
  close(): void;
}

export async function startSite(): Promise<Site> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const to = searchParams.get('state');
    if (pathname === '/callback' && to?.startsWith('http')) response.writeHead(302, { location: to }).end();
    else
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<title>elsewhere</title><link rel="icon" href="data:,">');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}
