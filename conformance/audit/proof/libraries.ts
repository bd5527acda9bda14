import { setTimeout as sleep } from 'node:timers/promises';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';

import { Reference } from './reference.js';
import type { Tokens } from './reference.js';

/** What both libraries hand out. */
interface LibraryTokens {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly expires_in?: number;
}

/** A client whose OAuth is a library's, configured from the metadata. Its own tokens it gets by itself: both libraries refuse `expires_in: null`. */
abstract class LibraryClient extends Reference {
  protected answer = '';
  protected state = '';

  abstract byCode(verifier: string): Promise<LibraryTokens>;
  abstract byRefresh(token: string): Promise<LibraryTokens>;

  override callback(url: string, state: string): string | Error | undefined {
    const outcome = super.callback(url, state);
    if (typeof outcome === 'string') Object.assign(this, { answer: url, state });
    return outcome;
  }

  override async exchanged(_code: string, verifier: string): Promise<Tokens> {
    return this.keep(held(await this.patiently(() => this.byCode(verifier), 'answered')));
  }

  override async refreshed(tokens: Tokens | undefined): Promise<Tokens> {
    const token = tokens?.refresh_token;
    if (tokens === undefined || token === undefined) return this.again();
    try {
      return this.keep(this.replaced(tokens, held(await this.patiently(() => this.byRefresh(token)))));
    } catch (error) {
      if (!(error instanceof oauth.ResponseBodyError) || error.error !== 'invalid_grant') throw error;
      this.forget();
      return this.again();
    }
  }

  /** Tries again what the service could not do; what the line could not do only where that is no second use of a code. */
  async patiently<T>(step: () => Promise<T>, tries: 'answered' | 'all' = 'all'): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await step();
      } catch (error) {
        if (error instanceof oauth.ResponseBodyError && error.status < 500) throw error;
        if (attempt >= 5 || (tries === 'answered' && replyOf(error) === undefined)) throw error;
        await sleep(waitOf(error) ?? 1100 * attempt);
      }
    }
  }
}

/** The reply behind a library's error. */
function replyOf(error: unknown): Response | undefined {
  const { response, cause } = error as { response?: unknown; cause?: unknown };
  return [response, cause].find((one) => one instanceof Response);
}

/** How long that reply asks to wait, ms and a little more. */
function waitOf(error: unknown): number | undefined {
  const seconds = replyOf(error)?.headers.get('retry-after');
  return seconds ? Number(seconds) * 1000 + 100 : undefined;
}

const held = ({ access_token, refresh_token, expires_in }: LibraryTokens): Tokens => ({
  access_token,
  ...(refresh_token !== undefined && { refresh_token }),
  expires_in: expires_in ?? null,
  ends: expires_in === undefined ? null : Date.now() + expires_in * 1000,
});

export class OpenidClient extends LibraryClient {
  #config: Promise<openid.Configuration> | undefined;

  config(): Promise<openid.Configuration> {
    return (this.#config ??= openid.discovery(
      new URL(this.auth),
      this.env('PUBLIC_CLIENT_ID'),
      undefined,
      openid.None(),
      {
        algorithm: 'oauth2',
        execute: [openid.allowInsecureRequests],
      },
    ));
  }

  override newState = (): string => openid.randomState();
  override newVerifier = (): string => openid.randomPKCECodeVerifier();
  override challenge = (verifier: string): Promise<string> => openid.calculatePKCECodeChallenge(verifier);

  async byCode(verifier: string): Promise<LibraryTokens> {
    const url = new URL(this.answer, this.redirect);
    return openid.authorizationCodeGrant(await this.config(), url, {
      expectedState: this.state,
      pkceCodeVerifier: verifier,
    });
  }

  async byRefresh(token: string): Promise<LibraryTokens> {
    return openid.refreshTokenGrant(await this.config(), token);
  }
}

export class Oauth4webapiClient extends LibraryClient {
  readonly #insecure = { [oauth.allowInsecureRequests]: true };

  async server(): Promise<oauth.AuthorizationServer> {
    const found = await oauth.discoveryRequest(new URL(this.auth), { algorithm: 'oauth2', ...this.#insecure });
    return oauth.processDiscoveryResponse(new URL(this.auth), found);
  }

  override newState = (): string => oauth.generateRandomState();
  override newVerifier = (): string => oauth.generateRandomCodeVerifier();
  override challenge = (verifier: string): Promise<string> => oauth.calculatePKCECodeChallenge(verifier);

  async byCode(verifier: string): Promise<LibraryTokens> {
    const server = await this.server();
    const client = { client_id: this.env('PUBLIC_CLIENT_ID') };
    const parameters = oauth.validateAuthResponse(server, client, new URL(this.answer, this.redirect), this.state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      this.redirect,
      verifier,
      this.#insecure,
    );
    return oauth.processAuthorizationCodeResponse(server, client, response);
  }

  async byRefresh(token: string): Promise<LibraryTokens> {
    const server = await this.server();
    const client = { client_id: this.env('PUBLIC_CLIENT_ID') };
    const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), token, this.#insecure);
    return oauth.processRefreshTokenResponse(server, client, response);
  }
}
