import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { inside } from './inside.js';
import { asks, raw } from './mutants/make.js';
import { Reference } from './reference.js';
import type { Got, Sent, Tokens } from './reference.js';
import type { ClientVariant } from './variant.js';

/** Conforming clients that do what few do, each in the worlds where that shows. */
export const unusual: ClientVariant[] = [];
const variant = (
  id: string,
  does: string,
  worlds: readonly string[],
  make: typeof Reference,
  options: Pick<ReturnType<ClientVariant['make']>, 'autoApprove'> = {},
): void =>
  void unusual.push({
    id,
    does,
    least: 40,
    make: () => ({ client: inside((around) => new make(around).run()), worlds: ['calm', ...worlds], ...options }),
  });

const random = (bytes: number, encoding: 'base64url' | 'hex'): string =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString(encoding);

variant(
  'challenged',
  'sends its token only when it is asked to authenticate',
  ['access-ends', 'restricted-once', 'restricted-first', 'server-error', 'denied', 'token-busy'],
  class extends Reference {
    readonly #challenged = new Set<string>();
    override async send(request: Sent): Promise<Got> {
      const { authorization: _, ...headers } = request.headers;
      const key = `${request.method} ${request.url}`;
      if (request.url.startsWith(this.auth + '/oauth') || this.#challenged.has(key)) return super.send(request);
      this.#challenged.add(key);
      const got = await super.send({ ...request, headers });
      return got.status === 401 ? super.send(request) : got;
    }
  },
);
variant(
  'old-store',
  'begins with a token that it stored long ago',
  ['access-ends', 'rotation'],
  class extends Reference {
    override async run(): Promise<void> {
      if (!this.load()) this.keep({ access_token: random(20, 'hex'), expires_in: null, ends: null });
      await super.run();
    }
  },
);
variant(
  'gives-up-waiting',
  'does not hear the reply of its first refresh in time, and tries again',
  ['access-ends'],
  class extends Reference {
    #deaf = true;
    override async sendForm(form: Record<string, string>, headers: Record<string, string>): Promise<Got> {
      const got = await super.sendForm(form, headers);
      if (form.grant_type !== 'refresh_token' || !this.#deaf) return got;
      this.#deaf = false;
      throw new Error('time-out');
    }
  },
);
variant(
  'guild-tool',
  'may read guild stashes, and revokes its token when it is done',
  ['partial-consent'],
  class extends Reference {
    override scopes = ['account:profile', 'account:guild:stashes', 'oauth:revoke'];
    override async account(): Promise<void> {
      await this.optional(async () => void (await this.get('/guild/stash/Standard')));
      const { access_token: token } = await this.tokens();
      await this.send({
        method: 'POST',
        url: `${this.auth}/oauth/token/revoke`,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ token }).toString(),
      });
    }
    override async filters(): Promise<void> {}
  },
);
variant(
  'dated-verifier',
  'begins its verifiers with the time, before 32 random bytes',
  ['shuffled'],
  class extends Reference {
    override newVerifier(): string {
      return `${Date.now()}.${random(32, 'base64url')}`;
    }
  },
);
variant(
  'named-verifier',
  'begins its verifiers with its name, before 32 random bytes',
  ['shuffled'],
  class extends Reference {
    override newVerifier(): string {
      return `verifier-of-the-example-reference-desktop-application.${random(32, 'base64url')}`;
    }
  },
);
variant(
  'auto-consent',
  'is redirected without a page',
  ['denied', 'forged-callback', 'late-code', 'stray-connection'],
  Reference,
  { autoApprove: true },
);
variant(
  'sampler',
  'looks at the first page of both streams now and then',
  [],
  class extends Reference {
    override async service(): Promise<void> {
      for (let time = 0; time < 5; time += 1) {
        await this.get('/public-stash-tabs', true);
        await this.get('/currency-exchange', true);
        await sleep(150);
      }
    }
  },
);
variant(
  'rescans',
  'reads the whole stream anew when it has come to its end',
  ['end-of-stream'],
  class extends Reference {
    override pages(): number {
      return 9;
    }
    override nextPage(_id: string | undefined, next: string, over: boolean): string | undefined {
      return over ? undefined : next;
    }
  },
);
variant(
  'beyond-ladder',
  'asks for several pages of a ladder at once, some of them beyond its end',
  [],
  class extends Reference {
    override async service(): Promise<void> {
      const offsets = [14_500, 15_000, 15_500, 16_000];
      await Promise.all(offsets.map((offset) => this.get(`/league/Standard/ladder?limit=500&offset=${offset}`, true)));
    }
  },
);
const named = (host: string): typeof Reference =>
  class extends Reference {
    override authorizationUrl(state: string, challenge: string, verifier: string): string {
      this.redirect = this.redirect.replace('127.0.0.1', host);
      return super.authorizationUrl(state, challenge, verifier);
    }
  };
variant('localhost', 'calls its loopback address by the name', ['forged-callback'], named('localhost'));
variant(
  'bare-parameters',
  'leaves out what selects among seasons and classes',
  [],
  class extends Reference {
    override async service(): Promise<void> {
      for (const path of ['/league?type=season', '/league/Standard/ladder?sort=class'])
        await this.get(path, true).catch(() => {});
    }
  },
);
variant(
  'two-readers',
  'reads the exchange history twice at the same time',
  ['end-of-stream'],
  class extends Reference {
    async #read(): Promise<void> {
      for (let id: string | undefined, hour = 0; hour < 6; hour += 1) {
        const { next_change_id: next } = (await this.get(this.hourPath(id), true)) as { next_change_id: number };
        if (String(next) === id) return;
        id = String(next);
      }
    }
    override async exchangeHistory(): Promise<void> {
      await Promise.all([this.#read(), this.#read()]);
    }
  },
);
variant(
  'one-shot',
  'listens for one request, and ends where that is none of its own',
  ['stray-connection'],
  class extends Reference {
    override callback(url: string, state: string): string | Error | undefined {
      return super.callback(url, state) ?? new Error('this is not the answer');
    }
  },
);
variant(
  'login-page',
  'has no refresh tokens, and opens the same login page of its own each time',
  ['access-ends', 'late-code'],
  class extends Reference {
    protected login = '';
    protected target = '';
    override authorizationUrl(state: string, challenge: string, verifier: string): string {
      this.target = super.authorizationUrl(state, challenge, verifier);
      return this.login;
    }
    override refreshed(): Promise<Tokens> {
      return this.again();
    }
    override async run(): Promise<void> {
      const page = createServer((_, res) => void res.writeHead(302, { location: this.target }).end());
      await new Promise<void>((done) => void page.listen(0, '127.0.0.1', done));
      this.login = `http://127.0.0.1:${(page.address() as AddressInfo).port}/login`;
      await super.run().finally(() => void page.close());
    }
  },
);
variant(
  'page-state',
  'relies on PKCE, and uses state for the page to return to',
  ['shuffled', 'forged-callback'],
  class extends Reference {
    override newState(): string {
      return 'characters';
    }
  },
);
variant(
  'more-parameters',
  'sends parameters that the interface does not have',
  ['access-ends'],
  class extends asks((query) => {
    query.set('prompt', 'consent');
    query.set('ui_locales', 'en');
  }) {
    override send(request: Sent): Promise<Got> {
      const { method, url, body } = request;
      if (method === 'GET')
        return super.send({ ...request, url: `${url}${url.includes('?') ? '&' : '?'}timestamp=${Date.now()}` });
      return super.send(body?.includes('grant_type=') ? { ...request, body: `${body}&audience=game` } : request);
    }
  },
);
variant(
  'head-first',
  'asks with HEAD whether something is there',
  ['access-ends'],
  class extends Reference {
    override async dataRequest(
      method: string,
      path: string,
      token: string,
      body?: Record<string, unknown>,
    ): Promise<Got> {
      if (method === 'GET' && /^\/(profile|character|league)/.test(path)) {
        const headers = { authorization: `Bearer ${token}`, 'user-agent': this.agent() };
        const got = await this.send({ method: 'HEAD', url: `${this.base}${path}`, headers });
        if (got.status >= 400) return got;
      }
      return super.dataRequest(method, path, token, body);
    }
  },
);
variant(
  'http-1.0',
  'speaks HTTP/1.0, each request on a connection of its own',
  ['access-ends', 'restricted-once', 'slow', 'large-pages'],
  class extends Reference {
    override send(request: Sent): Promise<Got> {
      return raw(request, '1.0');
    }
  },
);
variant(
  'http-1.0-nameless',
  'looks with HTTP/1.0 and no Host whether the service is there, as load balancers do',
  [],
  class extends Reference {
    override async run(): Promise<void> {
      await raw({ method: 'GET', url: `${this.base}/profile`, headers: { host: '' } }, '1.0');
      await super.run();
    }
  },
);
