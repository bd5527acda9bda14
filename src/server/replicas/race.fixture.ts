import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';

import { challengeOf } from '../../oauth/pkce.js';
import { send } from '../mock.fixture.js';

const verifier = 'a-verifier-of-the-races-0123456789-0123456789-abc';
const client = { client_id: 'example-web', client_secret: 'web-secret' };
const redirectUri = 'https://app.example/callback';

/** What came of one credential that was presented to several replicas at the same time. */
export interface Race {
  readonly statuses: readonly number[];
  readonly winners: readonly { readonly access_token: string; readonly refresh_token?: string }[];
}

const agents = new Map<string, Agent>();

/** Posts a form; a connection that breaks is status 0. */
async function post(
  url: string,
  path: string,
  form: Readonly<Record<string, string>>,
): Promise<{ status: number; text: string; headers: Readonly<Record<string, unknown>> }> {
  const agent = agents.get(url) ?? new Agent({ keepAlive: true, maxSockets: 256 });
  agents.set(url, agent);
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(form).toString();
  return send(url, { method: 'POST', path, headers, body, agent }).catch(() => ({ status: 0, text: '', headers: {} }));
}

export const tokenRequest = (url: string, form: Readonly<Record<string, string>>) =>
  post(url, '/oauth/token', { ...client, ...form });

/** The code of a consent, or null where the mock gave none. */
export async function codeFrom(url: string, redirect = redirectUri): Promise<string | null> {
  const query = new URLSearchParams({
    client_id: client.client_id,
    response_type: 'code',
    scope: 'account:profile',
    state: randomBytes(8).toString('hex'),
    redirect_uri: redirect,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
  });
  const form = { decision: 'approve', account: 'alice', scope: 'account:profile' };
  const { headers } = await post(url, `/oauth/authorize?${query.toString()}`, form);
  return typeof headers.location === 'string' ? new URL(headers.location).searchParams.get('code') : null;
}

export const codeForm = (code: string, redirect = redirectUri): Record<string, string> => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: redirect,
  code_verifier: verifier,
});

export const refreshForm = (token: string): Record<string, string> => ({
  grant_type: 'refresh_token',
  refresh_token: token,
});

/** Presents one credential to all replicas at once. */
export async function race(urls: readonly string[], form: Readonly<Record<string, string>>): Promise<Race> {
  const answers = await Promise.all(urls.map((url) => tokenRequest(url, form)));
  return {
    statuses: answers.map(({ status }) => status),
    winners: answers
      .filter(({ status }) => status === 200)
      .map(({ text }) => JSON.parse(text) as Race['winners'][number]),
  };
}
