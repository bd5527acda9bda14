import { replyOf } from './call.js';
import type { WorldRun } from './run.js';

const fields = ['code', 'code_verifier', 'refresh_token', 'access_token', 'client_secret', 'token'] as const;

/** Hides the secrets of all worlds: tokens, codes, verifiers and client secrets, as they are and encoded. */
export function redactor(runs: readonly WorldRun[]): (text: string) => string {
  const secrets = new Set<string>();
  const add = (value: unknown): void => {
    if (typeof value !== 'string' || value.length < 6) return;
    for (const form of [value, encodeURIComponent(value), new URLSearchParams({ a: value }).toString().slice(2)])
      secrets.add(form);
  };
  for (const { calls, facts } of runs) {
    for (const { secret } of facts.clients.values()) add(secret);
    for (const token of facts.given) add(token);
    for (const call of calls) {
      add(call.bearer);
      for (const name of fields) {
        add(call.form.get(name));
        add(call.query.get(name));
        add(call.operation === 'issueToken' ? replyOf(call, name) : undefined);
      }
      const { location } = call.replyHeaders;
      if (location !== undefined) add(new URL(location, 'http://localhost').searchParams.get('code'));
    }
  }
  const all = [...secrets].toSorted((a, b) => b.length - a.length);
  return (text) =>
    all.reduce((shown, secret) => (shown.includes(secret) ? shown.replaceAll(secret, '[redacted]') : shown), text);
}
