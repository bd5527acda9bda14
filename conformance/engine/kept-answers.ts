import { operationList } from '../../src/contract/index.js';
import type { Scope } from '../../src/contract/index.js';
import { isOffered } from '../target/offers.js';
import type { Target } from '../target/target.js';
import type { Answer } from '../wire/answer.js';
import type { OAuth, Http } from './run.js';

/** What is asked, and with which tokens. */
interface Asking {
  readonly http: Pick<Http, 'raw'>;
  readonly obtainable: () => ReadonlyMap<Scope, unknown>;
  readonly accounts: OAuth['accounts'];
  readonly token: OAuth['token'];
}

/** How many addresses are asked. */
const most = 4;

/**
 * Advice for a server whose answers are kept by their address, whoever asks, as by a cache that ignores Authorization: one
 * cause for failures of many requirements, which none of them can tell from their own. At an address that nobody has
 * asked for before, the same request is answered otherwise.
 */
export async function adviceOnKept(session: Asking, target: Target): Promise<readonly string[]> {
  const found: string[] = [];
  const scopes = new Set<Scope>();
  for (const { id, method, path, server, scope } of operationList) {
    if (server !== 'data' || method !== 'GET' || path.includes('{') || scope === undefined) continue;
    if (scopes.has(scope) || scopes.size === most || !session.obtainable().has(scope) || !isOffered(target, id))
      continue;
    scopes.add(scope);
    const whose = await ofWhom(session, path, scope);
    if (whose !== undefined) found.push(`GET ${path} ${whose}`);
  }
  if (found.length === 0) return [];
  return [
    `${found.join(', and ')} got what another request had got there before, and something else at an address that was new. ` +
      'Answers seem to be kept by their address, whoever asks. Many failures may be consequences of that: fix it first.',
  ];
}

/** Whose requests get the answer of another one; undefined where each gets its own. */
async function ofWhom(session: Asking, path: string, scope: Scope): Promise<string | undefined> {
  const ask = (at: string, token: string | null): Promise<Answer> => session.http.raw('GET', at, { token });
  const token = await session.token([scope]);
  const kept = await ask(path, token);
  const isKept = ({ status, text }: Answer): boolean => status === 200 && text === kept.text;
  // An address of its own for each, by a parameter that nobody knows or by another spelling of the path.
  const fresh = [(count: number) => `${path}?cx-new=${count}`, (count: number) => spelled(path, count)];
  const others: [string, string | null][] = [['without a token', null]];
  const isOfUser = scope.startsWith('account:') && ['alice', 'bob'].every((one) => session.accounts().includes(one));
  if (isOfUser) others.push(['for bob', await session.token([scope], { account: 'bob' })]);
  for (const [who, other] of kept.status === 200 ? others : []) {
    if (!isKept(await ask(path, other))) continue;
    for (const [form, at] of fresh.entries()) {
      const own = await ask(at(4 * form + 1), other);
      const taken = await ask(at(4 * form + 2), token);
      const differs = [401, 403].includes(own.status) || (own.status === 200 && own.text !== kept.text);
      if (isKept(taken) && differs && isKept(await ask(path, other))) return who;
    }
  }
  return undefined;
}

/** The same path with one of its letters percent-encoded (RFC 3986 6.2.2.2). */
function spelled(path: string, letter: number): string {
  const at = 1 + (letter % (path.length - 1));
  const code = path.charCodeAt(at).toString(16).toUpperCase();
  return /[a-z]/.test(path.charAt(at)) ? `${path.slice(0, at)}%${code}${path.slice(at + 1)}` : path;
}
