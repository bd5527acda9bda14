import { clientFindings } from './doctor-clients.js';
import type { ClientProbe } from './doctor-clients.js';
import type { Diagnosis } from './diagnosis.js';
import { endpointUrl } from './endpoints.js';
import type { Hooks } from './hooks.js';
import type { ClientEntry } from './target.js';

/** What a look at the logins takes. Hooks are opened where a login is tried. */
export type LoginProbe = Omit<ClientProbe, 'hooks'> & { readonly hooks: () => Promise<Hooks> };

/**
 * What keeps clients of a target from logging in, as `gamedata doctor` finds it: a run would blame the server for each.
 * A token request for each client with a secret, and the doctor's own logins where the server refuses one of them. A
 * server that is down refuses none.
 */
export async function loginProblems(probe: LoginProbe): Promise<readonly Diagnosis[]> {
  const clients = Object.values(probe.target.clients).filter(({ client_secret: secret }) => secret !== undefined);
  for (const client of clients) {
    const text = await replyTo(probe, client).catch(() => undefined);
    if (text === undefined) return [];
    if (!text.includes(refused)) continue;
    const findings = await clientFindings({ ...probe, hooks: await probe.hooks() });
    return findings.filter(({ state, met }) => state === 'problem' && met.includes(refused));
  }
  return [];
}

/** RFC 6749 5.2: client authentication failed. */
const refused = 'invalid_client';

/** The reply to a token request of a client that is good for nothing but its authentication. */
async function replyTo({ target, transport, random }: LoginProbe, client: ClientEntry): Promise<string> {
  const fields = new URLSearchParams({
    client_id: client.client_id,
    client_secret: client.client_secret ?? '',
    grant_type: 'authorization_code',
    code: random(20),
    redirect_uri: client.redirect_uris[0] ?? 'http://127.0.0.1/callback',
    code_verifier: random(32),
  });
  const { text } = await transport({
    method: 'POST',
    url: endpointUrl(target, 'token'),
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: fields.toString(),
  });
  return text;
}
