import { createHash } from 'node:crypto';
import type { Arbitrary } from 'fast-check';

import type { GameOperation, Scope } from '../../src/contract/index.js';
import type { RowId } from '../ledger.gen.js';
import type { Known, Role } from '../target/target.js';
import { member } from '../wire/answer.js';
import type { Answer, Sent } from '../wire/answer.js';
import { release } from '../wire/race.js';
import type { Environment } from './environment.js';
import { falsify } from './property.js';
import { below, encoded, locate } from './requests.js';
import type { DataRequest, Fields, FormOptions, Grant, Negative, Refuse, Run } from './run.js';
import { openedBy, sampleOf } from './sheets.js';
import type { Session } from './session.js';
import { dateOf, merged } from './session.js';
import { canonical, shown, told, Words } from './shown.js';
import { Deviation, Missing, NotApplicable, NotExercised, Prerequisite } from '../verdict.js';

/** Which case of each property to run, by the property's ordinal in the check; all cases where it is left out. */
export type Paths = Readonly<Record<string, string>>;

/** A check at work: the requests, tokens and expectations of one row. */
export class CheckRun implements Run {
  exercised = 0;
  readonly warnings: string[] = [];
  readonly notes: string[] = [];
  /** The failing property, when one failed: its ordinal, fast-check's path and the value in words. */
  counterexample: { readonly ordinal: string; readonly path: string; readonly value: string } | undefined;
  #properties = 0;

  constructor(
    readonly env: Environment,
    readonly session: Session,
    readonly row: RowId,
    readonly mayMoveClock: boolean,
    readonly paths?: Paths,
    /** The only property to run, by its ordinal; the others are taken as held. */
    readonly only?: string,
  ) {}

  get target() {
    return this.env.target;
  }
  get hooks() {
    return this.env.hooks;
  }
  get runs() {
    return this.env.runs;
  }
  get lifecycle() {
    return this.env.lifecycle;
  }

  // --- requests ---------------------------------------------------------------------------------------------------

  async data(logical: GameOperation, request: DataRequest = {}): Promise<Answer> {
    const { args = {} } = request;
    const { operation, path } = locate(logical, args, this.target.names);
    const token = await this.#tokenOf(request, operation.scope!);
    return this.env.wire.send(this.#dataRequest(operation.method, path, { ...request, token }), {
      server: 'data',
      operation: logical,
      args,
    });
  }

  raw(method: string, path: string, request: Omit<DataRequest, 'args'> = {}): Promise<Answer> {
    return this.env.wire.send(this.#dataRequest(method, path, request), { server: 'data', args: {} });
  }

  async #tokenOf({ token, account, headers = {} }: DataRequest, scope: Scope): Promise<string | null> {
    if (token !== undefined) return token;
    if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) return null;
    return this.session.token([scope], account === undefined ? {} : { account });
  }

  #dataRequest(method: string, path: string, { body, token, headers = {}, query }: DataRequest): Sent {
    const extra = query && query.length > 0 ? `${path.includes('?') ? '&' : '?'}${encoded(query)}` : '';
    return {
      method,
      url: below(this.target.base_url, path) + extra,
      headers: merged(
        {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(typeof token === 'string' && { authorization: `Bearer ${token}` }),
        },
        headers,
      ),
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    };
  }

  tokenRequest(fields: Fields, options: FormOptions = {}): Promise<Answer> {
    return this.session.form('/oauth/token', fields, { ...options, operation: 'issueToken' });
  }

  async revoke(fields: Fields, options: FormOptions = {}): Promise<Answer> {
    const token = options.token === undefined ? await this.session.credential('oauth:revoke') : options.token;
    return this.session.form('/oauth/token/revoke', fields, { ...options, token, operation: 'revokeToken' });
  }

  async introspect(fields: Fields, options: FormOptions = {}): Promise<Answer> {
    const token = options.token === undefined ? await this.session.credential('oauth:introspect') : options.token;
    return this.session.form('/oauth/token/introspect', fields, { ...options, token, operation: 'introspectToken' });
  }

  oauth(
    method: string,
    path: string,
    options: FormOptions & { fields?: Fields; query?: Fields } = {},
  ): Promise<Answer> {
    const { fields = [], ...rest } = options;
    return this.session.form(path, fields, { ...rest, method });
  }

  async race(
    requests: readonly { readonly path: string; readonly fields: Fields; readonly token?: string }[],
  ): Promise<readonly Answer[]> {
    const sent = requests.map(({ path, fields, token }) => ({
      method: 'POST',
      url: below(this.target.auth_url, path),
      headers: {
        accept: 'application/json',
        'content-type': 'application/x-www-form-urlencoded',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: encoded(fields),
    }));
    await this.env.wire.reserve(sent.length);
    const started = performance.now();
    const received = await release(sent);
    const ms = performance.now() - started;
    if (received.some(({ status }) => status === 429))
      throw new NotExercised('a request of a race was answered 429, and what waits is no race');
    const operations = { '/oauth/token': 'issueToken', '/oauth/token/revoke': 'revokeToken' } as const;
    return received.map((one, index) => {
      const { path, fields } = requests[index]!;
      const grant = fields.find(([name]) => name === 'grant_type')?.[1];
      const operation = operations[path as keyof typeof operations];
      return this.env.wire.record(
        sent[index]!,
        {
          server: 'authorization',
          args: {},
          race: true,
          ...(operation && { operation }),
          ...(grant !== undefined && { grant }),
        },
        one,
        ms,
      );
    });
  }

  // --- clients, codes, tokens -------------------------------------------------------------------------------------

  client: Run['client'] = (role) => this.session.client(role);
  credentials: Run['credentials'] = (role) => this.session.credentials(role);
  authorizationRequest: Run['authorizationRequest'] = (role, options) =>
    this.session.authorizationRequest(role, options);
  authorize: Run['authorize'] = (fields, options) => this.session.authorize(fields, options);
  bareAuthorize: Run['bareAuthorize'] = (fields) =>
    this.env.wire.send(
      {
        method: 'GET',
        url: `${below(this.target.auth_url, '/oauth/authorize')}?${encoded(fields)}`,
        headers: { accept: 'text/html' },
      },
      { server: 'authorization', args: {} },
    );
  code: Run['code'] = (role, options) => this.session.code(role, options);
  exchangeFields: Run['exchangeFields'] = (code) => this.session.exchangeFields(code);
  grant: Run['grant'] = (role, options) => this.session.grant(role, options);
  clientCredentials: Run['clientCredentials'] = (role, options) =>
    this.session.clientCredentials(role, options?.scopes);
  refreshed: Run['refreshed'] = (grant: Grant) => this.session.refreshed(grant);
  refreshFields: Run['refreshFields'] = (role: Role, refresh) => this.session.refreshFields(role, refresh);
  token: Run['token'] = (scopes, options) => this.session.token(scopes, options);
  obtainable: Run['obtainable'] = () => this.session.obtainable();
  accounts: Run['accounts'] = () => this.session.accounts();

  // --- known data -------------------------------------------------------------------------------------------------

  known<K extends keyof Known>(key: K): NonNullable<Known[K]> {
    const value = this.target.known[key];
    if (value === undefined) throw new Missing(`known.${key} in the target`);
    return value as NonNullable<Known[K]>;
  }

  sample: Run['sample'] = (operation, options) => sampleOf(this, operation, options?.realm);
  once: Run['once'] = (key, make) => this.session.once(key, make);
  flag: Run['flag'] = (flag) => this.target.edition[flag] ?? 'any';
  codec: Run['codec'] = () => this.env.codec();

  async now(): Promise<number> {
    if (this.hooks.clock) return (await this.hooks.clock.now()).getTime() / 1000;
    const answer = await this.raw('GET', '/profile');
    return dateOf(answer) ?? Date.now() / 1000;
  }

  async advance(seconds: number): Promise<void> {
    if (!this.mayMoveClock) throw new Error(`${this.row} moves the clock, so its phase is clock`);
    if (!this.hooks.clock) throw new Missing('clock: a way to move the time of the server');
    await this.hooks.clock.advance(seconds);
  }

  // --- expectations -----------------------------------------------------------------------------------------------

  that(holds: boolean, expected: string, got: unknown, answer?: Answer): void {
    this.exercised += 1;
    if (!holds) throw new Deviation(expected, shown(got), answer);
  }

  status(answer: Answer, ...statuses: readonly (number | '2xx' | '4xx')[]): void {
    const holds = statuses.some((one) =>
      typeof one === 'number' ? one === answer.status : Math.floor(answer.status / 100) === Number(one[0]),
    );
    this.that(holds, `status ${statuses.join(' or ')}`, new Words(`${told(answer)}`), answer);
  }

  oauthError(answer: Answer, errors: readonly string[], statuses?: readonly number[]): void {
    const error = member(answer.json, 'error');
    const allowed = statuses ?? (error === 'invalid_client' ? [400, 401] : [400]);
    this.that(
      typeof error === 'string' && errors.includes(error) && allowed.includes(answer.status),
      `status ${allowed.join(' or ')} with error ${errors.join(' or ')}`,
      new Words(told(answer)),
      answer,
    );
  }

  equal(got: unknown, expected: unknown, what: string, answer?: Answer): void {
    this.that(canonical(got) === canonical(expected), `${what}: ${shown(expected)}`, got, answer);
  }

  has(answer: Answer, wrapper: string): unknown {
    this.status(answer, '2xx');
    const value = member(answer.json, wrapper);
    this.that(value !== undefined, `a JSON object with the member ${wrapper}`, new Words(told(answer)), answer);
    return value;
  }

  list(answer: Answer, wrapper: string): readonly Record<string, unknown>[] {
    const value = this.has(answer, wrapper);
    this.that(
      Array.isArray(value) && value.every((entry) => typeof entry === 'object' && entry !== null),
      `${wrapper}: an array of objects`,
      value,
      answer,
    );
    return value as readonly Record<string, unknown>[];
  }

  async alive(token: string, scopes: readonly Scope[]): Promise<void> {
    this.status(await this.probe(token, scopes), '2xx');
  }

  async dead(token: string, scopes: readonly Scope[]): Promise<void> {
    this.status(await this.probe(token, scopes), 401);
  }

  async probe(token: string, scopes: readonly Scope[]): Promise<Answer> {
    const [operation] = openedBy(this, scopes);
    if (operation !== undefined) return this.data(operation, { ...(await this.sample(operation)), token });
    if (scopes.includes('oauth:introspect')) return this.introspect([['token', token]], { token });
    if (scopes.includes('oauth:revoke')) return this.revoke([['token', 'cx-was-never-issued']], { token });
    throw new Prerequisite(`no operation takes a token with ${scopes.join(' ') || 'no scope'}`);
  }

  async negative<Request>({ valid, send, accepted, refused, unharmed }: Negative<Request>): Promise<Refuse<Request>> {
    const control = await valid();
    const answer = await send(control);
    try {
      if (accepted) await accepted(answer, control);
      else if (answer.status < 200 || answer.status > 299) throw new Deviation('status 2xx', told(answer), answer);
    } catch (error) {
      if (error instanceof Deviation) {
        throw new Prerequisite(`the unchanged request did not work, so a refusal shows nothing: ${error.message}`);
      }
      throw error;
    }
    return async (what, change) => {
      const changed = await change(await valid());
      const reply = await send(changed);
      try {
        await refused(reply, changed);
        if (unharmed) await unharmed(changed);
      } catch (error) {
        if (error instanceof Deviation)
          throw new Deviation(`${what}: ${error.expected}`, error.got, error.answer ?? reply);
        throw error;
      }
      return reply;
    };
  }

  async property<T>(
    what: string,
    values: Arbitrary<T>,
    holds: (value: T) => Promise<void>,
    { share = 1, examples }: { share?: number; examples?: readonly T[] } = {},
  ): Promise<void> {
    this.#properties += 1;
    const ordinal = String(this.#properties);
    if (this.only !== undefined && this.only !== ordinal) return;
    const path = this.paths?.[ordinal];
    const found = await falsify({
      values,
      holds,
      seed: seedOf(this.env.seed, this.row, ordinal),
      runs: Math.max(1, Math.round(this.runs * share)),
      ...(path !== undefined && { path }),
      ...(examples && { examples }),
    });
    if (!found) return;
    this.counterexample = { ordinal, path: found.path, value: `${what}: ${found.value}` };
    throw found.deviation;
  }

  async each<T>(values: Iterable<T>, what: (value: T) => string, holds: (value: T) => Promise<void>): Promise<void> {
    const deviations: Deviation[] = [];
    let others = 0;
    let undecided: { readonly error: unknown } | undefined;
    for (const value of values) {
      try {
        await holds(value);
      } catch (error) {
        if (error instanceof Deviation) {
          const told = new Deviation(`${what(value)}: ${error.expected}`, error.got, error.answer);
          if (deviations.length < 5) deviations.push(told);
          else others += 1;
        } else {
          // It takes back no deviation, before it or after it.
          undecided ??= { error };
          if (!isUndecided(error)) break;
        }
      }
    }
    if (deviations.length === 0 && undecided) throw undecided.error;
    const [only, ...more] = deviations;
    if (!only) return;
    if (more.length === 0) throw only;
    throw new Deviation(
      deviations.map(({ expected }) => expected).join('; ') + (others > 0 ? `; and ${others} more` : ''),
      deviations.map(({ got }) => got).join('; '),
      only.answer,
    );
  }

  // --- what is no failure -----------------------------------------------------------------------------------------

  warn(text: string, answer?: Answer): void {
    this.warnings.push(answer ? `${text} (${told(answer)})` : text);
  }

  note(text: string): void {
    this.exercised += 1;
    this.notes.push(text);
  }

  notExercised(reason: string): never {
    throw new NotExercised(reason);
  }

  notApplicable(reason: string): never {
    throw new NotApplicable(reason);
  }

  missing(what: string): never {
    throw new Missing(what);
  }
}

/** Whether other cases may still be decided. */
const isUndecided = (error: unknown): boolean =>
  error instanceof Missing ||
  error instanceof Prerequisite ||
  error instanceof NotExercised ||
  error instanceof NotApplicable;

/** A seed for each property, from the run's. */
function seedOf(seed: number, row: string, ordinal: string): number {
  return createHash('sha256').update(`${seed}/${row}/${ordinal}`).digest().readInt32BE(0);
}
