import { setTimeout as sleep } from 'node:timers/promises';

import { inside } from './inside.js';
import { worlds } from '../worlds.js';
import { Oauth4webapiClient, OpenidClient } from './libraries.js';
import { programVariants } from './programs.js';
import { unusual } from './unusual.js';
import type { ClientVariant } from './variant.js';
import { Reference } from './reference.js';
import type { Got, Tokens } from './reference.js';

const variants: ClientVariant[] = [];
const variant = (id: string, does: string, make: typeof Reference, least = 40): void =>
  void variants.push({
    id,
    does,
    least,
    make: () => ({
      client: inside((around) => new make(around).run()),
      ...(id !== 'reference' && { worlds: quick }),
    }),
  });

/** All but the worlds with limits, where a client that keeps to them takes its time; the reference goes there for all. */
const quick = worlds.filter(({ limit }) => limit === undefined).map(({ id }) => id);

variant('reference', 'does everything right', Reference, 90);
variant(
  'sequential',
  'asks for one thing after the other',
  class extends Reference {
    override async account(): Promise<void> {
      const { characters = [] } = (await this.get('/character')) as { characters?: { name: string }[] };
      for (const { name } of characters.slice(0, 3)) await this.optional(() => this.character(name));
    }
  },
);
variant(
  'parallel',
  'asks for everything at once',
  class extends Reference {
    override async account(): Promise<void> {
      await Promise.all(
        ['/profile', '/character', '/account/leagues', '/item-filter'].map((path) =>
          this.optional(async () => void (await this.get(path))),
        ),
      );
    }
  },
);
variant(
  'service-only',
  'has no user',
  class extends Reference {
    override run(): Promise<void> {
      return this.service();
    }
  },
  25,
);
variant(
  'user-only',
  'has no tokens of its own',
  class extends Reference {
    override async service(): Promise<void> {}
  },
);
variant(
  'no-refresh',
  'never refreshes, and ends with its token',
  class extends Reference {
    override renew(): Promise<Tokens> {
      return Promise.reject(new Error('please log in again'));
    }
  },
);
variant(
  'asks-again',
  'never refreshes, and asks the user again',
  class extends Reference {
    override async renew(rejected: string): Promise<Tokens> {
      const held = this.load();
      if (held && held.access_token !== rejected) return held;
      return (this.renewing ??= this.again().finally(() => void (this.renewing = undefined)));
    }
  },
);
variant(
  'no-retry',
  'ends with any failure of the service but 429',
  class extends Reference {
    override worthTrying(status: number): boolean {
      return status === 429;
    }
  },
);
variant(
  'long-verifier',
  'uses verifiers of 128 characters',
  class extends Reference {
    override newVerifier(): string {
      return Buffer.from(crypto.getRandomValues(new Uint8Array(96))).toString('base64url');
    }
  },
);
variant(
  'hex-verifier',
  'uses verifiers of 64 hexadecimal characters',
  class extends Reference {
    override newVerifier(): string {
      return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex');
    }
  },
);
variant(
  'uuid-state',
  'uses UUIDs as state',
  class extends Reference {
    override newState(): string {
      return crypto.randomUUID();
    }
  },
);
variant(
  'structured-state',
  'puts what it wants to remember into the state',
  class extends Reference {
    override newState(): string {
      return Buffer.from(JSON.stringify({ nonce: crypto.randomUUID(), back: '/characters' })).toString('base64url');
    }
  },
);
variant(
  'short-state',
  'uses states of 12 characters',
  class extends Reference {
    override newState(): string {
      return Buffer.from(crypto.getRandomValues(new Uint8Array(9))).toString('base64url');
    }
  },
);
variant(
  'scope-order',
  'asks for fewer scopes',
  class extends Reference {
    override scopes = ['account:characters', 'account:profile'];
    override async account(): Promise<void> {
      await this.get('/profile');
      await this.get('/character');
    }
    override async filters(): Promise<void> {}
  },
);
variant(
  'basic',
  'authenticates with HTTP Basic',
  class extends Reference {
    override credentialsForm(): Record<string, string> {
      const { client_secret: _, client_id: __, ...form } = super.credentialsForm();
      return form;
    }
    override credentialsHeaders(): Record<string, string> {
      const encoded = [this.env('SERVICE_CLIENT_ID'), this.env('SERVICE_CLIENT_SECRET')].map((text) =>
        new URLSearchParams({ a: text }).toString().slice(2),
      );
      return { authorization: `Basic ${btoa(encoded.join(':'))}` };
    }
  },
);
variant(
  'confidential',
  'is a confidential client with a listener of its own',
  class extends Reference {
    override env(name: string): string {
      return name === 'PUBLIC_CLIENT_ID' ? super.env('CLIENT_ID') : super.env(name);
    }
    override exchangeForm(code: string, verifier: string): Record<string, string> {
      return { ...super.exchangeForm(code, verifier), client_secret: this.env('CLIENT_SECRET') };
    }
    override refreshForm(token: string): Record<string, string> {
      return { ...super.refreshForm(token), client_secret: this.env('CLIENT_SECRET') };
    }
    override port(): number {
      return Number(new URL(this.env('REDIRECT_URI')).port);
    }
  },
);
variant(
  'early-refresh',
  'refreshes a day before the end',
  class extends Reference {
    override ending({ ends }: Tokens): boolean {
      return ends !== null && Date.now() > ends - 3_600_000;
    }
  },
);
variant(
  'given-token',
  'uses the token that it is given',
  class extends Reference {
    override async run(): Promise<void> {
      await this.account();
    }
    override async tokens(): Promise<Tokens> {
      return { access_token: this.env('TOKEN_ACCOUNT'), expires_in: null, ends: null };
    }
    override renew(): Promise<Tokens> {
      return Promise.reject(new Error('the token has ended'));
    }
  },
  15,
);
variant(
  'one-request',
  'asks for one thing and ends',
  class extends Reference {
    override async run(): Promise<void> {
      await this.get('/profile');
    }
  },
  25,
);
variant(
  'realms',
  'reads the histories of three realms by turns',
  class extends Reference {
    override async exchangeHistory(): Promise<void> {
      const hours = new Map<string, string>();
      const realms = new Set(['', '/xbox', '/sony']);
      for (let turn = 0; turn < 5; turn += 1)
        for (const realm of realms) {
          const id = hours.get(realm);
          const path = `/currency-exchange${realm}${id === undefined ? '' : `/${id}`}`;
          const { next_change_id: next } = (await this.get(path, true)) as { next_change_id: number };
          if (String(next) === id) realms.delete(realm);
          hours.set(realm, String(next));
        }
    }
  },
);
variant(
  'listens-on',
  'listens for a while after the callback',
  class extends Reference {
    override async exchanged(code: string, verifier: string): Promise<Tokens> {
      const tokens = await super.exchanged(code, verifier);
      await sleep(1500);
      return tokens;
    }
  },
);
variant(
  'signs-out',
  'revokes its refresh token at the end',
  class extends Reference {
    override async run(): Promise<void> {
      await super.run();
      const { refresh_token: token } = this.load() ?? {};
      if (token === undefined) return;
      await this.sendForm({ token, client_id: this.env('PUBLIC_CLIENT_ID') }, {}, '/oauth/token/revoke');
      this.around.stored.delete('tokens');
    }
  },
);
variant(
  'long-retry',
  'waits much longer than it must',
  class extends Reference {
    override retryAfter(got: Got): number | undefined {
      const wait = super.retryAfter(got);
      return wait === undefined ? undefined : wait + 700;
    }
  },
);
variant(
  'lower-bearer',
  'writes the scheme in lower case',
  class extends Reference {
    override dressed(request: Parameters<Reference['dressed']>[0], token: string): ReturnType<Reference['dressed']> {
      return { ...request, headers: { ...request.headers, authorization: `bearer ${token}` } };
    }
  },
);
variant(
  'encoded-form',
  'writes %20 for the spaces of scopes',
  class extends Reference {
    override authorizationUrl(state: string, challenge: string, verifier: string): string {
      return super.authorizationUrl(state, challenge, verifier).replaceAll('+', '%20');
    }
  },
);
variant(
  'ladder-to-the-end',
  'reads a ladder until a page is empty',
  class extends Reference {
    override async service(): Promise<void> {
      for (let offset = 14_500; ; offset += 500) {
        const { league } = (await this.get(`/league/Standard/ladder?limit=500&offset=${offset}`, true)) as {
          league: { entries: unknown[] };
        };
        if (league.entries.length === 0) return;
      }
    }
  },
);
variant(
  'folder-tabs',
  'asks for the tabs of folders by their own id',
  class extends Reference {
    override async stashes(league: string): Promise<void> {
      const { stashes = [] } = (await this.get(`/stash/${this.encode(league)}`)) as {
        stashes?: { id: string; type: string; children?: { id: string }[] }[];
      };
      const [folder] = stashes.filter(({ type }) => type === 'Folder');
      for (const { id } of folder?.children ?? []) await this.get(`/stash/${this.encode(league)}/${id}`);
    }
  },
);
variant(
  'xbox',
  'asks for the realm xbox',
  class extends Reference {
    override async account(): Promise<void> {
      await this.get('/character/xbox');
      await this.get('/account/leagues/xbox');
      await this.get('/profile');
    }
  },
);
variant(
  'second-game',
  'asks for the second game',
  class extends Reference {
    override async account(): Promise<void> {
      const { characters = [] } = (await this.get('/character/game2')) as { characters?: { name: string }[] };
      for (const { name } of characters.slice(0, 2)) await this.get(`/character/game2/${this.encode(name)}`);
    }
  },
);
variant(
  'poller',
  'polls the end of the stream at its leisure',
  class extends Reference {
    override async publicStashes(): Promise<void> {
      await super.publicStashes();
      await sleep(700);
      await super.publicStashes();
    }
  },
);
variant(
  'whole-filter',
  'makes a filter public',
  class extends Reference {
    override updateFilter(id: string, body: Record<string, unknown>): Promise<unknown> {
      return super.updateFilter(id, { ...body, public: true });
    }
  },
);
variant(
  'looks-up-nothing',
  'asks for what is not there, once',
  class extends Reference {
    override async account(): Promise<void> {
      await super.account();
      await this.optional(async () => void (await this.get('/character/Nobody%20at%20all')));
      await this.optional(async () => void (await this.get('/item-filter/0000000000')));
    }
  },
);
variant(
  'two-users',
  'asks the user for each of two things',
  class extends Reference {
    override async run(): Promise<void> {
      await super.run();
      this.forget();
      await this.get('/profile');
    }
  },
);
variant(
  'metadata',
  'reads the metadata of the authorization server first',
  class extends Reference {
    override async run(): Promise<void> {
      await this.send({ method: 'GET', url: `${this.auth}/.well-known/oauth-authorization-server`, headers: {} });
      await super.run();
    }
  },
);

variant('openid-client', 'uses openid-client', OpenidClient);
variant('oauth4webapi', 'uses oauth4webapi', Oauth4webapiClient);

export const clientVariants: readonly ClientVariant[] = [...variants, ...unusual, ...programVariants(quick)];
