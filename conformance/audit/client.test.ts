import { deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

import { commandClient, printed } from './client.js';
import { isShown, readable } from './shown.js';

const url = 'http://127.0.0.1:4010/oauth/authorize?client_id=a&state=b-_~&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fcb';

describe('the authorization URL in an output', () => {
  it.each([
    ['in a sentence', `Open ${url}. Then wait.`],
    ['in brackets', `Open this (${url}) now`],
    ['in backticks', `Open \`${url}\` now`],
    ['in quotes', `url="${url}" `],
    ['in colour', `Open \u001B[1;36m${url}\u001B[0m now`],
    ['behind a link of the terminal', `Open \u001B]8;;${url}\u001B\\this page\u001B]8;;\u001B\\ now`],
    ['behind a link that ends with BEL', `Open \u001B]8;;${url}\u0007this page\u001B]8;;\u0007 now`],
    ['in JSON as Go writes it', `${JSON.stringify({ url }).replaceAll('&', String.raw`\u0026`)}\n`],
    ['in HTML', `<a href="${url.replaceAll('&', '&amp;')}">here</a>`],
  ])('is found %s', (_, output) => {
    expect(printed(output)).toEqual([url]);
  });

  it('is not taken before its end has come', () => {
    expect(printed(`Open ${url.slice(0, 60)}`)).toEqual([]);
    expect(printed('Open http://127.0.0.1:4010/other now')).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('a client that writes more than anybody reads', () => {
  it('has the address opened that stands behind it and in front of more', async () => {
    const flood = "'x'.repeat(5e6)";
    const code = `require('node:fs').writeSync(1, ${flood}); const left = ${JSON.stringify(`${url}\n`)} + 'y'.repeat(6e4);
      require('node:fs').writeSync(1, left); setInterval(() => {}, 1000)`;
    const { client, close } = commandClient({ words: [process.execPath, '-e', code] });
    const found = new AbortController();
    const opened: string[] = [];
    const ending = await client({
      environment: { GAMEDATA_BASE_URL: 'http://127.0.0.1:4010' },
      open: (address) => {
        opened.push(address);
        found.abort();
        return Promise.resolve();
      },
      start: 1,
      limit: 20_000,
      issued: () => [],
      logins: () => [],
      secrets: [],
      signal: found.signal,
    }).finally(close);
    expect(opened).toEqual([url]);
    expect(ending.written).toBeGreaterThan(5e6);
  });
});

describe('what a client stores', () => {
  it('is there at the second start in a world, and in no other world at the same address', async () => {
    const code = `const { existsSync, writeFileSync } = require('node:fs');
      const file = require('node:path').join(process.env.GAMEDATA_STATE, 'tokens');
      console.log(existsSync(file) ? 'has tokens' : 'has none'); writeFileSync(file, 'x')`;
    const { client, close } = commandClient({ words: [process.execPath, '-e', code] });
    const startIn = async (open: () => Promise<void>, start: number): Promise<string> => {
      const ending = await client({
        environment: { GAMEDATA_BASE_URL: 'http://127.0.0.1:4010' },
        open,
        start,
        limit: 20_000,
        issued: () => [],
        logins: () => [],
        secrets: [],
        signal: new AbortController().signal,
      });
      return ending.output.trim();
    };
    const one = async (): Promise<void> => {};
    const other = async (): Promise<void> => {};
    const said = [await startIn(one, 1), await startIn(one, 2), await startIn(other, 1)];
    await close();
    expect(said).toEqual(['has none', 'has tokens', 'has none']);
  });
});

describe('a secret in an output', () => {
  const token = '0123456789abcdefghijklmnopqrstuvwxyzABCD';

  it.each([token, token.slice(0, 32), token.slice(8)])('is shown by %s', (text) => {
    expect(isShown(token, `the token is ${text}…`)).toBe(true);
  });

  it.each([
    `headers: Authorization: Basic ${Buffer.from(`web:${token}`).toString('base64')}, …`,
    `code=1&client_secret=${token.replace('0', '%30')}`,
    `session=${encodeURIComponent(Buffer.from(`>>>???${token}`).toString('base64'))}`,
    `session=.${deflateSync(JSON.stringify({ token, more: token })).toString('base64url')}.aB-c.d_Efg`,
    `session=${gzipSync(token).toString('base64')}; path=/`,
    token,
  ])('is shown in another form by %s', (text) => {
    expect(isShown(token, readable(text))).toBe(true);
  });

  it.each([
    [token, token.slice(0, 12)],
    ['web-secret', 'no client_secret is given, and our secret stays here'],
  ])('%s is not shown by "%s"', (secret, text) => {
    expect(isShown(secret, text)).toBe(false);
  });
});
