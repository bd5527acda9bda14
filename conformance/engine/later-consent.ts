import type { RowId } from '../ledger.gen.js';
import { member } from '../wire/answer.js';
import type { Answer, Sent } from '../wire/answer.js';
import type { Role } from '../target/target.js';
import { MissingCapability } from '../verdict.js';
import type { Outcome } from './outcome.js';
import type { Fields, Grant, Redirect, Run } from './run.js';
import { serviceCoexistence, ServiceTokens } from './service-tokens.js';
import { workAtOnce } from './work-at-once.js';

/** What a server may have given for a consent before. */
type Credential = 'code' | 'access token' | 'refresh token';

/** The row that asks for two grants beside each other. Of the others none may depend on that. */
export const coexistence: RowId = 'LIFE-014';
/** Whether a row asks for two grants beside each other, of a user or of a service. */
export const coexists = (row: RowId): boolean => row === coexistence || row === serviceCoexistence;

/** So many grants or tokens beside each other are tried, where one that worked is refused and nothing has ended it. */
const mostAtOnce = 24;

/**
 * What a user's consent to a client ends of earlier ones: nothing with most servers, but no sentence denies it (LIFE-014).
 * Where it ends something, at once or as soon as there are too many, a check can no longer use the oldest of its grants.
 */
export class LaterConsent {
  #ends: ReadonlySet<Credential> = new Set();
  /** How many grants of one user to one client work at once, where consents end something. */
  #atOnce = 1;
  /** The same of the tokens of service clients. */
  readonly service = new ServiceTokens();
  /** The grants of a user to a client, the newest last, with what works of each. */
  readonly #grants = new Map<string, Map<string, Credential>[]>();
  readonly #owners = new Map<string, string>();
  readonly #ended = new Set<string>();
  /** Access tokens that have opened something. */
  readonly #worked = new Set<string>();
  #isIgnored = false;
  #asked: Promise<void> | undefined;
  #askedForMore: Promise<void> | undefined;

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
   * that is not known yet, once; and once more, with many consents, where a token that worked is refused.
   */
  async mayExplain(
    { row, verdict, incomplete, forTheRun }: Outcome,
    ask: (most: number) => Promise<void>,
  ): Promise<boolean> {
    if (coexists(row) || (verdict !== 'fail' && verdict !== 'could not run')) return false;
    if (incomplete || forTheRun?.metRefusal) await (this.#asked ??= ask(1));
    if (forTheRun?.lostToken && !this.matters) await (this.#askedForMore ??= ask(mostAtOnce));
    return this.matters;
  }

  /** Asks the server, while nobody else does, how many of `most` grants and tokens work beside a later one. */
  async learn(run: Run, most: number): Promise<void> {
    await this.service.learn(run, most);
    const found = new Set<Credential>();
    for (const role of run.facts.hooks.consent ? (['confidential', 'public'] as const) : []) {
      const atOnce = most === 1 ? 1 : await grantsAtOnce(run, role, most).catch(() => undefined);
      if (atOnce === undefined) continue;
      this.#atOnce = found.size === 0 ? atOnce : Math.min(this.#atOnce, atOnce);
      const ended =
        most === 1 ? await endedOf(run, role).catch(() => []) : (['access token', 'refresh token'] as const);
      for (const one of ended) found.add(one);
    }
    this.#ends = found;
  }

  /** Whether an answer refuses an access token that has opened something. */
  hasLost({ status, request }: Answer): boolean {
    return status === 401 && this.#worked.has(bearerOf(request));
  }

  /** A code was given for a consent. */
  consented({ code }: Redirect, { fields, account }: { readonly fields: Fields; readonly account?: string }): void {
    if (code === null || !this.consentMatters) return;
    const owner = JSON.stringify([account, fields.find(([name]) => name === 'client_id')?.[1]]);
    this.#begin(owner, new Map([[code, 'code']]));
  }

  /** Whatever the server answered. */
  see(answer: Answer): void {
    this.service.see(answer);
    const { asked, request, status, json } = answer;
    if (asked.server === 'data' && status === 200) this.#worked.add(bearerOf(request));
    if (asked.operation !== 'issueToken' || status !== 200 || !this.consentMatters) return;
    const form = new URLSearchParams(request.body);
    const used = form.get('code') ?? form.get('refresh_token') ?? '';
    const owner = this.#owners.get(used);
    if (owner === undefined) return;
    const before = this.#grants.get(owner)?.find((one) => one.has(used));
    before?.delete(used);
    // Where only so many work, tokens may be counted and not grants: what a refresh gives is one more.
    const grant = (this.#atOnce === 1 ? before : undefined) ?? new Map<string, Credential>();
    for (const [name, kind] of [
      ['access_token', 'access token'],
      ['refresh_token', 'refresh token'],
    ] as const) {
      const text = member(json, name);
      if (typeof text === 'string') grant.set(text, kind);
    }
    if (form.has('code') || grant !== before) this.#begin(owner, grant, form.has('code') || this.#atOnce > 1);
    else for (const text of grant.keys()) this.#owners.set(text, owner);
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
    if (![...sent, bearerOf({ headers })].some((text) => this.hasEnded(text))) return;
    const what = [...this.#ends].join(' and ');
    throw this.#atOnce === 1
      ? new MissingCapability(
          'two grants of one user to one client side by side',
          `here a later consent ends the ${what} of earlier ones; no sentence forbids that, and ${coexistence} warns of it`,
        )
      : new MissingCapability(
          `more than ${this.#atOnce} grants of one user to one client side by side`,
          `here later ones end the ${what} of the oldest; no sentence forbids that`,
        );
  }

  /** What to know of the server, where nothing warns of it. */
  observations(): readonly string[] {
    const users = `Only ${this.#atOnce} grants of one user to one client work at once: later ones end the oldest. No sentence forbids that.`;
    return [...(this.consentMatters && this.#atOnce > 1 ? [users] : []), ...this.service.observations()];
  }

  /** A grant is the newest; where it ends others, the oldest end that are too many. */
  #begin(owner: string, grant: Map<string, Credential>, endsOthers = true): void {
    for (const text of grant.keys()) this.#owners.set(text, owner);
    const grants = [...(this.#grants.get(owner) ?? []).filter((one) => one !== grant), grant];
    for (const earlier of endsOthers ? grants.slice(0, -this.#atOnce) : [])
      for (const [text, kind] of earlier) {
        if (!this.#ends.has(kind)) continue;
        this.#ended.add(text);
        earlier.delete(text);
      }
    this.#grants.set(
      owner,
      grants.filter(({ size }) => size > 0),
    );
  }
}

const bearerOf = ({ headers }: Pick<Sent, 'headers'>): string =>
  headers['authorization']?.replace(/^Bearer /, '') ?? '';

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

/** How many grants of one user and client work at once, if that is no more than are tried. */
const grantsAtOnce = ({ oauth }: Run, role: Role, most: number): Promise<number | undefined> =>
  workAtOnce({ oauth }, () => oauth.grant(role), most);
