import type { RowId } from '../ledger.gen.js';
import { member } from '../wire/answer.js';
import type { Answer, Sent } from '../wire/answer.js';
import type { Role } from '../target/target.js';
import { MissingCapability } from '../verdict.js';
import type { Outcome } from './outcome.js';
import type { Fields, Grant, Redirect, Run } from './run.js';
import { serviceCoexistence, ServiceTokens } from './service-tokens.js';

/** What a server may have given for a consent before. */
type Credential = 'code' | 'access token' | 'refresh token';

/** The row that asks for two grants beside each other. Of the others none may depend on that. */
export const coexistence: RowId = 'LIFE-014';
/** Whether a row asks for two grants beside each other, of a user or of a service. */
export const coexists = (row: RowId): boolean => row === coexistence || row === serviceCoexistence;

/**
 * What a user's consent to a client ends of earlier ones: nothing with most servers, but no sentence denies it (LIFE-014).
 * Where it ends something, a check that has two grants of one user and client can no longer use the earlier one.
 */
export class LaterConsent {
  #ends: ReadonlySet<Credential> = new Set();
  /** The same of the tokens of service clients. */
  readonly service = new ServiceTokens();
  /** What works, by user and client. */
  readonly #live = new Map<string, Map<string, Credential>>();
  readonly #owners = new Map<string, string>();
  readonly #ended = new Set<string>();
  #isIgnored = false;
  #asked: Promise<void> | undefined;

  /** Whether something ends: checks are run one after the other then. */
  get matters(): boolean {
    return this.consentMatters || this.service.isSingle;
  }

  /** Whether a consent ends something: consents and exchanges must not overlap with anything else then. */
  get consentMatters(): boolean {
    return this.#ends.size > 0;
  }

  /**
   * Whether a check could not use what it had, as a later consent of the same user ends it. `ask` asks the server where
   * that is not known yet, once.
   */
  async mayExplain({ row, verdict, incomplete, forTheRun }: Outcome, ask: () => Promise<void>): Promise<boolean> {
    if (coexists(row) || (verdict !== 'fail' && verdict !== 'could not run')) return false;
    if (incomplete || forTheRun?.metRefusal) await (this.#asked ??= ask());
    return this.matters;
  }

  /** Asks the server, while nobody else does. */
  async learn(run: Run): Promise<void> {
    await this.service.learn(run);
    const found = new Set<Credential>();
    for (const role of run.facts.hooks.consent ? (['confidential', 'public'] as const) : [])
      for (const one of await endedOf(run, role).catch(() => [])) found.add(one);
    this.#ends = found;
  }

  /** A code was given for a consent. */
  consented({ code }: Redirect, { fields, account }: { readonly fields: Fields; readonly account?: string }): void {
    if (code === null || !this.consentMatters) return;
    const owner = JSON.stringify([account, fields.find(([name]) => name === 'client_id')?.[1]]);
    this.#endAll(owner);
    this.#add(owner, code, 'code');
  }

  /** Whatever the server answered. */
  see(answer: Answer): void {
    this.service.see(answer);
    const { asked, request, status, json } = answer;
    if (asked.operation !== 'issueToken' || status !== 200 || !this.consentMatters) return;
    const form = new URLSearchParams(request.body);
    const used = form.get('code') ?? form.get('refresh_token') ?? '';
    const owner = this.#owners.get(used);
    if (owner === undefined) return;
    if (form.has('code')) this.#endAll(owner);
    this.#live.get(owner)?.delete(used);
    for (const [name, kind] of [
      ['access_token', 'access token'],
      ['refresh_token', 'refresh token'],
    ] as const) {
      const text = member(json, name);
      if (typeof text === 'string') this.#add(owner, text, kind);
    }
  }

  /** Whether a later consent has ended it. */
  hasEnded(text: string): boolean {
    return this.#ended.has(text);
  }

  /** Runs an action that may use what has ended. */
  async ignored<T>(action: () => Promise<T>): Promise<T> {
    this.#isIgnored = true;
    try {
      return await this.service.plainly(action);
    } finally {
      this.#isIgnored = false;
    }
  }

  /** @throws MissingCapability where a request has in it what a later consent has ended */
  refuse({ headers, body }: Sent): void {
    if (this.#isIgnored || this.#ended.size === 0) return;
    const form = new URLSearchParams(body);
    const sent = ['code', 'refresh_token', 'token'].map((name) => form.get(name) ?? '');
    const bearer = headers['authorization']?.replace(/^Bearer /, '') ?? '';
    if (![...sent, bearer].some((text) => this.hasEnded(text))) return;
    throw new MissingCapability(
      'two grants of one user to one client side by side',
      `here a later consent ends the ${[...this.#ends].join(' and ')} of earlier ones; no sentence forbids that, and ${coexistence} warns of it`,
    );
  }

  #add(owner: string, text: string, kind: Credential): void {
    this.#owners.set(text, owner);
    if (!this.#live.has(owner)) this.#live.set(owner, new Map());
    this.#live.get(owner)!.set(text, kind);
  }

  #endAll(owner: string): void {
    for (const [text, kind] of this.#live.get(owner) ?? []) {
      if (!this.#ends.has(kind)) continue;
      this.#ended.add(text);
      this.#live.get(owner)!.delete(text);
    }
  }
}

/** Whether an answer shows a code or token that did not work, which a later consent may have ended. */
export const isRefusal = ({ status, text }: Answer): boolean =>
  status === 400 || status === 401 || /"active"\s*:\s*false/.test(text);

/** What works before a later consent to the client, and no longer after it. */
async function endedOf({ oauth }: Run, role: Role): Promise<readonly Credential[]> {
  const works = async ({ access, scopes }: Grant): Promise<boolean> => (await oauth.probe(access, scopes)).status < 300;
  // Once before: the sample of a request may need a consent of its own.
  await works(await oauth.grant(role));
  const first = await oauth.grant(role);
  if (!(await works(first))) return [];
  const grant = first.refresh === undefined ? first : await oauth.refreshed(first);
  // With one verifier: a server that mixes up what belongs to its codes ends none, and is wrong.
  const one = await oauth.code(role);
  const other = await oauth.code(role, { verifier: one.verifier });
  const exchanged = await oauth.exchange(one);
  await oauth.exchange(other);
  const ended: Credential[] = [];
  if (exchanged.status === 400) ended.push('code');
  if ((await oauth.probe(grant.access, grant.scopes)).status === 401) ended.push('access token');
  if (grant.refresh !== undefined && (await oauth.refresh(role, grant.refresh)).status === 400)
    ended.push('refresh token');
  return ended;
}
