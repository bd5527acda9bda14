/** `npm run pictures`: takes the pictures of docs/images of the real pages, in Debian's Chromium, light and dark. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';

import { startMock } from '../src/server/mock.js';
import type { Mock } from '../src/server/mock.js';
import { root } from './generate/document.js';
import { consentUrl, images, pictured, pictureSources, sourcesFile } from './picture-sources.js';
import { terminalPicture } from './terminal-picture.js';

const schemes = ['light', 'dark'] as const;
/** Bytes of a picture at most. */
const most = 150_000;
const width = 1100;

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const folder = await mkdtemp(join(tmpdir(), 'gamedata-pictures-'));
await mkdir(images, { recursive: true });
// Commands are shown as one types them in a clone.
await symlink(join(root, 'dist'), join(folder, 'dist'));
try {
  await using mock = await startMock(pictured);
  await traffic(mock);
  await take(browser, 'dashboard', mock.url, 700, (page) => page.getByText('GET /profile').first().waitFor());
  await take(browser, 'consent', await consentUrl(mock.url), 620, (page) => page.getByRole('button').first().waitFor());
  await take(browser, 'try', `${mock.url}/try`, 700, (page) => page.locator('.opblock').first().waitFor());
  const bug = await buggy(mock);
  await gamedata(['verify', '--only', 'PROFILE', '--seed', '1', '--report', 'verify'], {
    GAMEDATA_TARGET: await withBug(mock, bug.port),
  });
  bug.close();
  await take(browser, 'verify', `file://${join(folder, 'verify', 'report.html')}`, 1180);
  const client = 'curl -s "$GAMEDATA_BASE_URL/profile?access_token=$GAMEDATA_TOKEN_ACCOUNT"';
  const printed = await gamedata(
    ['audit', '--world', 'calm', '--only', 'TOK-BEARER,PACE-AGENT', '--report', 'audit', '--', 'sh', '-c', client],
    {},
  );
  await take(browser, 'audit-report', `file://${join(folder, 'audit', 'report.html')}`, 700);
  const shown = printed
    .split('\n')
    .filter((line) => !line.includes('audit/report'))
    // Where this package lies is of no interest, and differs between machines.
    .map((line) => line.replace(pathToFileURL(root).href, 'file:///…'));
  for (const scheme of schemes)
    await writeFile(join(images, `audit-${scheme}.svg`), terminalPicture(shown.join('\n').trimEnd(), scheme));
  await writeFile(sourcesFile, `${JSON.stringify(await pictureSources(), null, 2)}\n`);
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}

/** Requests as clients make them, right ones and wrong ones. */
async function traffic(mock: Mock): Promise<void> {
  const { access_token: token } = await mock.issueToken({
    account: 'alice',
    scopes: ['account:profile', 'account:characters'],
  });
  const get = (path: string, bearer = token): Promise<Response> =>
    fetch(mock.url + path, { headers: { authorization: `Bearer ${bearer}`, 'user-agent': 'OAuth example/1.0.0' } });
  await get('/profile');
  await get('/character');
  await get('/stash/Standard');
  await get('/league?limit=51');
  await get('/profile', 'a-token-that-was-never-issued');
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'example-service',
    client_secret: 'x',
  });
  await fetch(`${mock.url}/oauth/token`, { method: 'POST', body: form });
}

/** The mock with a bug before it: a profile has the name of the account for its uuid. */
async function buggy(mock: Mock): Promise<{ readonly port: number; close(): void }> {
  const server = createServer((req, res) => {
    const { pathname, search } = new URL(req.url ?? '/', mock.url);
    const onward = request(mock.url + pathname + search, { method: req.method, headers: req.headers }, (reply) => {
      const parts: Buffer[] = [];
      reply
        .on('data', (part: Buffer) => parts.push(part))
        .on('end', () => {
          const text = Buffer.concat(parts).toString();
          const body = pathname === '/profile' ? text.replace(/"uuid":"[^"]*"/, '"uuid":"alice"') : text;
          const { 'content-length': _, ...headers } = reply.headers;
          res.writeHead(reply.statusCode ?? 500, headers).end(req.method === 'HEAD' ? '' : body);
        });
    });
    req.pipe(onward.on('error', () => res.destroy()));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

/** The target file of a mock, with the bug at its address. */
async function withBug(mock: Mock, port: number): Promise<string> {
  const target = join(folder, 'target.yaml');
  await gamedata(['mock', '--port', '0', '--write-target', target, '--exec', '--', 'true'], {});
  const text = await readFile(target, 'utf8');
  const moved = text
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, mock.url)
    .replace(/^base_url: .*$/m, `base_url: http://127.0.0.1:${port}`)
    .replace(/^name: .*$/m, 'name: a server with a bug');
  await writeFile(target, moved);
  return target;
}

/** What the command prints, whatever its verdict. */
async function gamedata(args: readonly string[], env: Record<string, string>): Promise<string> {
  const main = join(folder, 'dist', 'cli', 'main.js');
  const options = { cwd: folder, env: { ...process.env, ...env, FORCE_COLOR: '0' }, maxBuffer: 1 << 26 };
  return promisify(execFile)(process.execPath, [main, ...args], options).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr, code }: { stdout: string; stderr: string; code: number }) => {
      if (code === 1 || code === 3) return stdout;
      throw new Error(stderr);
    },
  );
}

async function take(
  from: Browser,
  name: string,
  url: string,
  height: number,
  ready: (page: Page) => Promise<unknown> = async () => {},
): Promise<void> {
  for (const colorScheme of schemes) {
    const page = await from.newPage({ colorScheme, viewport: { width, height }, reducedMotion: 'reduce' });
    await page.goto(url);
    await ready(page);
    const file = join(images, `${name}-${colorScheme}.webp`);
    const devtools = await page.context().newCDPSession(page);
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 85 });
    await writeFile(file, data, 'base64');
    await page.close();
    const { size } = await stat(file);
    console.log(`${relative(root, file)}: ${Math.round(size / 1024)} KiB`);
    if (size > most) throw new Error(`${file} has ${size} bytes, and ${most} are the most`);
  }
}
