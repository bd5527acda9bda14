import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import type { Service } from '../../src/server/service.js';
import { browserCommand } from './browser-command.js';
import { visit } from './browser.js';

const options = {
  mode: 'approve',
  account: 'alice',
  service: { issuer: 'http://127.0.0.1:1' } as Service,
  addresses: ['http://127.0.0.1:1'],
  now: () => 0,
  signal: new AbortController().signal,
} as const;

describe("the audit's browser", () => {
  it('reads a page of the client up to a bound, and goes on', async () => {
    let sent = 0;
    const part = Buffer.alloc(1 << 20, 'x');
    const server = createServer((_, res) => {
      const more = (): void => {
        while (sent < 1 << 30 && !res.destroyed) {
          sent += part.length;
          if (!res.write(part)) return void res.once('drain', more);
        }
        res.end();
      };
      more();
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const { problem } = await visit(`http://127.0.0.1:${port}/login`, options);
    expect(problem).toBeUndefined();
    expect(sent).toBeLessThan(64 << 20);
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });

  it('is handed an address up to a bound', async () => {
    const opened: string[] = [];
    const browser = await browserCommand((url) => void opened.push(url));
    const port = /port: (\d+)/.exec(readFileSync(browser.environment.BROWSER!, 'utf8'))![1];
    const hand = (size: number): Promise<void> =>
      new Promise((done, fail) => {
        const handing = request({ host: '127.0.0.1', port, method: 'POST' }, (res) => res.resume().on('end', done));
        handing.on('error', fail).end(`http://127.0.0.1/${'x'.repeat(size)}`);
      });
    await hand(20 << 20);
    await hand(100);
    expect(opened.map(({ length }) => length)).toEqual(['http://127.0.0.1/'.length + 100]);
    await browser.close();
  });
});

describe('what a client stores', () => {
  it('is open where all may read the file and enter its folders', async () => {
    const browser = await browserCommand(() => {});
    const state = browser.environment.GAMEDATA_STATE!;
    chmodSync(state, 0o755);
    const store = (name: string, mode: number): void => {
      writeFileSync(join(state, name), '{"access_token":"of-alice"}');
      chmodSync(join(state, name), mode);
    };
    mkdirSync(join(state, 'closed'));
    chmodSync(join(state, 'closed'), 0o700);
    store('all.json', 0o644);
    store('own.json', 0o600);
    store(join('closed', 'all.json'), 0o644);
    const holding = browser.holding(['of-alice']).toSorted();
    expect(holding).toEqual(['all.json', join('closed', 'all.json'), 'own.json']);
    expect(browser.holding(['of-bob'])).toEqual([]);
    expect(holding.filter((file) => browser.isOpen(file))).toEqual(['all.json']);
    chmodSync(state, 0o700);
    expect(holding.filter((file) => browser.isOpen(file))).toEqual([]);
    await browser.close();
  });
});
