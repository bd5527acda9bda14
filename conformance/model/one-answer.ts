import { operationList } from '../../src/contract/index.js';
import type { GameOperation, Scope } from '../../src/contract/index.js';
import type { DataRequest, Run } from '../engine/run.js';
import { attempt } from '../verdict.js';
import { userRoles } from '../target/table.js';
import type { Role } from '../target/target.js';
import type { Answer } from '../wire/answer.js';
import { difference } from './difference.js';

/** Clients for which a user can consent, of either type; the others have less than these. */
const consented = userRoles.filter((role) => role !== 'confidential_limited' && role !== 'confidential_no_refresh');

interface Asker {
  readonly what: string;
  readonly token: string;
}

const scopeOf = (logical: GameOperation): Scope => operationList.find((one) => one.logical === logical)!.scope!;

/**
 * Tokens of an account with a scope: by each client that may have it but the one that the run asks with anyway, and one that
 * a refresh gave.
 */
async function askers(run: Run, scope: Scope, account: string): Promise<readonly Asker[]> {
  const found: Asker[] = [];
  const able = (role: Role): boolean => run.facts.target.clients[role]?.scopes.includes(scope) === true;
  for (const role of consented) {
    if (!run.facts.hooks.consent || !run.oauth.accounts().includes(account)) break;
    if (!able(role) || run.oauth.obtainable().get(scope) === role) continue;
    const { access, scopes } = await run.facts.once(`a token of ${account} by client ${role}`, () =>
      run.oauth.grant(role, { account }),
    );
    if (scopes.includes(scope)) found.push({ what: `a token of ${account} for client ${role}`, token: access });
  }
  const renewed = consented.find((role) => able(role) && run.facts.hooks.consent);
  if (renewed && run.oauth.accounts().includes(account)) {
    const what = `a refreshed token of ${account} for client ${renewed}`;
    const { value } = await run.facts.once(what, () =>
      attempt(async () => run.oauth.refreshed(await run.oauth.grant(renewed, { account }))),
    );
    if (value?.scopes.includes(scope)) found.push({ what, token: value.access });
  }
  if (able('service_account') && run.facts.target.known.owner === account) {
    const { access } = await run.facts.once(`a token of the owner with ${scope}`, () =>
      run.oauth.clientCredentials('service_account', { scopes: [scope] }),
    );
    found.push({ what: 'a token of the owner by client credentials', token: access });
  }
  return found;
}

/** Where two answers say something else. */
const apart = (got: Answer, expected: Answer): string | undefined =>
  got.status === expected.status ? difference(got.json, expected.json) : `status ${got.status}, not ${expected.status}`;

/**
 * What an account is shown does not depend on the client that shows it (interface 4.2): every client that may have the
 * scope gets the same. What changes from one request to the next says nothing.
 */
export async function sameForEveryClient(run: Run, logical: GameOperation, request: DataRequest): Promise<void> {
  const { account = 'alice' } = request;
  const own = await askers(run, scopeOf(logical), account);
  if (own.length === 0) return;
  const base = await run.http.data(logical, request);
  await run.expect.each(`${logical} with $what`, own, async ({ token }) => {
    const answer = await run.http.data(logical, { ...request, token });
    let differs = apart(answer, base);
    if (differs !== undefined) {
      const [again, control] = [
        await run.http.data(logical, { ...request, token }),
        await run.http.data(logical, request),
      ];
      const moves = apart(control, base) ?? apart(again, answer);
      if (moves !== undefined) return;
      differs = apart(again, control);
    }
    run.expect.that(differs === undefined, "the answer that the account's other clients get", differs, answer);
  });
}

/** How often each account asks beside the others, so that a server that seldom mixes them up does so. */
const turns = 6;

/**
 * Requests of several accounts at the same time are each answered as if it were alone (interface 4.2). Nothing else is
 * asked meanwhile: a server that mixes accounts up would mix in what other checks ask.
 */
export async function answeredApart(
  run: Run,
  logical: GameOperation,
  requests: readonly (DataRequest & { readonly account: string })[],
): Promise<void> {
  const asked: (DataRequest & { readonly account: string })[] = [];
  for (const request of requests) {
    asked.push({ ...request, token: await run.oauth.token([scopeOf(logical)], { account: request.account }) });
  }
  await run.http.alone(async () => {
    const alone: Answer[] = [];
    for (const request of asked) alone.push(await run.http.data(logical, request));
    // Where all are answered alike nothing is told.
    if (alone.every((answer) => apart(answer, alone[0]!) === undefined)) return;
    const turn = [...asked.keys()];
    const order = Array.from({ length: turns }, (_, at) => (at % 2 === 0 ? turn : turn.toReversed())).flat();
    const beside = await Promise.all(order.map((index) => run.http.data(logical, asked[index]!)));
    const mixed = order.findIndex((index, at) => apart(beside[at]!, alone[index]!) !== undefined);
    if (mixed === -1) return;
    const index = order[mixed]!;
    const control = await run.http.data(logical, asked[index]!);
    if (apart(control, alone[index]!) !== undefined) return;
    run.expect.that(
      false,
      `${logical} for ${asked[index]!.account}, beside requests of others: what it gets alone`,
      apart(beside[mixed]!, alone[index]!),
      beside[mixed],
    );
  });
}

/** One request, by each of two accounts; none where the target has one account only. */
export const byBoth = (run: Run, request: DataRequest): readonly (DataRequest & { readonly account: string })[] =>
  ['alice', 'bob']
    .filter((account) => run.oauth.accounts().includes(account))
    .map((account) => ({ ...request, account }));
