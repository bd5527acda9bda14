import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import {
  authorizationUrl,
  challengeOf,
  createVerifier,
  newState,
  OAuthFailure,
  readRedirect,
} from '../../../../src/client/index.js';
import { TokenEndpoint } from './token-endpoint.js';
import type { Tokens } from './token-endpoint.js';

/** The user's consent (RFC 8252), and the tokens that come of it: stored, refreshed, asked for again. */
export class Login extends TokenEndpoint {
  scopes = ['account:profile', 'account:characters', 'account:stashes', 'account:leagues', 'account:item_filter'];
  redirect = '';
  renewing: Promise<Tokens> | undefined;
  protected asking: Promise<Tokens> | undefined;
  protected asked = 0;

  /** The user's tokens: stored ones, fresh ones, or those that the user grants now. */
  async tokens(): Promise<Tokens> {
    const held = this.load();
    if (!held) return (this.asking ??= this.authorize().finally(() => void (this.asking = undefined)));
    if (this.ending(held)) return this.renew(held.access_token);
    return this.renewing ?? held;
  }

  load(): Tokens | undefined {
    const text = this.stored.get('tokens');
    return text === undefined ? undefined : (JSON.parse(text) as Tokens);
  }

  keep(tokens: Tokens): Tokens {
    this.stored.set('tokens', JSON.stringify(tokens));
    return tokens;
  }

  forget(): void {
    this.stored.delete('tokens');
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

  /** The address that it listens on. */
  host(): string | undefined {
    return '127.0.0.1';
  }

  redirectUri(port: number): string {
    return `http://127.0.0.1:${port}/callback`;
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
        this.respond(res, req.url ?? '/');
        if (outcome === undefined) return;
        clearTimeout(timer);
        if (outcome instanceof Error) fail(outcome);
        else done(outcome);
      });
    });
    code.catch(() => {});
    await new Promise<void>((done, fail) => server.once('error', fail).listen(this.port(), this.host(), done));
    this.redirect = this.redirectUri((server.address() as AddressInfo).port);
    try {
      void this.open(this.authorizationUrl(state, await this.challenge(verifier), verifier));
      return await this.exchanged(await code, verifier);
    } finally {
      server.close();
      // The page is still on its way, and a browser may hold connections that it does not use.
      setTimeout(() => server.closeAllConnections(), 200).unref();
    }
  }

  /** Answers the browser. */
  respond(res: ServerResponse, url: string): void {
    res.end(this.page(url));
  }

  /** What the browser is shown. */
  page(_url: string): string {
    return 'You may close this window.\n';
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
