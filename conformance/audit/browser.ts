import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Service } from '../../src/server/service.js';
import { browserMark } from './call.js';
import type { Callback, Visit } from './run.js';
import type { Browser } from './world.js';

export interface BrowserOptions {
  readonly mode: Browser;
  readonly account: string;
  readonly service: Service;
  /** Real ms since the world began. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

const headers = { [browserMark]: '1', accept: 'text/html,*/*', 'user-agent': 'Mozilla/5.0 (audit)' };

/**
 * The user agent of a person who does as the world says: opens the page, submits its form, follows the redirect to the
 * client's listener. Nothing is skipped, so that the client's flow is the real one.
 */
export async function visit(url: string, options: BrowserOptions): Promise<Visit> {
  const callbacks: Callback[] = [];
  try {
    const location = await decide(url, options);
    await follow(location, callbacks, options);
    return { url, callbacks };
  } catch (error) {
    return { url, callbacks, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Submits the form on the consent page. Gives where the page sends the browser. */
async function decide(url: string, { mode, account, signal }: BrowserOptions): Promise<string> {
  const page = await fetch(url, { headers, redirect: 'manual', signal });
  const at = page.headers.get('location');
  const html = await page.text();
  if (at !== null) return new URL(at, url).href;
  const [, action] = /<form method="post" action="([^"]+)"/.exec(html) ?? [];
  if (action === undefined) throw new Error(`the authorization page has no form (HTTP ${page.status})`);
  const scopes = [...html.matchAll(/name="scope" value="([^"]+)"/g)].map(([, scope = '']) => scope);
  const granted = mode === 'part' ? scopes.slice(0, Math.max(1, scopes.length - 1)) : scopes;
  const form = new URLSearchParams([
    ['account', account],
    ['decision', mode === 'deny' ? 'deny' : 'approve'],
    ...granted.map((scope): [string, string] => ['scope', scope]),
  ]);
  const answer = await fetch(new URL(unescaped(action), url), {
    method: 'POST',
    headers,
    body: form,
    redirect: 'manual',
    signal,
  });
  const location = answer.headers.get('location');
  if (location === null) throw new Error(`the consent was not taken (HTTP ${answer.status})`);
  return new URL(location, url).href;
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

async function follow(location: string, callbacks: Callback[], options: BrowserOptions): Promise<void> {
  const { mode, service } = options;
  const address = new URL(location);
  if (!/^(127\.|localhost$|\[::1\]$)/.test(address.hostname)) return; // nobody there that we may ask
  await listening(address, options);
  if (mode === 'stray') {
    await preconnect(address, options);
    callbacks.push(await call(new URL('/favicon.ico', address).href, 'stray', options));
  }
  if (mode === 'forge') {
    const forged = new URL(address);
    forged.searchParams.set('state', randomBytes(16).toString('hex'));
    if (forged.searchParams.has('code')) forged.searchParams.set('code', randomBytes(20).toString('hex'));
    callbacks.push(await call(forged.href, 'forged', options));
  }
  if (mode === 'late') service.clock.advance(31_000);
  callbacks.push(await call(location, 'answer', options));
}

async function call(url: string, kind: Callback['kind'], { now, signal }: BrowserOptions): Promise<Callback> {
  const at = now();
  const code = new URL(url).searchParams.get('code') ?? undefined;
  const within = AbortSignal.any([signal, AbortSignal.timeout(10_000)]);
  // A page that sends the browser on, to another page of the client, is followed as a browser does.
  const status = await fetch(url, {
    headers: { accept: headers.accept, 'user-agent': headers['user-agent'], connection: 'close' },
    signal: within,
  })
    .then(async (answer) => (await answer.arrayBuffer(), answer.status))
    .catch((error: Error) => (refused(error) ? null : 0));
  return { kind, at, code, status };
}

/** Whether nobody listened; a client that goes away before it has answered did get the request. */
function refused({ cause }: Error): boolean {
  return (cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED';
}

/** Opens a connection and says nothing, as browsers do ahead of time. */
function preconnect({ hostname, port }: URL, { signal }: BrowserOptions): Promise<void> {
  return new Promise((done) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) });
    const over = (): void => {
      socket.destroy();
      done();
    };
    signal.addEventListener('abort', over, { once: true });
    socket.once('connect', () => setTimeout(over, 100)).once('error', over);
  });
}

/** Clients open the browser a little before they listen. */
async function listening({ hostname, port }: URL, { signal }: BrowserOptions): Promise<void> {
  for (let tries = 0; tries < 60 && !signal.aborted; tries += 1) {
    const open = await new Promise<boolean>((done) => {
      const server = createServer();
      // To listen there ourselves fails where somebody does: a test connection would be a stray one.
      server.once('error', () => done(true));
      server.listen({ port: Number(port || 80), host: hostname.replace(/^\[|\]$/g, ''), exclusive: true }, () => {
        server.close(() => done(false));
      });
    });
    if (open) return;
    await sleep(60);
  }
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
