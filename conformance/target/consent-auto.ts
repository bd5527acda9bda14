import { MissingCapability, PrerequisiteFailed } from '../verdict.js';
import { redirectOf } from './answers.js';
import type { Hooks, Transport } from './hooks.js';

/** Consent where the authorization endpoint redirects at once (control protocol, section 1, `consent: auto`). */
export const autoConsent =
  (transport: Transport): NonNullable<Hooks['consent']> =>
  async ({ url, decision, scope }) => {
    if (decision === 'deny') throw new MissingCapability('denial', 'consent is auto, which approves everything');
    if (scope !== undefined) throw new MissingCapability('a choice of scopes', 'consent is auto');
    const answer = await transport({ method: 'GET', url, headers: { accept: 'text/html' } }).catch((error: Error) => {
      if (error.name === 'Stopped') throw error;
      throw new PrerequisiteFailed(`consent, GET of the authorization URL: no response (${error.message})`);
    });
    const location = redirectOf(answer);
    return location === undefined
      ? { status: answer.status, location: null, body: answer.text }
      : { status: answer.status, location };
  };
