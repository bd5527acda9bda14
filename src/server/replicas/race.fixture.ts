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

function agentOf(url: string): Agent {
  const agent = agents.get(url) ?? new Agent({ keepAlive: true, maxSockets: 256 });
  agents.set(url, agent);
  return agent;
}

/** Posts a form; a connection that breaks is status 0. */
async function post(
  url: string,
  path: string,
  form: Readonly<Record<string, string>>,
  bearer?: string,
): Promise<{ status: number; text: string; headers: Readonly<Record<string, unknown>> }> {
  const agent = agentOf(url);
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
  };
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

type Verb = 'consent' | 'exchange' | 'refresh' | 'revoke' | 'use' | 'introspect' | 'end';

/** What a reply says, with the texts that it gives; undefined where it leaves open what was done. */
type Said = 'refused' | 'done' | 'works' | 'active' | 'inactive' | { readonly issued: readonly string[] } | undefined;

/** Sends the calls of one grant, each to the replica that `at` gives. `bearer` may revoke and introspect. */
export function caller(at: () => string, bearer: string) {
  return async ({ verb, text = '' }: { readonly verb: Verb; readonly text?: string }): Promise<Said> => {
    const url = at();
    switch (verb) {
      case 'consent': {
        const code = await codeFrom(url);
        return code === null ? undefined : { issued: [code] };
      }
      case 'exchange':
        return tokensIn(await tokenRequest(url, codeForm(text)));
      case 'refresh':
        return tokensIn(await tokenRequest(url, refreshForm(text)));
      case 'use': {
        const headers = { authorization: `Bearer ${text}` };
        const { status } = await send(url, { path: '/profile', headers, agent: agentOf(url) });
        return status === 200 ? 'works' : status === 401 ? 'refused' : undefined;
      }
      case 'revoke': {
        const { status } = await post(url, '/oauth/token/revoke', { token: text }, bearer);
        return status === 200 ? 'done' : undefined;
      }
      case 'introspect': {
        const reply = await post(url, '/oauth/token/introspect', { token: text }, bearer);
        if (reply.status !== 200) return undefined;
        return (JSON.parse(reply.text) as { active: boolean }).active ? 'active' : 'inactive';
      }
      case 'end':
        throw new Error('nobody ends a grant here, for that ends all grants of the client');
    }
  };
}

/** A token that may revoke and introspect. */
export async function operationsToken(url: string): Promise<string> {
  const client_credentials = { client_id: 'example-operations', client_secret: 'operations-secret' };
  const scope = 'oauth:revoke oauth:introspect';
  const { text } = await post(url, '/oauth/token', { ...client_credentials, grant_type: 'client_credentials', scope });
  return (JSON.parse(text) as { access_token: string }).access_token;
}

function tokensIn({ status, text }: { readonly status: number; readonly text: string }): Said {
  if (status === 400) return 'refused';
  if (status !== 200) return undefined;
  const { access_token: access, refresh_token: refresh } = JSON.parse(text) as Race['winners'][number];
  return { issued: refresh === undefined ? [access] : [access, refresh] };
}
