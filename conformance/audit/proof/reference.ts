import { setTimeout as sleep } from 'node:timers/promises';

import type { Tab } from '../../../src/game/tabs.js';
import { Login } from './reference/login.js';
import type { Got, Sent } from './reference/requests.js';
import type { Tokens } from './reference/token-endpoint.js';

export type { Tokens } from './reference/token-endpoint.js';
export type { Got, Sent, Dependencies } from './reference/requests.js';

type Json = Record<string, unknown>;

/** The scopes of the user's data, by the beginnings of paths. */
const needs = [
  ['/profile', 'account:profile'],
  ['/character', 'account:characters'],
  ['/account/leagues', 'account:leagues'],
  ['/stash', 'account:stashes'],
  ['/item-filter', 'account:item_filter'],
] as const;

/** A reply that ends what was asked for, and not the client. */
class Refused extends Error {
  constructor(readonly status: number) {
    super(`HTTP ${status}`);
  }
}

/**
 * A client that does everything right: a desktop flow with PKCE, rotation, a pace of its own, both streams, filters and
 * names of every kind. Each step is a method, so that a mutant changes one and keeps the others.
 */
export class Reference extends Login {
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
    let id = this.stored.get('stream');
    for (let page = 0; page < this.pages(); page += 1) {
      const reply = (await this.get(this.streamPage(id), true)) as {
        next_change_id: string;
        stashes: { id: string; public: boolean; items?: unknown[] }[];
      };
      for (const stash of reply.stashes) void (stash.public ? stash.items!.length : 0);
      const over = reply.stashes.length === 0;
      id = this.nextPage(id, reply.next_change_id, over);
      if (id !== undefined) this.stored.set('stream', id);
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
    let id = this.stored.get('exchange');
    for (let hour = 0; hour < 5; hour += 1) {
      const reply = (await this.get(this.hourPath(id), true)) as { next_change_id: number; markets: unknown[] };
      void reply.markets.length;
      if (String(reply.next_change_id) === id) {
        if (this.stopsAtEnd()) return;
        continue;
      }
      id = this.nextHour(reply.next_change_id);
      this.stored.set('exchange', id);
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
      const tokens = service ? await this.ownTokens() : await this.tokens();
      if (!service && !this.isGranted(path, tokens)) throw this.giveUp(403);
      const { access_token: token } = tokens;
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

  /** Whether the user granted what a path needs: what was not granted is not asked for. */
  isGranted(path: string, { scope }: Tokens): boolean {
    const needed = needs.find(([start]) => path.startsWith(start))?.[1];
    return scope === undefined || needed === undefined || scope.split(' ').includes(needed);
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

  dressed(request: Sent, _token: string): Sent {
    return request;
  }
}

const isFolder = ({ type, metadata }: Tab): boolean => type === 'Folder' || metadata?.folder === true;
