import { objectIn } from '../json.js';
import type { JsonObject } from '../json.js';
import type { Scope } from '../../src/contract/index.js';
import type { PlainAnswer } from './answers.js';
import { shown } from './control.js';
import { unreachable } from './unreachable.js';
import { endpointUrl, withQuery } from './endpoints.js';
import { isOffered } from './offers.js';
import type { GivenToken } from './doctor-facts.js';
import { note, ok, problem } from './diagnosis.js';
import type { Diagnosis } from './diagnosis.js';
import type { ConsentOutcome, Hooks, Transport } from './hooks.js';
import { htmlTokens } from './html.js';
import type { ClientEntry, Role, Target } from './target.js';
import { challengeOf } from './pkce.js';

export interface ClientProbe {
  readonly target: Target;
  readonly hooks: Hooks;
  /** The key that has to be right before it is known which hooks there are. */
  readonly unopened?: string | undefined;
  readonly transport: Transport;
  /** Random bytes as base64url. */
  readonly random: (bytes: number) => string;
  /** Whether the data API is there to try tokens on. */
  readonly data: boolean;
  /** Called with each token that a login gives. */
  readonly onToken?: (token: GivenToken) => void;
}

type LoginAttempt<T> = { readonly value: T } | { readonly finding: Diagnosis };

const serviceRoles: readonly Role[] = ['service', 'service_account', 'operations'];

/** Logs in with every client of the target: a finding for each, and one for each redirect URI. */
export async function clientFindings(visit: ClientProbe): Promise<Diagnosis[]> {
  const entries = Object.entries(visit.target.clients) as [Role, ClientEntry][];
  if (entries.length === 0 && visit.target.tokens.length > 0) return [];
  if (entries.length === 0)
    return [
      problem(
        'clients',
        'none is declared',
        'declare at least clients.service, or use --client-id and the related flags',
      ),
    ];
  const findings: Diagnosis[] = [];
  // One after the other, so that the server's log is readable.
  for (const [role, client] of entries) {
    findings.push(
      ...(serviceRoles.includes(role) ? await service(visit, role, client) : await user(visit, role, client)),
    );
  }
  return merged(findings);
}

/** One problem of several clients is told once. */
function merged(findings: readonly Diagnosis[]): Diagnosis[] {
  const groups = new Map<string, Diagnosis[]>();
  for (const finding of findings) {
    const { about, state, met } = finding;
    const key = state === 'problem' ? met.replace(/^\w+:\/\/\S+: /, '') : `${state} ${about} ${met}`;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups].map(([met, [first, ...others]]) =>
    others.length === 0
      ? first!
      : { ...first!, about: [...new Set([first!, ...others].map((one) => one.about))].join(', '), met },
  );
}

async function service(visit: ClientProbe, role: Role, client: ClientEntry): Promise<Diagnosis[]> {
  const about = `clients.${role}`;
  const ask = (scopes: readonly Scope[]) =>
    tokens(visit, about, client, { grant_type: 'client_credentials', scope: scopes.join(' ') });
  const granted = await ask(client.scopes);
  if ('value' in granted) {
    keep(visit, granted.value, { scopes: client.scopes, isOwn: true });
    const used = await use(visit, about, granted.value, client.scopes);
    return [used ?? scopeFinding(about, client, granted.value) ?? ok(about, 'logs in with client_credentials')];
  }
  if (!/invalid_scope/.test(granted.finding.met) || client.scopes.length === 1) return [granted.finding];
  const refused: Scope[] = [];
  for (const scope of client.scopes) if (!('value' in (await ask([scope])))) refused.push(scope);
  if (refused.length === 0) return [granted.finding];
  return [
    problem(
      about,
      `is not granted ${refused.join(', ')}`,
      `register the application for it, or remove it from ${about}.scopes`,
    ),
  ];
}

async function user(visit: ClientProbe, role: Role, client: ClientEntry): Promise<Diagnosis[]> {
  const about = `clients.${role}`;
  const { hooks, unopened, target } = visit;
  if (!hooks.consent) {
    if (unopened !== undefined) return [note(about, `not tried until ${unopened} is right`)];
    return [note(about, 'not tried: no user can decide', 'set consent to how a user decides on this server')];
  }
  const first = Object.hasOwn(target.accounts, 'alice') ? 'alice' : (Object.keys(target.accounts)[0] ?? 'alice');
  const findings: Diagnosis[] = [];
  for (const redirect of client.redirect_uris) {
    const finding = await login(visit, about, client, redirect, first);
    const place = redirect === client.redirect_uri ? about : `${about}.redirect_uris`;
    findings.push({ ...finding, about: place, met: place === about ? finding.met : `${redirect}: ${finding.met}` });
  }
  if (
    role === 'confidential' &&
    Object.hasOwn(target.accounts, 'bob') &&
    findings.every(({ state }) => state === 'ok')
  ) {
    const finding = await login(visit, 'accounts.bob', client, client.redirect_uris[0]!, 'bob');
    findings.push(finding);
  }
  return findings;
}

async function login(
  visit: ClientProbe,
  about: string,
  client: ClientEntry,
  redirect: string,
  account: string,
): Promise<Diagnosis> {
  const scopes = client.scopes.filter((scope) => scope.startsWith('account:'));
  if (scopes.length === 0)
    return problem(about, 'has no account:* scope', `list the scopes that users may grant in ${about}.scopes`);
  const verifier = visit.random(32);
  const state = visit.random(12);
  const query = new URLSearchParams({
    client_id: client.client_id,
    response_type: 'code',
    scope: scopes.join(' '),
    state,
    redirect_uri: redirect,
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
  });
  const url = withQuery(endpointUrl(visit.target, 'authorize'), query.toString());
  let outcome: ConsentOutcome;
  try {
    outcome = await visit.hooks.consent!({ url, account, decision: 'approve' });
  } catch (error) {
    return problem(about, `no consent: ${(error as Error).message}`, 'correct consent, as the message says');
  }
  const code = codeOf(outcome, about, redirect, state, visit.target.consent);
  if ('finding' in code) return code.finding;
  const granted = await tokens(visit, about, client, {
    grant_type: 'authorization_code',
    code: code.value,
    redirect_uri: redirect,
    code_verifier: verifier,
    scope: scopes.join(' '),
  });
  if ('finding' in granted) return granted.finding;
  keep(visit, granted.value, { scopes, account });
  const used = await use(visit, about, granted.value, scopes, account);
  return (
    used ?? scopeFinding(about, { scopes }, granted.value) ?? refreshFinding(about, client, granted.value, account)
  );
}

function refreshFinding(about: string, { refresh }: ClientEntry, values: JsonObject, account: string): Diagnosis {
  const issued = typeof values.refresh_token === 'string';
  if (refresh && !issued)
    return problem(
      about,
      'logs in, but gets no refresh token',
      `enable refresh tokens for the application, or set ${about}.refresh to false`,
    );
  if (!refresh && issued)
    return note(about, 'logs in, and gets a refresh token', `if that is intended, set ${about}.refresh to true`);
  return ok(about, `logs in as ${account}${issued ? ', with a refresh token' : ''}`);
}

function codeOf(
  outcome: ConsentOutcome,
  about: string,
  redirect: string,
  state: string,
  consent: Target['consent'],
): LoginAttempt<string> {
  const { status, location, body = '' } = outcome;
  if (location === null)
    return {
      finding: problem(
        about,
        `no redirect: ${status}, ${isPage(body) ? 'a page with the text ' : 'with the body '}${shown(textOf(body))}`,
        consent === 'auto' && status < 400
          ? 'consent: auto is for a server that redirects at once; where a user decides on a page, set consent to form, control or adapter'
          : /password/i.test(body)
            ? 'check login and password of the account'
            : `check that client_id and ${redirect} are registered, and that the account may consent`,
      ),
    };
  const fail = (met: string, remedy: string): LoginAttempt<string> => ({ finding: problem(about, met, remedy) });
  let url: URL;
  try {
    url = new URL(location);
  } catch {
    return fail(
      `a redirect to ${shown(location)}`,
      'consent must end with a redirect to the redirect_uri; correct consent',
    );
  }
  const home = new URL(redirect);
  if (url.origin !== home.origin || url.pathname !== home.pathname)
    return fail(
      `a redirect to ${shown(`${url.origin}${url.pathname}`)}, not to ${redirect}`,
      'register the redirect URI, and make consent follow through to it',
    );
  const error = url.searchParams.get('error');
  if (error !== null) {
    const words = url.searchParams.get('error_description');
    return fail(`refused: ${error}${words === null ? '' : ` (${shown(words)})`}`, refusalRemedy(about, error));
  }
  const code = url.searchParams.get('code');
  if (code === null) return fail('a redirect without a code', 'a run reports the details; check what consent returns');
  if (url.searchParams.get('state') !== state)
    return { finding: note(about, 'a redirect with a different state', 'a run reports the details') };
  return { value: code };
}

async function tokens(
  { target, transport }: ClientProbe,
  about: string,
  { client_id: id, client_secret: secret }: ClientEntry,
  fields: Readonly<Record<string, string>>,
): Promise<LoginAttempt<JsonObject>> {
  const url = endpointUrl(target, 'token');
  let answer: PlainAnswer;
  try {
    answer = await transport({
      method: 'POST',
      url,
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        client_id: id,
        ...(secret !== undefined && { client_secret: secret }),
        ...fields,
      }).toString(),
    });
  } catch (error) {
    const { met, remedy } = unreachable(error, url);
    return { finding: problem(about, `token request: ${met}`, remedy.replaceAll('{key}', 'auth_url')) };
  }
  const values = objectIn(answer.text);
  if (answer.status === 200 && typeof values.access_token === 'string') return { value: values };
  if (answer.status === 200)
    return {
      finding: problem(
        about,
        'token request: 200 without an access_token',
        'check that auth_url is the authorization server',
      ),
    };
  const error = typeof values.error === 'string' ? values.error : 'no OAuth error';
  const words = typeof values.error_description === 'string' ? ` (${shown(values.error_description)})` : '';
  const isEncoded = [id, secret ?? ''].some((text) => new URLSearchParams({ text }).toString() !== `text=${text}`);
  const decoding =
    error === 'invalid_client' && isEncoded ? ', and that the server decodes a form (`+` is a space)' : '';
  const remedy = `${refusalRemedy(about, error)}${decoding}`;
  return { finding: problem(about, `token request: ${answer.status}, ${error}${words}`, remedy) };
}

/** Hands a new token on, with the scopes that it was given. */
function keep(
  { onToken }: ClientProbe,
  { access_token: token, scope }: JsonObject,
  { scopes, ...whose }: Omit<GivenToken, 'token'>,
): void {
  const given = typeof scope === 'string' ? scope.split(' ') : scopes;
  onToken?.({ token: String(token), scopes: scopes.filter((one) => given.includes(one)), ...whose });
}

/** A simple request with the new token, if its scopes allow one; undefined without a problem. */
async function use(
  { target, transport, data }: ClientProbe,
  about: string,
  values: JsonObject,
  scopes: readonly Scope[],
  account?: string,
): Promise<Diagnosis | undefined> {
  if (!data) return undefined;
  const path =
    scopes.includes('account:profile') && isOffered(target, 'getProfile')
      ? '/profile'
      : scopes.includes('service:leagues') && isOffered(target, 'listLeagues')
        ? '/league?limit=1'
        : undefined;
  if (path === undefined) return undefined;
  const what = `GET ${path.split('?')[0] ?? ''} with the new token`;
  let answer: PlainAnswer;
  try {
    const headers = { accept: 'application/json', authorization: `Bearer ${String(values.access_token)}` };
    answer = await transport({ method: 'GET', url: `${target.base_url}${path}`, headers });
  } catch (error) {
    return problem(about, `${what}: ${unreachable(error, target.base_url).met}`, 'correct base_url');
  }
  if (answer.status !== 200)
    return problem(about, `${what}: ${answer.status}`, 'check that base_url and auth_url belong to the same service');
  const username = account === undefined ? undefined : target.accounts[account]?.username;
  const { name } = objectIn(answer.text);
  if (username !== undefined && name !== username)
    return problem(
      about,
      `${what}: the account's name is ${shown(name)}, not ${username}`,
      `correct accounts.${account ?? ''}.username, or check which account consent uses`,
    );
  return undefined;
}

function scopeFinding(
  about: string,
  { scopes }: Pick<ClientEntry, 'scopes'>,
  { scope }: JsonObject,
): Diagnosis | undefined {
  const granted = typeof scope === 'string' ? scope.split(' ') : scopes;
  const dropped = scopes.filter((asked) => !granted.includes(asked));
  if (dropped.length === 0) return undefined;
  return problem(
    about,
    `logs in, but is not granted ${dropped.join(', ')}`,
    `register the application for it, or remove it from ${about}.scopes`,
  );
}

function refusalRemedy(about: string, error: string): string {
  switch (error) {
    case 'invalid_client':
      return `check ${about}.client_id and client_secret against the registration on the server`;
    case 'invalid_scope':
      return `register the application for these scopes, or remove them from ${about}.scopes`;
    case 'unauthorized_client':
      return 'check that the application may use this grant';
    case 'access_denied':
      return 'check that consent approves';
    default:
      return `check the server's log and ${about} in the target`;
  }
}

/** Whether a body is HTML; JSON and plain text have no tags. */
const isPage = (body: string): boolean => /<[a-z!]/i.test(body);

const unshown = new Set(['script', 'style', 'head']);

/** The visible text of a page. */
function textOf(page: string): string {
  const texts: string[] = [];
  let inside: string | undefined;
  for (const token of htmlTokens(page)) {
    if (token.kind === 'text') texts.push(inside === undefined ? token.text : '');
    else if (token.kind === 'start') inside ??= unshown.has(token.name) ? token.name : undefined;
    else if (token.name === inside) inside = undefined;
  }
  return texts.join(' ').trim();
}
