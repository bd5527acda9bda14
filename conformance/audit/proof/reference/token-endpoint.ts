import { setTimeout as sleep } from 'node:timers/promises';

import { OAuthFailure } from '../../../../src/client/index.js';
import { Requests } from './requests.js';
import type { Got } from './requests.js';

export interface Tokens {
  access_token: string;
  refresh_token?: string;
  expires_in: number | null;
  /** ms since 1970; null is never. */
  ends: number | null;
  /** What was granted; a stored one may not know. */
  scope?: string;
}

/** Requests to the token endpoint, and the tokens that the client has for itself. */
export class TokenEndpoint extends Requests {
  serviceTokens: Promise<Tokens> | undefined;

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

  sendForm(form: Record<string, string>, headers: Record<string, string>, path = '/oauth/token'): Promise<Got> {
    return this.send({
      method: 'POST',
      url: `${this.auth}${path}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': this.agent(), ...headers },
      body: new URLSearchParams(form).toString(),
    });
  }

  received(got: Got): Tokens {
    const reply = JSON.parse(got.text) as Tokens;
    const seconds = reply.expires_in ?? null;
    return { ...reply, ends: seconds === null ? null : Date.now() + seconds * 1000 };
  }
}

function failureOf(got: Got): OAuthFailure {
  let error = 'invalid_response';
  try {
    error = String((JSON.parse(got.text) as { error?: string }).error);
  } catch {
    // Not an answer of the authorization server.
  }
  return new OAuthFailure(error, { call: 'token request', status: got.status });
}
