import { operationList } from '../../src/contract/index.js';
import { ok, problem } from './diagnosis.js';
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

async function finding(
  about: string,
  { token, scopes }: ReadyToken,
  target: Target,
  transport: Transport,
): Promise<Diagnosis> {
  const open = operationList.find(
    ({ id, method, path, scope, server }) =>
      server === 'data' &&
      method === 'GET' &&
      !path.includes('{') &&
      scope !== undefined &&
      scopes.includes(scope) &&
      isOffered(target, id),
  );
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
