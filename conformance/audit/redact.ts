import { KnownSecrets } from '../../src/redaction/known.js';
import { isCredentialName, redactedHeader, scrubbed } from '../../src/redaction/places.js';
import { replyOf } from './call.js';
import type { WorldRun } from './run.js';

const mark = (): string => '[redacted]';

/** How the audit shows what clients sent and got. */
export interface Redactor {
  readonly text: (text: string) => string;
  readonly header: (name: string, value: string) => string;
}

/**
 * Hides the secrets of all worlds, however they are encoded and wherever they stand: tokens, codes, verifiers and client
 * secrets. What stands in the place of a credential is hidden too, though it be none of them.
 */
export function redactor(runs: readonly WorldRun[]): Redactor {
  const known = new KnownSecrets();
  const seen = new Set<string>();
  const add = (value: unknown): void => {
    if (typeof value !== 'string' || seen.has(value)) return;
    seen.add(value);
    known.add(value);
  };
  for (const { facts } of runs) for (const id of facts.clients.keys()) known.open(id);
  for (const { calls, facts } of runs) {
    for (const { secret } of facts.clients.values()) add(secret);
    for (const token of facts.given) add(token);
    for (const call of calls) {
      add(call.bearer);
      add(call.basic?.secret);
      for (const pairs of [call.form, call.query])
        for (const [name, value] of pairs) if (isCredentialName(name)) add(value);
      if (call.operation === 'issueToken')
        for (const name of ['access_token', 'refresh_token']) add(replyOf(call, name));
      const { location } = call.replyHeaders;
      if (location !== undefined) add(new URL(location, 'http://localhost').searchParams.get('code'));
    }
  }
  return {
    text: (text) => scrubbed(known.hide(text, mark), mark),
    header: (name, value) => redactedHeader(name, known.hide(value, mark), mark),
  };
}
