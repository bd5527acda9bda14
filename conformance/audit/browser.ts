import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Service } from '../../src/server/service.js';
import { CookieJar } from '../target/cookies.js';
import { formsIn } from '../target/html-form.js';
import { browserMark } from './call.js';
import { forgedCallbacks, forgedEvery } from './forgery.js';
import { copyMark } from './owner.js';
import type { Callback, Handed, Visit } from './run.js';
import type { Browser } from './scenario.js';

export interface BrowserOptions {
  readonly mode: Browser;
  /** The state of an earlier login. */
  readonly earlier?: string | undefined;
  /** What the redirect carries beside its own parameters. */
  readonly parameters?: string | undefined;
  readonly account: string;
  /** Which copy of the client asks, where there are several. */
  readonly copy?: number | undefined;
  readonly service: Service;
  /** The addresses of the mock. */
  readonly addresses: readonly string[];
  /** Real ms since the world began. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

const headers = { accept: 'text/html,*/*', 'user-agent': 'Mozilla/5.0 (audit)' };
/** Pages on the way, and consents on the way, before the browser stops. */
const most = { pages: 12, consents: 3 };

/**
 * The user agent of a person who does as the world says: opens a page of the client or the authorization page itself,
 * keeps cookies, submits the consent form, and follows redirects to the client's listener. Nothing is skipped, so that
 * the client's flow is the real one.
 */
export async function visit(url: string, options: BrowserOptions): Promise<Visit> {
  const callbacks: Callback[] = [];
  const cookies = new Cookies();
  const asked: string[] = [];
  const journey: Journey = { callbacks, cookies, options, exposed: undefined };
  try {
    let next: string | undefined = isOurs(url, options) ? url : await wander(url, cookies, options);
    for (let times = 0; next !== undefined && times < most.consents; times += 1) {
      asked.push(next);
      const location = await decide(next, options);
      const { parameters } = options;
      next = await follow(parameters ? withParameters(location, parameters) : location, journey);
    }
    return { url, asked, callbacks, exposed: journey.exposed };
  } catch (error) {
    return {
      url,
      asked,
      callbacks,
      exposed: journey.exposed,
      problem: error instanceof Error ? error.message : String(error),
    };
  }
}

/** A redirect with parameters of the world, in place of its own of the same names or behind them. */
const withParameters = (location: string, parameters: string): string =>
  parameters.split('&').reduce((url, pair) => {
    const [name] = pair.split('=', 1);
    const [before, after] = url.split(`${name}=`);
    return after === undefined ? `${url}&${pair}` : `${before}${pair}${after.slice(/&|$/.exec(after)!.index)}`;
  }, location);

/** Whether an address is one of the mock. */
const isOurs = (url: string, { addresses }: BrowserOptions): boolean =>
  isLoopback(new URL(url)) && addresses.some((address) => new URL(address).port === new URL(url).port);

const isLoopback = ({ hostname }: URL): boolean => /^(127\.|localhost$|\[::1\]$)/.test(hostname);

/** Opens a page of the client's, such as its login page, and follows its redirects. Gives the address that leads to the mock. */
async function wander(url: string, cookies: Cookies, options: BrowserOptions): Promise<string | undefined> {
  if (!isLoopback(new URL(url))) return undefined; // nobody there that we may ask
  await listening(new URL(url), options);
  const { next } = await load(url, cookies, options);
  return next;
}

/** How long the browser waits for a page: what a client does in its callback may take its time. ms */
const pageTimeout = 120_000;

/**
 * Loads a page of the client's as a browser does. `next` is where its redirects lead, if that is to the mock.
 * `handed` gets what the client hands out on the way, though the last page does not come.
 */
async function load(
  url: string,
  cookies: Cookies,
  options: BrowserOptions,
  handed: { readonly [Name in keyof Handed]: string[] } = { cookies: [], redirects: [] },
): Promise<{ readonly status: number; readonly page?: string; readonly next?: string }> {
  let at = url;
  let first: number | undefined;
  let page = '';
  const within = AbortSignal.any([options.signal, AbortSignal.timeout(pageTimeout)]);
  for (let pages = 0; pages < most.pages; pages += 1) {
    const answer: Response = await fetch(at, {
      headers: { ...headers, connection: 'close', ...cookies.of(at) },
      redirect: 'manual',
      signal: within,
    });
    const text = await readPart(answer.body);
    if (isHtml(answer)) page += text;
    const [set, location] = [answer.headers.getSetCookie(), answer.headers.get('location')];
    cookies.take(at, set);
    handed.cookies.push(...set);
    if (location !== null) handed.redirects.push(location);
    first ??= answer.status;
    if (answer.status < 300 || answer.status > 399 || location === null || !URL.canParse(location, at)) break;
    at = new URL(location, at).href;
    if (isOurs(at, options)) return { status: first, page, next: at };
    if (!isLoopback(new URL(at))) break;
  }
  return { status: first ?? 0, page };
}

/** Whether a browser takes a reply for a page of HTML: it guesses where nothing says so. */
const isHtml = ({ headers }: Response): boolean => /html|^$/i.test(headers.get('content-type') ?? '');

/** Bytes of a client's page that the browser reads, and the beginning of them that is looked at. */
const [mostOfPage, mostLookedAt] = [4 * 2 ** 20, 2 ** 16];

/** Reads a body to its end, or as much of it as a page has, so that the listener gets to write its answer. */
async function readPart(body: ReadableStream<Uint8Array> | null): Promise<string> {
  let length = 0;
  let text = '';
  for await (const part of body ?? []) {
    if (length < mostLookedAt) text += Buffer.from(part).toString('latin1', 0, mostLookedAt - length);
    if ((length += part.length) > mostOfPage) break;
  }
  return text;
}

/** The cookies of a person's browser, by host: ports share them. */
class Cookies {
  readonly #jars = new Map<string, CookieJar>();

  of(url: string): { cookie?: string } {
    const at = new URL(url);
    const cookie = this.#jars.get(at.hostname)?.header(at);
    return cookie === undefined ? {} : { cookie };
  }

  take(url: string, lines: readonly string[]): void {
    const at = new URL(url);
    const jar = this.#jars.get(at.hostname) ?? new CookieJar();
    this.#jars.set(at.hostname, jar);
    jar.take(at, lines);
  }
}

/** Submits the form on the consent page. Gives where the page sends the browser. */
async function decide(url: string, { mode, account, copy, signal }: BrowserOptions): Promise<string> {
  const marked = { ...headers, [browserMark]: '1', ...(copy !== undefined && { [copyMark]: String(copy) }) };
  const page = await fetch(url, { headers: marked, redirect: 'manual', signal });
  const at = page.headers.get('location');
  const html = await page.text();
  if (at !== null) return new URL(at, url).href;
  const form = formsIn(html).find(({ method }) => method === 'POST');
  if (form?.action === undefined) throw new Error(`the authorization page has no form (HTTP ${page.status})`);
  const scopes = form.controls.filter(({ name }) => name === 'scope').map(({ value }) => value);
  const granted = mode === 'part' ? scopes.slice(0, Math.max(1, scopes.length - 1)) : scopes;
  const body = new URLSearchParams([
    ['account', account],
    ['decision', mode === 'deny' ? 'deny' : 'approve'],
    ...granted.map((scope): [string, string] => ['scope', scope]),
  ]);
  const answer = await fetch(new URL(form.action, url), {
    method: 'POST',
    headers: marked,
    body,
    redirect: 'manual',
    signal,
  });
  const location = answer.headers.get('location');
  if (location === null) throw new Error(`the consent was not taken (HTTP ${answer.status})`);
  return new URL(location, url).href;
}

interface Journey {
  readonly callbacks: Callback[];
  readonly cookies: Cookies;
  readonly options: BrowserOptions;
  /** Whether the client's listener takes connections on all addresses. */
  exposed: boolean | undefined;
}

/** Follows the redirect to the client. Gives the address where its pages lead to the mock again. */
async function follow(location: string, journey: Journey): Promise<string | undefined> {
  const { callbacks, options } = journey;
  const { mode, service } = options;
  const address = new URL(location);
  if (!isLoopback(address)) return undefined; // nobody there that we may ask
  await listening(address, options);
  journey.exposed = await isExposed(address);
  const again = callbacks.length > 0;
  const silent = mode === 'hold' || mode === 'stray' ? !again && (await preconnect(address, options)) : undefined;
  if (silent && mode === 'hold') callbacks.push({ kind: 'stray', at: options.now(), code: undefined, status: 0 });
  if (silent && mode === 'stray') {
    silent.destroy();
    await call(new URL('/favicon.ico', address).href, 'stray', journey);
  }
  for (const forged of again ? [] : forgedCallbacks(mode, location, options.earlier)) {
    await call(forged, 'forged', journey);
    await sleep(forgedEvery);
  }
  if (mode === 'late') service.clock.advance(31_000);
  const other = mode === 'twice' && !again ? call(location, 'reload', journey) : undefined;
  const next = await call(location, 'answer', journey);
  await other;
  if (silent) setTimeout(() => silent.destroy(), 1000).unref();
  if ((mode !== 'reload' && mode !== 'forge') || again || next !== undefined) return next;
  await sleep(500);
  if (options.signal.aborted) return undefined;
  if (mode === 'reload') return call(location, 'reload', journey);
  // No login is pending any more: a client may have nothing then that the state would differ from.
  for (const forged of forgedCallbacks(mode, location)) await call(forged, 'forged', journey);
  return undefined;
}

async function call(
  url: string,
  kind: Callback['kind'],
  { callbacks, cookies, options }: Journey,
): Promise<string | undefined> {
  const at = options.now();
  const code = new URL(url).searchParams.get('code') ?? undefined;
  const handed = { cookies: [], redirects: [] };
  // A page that sends the browser on, to another page of the client, is followed as a browser does.
  const { status, page, next } = await load(url, cookies, options, handed).catch((error: Error) => ({
    status: refused(error) ? null : 0,
    page: undefined,
    next: undefined,
  }));
  callbacks.push({ kind, at, code, status, ...(page !== undefined && { page }), handed });
  return next;
}

/** Whether nobody listened; a client that goes away before it has answered did get the request. */
function refused({ cause }: Error): boolean {
  return (cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED';
}

/** Opens a connection and says nothing, as browsers do ahead of time; undefined where nobody takes it. */
function preconnect({ hostname, port }: URL, { signal }: BrowserOptions): Promise<Socket | undefined> {
  return new Promise((done) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) });
    const close = (): void => void socket.destroy();
    signal.addEventListener('abort', close, { once: true });
    socket.once('close', () => signal.removeEventListener('abort', close));
    socket.once('connect', () => setTimeout(() => done(socket), 100));
    socket.once('error', () => done(undefined)).resume();
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

/** Where Linux lists the sockets of this machine: a number, address and port, the peer, and the state, a line each. */
const socketLists = ['/proc/net/tcp', '/proc/net/tcp6'];
const isListening = '0A';

async function readList(path: string): Promise<string> {
  const file = await open(path).catch(() => undefined);
  return file ? file.readFile('latin1').finally(() => file.close()) : '';
}

/** Whether somebody listens at the port on all addresses of this machine. Undefined where the system does not tell. */
async function isExposed({ port }: URL): Promise<boolean | undefined> {
  const lists = await Promise.all(socketLists.map(readList));
  if (lists[0] === '') return undefined;
  return lists
    .flatMap((list) => list.split('\n'))
    .some((line) => {
      const [, local = '', , state] = line.trim().split(' ');
      const [address = '', own = ''] = local.split(':');
      return state === isListening && Number(`0x${address}`) === 0 && Number(`0x${own}`) === Number(port || 80);
    });
}
