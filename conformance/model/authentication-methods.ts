import type { Scope } from '../../src/contract/index.js';
import type { Fields, Grant, Run } from '../engine/run.js';
import { gToken } from '../generators/data.js';
import { everyTwist, gTwist, twisted } from '../generators/oauth.js';
import type { Twist } from '../generators/oauth.js';
import { attempt, MissingCapability, PrerequisiteFailed } from '../verdict.js';
import type { Role } from '../target/target.js';
import { member } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';
import { assumeWorking, fresh, spare, userRoles } from './probe.js';

type Right = 'oauth:revoke' | 'oauth:introspect';

/** With what a call to the revocation or introspection endpoint is made. */
interface Credential {
  readonly bearer: string;
  /** Whether the bearer token is one of the client that holds the token in question. */
  readonly own: boolean;
  /** Of the client that holds the token in question, beside the bearer token. */
  readonly fields: Fields;
}

/**
 * How to authenticate when revoking or introspecting the tokens of one client. The interface asks for a bearer token with the scope and does
 * not say which tokens it is good for (K-009, K-010): any, or only those of the bearer's own client (RFC 7009 2.1).
 */
export interface AuthenticationMethod {
  /** The client whose tokens it is for. */
  readonly role: Role;
  /** Whether it was seen to work for a plain access token of that client. */
  readonly works: boolean;
  /**
   * Whether the server need not let it work: it refused, or it takes the tokens of other clients for none (RFC 7009 2.2,
   * RFC 7662 2.2).
   */
  readonly declined: boolean;
  /** What the server did, where it did not work. */
  readonly said: string;
  readonly bearer: string;
  /** What is sent beside the bearer token and the token in question. */
  readonly beside: Fields;
  /** Asks about a token, with these fields beside it. */
  readonly ask: (token: string, more?: Fields) => Promise<Answer>;
  /** Asks with these fields and no others. */
  readonly send: (fields: Fields) => Promise<Answer>;
}

type Tried = Pick<AuthenticationMethod, 'works' | 'declined' | 'said'> & { readonly ends?: boolean };
type FoundMethod = Omit<AuthenticationMethod, 'ask' | 'send' | 'bearer' | 'beside'> & Credential;

/**
 * The credentials that might do for tokens of a client, the RFC's way first. One that a user granted comes last, for it
 * ends by itself, perhaps before the run does.
 */
async function* credentialsFor(run: Run, role: Role, right: Right): AsyncGenerator<Credential> {
  const { scopes, client_secret } = run.oauth.client(role);
  const mayOwn = client_secret !== undefined && scopes.includes(right);
  const lasting = mayOwn ? await lastingBearer(run, role, right) : undefined;
  if (lasting !== undefined) yield { bearer: lasting, own: true, fields: [] };
  const { access: bearer, role: holder } = await run.oauth.credential(right);
  const own = holder === role;
  yield { bearer, own, fields: [] };
  if (client_secret !== undefined) yield { bearer, own, fields: run.oauth.credentials(role) };
  const granted = mayOwn && lasting === undefined ? await ownBearer(run, role, right) : undefined;
  if (granted !== undefined) yield { bearer: granted, own: true, fields: [] };
}

/** A client's own token with the scope by client credentials, which does not end by itself. */
async function lastingBearer(run: Run, role: Role, right: Scope): Promise<string | undefined> {
  const { value } = await attempt(() => run.oauth.clientCredentials(role, { scopes: [right] }), [PrerequisiteFailed]);
  return value?.access;
}

/** A client's own token with the scope, where it can have one: by client credentials, or granted by a user. */
export async function ownBearer(run: Run, role: Role, right: Scope): Promise<string | undefined> {
  const scopes = [right];
  const lasting = await lastingBearer(run, role, right);
  if (lasting !== undefined || !userRoles(run).includes(role)) return lasting;
  const { value: granted } = await attempt(
    () => run.oauth.grant(role, { scopes }),
    [PrerequisiteFailed, MissingCapability],
  );
  return granted?.scopes.includes(right) ? granted.access : undefined;
}

const refused = ({ status }: Answer): boolean => status >= 400 && status <= 499;

/** The method that ends tokens of a client; the last one tried where none does. */
export async function revocation(run: Run, role: Role): Promise<AuthenticationMethod> {
  const found = await run.facts.once(`revocation of tokens of ${role}`, async () =>
    search(run, role, 'oauth:revoke', await spare(run, role), async (credential, { access, scopes }) => {
      const answer = await call(run, '/oauth/token/revoke', credential, [['token', access]]);
      const isDead = async (): Promise<boolean> => (await run.oauth.probe(access, scopes)).status === 401;
      if (await isDead()) return { works: true, declined: false, said: '' };
      if (refused(answer)) return { works: false, declined: true, said: `revoking answered ${answer.status}` };
      const ends = await isLate(run, isDead);
      const said = `revoking answered ${answer.status}, and the token works ${ends ? 'a while longer' : 'on'}`;
      // That it answers 200 to the token of another client and leaves it alive is seen in the wild.
      return { works: false, declined: !ends && !credential.own, said, ends };
    }),
  );
  return methodOf(run, '/oauth/token/revoke', found);
}

/** The method that shows tokens of a client to be active; the last one tried where none does. */
export async function introspection(run: Run, role: Role): Promise<AuthenticationMethod> {
  const found = await run.facts.once(`introspection of tokens of ${role}`, async () =>
    search(run, role, 'oauth:introspect', await fresh(run, role), async (credential, { access }) => {
      const answer = await call(run, '/oauth/token/introspect', credential, [['token', access]]);
      const active = member(answer.json, 'active');
      const said = `introspection answered ${answer.status}${active === undefined ? '' : `, active ${String(active)}`}`;
      return { works: answer.status === 200 && active === true, declined: refused(answer) || active === false, said };
    }),
  );
  return methodOf(run, '/oauth/token/introspect', found);
}

async function search(
  run: Run,
  role: Role,
  right: Right,
  grant: Grant,
  attempt: (credential: Credential, grant: Grant) => Promise<Tried>,
): Promise<FoundMethod> {
  await assumeWorking(run, grant);
  let best: FoundMethod | undefined;
  for await (const credential of credentialsFor(run, role, right)) {
    const outcome = await attempt(credential, grant);
    // Of a token that has ended no other credential shows anything. That it ended late is what rows say.
    if (outcome.works || outcome.ends) return { role, ...outcome, ...credential };
    // A method that the server accepted without effect is the one to blame it for.
    if (best === undefined || best.declined) best = { role, ...outcome, ...credential };
  }
  return best!;
}

function call(run: Run, path: string, { bearer, fields }: Credential, own: Fields): Promise<Answer> {
  const sent = [...own, ...fields];
  return path.endsWith('revoke')
    ? run.oauth.revoke(sent, { token: bearer })
    : run.oauth.introspect(sent, { token: bearer });
}

/** Milliseconds after which a token that was revoked, and still works, counts as one that is left alive. */
const patience = 5000;

/** Whether a token ends after all. Where the first one that was asked about never did, the others are not waited for. */
async function isLate(run: Run, isDead: () => Promise<boolean>): Promise<boolean> {
  const ends = (): Promise<boolean> => endsWithin(patience, isDead);
  return (await run.facts.once('whether a revocation is known late', ends)) && ends();
}

async function endsWithin(ms: number, isDead: () => Promise<boolean>): Promise<boolean> {
  const until = performance.now() + ms;
  for (;;) {
    if (await isDead()) return true;
    if (performance.now() >= until) return false;
    await new Promise((done) => setTimeout(done, 250));
  }
}

function methodOf(run: Run, path: string, found: FoundMethod): AuthenticationMethod {
  const { role, works: does, declined, said, bearer, fields: beside } = found;
  const send = (fields: Fields): Promise<Answer> => call(run, path, found, fields);
  return {
    role,
    works: does,
    declined,
    said,
    bearer,
    beside,
    send,
    ask: (token, more = []) => send([['token', token], ...more]),
  };
}

/**
 * A method for tokens of whatever client it can be had for, users' tokens first. Where none works it is one that the row
 * which is about that may fail with.
 */
async function firstMethod(
  run: Run,
  find: (run: Run, role: Role) => Promise<AuthenticationMethod>,
  right: Right,
): Promise<AuthenticationMethod> {
  let best: AuthenticationMethod | undefined;
  let failed: PrerequisiteFailed | MissingCapability | undefined;
  let untried: MissingCapability | undefined;
  const services = (['service', 'operations'] as const).filter((role) => run.facts.target.clients[role]);
  for (const role of [...userRoles(run).slice(0, 1), ...services]) {
    // A client can ask about its own tokens only with a token of its own.
    if (role === 'operations' && !run.oauth.client(role).scopes.includes(right)) continue;
    // Where users' tokens do not work, those of services may.
    const { value: method, undecided } = await attempt(() => find(run, role), [PrerequisiteFailed, MissingCapability]);
    if (method && (method.works || !method.declined)) return method;
    best ??= method;
    failed ??= undecided;
    if (undecided instanceof MissingCapability && services.some((one) => one === role)) untried ??= undecided;
  }
  // A server may decline for some clients' tokens; those that nobody could spare might have been others.
  if (untried) throw untried;
  if (!best && failed) throw failed;
  return best ?? run.expect.missing(`a client whose tokens ${right} could be tried on`);
}

export const anyRevocation = (run: Run): Promise<AuthenticationMethod> => firstMethod(run, revocation, 'oauth:revoke');
export const anyIntrospection = (run: Run): Promise<AuthenticationMethod> =>
  firstMethod(run, introspection, 'oauth:introspect');

/** A method for tokens of this client, for a row that is about them and not about whether there is one. */
const forClient =
  (
    find: (run: Run, role: Role) => Promise<AuthenticationMethod>,
    any: (run: Run) => Promise<AuthenticationMethod>,
    need: string,
  ) =>
  async (run: Run, role: Role): Promise<AuthenticationMethod> => {
    const method = await find(run, role);
    const isDeclined = !method.works && method.declined && (await any(run)).works;
    return isDeclined
      ? run.expect.missing(`a token with ${need} tokens of client ${role} (with the one it has, ${method.said})`)
      : method;
  };
export const revocationOf = forClient(revocation, anyRevocation, 'oauth:revoke that the server lets revoke');
export const introspectionOf = forClient(
  introspection,
  anyIntrospection,
  'oauth:introspect that the server lets look at',
);

/** Texts that are no token: ones that miss the tokens of a grant narrowly, and ones that were never issued. */
export async function eachUnknownToken(
  run: Run,
  { access, refresh }: Grant,
  { share }: { readonly share: number },
  holds: (text: string) => Promise<void>,
): Promise<void> {
  const near = (token: string) => (twist: Twist) => holds(twisted(token, twist, { encoded: true }));
  await run.expect.each('a token missed by $kind', everyTwist, near(access));
  await run.expect.property('a token that is missed narrowly', gTwist, { share }, near(access));
  if (refresh !== undefined) await run.expect.each('a refresh token missed by $kind', everyTwist, near(refresh));
  await run.expect.property('a token that was never issued', gToken, { share: 0.15 }, holds);
}
