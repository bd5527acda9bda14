import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

import { packageFile } from '../input/package.js';
import type * as module from './index.js';

/** What browsers, workers and edge runtimes have, and the handler uses. */
const web = `
  Headers Request Response URL URLSearchParams AbortController AbortSignal
  ReadableStream TransformStream DecompressionStream TextDecoder TextEncoder Uint8Array
  atob btoa console crypto performance queueMicrotask setTimeout clearTimeout`;
const globals = (): object =>
  Object.fromEntries(
    web
      .trim()
      .split(/\s+/)
      .map((name) => [name, (globalThis as unknown as Readonly<Record<string, unknown>>)[name]]),
  );

describe('a bundle of the handler', () => {
  it('runs with what the web has, and nothing of Node', async () => {
    // A module of Node is an error for esbuild on this platform.
    const { outputFiles } = await build({
      absWorkingDir: packageFile(),
      entryPoints: ['src/handler/index.ts'],
      bundle: true,
      format: 'iife',
      globalName: 'bundled',
      platform: 'neutral',
      mainFields: ['module', 'main'],
      write: false,
    });
    const context = createContext(globals());
    runInContext(outputFiles[0]?.text ?? '', context);
    const { createHandler } = (context as unknown as { bundled: typeof module }).bundled;
    const handler = createHandler({ journal: true });
    const ask = async (path: string, init?: RequestInit): Promise<Record<string, unknown>> => {
      const response = await handler(new Request(`https://api.example${path}`, init));
      return { status: response.status, ...((await response.json()) as object) };
    };
    const json = { 'content-type': 'application/json' };
    const body = JSON.stringify({ account: 'alice', scopes: ['account:profile', 'account:characters'] });
    const { access_token: token } = await ask('/__control/tokens', { method: 'POST', headers: json, body });
    const headers = { authorization: `Bearer ${String(token)}` };
    expect(await ask('/profile', { headers })).toMatchObject({ status: 200, name: expect.any(String) });
    expect(await ask('/character', { headers })).toMatchObject({ status: 200, characters: expect.any(Array) });
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: 'example-service',
      client_secret: 'service-secret',
      scope: 'service:leagues',
    });
    expect(await ask('/oauth/token', { method: 'POST', body: form })).toMatchObject({ status: 200 });
    const { entries } = await ask('/__control/journal/entries');
    expect(entries).toMatchObject(Array.from({ length: 3 }, () => ({ decision: 'answered', problems: { reply: [] } })));
  });
});
