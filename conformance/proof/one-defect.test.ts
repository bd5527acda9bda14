import { describe, expect, it } from 'vitest';

import type { RowId } from '../ledger.gen.js';
import { planOf } from '../plan.js';
import type { Interceptor } from './interceptor/interceptor.js';
import { together } from './mutant.js';
import type { Mutation } from './mutant.js';
import { clientOf, refuseAs, tokenMember } from './operators/oauth.js';
import type { SentForm } from './operators/oauth.js';
import { header } from './operators/replies.js';
import { tryOut } from './trial.js';

/** The rows of the authorization server, but for the long sequences of its model. */
const plan = planOf([]).filter(
  ({ group, row, check }) =>
    (group?.startsWith('oauth/') ? group !== 'oauth/lifecycle' && check?.phase !== 'clock' : row.how === 'monitor') ||
    row.id === 'ERR-001',
);

const failing = async (mutation: Mutation): Promise<readonly RowId[]> => {
  const { outcomes } = await tryOut({ plan, runs: 2, seed: 1, timeout: 120_000, mutations: [mutation] });
  return outcomes.filter(({ verdict }) => verdict === 'fail').map(({ row }) => row);
};

/** A wrong secret, which is told as a wrong code would be. */
const unlikeClient = (): Mutation => {
  const which = (error: unknown, sent: SentForm, at: Interceptor): boolean =>
    ['invalid_client', 'invalid_grant'].includes(String(error)) &&
    sent.has('client_secret') &&
    clientOf(sent, at)?.type === 'confidential';
  return together(refuseAs('issueToken', 400, which), refuseAs('issueToken', 'invalid_grant', which));
};

const servers: readonly (readonly [what: string, made: () => Mutation, rows: readonly RowId[]])[] = [
  [
    'answers invalid_grant with 401',
    () => refuseAs('issueToken', 401, (error) => error === 'invalid_grant'),
    ['TOK-ERR-001'],
  ],
  [
    'says invalid_request for invalid_grant',
    () => refuseAs('issueToken', 'invalid_request', (error) => error === 'invalid_grant'),
    ['TOK-ERR-015'],
  ],
  ['says invalid_grant for a wrong secret', unlikeClient, ['TOK-ERR-016']],
  ['names no username', () => tokenMember('username', undefined), ['TOK-RESP-001', 'TOKENRESP-FIELD-username']],
  ['lets tokens be cached', () => header('issueToken', 'cache-control', null), ['TOK-RESP-012']],
];

describe('a server with one defect', () => {
  it.each(servers)('that %s fails the rows of that defect alone', { timeout: 180_000 }, async (_, made, rows) => {
    expect((await failing(made())).toSorted()).toEqual([...rows].toSorted());
  });
});
