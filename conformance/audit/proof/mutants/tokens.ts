import { setTimeout as sleep } from 'node:timers/promises';

import { OAuthFailure } from '../../../../src/client/index.js';
import { Reference } from '../reference.js';
import type { Got, Sent, Tokens } from '../reference.js';
import type { ClientMutant, Made } from './make.js';
import { gather, forms, dressed } from './make.js';

export const tokens: ClientMutant[] = [];
const mutant = gather(tokens);

mutant(
  'bearer-query',
  'sends the token in the address',
  'TOK-BEARER-002',
  [],
  dressed((request, token) => ({
    ...request,
    url: `${request.url}${request.url.includes('?') ? '&' : '?'}access_token=${token}`,
  })),
);
const revokes = (method: string, query: (token: string) => string): Made =>
  class extends Reference {
    override async service(): Promise<void> {
      const { access_token: token } = await this.tokens();
      const headers = { 'user-agent': this.agent() };
      await this.send({ method, url: `${this.auth}/oauth/token/revoke${query(token)}`, headers });
      await super.service();
    }
  };
mutant(
  'revoke-query',
  'revokes with the token in the address',
  'TOK-BEARER-002',
  [],
  revokes('GET', (token) => `?token=${token}`),
);
mutant(
  'revoke-delete',
  'deletes tokens',
  'ADDR-METHOD-001',
  [],
  revokes('DELETE', () => ''),
);
mutant(
  'bearer-missing',
  'sends no header',
  'TOK-BEARER-001',
  [],
  dressed((request) => ({ ...request, headers: { ...request.headers, authorization: '' } })),
);
mutant(
  'bearer-token',
  'uses the scheme Token',
  'TOK-BEARER-001',
  [],
  dressed((request, token) => ({ ...request, headers: { ...request.headers, authorization: `Token ${token}` } })),
);
mutant(
  'bearer-custom',
  'uses a header of its own',
  'TOK-BEARER-001',
  [],
  dressed(({ headers: { authorization: _, ...headers }, ...request }, token) => ({
    ...request,
    headers: { ...headers, 'x-access-token': token },
  })),
);
const asBearer = (text: (token: string, client: Reference) => string): Made =>
  class extends Reference {
    #sent = false;
    override dressed(request: Sent, token: string): Sent {
      const headers = { ...request.headers, authorization: `Bearer ${this.#sent ? token : text(token, this)}` };
      this.#sent = true;
      return { ...request, headers };
    }
  };
mutant(
  'bearer-undefined',
  'sends the text undefined for its first token',
  'TOK-BEARER-003',
  [],
  asBearer(() => 'undefined'),
);
mutant(
  'bearer-refresh',
  'sends the refresh token for its first access token',
  'TOK-BEARER-003',
  [],
  asBearer((token, client) => client.load()?.refresh_token ?? token),
);
mutant(
  'bearer-cut',
  'cuts its first token off',
  'TOK-BEARER-003',
  [],
  asBearer((token) => token.slice(0, 32)),
);
mutant(
  'refresh-data',
  'sends the refresh token with data requests',
  'TOK-SECRET-005',
  [],
  dressed((request, _, client) => ({
    ...request,
    headers: { ...request.headers, 'x-refresh-token': client.load()?.refresh_token ?? '' },
  })),
);
mutant(
  'secret-query',
  'sends the secret in the address of the token endpoint',
  'TOK-SECRET-001',
  [],
  class extends Reference {
    override send(request: Sent): Promise<Got> {
      const own = request.body?.includes('client_credentials')
        ? `?client_secret=${encodeURIComponent(this.env('SERVICE_CLIENT_SECRET'))}`
        : '';
      return super.send({ ...request, url: request.url + own });
    }
  },
);
mutant(
  'secret-authorize',
  'sends the secret with the authorization request',
  'TOK-SECRET-001',
  [],
  class extends Reference {
    override authorizationUrl(state: string, challenge: string, verifier: string): string {
      return `${super.authorizationUrl(state, challenge, verifier)}&client_secret=x`;
    }
  },
);
mutant(
  'secret-data',
  'sends the secret with data requests',
  'TOK-SECRET-002',
  [],
  dressed((request, _, client) => ({
    ...request,
    headers: { ...request.headers, 'x-client-secret': client.env('SERVICE_CLIENT_SECRET') },
  })),
);
mutant(
  'secret-public',
  'sends a secret as a public client',
  'TOK-SECRET-003',
  [],
  forms('authorization_code', (form) => (form.client_secret = 'not-a-secret')),
);
mutant(
  'secret-twice',
  'authenticates in header and form',
  'TOK-SECRET-004',
  [],
  class extends Reference {
    override credentialsHeaders(): Record<string, string> {
      return {
        authorization: `Basic ${btoa(`${this.env('SERVICE_CLIENT_ID')}:${this.env('SERVICE_CLIENT_SECRET')}`)}`,
      };
    }
  },
);
mutant(
  'secret-wrong',
  'sends a wrong secret',
  'TOK-CLIENT-001',
  [],
  forms('client_credentials', (form) => (form.client_secret = 'wrong-secret')),
);
mutant(
  'basic-raw',
  'sends Basic without encoding',
  'TOK-BASIC-001',
  ['odd-secret'],
  class extends Reference {
    override async run(): Promise<void> {
      const { client_secret: _, ...form } = this.credentialsForm();
      const credentials = `${this.env('CLIENT_ID')}:${this.env('CLIENT_SECRET')}`;
      await this.sendForm(
        { ...form, client_id: this.env('CLIENT_ID'), scope: 'oauth:revoke' },
        { authorization: `Basic ${btoa(credentials)}` },
      );
      await super.run();
    }
  },
);
mutant(
  'form-json',
  'sends token requests as JSON',
  'TOK-FORM-001',
  [],
  class extends Reference {
    override sendForm(form: Record<string, string>): Promise<Got> {
      return this.send({
        method: 'POST',
        url: `${this.auth}/oauth/token`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(form),
      });
    }
  },
);
mutant(
  'form-get',
  'gets tokens with GET',
  'TOK-FORM-002',
  [],
  class extends Reference {
    override sendForm(form: Record<string, string>): Promise<Got> {
      return this.send({
        method: 'GET',
        url: `${this.auth}/oauth/token?${new URLSearchParams({ grant_type: form.grant_type ?? '' }).toString()}`,
        headers: {},
      });
    }
  },
);
mutant(
  'form-twice',
  'sends grant_type twice',
  'TOK-FORM-003',
  [],
  class extends Reference {
    override send(request: Sent): Promise<Got> {
      return super.send(
        request.body?.includes('grant_type') ? { ...request, body: `${request.body}&grant_type=x` } : request,
      );
    }
  },
);
mutant(
  'form-raw',
  'writes values into forms as they are',
  'TOK-FORM-005',
  ['odd-secret'],
  class extends Reference {
    override send(request: Sent): Promise<Got> {
      const { url, body } = request;
      if (!url.endsWith('/oauth/token') || body === undefined) return super.send(request);
      const form = [...new URLSearchParams(body)].map((pair) => pair.join('=')).join('&');
      return super.send({ ...request, body: form });
    }
  },
);
mutant(
  'form-encoded-twice',
  'encodes its secret before the form does',
  'TOK-FORM-005',
  ['odd-secret'],
  forms('client_credentials', (form) => (form.client_secret = encodeURIComponent(form.client_secret ?? ''))),
);
mutant(
  'form-password',
  'uses a grant that there is not',
  'TOK-FORM-004',
  [],
  forms('client_credentials', (form) => (form.grant_type = 'password')),
);
mutant(
  'form-undefined',
  'refreshes with the word undefined where it has no refresh token',
  'TOK-FORM-004',
  [],
  class extends Reference {
    override async service(): Promise<void> {
      await this.sendForm(this.refreshForm('undefined'), {});
      await super.service();
    }
  },
);
mutant(
  'form-scope-comma',
  'separates the scopes of a token request with commas at first',
  'TOK-SCOPE-001',
  [],
  class extends Reference {
    override async sendForm(form: Record<string, string>, headers: Record<string, string>): Promise<Got> {
      if (form.scope !== undefined) await super.sendForm({ ...form, scope: form.scope.replaceAll(' ', ',') }, headers);
      return super.sendForm(form, headers);
    }
  },
);
mutant(
  'form-no-client',
  'leaves client_id out',
  'TOK-FORM-004',
  ['access-ends'],
  forms('refresh_token', (form) => delete form.client_id),
);
mutant(
  'form-no-redirect',
  'leaves redirect_uri out',
  'TOK-FORM-004',
  [],
  forms('authorization_code', (form) => delete form.redirect_uri),
);
mutant(
  'public-credentials',
  'uses client_credentials as a public client',
  'TOK-GRANT-001',
  [],
  forms('client_credentials', (form, client) => {
    form.client_id = client.env('PUBLIC_CLIENT_ID');
    delete form.client_secret;
  }),
);
mutant(
  'expires-null',
  'takes null for an expiry',
  'TOK-EXPIRES-001',
  [],
  class extends Reference {
    override async ownTokens(): Promise<Tokens> {
      let tokens = await super.ownTokens();
      for (let tries = 0; tries < 3 && !(Number(tokens.expires_in) > 0); tries += 1) {
        this.serviceTokens = undefined;
        await sleep(400);
        tokens = await super.ownTokens();
      }
      return tokens;
    }
  },
);
mutant(
  'token-each',
  'gets a token for each request',
  'TOK-ONE-001',
  [],
  class extends Reference {
    override ownTokens(): Promise<Tokens> {
      this.serviceTokens = undefined;
      return super.ownTokens();
    }
  },
);
mutant(
  'rejected-again',
  'sends a refused token again and again',
  'TOK-REJECTED-001',
  ['access-ends'],
  class extends Reference {
    override async renew(rejected: string): Promise<Tokens> {
      return this.load() ?? (rejected as unknown as Tokens);
    }
    override worthTrying(status: number): boolean {
      return status === 401 || super.worthTrying(status);
    }
    override attempts(): number {
      return 8;
    }
    override async waitAfter(): Promise<void> {
      await sleep(400);
    }
  },
);
const discards = (statuses: readonly number[]): Made =>
  class extends Reference {
    override async waitAfter(got: Got, attempt: number, key: string): Promise<void> {
      await super.waitAfter(got, attempt, key);
      if (!statuses.includes(got.status)) return;
      this.forget();
      this.serviceTokens = undefined;
    }
  };
mutant('discards-429', 'throws tokens away after a 429', 'TOK-KEEP-001', ['restricted-once'], discards([429]));
mutant('discards-500', 'throws tokens away after a 500', 'TOK-KEEP-001', ['server-error'], discards([500]));
mutant('discards-503', 'throws tokens away after a 503', 'TOK-KEEP-001', ['busy-once'], discards([503]));
const asksAfter = (fits: (error: unknown) => boolean): Made =>
  class extends Reference {
    override async tokenRequest(form: Record<string, string>, headers?: Record<string, string>): Promise<Tokens> {
      if (form.grant_type !== 'refresh_token') return super.tokenRequest(form, headers);
      const got = await this.sendForm(form, headers ?? {});
      if (got.status === 200) return this.received(got);
      throw new OAuthFailure('failed', { call: 'refresh', status: got.status });
    }
    override async afterRefresh(error: unknown): Promise<Tokens> {
      if (!fits(error)) throw error;
      this.forget();
      return this.again();
    }
  };
mutant(
  'discards-token-503',
  'asks the user after a 503 of the token endpoint',
  'TOK-KEEP-002',
  ['token-503'],
  asksAfter(() => true),
);
mutant(
  'discards-token-500',
  'asks the user after a 500 of the token endpoint',
  'TOK-KEEP-002',
  ['token-500'],
  asksAfter(() => true),
);
mutant(
  'stores-nothing',
  'stores no tokens',
  'TOK-KEEP-003',
  ['rotation'],
  class extends Reference {
    #held: string | undefined;
    override load(): Tokens | undefined {
      return this.#held === undefined ? undefined : (JSON.parse(this.#held) as Tokens);
    }
    override keep(tokens: Tokens): Tokens {
      this.#held = JSON.stringify(tokens);
      return tokens;
    }
  },
);

/** Tells the authorization server something about its token, at the end. */
const ends = (path: string, form: (client: Reference, token: string) => Record<string, string>): Made =>
  class extends Reference {
    override async run(): Promise<void> {
      await super.run();
      const { access_token: token } = await this.tokens();
      await this.sendForm(form(this, token), {}, `/oauth/token/${path}`);
    }
  };
mutant(
  'code-reloaded',
  'exchanges the code of each callback, of a reloaded one too',
  'AUTH-CODE-001',
  ['reloaded-callback'],
  class extends Reference {
    #verifier = '';
    #callbacks = 0;
    override newVerifier(): string {
      return (this.#verifier = super.newVerifier());
    }
    override callback(url: string, state: string): string | Error | undefined {
      const code = super.callback(url, state);
      if (typeof code === 'string' && (this.#callbacks += 1) > 1)
        this.tokenRequest(this.exchangeForm(code, this.#verifier)).catch(() => {});
      return code;
    }
    override async exchanged(code: string, verifier: string): Promise<Tokens> {
      const tokens = await super.exchanged(code, verifier);
      await sleep(1500);
      return tokens;
    }
  },
);
mutant(
  'revoke-nothing',
  'revokes a token without naming it',
  'TOK-FORM-006',
  [],
  ends('revoke', (client, token) => ({ access_token: token, client_id: client.env('PUBLIC_CLIENT_ID') })),
);
mutant(
  'introspect-nobody',
  'introspects without a credential',
  'TOK-CLIENT-001',
  [],
  ends('introspect', (_, token) => ({ token })),
);
