import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import {
  authorizationUrl,
  challengeOf,
  createVerifier,
  newState,
  OAuthFailure,
  readRedirect,
} from '../../../src/client/index.js';

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

export interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface Tokens {
  access_token: string;
  refresh_token?: string;
  expires_in: number | null;
  /** ms since 1970; null is never. */
  ends: number | null;
}

export interface Surroundings {
  readonly environment: Readonly<Record<string, string>>;
  readonly open: (url: string) => Promise<void>;
  /** What outlives a start. */
  readonly stored: Map<string, string>;
}

type Json = Record<string, unknown>;

/** A reply that ends what was asked for, and not the client. */
class Refused extends Error {
  constructor(readonly status: number) {
    super(`HTTP ${status}`);
  }
}

const agent = 'OAuth example-reference/1.0 (contact: reference@example.com)';

/**
 * A client that does everything right: a desktop flow with PKCE, rotation, a pace of its own, both streams, filters and
 * names of every kind. Each step is a method, so that a mutant changes one and keeps the others.
 */
export class Reference {
  readonly base: string;
  readonly auth: string;
  scopes = ['account:profile', 'account:characters', 'account:stashes', 'account:leagues', 'account:item_filter'];
  timeout = 3000;
  redirect = '';
  protected windows = new Map<string, readonly (readonly [number, number])[]>();
  protected sentAt = new Map<string, number[]>();
  protected resting = new Map<string, number>();
  protected renewing: Promise<Tokens> | undefined;
  protected asking: Promise<Tokens> | undefined;
  protected serviceTokens: Promise<Tokens> | undefined;
  protected asked = 0;

  constructor(readonly around: Surroundings) {
    this.base = around.environment.GAMEDATA_BASE_URL ?? '';
    this.auth = around.environment.GAMEDATA_AUTH_URL ?? '';
  }

  env(name: string): string {
    return this.around.environment[`GAMEDATA_${name}`] ?? '';
  }

  // --- the whole ------------------------------------------------------------------------------------------------

  async run(): Promise<void> {
    await this.tokens();
    await this.account();
    await this.filters();
    await this.service();
  }

  async account(): Promise<void> {
    await this.optional(async () => void (await this.get('/profile')));
    await this.optional(async () => {
      const { characters = [] } = (await this.get('/character')) as { characters?: { name: string }[] };
      await Promise.all(characters.slice(0, 2).map(({ name }) => this.optional(() => this.character(name))));
    });
    await this.optional(async () => {
      const { leagues = [] } = (await this.get('/account/leagues')) as { leagues?: { id: string }[] };
      for (const { id } of leagues.slice(0, 1)) await this.stashes(id);
    });
  }

  async character(name: string): Promise<void> {
    await this.get(`/character/${this.encode(name)}`);
  }

  async stashes(league: string): Promise<void> {
    const { stashes = [] } = (await this.get(`/stash/${this.encode(league)}`)) as { stashes?: Tab[] };
    const all = this.flat(stashes);
    const [plain] = all.filter((tab) => !isFolder(tab) && !tab.parent && (tab.children ?? []).length === 0);
    if (plain) await this.get(`/stash/${this.encode(league)}/${plain.id}`);
    const folders = new Set(all.filter(isFolder).map(({ id }) => id));
    const [sub] = all.filter((tab) => tab.parent && !folders.has(tab.parent));
    if (sub?.parent) await this.get(this.subTab(league, sub.parent, sub.id));
  }

  subTab(league: string, parent: string, id: string): string {
    return `/stash/${this.encode(league)}/${parent}/${id}`;
  }

  flat(tabs: readonly Tab[], parent?: string): Tab[] {
    return tabs.flatMap((tab) => [{ ...tab, parent: tab.parent ?? parent }, ...this.flat(tab.children ?? [], tab.id)]);
  }

  async filters(): Promise<void> {
    await this.optional(async () => {
      await this.get('/item-filter');
      const filter = await this.createFilter({ filter_name: 'reference', realm: 'pc', filter: 'Show\n' });
      const { id } = (filter as { filter: { id: string } }).filter;
      await this.updateFilter(id, { description: 'kept up' });
    });
  }

  createFilter(body: Json): Promise<unknown> {
    return this.data('POST', '/item-filter', body);
  }

  updateFilter(id: string, body: Json): Promise<unknown> {
    return this.data('POST', `/item-filter/${this.encode(id)}`, body);
  }

  async service(): Promise<void> {
    const { leagues = [] } = (await this.get('/league?limit=50', true)) as { leagues?: { id: string }[] };
    for (const { id } of leagues.slice(0, 1)) {
      // Live services send the entries beside the league.
      const { league, ladder = league } = (await this.get(this.ladder(id), true)) as Record<
        'league' | 'ladder',
        { entries: unknown[] }
      >;
      void ladder.entries.length;
    }
    await this.publicStashes();
    await this.exchangeHistory();
  }

  ladder(league: string): string {
    return `/league/${this.encode(league)}/ladder?limit=20&offset=14990`;
  }

  async publicStashes(): Promise<void> {
    let id = this.around.stored.get('stream');
    for (let page = 0; page < this.pages(); page += 1) {
      const reply = (await this.get(this.streamPage(id), true)) as {
        next_change_id: string;
        stashes: { id: string; public: boolean; items?: unknown[] }[];
      };
      for (const stash of reply.stashes) void (stash.public ? stash.items!.length : 0);
      const over = reply.stashes.length === 0;
      id = this.nextPage(id, reply.next_change_id, over);
      if (id !== undefined) this.around.stored.set('stream', id);
      if (over) await this.endOfStream();
    }
  }

  pages(): number {
    return 4;
  }

  streamPage(id: string | undefined): string {
    return id === undefined ? '/public-stash-tabs' : `/public-stash-tabs?id=${this.encode(id)}`;
  }

  nextPage(_id: string | undefined, next: string, _over: boolean): string | undefined {
    return next;
  }

  async endOfStream(): Promise<void> {
    await sleep(600);
  }

  async exchangeHistory(): Promise<void> {
    let id = this.around.stored.get('exchange');
    for (let hour = 0; hour < 5; hour += 1) {
      const reply = (await this.get(this.hourPath(id), true)) as { next_change_id: number; markets: unknown[] };
      void reply.markets.length;
      if (String(reply.next_change_id) === id) {
        if (this.stopsAtEnd()) return;
        continue;
      }
      id = this.nextHour(reply.next_change_id);
      this.around.stored.set('exchange', id);
    }
  }

  hourPath(id: string | undefined): string {
    return id === undefined ? '/currency-exchange' : `/currency-exchange/${id}`;
  }

  nextHour(next: number): string {
    return String(next);
  }

  stopsAtEnd(): boolean {
    return true;
  }

  encode(name: string): string {
    return encodeURIComponent(name);
  }

  /** What the user did not grant is left out. */
  async optional(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch (error) {
      if (!(error instanceof Refused) || ![403, 404].includes(error.status)) throw error;
    }
  }

  // --- data requests --------------------------------------------------------------------------------------------

  get(path: string, service = false): Promise<unknown> {
    return this.data('GET', path, undefined, service);
  }

  /** One answer of the data API, whatever has to be waited for on the way. */
  async data(method: string, path: string, body?: Json, service = false): Promise<unknown> {
    let renewed = false;
    for (let attempt = 1; ; attempt += 1) {
      const { access_token: token } = service ? await this.ownTokens() : await this.tokens();
      await this.pace(service ? 'service' : 'user');
      const got = await this.dataRequest(method, path, token, body).catch((error: unknown) =>
        this.failed(error, attempt, method),
      );
      if (!got) continue;
      this.learn(service ? 'service' : 'user', got);
      if (got.status === 401 && !renewed) {
        renewed = true;
        await (service ? this.renewOwn(token) : this.renew(token));
        continue;
      }
      if (got.status < 300) return this.read(got);
      if (!this.worthTrying(got.status) || attempt >= this.attempts()) throw this.giveUp(got.status);
      await this.waitAfter(got, attempt, service ? 'service' : 'user');
    }
  }

  attempts(): number {
    return 4;
  }

  giveUp(status: number): Error {
    return new Refused(status);
  }

  worthTrying(status: number): boolean {
    return status === 429 || status >= 500;
  }

  read(got: Got): unknown {
    return JSON.parse(got.text) as unknown;
  }

  /** A broken line: another try, where that does no harm. */
  async failed(error: unknown, attempt: number, method: string): Promise<undefined> {
    if (attempt >= this.attempts() || method !== 'GET') throw error;
    await sleep(150 * 2 ** attempt);
    return undefined;
  }

  async waitAfter(got: Got, attempt: number, key: string): Promise<void> {
    const wait = this.retryAfter(got) ?? 150 * 2 ** attempt;
    this.resting.set(key, Date.now() + wait);
    await sleep(wait);
  }

  /** ms, a little more than asked for. */
  retryAfter(got: Got): number | undefined {
    const text = got.headers.get('retry-after');
    if (text === null) return undefined;
    return /^\d+$/.test(text) ? Number(text) * 1000 + 100 : Math.max(0, Date.parse(text) - Date.now()) + 100;
  }

  async dataRequest(method: string, path: string, token: string, body?: Json): Promise<Got> {
    return this.send(
      this.dressed(
        {
          method,
          url: `${this.base}${path}`,
          headers: {
            authorization: `Bearer ${token}`,
            ...(body && { 'content-type': 'application/json' }),
            'user-agent': this.agent(),
          },
          ...(body && { body: JSON.stringify(body) }),
        },
        token,
      ),
    );
  }

  agent(): string {
    return agent;
  }

  dressed(request: Sent, _token: string): Sent {
    return request;
  }

  async send({ method, url, headers, body }: Sent): Promise<Got> {
    const answer = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(this.timeout),
      redirect: 'manual',
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }

  // --- pace -----------------------------------------------------------------------------------------------------

  /** Keeps a second and more away from the edges of the windows that were announced. */
  async pace(key: string): Promise<void> {
    const sent = this.sentAt.get(key) ?? [];
    this.sentAt.set(key, sent);
    for (;;) {
      const now = Date.now();
      const rest = (this.resting.get(key) ?? 0) - now;
      const waits = (this.windows.get(key) ?? []).map(([hits, seconds]) => {
        const within = sent.filter((at) => at > now - seconds * 1000 - this.margin());
        return within.length < hits ? 0 : within[within.length - hits]! + seconds * 1000 + this.margin() - now;
      });
      const wait = Math.max(rest, 0, ...waits);
      if (wait <= 0) break;
      await sleep(wait + 5);
    }
    sent.push(Date.now());
  }

  margin(): number {
    return 1100;
  }

  learn(key: string, got: Got): void {
    const rules = got.headers.get('x-rate-limit-client');
    if (rules === null) return;
    this.windows.set(
      key,
      rules.split(',').map((rule) => rule.split(':').map(Number) as [number, number]),
    );
  }

  // --- tokens ---------------------------------------------------------------------------------------------------

  /** The user's tokens: stored ones, fresh ones, or those that the user grants now. */
  async tokens(): Promise<Tokens> {
    const held = this.load();
    if (!held) return (this.asking ??= this.authorize().finally(() => void (this.asking = undefined)));
    if (this.ending(held)) return this.renew(held.access_token);
    return this.renewing ?? held;
  }

  load(): Tokens | undefined {
    const text = this.around.stored.get('tokens');
    return text === undefined ? undefined : (JSON.parse(text) as Tokens);
  }

  keep(tokens: Tokens): Tokens {
    this.around.stored.set('tokens', JSON.stringify(tokens));
    return tokens;
  }

  forget(): void {
    this.around.stored.delete('tokens');
  }

  ending({ ends }: Tokens): boolean {
    return ends !== null && Date.now() > ends - 60_000;
  }

  /** One refresh for all that wait. */
  async renew(rejected: string): Promise<Tokens> {
    const held = this.load();
    if (held && held.access_token !== rejected) return held;
    return (this.renewing ??= this.refreshed(held).finally(() => void (this.renewing = undefined)));
  }

  async refreshed(held: Tokens | undefined): Promise<Tokens> {
    if (held?.refresh_token === undefined) return this.again();
    try {
      const next = await this.tokenRequest(this.refreshForm(held.refresh_token));
      return this.keep(this.replaced(held, next));
    } catch (error) {
      return this.afterRefresh(error);
    }
  }

  replaced(held: Tokens, next: Tokens): Tokens {
    return { ...(held.refresh_token !== undefined && { refresh_token: held.refresh_token }), ...next };
  }

  refreshForm(token: string): Record<string, string> {
    return { client_id: this.env('PUBLIC_CLIENT_ID'), grant_type: 'refresh_token', refresh_token: token };
  }

  /** Only invalid_grant says that the grant is gone. */
  async afterRefresh(error: unknown): Promise<Tokens> {
    if (!(error instanceof OAuthFailure) || error.error !== 'invalid_grant') throw error;
    this.forget();
    return this.again();
  }

  async again(): Promise<Tokens> {
    this.asked += 1;
    if (this.asked > 2) throw new Error('the user was asked often enough');
    return this.authorize();
  }

  /** The client's own tokens. */
  async ownTokens(): Promise<Tokens> {
    return (this.serviceTokens ??= this.tokenRequest(this.credentialsForm(), this.credentialsHeaders()));
  }

  credentialsHeaders(): Record<string, string> {
    return {};
  }

  async renewOwn(rejected: string): Promise<Tokens> {
    const held = await this.serviceTokens;
    if (held && held.access_token !== rejected) return held;
    this.serviceTokens = undefined;
    return this.ownTokens();
  }

  credentialsForm(): Record<string, string> {
    return {
      client_id: this.env('SERVICE_CLIENT_ID'),
      client_secret: this.env('SERVICE_CLIENT_SECRET'),
      grant_type: 'client_credentials',
      scope: 'service:leagues service:leagues:ladder service:psapi service:cxapi',
    };
  }

  /** One answer of the token endpoint; an error of the service is tried again, a refusal is not. */
  async tokenRequest(form: Record<string, string>, headers: Record<string, string> = {}): Promise<Tokens> {
    for (let attempt = 1; ; attempt += 1) {
      const got = await this.sendForm(form, headers).catch((error: unknown) => {
        if (attempt >= 3 || form.grant_type === 'authorization_code') throw error;
      });
      if (!got) {
        await sleep(200 * 2 ** attempt);
        continue;
      }
      if (got.status === 200) return this.received(got);
      if (got.status < 500 && got.status !== 429) throw failureOf(got);
      if (attempt >= 4) throw failureOf(got);
      await this.tokenWait(got, attempt);
    }
  }

  async tokenWait(got: Got, attempt: number): Promise<void> {
    await sleep(this.retryAfter(got) ?? 250 * 2 ** attempt);
  }

  sendForm(form: Record<string, string>, headers: Record<string, string>): Promise<Got> {
    return this.send({
      method: 'POST',
      url: `${this.auth}/oauth/token`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': this.agent(), ...headers },
      body: new URLSearchParams(form).toString(),
    });
  }

  received(got: Got): Tokens {
    const reply = JSON.parse(got.text) as Tokens;
    const seconds = reply.expires_in ?? null;
    return { ...reply, ends: seconds === null ? null : Date.now() + seconds * 1000 };
  }

  // --- the user's consent ---------------------------------------------------------------------------------------

  newState(): string {
    return newState();
  }

  newVerifier(): string {
    return createVerifier();
  }

  challenge(verifier: string): Promise<string> {
    return challengeOf(verifier);
  }

  authorizationUrl(state: string, challenge: string, _verifier: string): string {
    return authorizationUrl({
      authUrl: this.auth,
      clientId: this.env('PUBLIC_CLIENT_ID'),
      redirectUri: this.redirect,
      scopes: this.scopes,
      state,
      challenge,
    });
  }

  exchangeForm(code: string, verifier: string): Record<string, string> {
    return {
      client_id: this.env('PUBLIC_CLIENT_ID'),
      grant_type: 'authorization_code',
      code,
      redirect_uri: this.redirect,
      code_verifier: verifier,
    };
  }

  /** Where it listens; 0 is any port. */
  port(): number {
    return 0;
  }

  /** The desktop flow (RFC 8252): a listener on the loopback, the browser, the code. */
  async authorize(): Promise<Tokens> {
    const state = this.newState();
    const verifier = this.newVerifier();
    const server = createServer();
    const code = new Promise<string>((done, fail) => {
      const timer = setTimeout(() => fail(new Error('nobody answered')), 15_000);
      server.on('request', (req, res) => {
        res.setHeader('connection', 'close');
        const outcome = this.callback(req.url ?? '/', state);
        res.statusCode = outcome === undefined ? 404 : 200;
        res.end('You may close this window.\n');
        if (outcome === undefined) return;
        clearTimeout(timer);
        if (outcome instanceof Error) fail(outcome);
        else done(outcome);
      });
    });
    code.catch(() => {});
    await new Promise<void>((done, fail) => server.once('error', fail).listen(this.port(), '127.0.0.1', done));
    this.redirect = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
    try {
      void this.around.open(this.authorizationUrl(state, await this.challenge(verifier), verifier));
      return await this.exchanged(await code, verifier);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  }

  async exchanged(code: string, verifier: string): Promise<Tokens> {
    return this.keep(await this.tokenRequest(this.exchangeForm(code, verifier)));
  }

  /** The code, an error that ends the flow, or nothing where the request is not the answer. */
  callback(url: string, state: string): string | Error | undefined {
    try {
      return readRedirect(url, state);
    } catch (error) {
      if (error instanceof OAuthFailure && ['state_mismatch', 'invalid_redirect'].includes(error.error))
        return undefined;
      return error as Error;
    }
  }
}

interface Tab {
  readonly id: string;
  readonly type: string;
  readonly parent?: string | undefined;
  readonly children?: readonly Tab[] | null;
  readonly metadata?: { readonly folder?: boolean | null } | null;
}

const isFolder = ({ type, metadata }: Tab): boolean => type === 'Folder' || metadata?.folder === true;

function failureOf(got: Got): OAuthFailure {
  let error = 'invalid_response';
  try {
    error = String((JSON.parse(got.text) as { error?: string }).error);
  } catch {
    // Not an answer of the authorization server.
  }
  return new OAuthFailure(error, { call: 'token request', status: got.status });
}
