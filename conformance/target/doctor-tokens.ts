import { operationList } from '../../src/contract/index.js';
import type { Operation } from '../../src/contract/index.js';
import { note, ok, problem } from './diagnosis.js';
import type { Diagnosis } from './diagnosis.js';
import type { Transport } from './hooks.js';
import { isOffered } from './offers.js';
import type { ReadyToken, Target } from './target.js';
import { unreachable } from './unreachable.js';

/** Whether the ready tokens of a target work: a finding each. */
export async function tokenFindings(target: Target, transport: Transport): Promise<Diagnosis[]> {
  const findings: Diagnosis[] = [];
  for (const [index, token] of target.tokens.entries())
    findings.push(await finding(`tokens[${index}]`, token, target, transport));
  return findings;
}

/** The operations that take nothing but a token, at the paths that the target has them. */
const withoutNames = (target: Target): readonly Operation[] =>
  operationList
    .filter(
      ({ id, method, path, scope, server }) =>
        server === 'data' && method === 'GET' && !path.includes('{') && scope !== undefined && isOffered(target, id),
    )
    .map((one) => ({ ...one, path: one.path.replace(/[/]game2$/, `/${encodeURIComponent(target.names.game2)}`) }));

/** What a login tries by itself. */
const triedByLogin = ['getProfile', 'listLeagues'];

/** The operations that answer 404 to a token with their scope, though they take no name that could be wrong. */
export async function absentOperations(
  target: Target,
  transport: Transport,
  tokens: readonly ReadyToken[],
): Promise<readonly Operation[]> {
  const gone: Operation[] = [];
  for (const operation of withoutNames(target)) {
    const held = tokens.find(({ scopes }) => scopes.includes(operation.scope!));
    if (!held || triedByLogin.includes(operation.id)) continue;
    const headers = { accept: 'application/json', authorization: `Bearer ${held.token}` };
    const request = { method: 'GET', url: target.base_url + operation.path, headers };
    const answer = await transport(request).catch(() => undefined);
    if (answer?.status === 404) gone.push(operation);
  }
  return gone;
}

export function absenceFinding(gone: readonly Operation[]): Diagnosis {
  const them = gone.length === 1 ? 'this operation' : 'these operations';
  return note(
    'not_offered',
    `${gone.map(({ method, path }) => `${method} ${path}`).join(', ')}: 404`,
    `if the server does not offer ${them}, write not_offered: [${gone.map(({ id }) => id).join(', ')}] in the target`,
  );
}

async function finding(
  about: string,
  { token, scopes }: ReadyToken,
  target: Target,
  transport: Transport,
): Promise<Diagnosis> {
  const open = withoutNames(target).find(({ scope }) => scopes.includes(scope!));
  if (!open) return ok(about, 'not tried: every operation of its scopes needs a name');
  const what = `GET ${open.path} with it`;
  try {
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
    const { status } = await transport({ method: 'GET', url: target.base_url + open.path, headers });
    if (status === 200) return ok(about, `${what}: 200`);
    const remedy =
      status === 401
        ? 'write a token that is valid now'
        : status === 403
          ? `correct ${about}.scopes: they do not open this operation`
          : 'check base_url, or list the operation in not_offered';
    return problem(about, `${what}: ${status}`, remedy);
  } catch (error) {
    return problem(about, `${what}: ${unreachable(error, target.base_url).met}`, 'correct base_url');
  }
}
