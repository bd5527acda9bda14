import fc from 'fast-check';

import type { Scope } from '../../../src/contract/index.js';
import { check, group, observation } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { Grant, Run } from '../../engine/run.js';
import { gScopeSubset } from '../../generators/oauth.js';
import { openedBy } from '../../engine/operations.js';
import { assumeWorking, canProbe, works } from '../../model/probe.js';
import { scopesIn } from '../../model/scopes.js';
import type { Role } from '../../target/target.js';
import { credentialFields, credentialsRefusals, services } from './client-credentials-refused.js';
import { ownerChecks } from './client-credentials-owner.js';
import { issued } from './exchange.js';
import { omit } from './outcome.js';
import { serviceFields } from './token-errors.js';

const serviceScopes = (run: Run, role: Role): readonly Scope[] =>
  run.oauth
    .client(role)
    .scopes.filter((scope) => scope.startsWith('service:') && openedBy(run.facts.target, [scope]).length > 0);

/** The token opens an operation of each of its scopes. */
const opens = (run: Run, { access }: Grant, scopes: readonly Scope[]): Promise<void> =>
  run.expect.each('an operation of %s', scopes, async (scope) => {
    if (await canProbe(run, [scope])) run.expect.status(await run.oauth.probe(access, [scope]), '2xx');
  });

const grantChecks: readonly DefinedCheck[] = [
  check({
    id: 'TOK-CC-001',
    level: 'MUST',
    sentence: 'A confidential client with secret obtains an access token for `service:*` scopes.',
    source: '3,4.1',
    needs: ['client:service'],
    judge: async (run) => {
      const scopes = serviceScopes(run, 'service');
      if (scopes.length === 0)
        return run.expect.missing(
          'a service scope of client service',
          'in the target file, add a scope service:* to clients.service.scopes',
        );
      const answer = await run.oauth.tokenRequest(credentialFields(run, 'service', scopes.join(' ')));
      const grant = issued(run, 'service', null, answer);
      await opens(run, grant, scopes.slice(0, 1));
    },
  }),

  check({
    id: 'TOK-CC-015',
    level: 'MUST',
    sentence: 'code, redirect_uri and code_verifier are not needed for client_credentials.',
    source: '4.1',
    needs: ['client:service'],
    judge: async (run) => {
      const fields = serviceFields(run).filter(([name]) => !['code', 'redirect_uri', 'code_verifier'].includes(name));
      issued(run, 'service', null, await run.oauth.tokenRequest(fields));
    },
  }),

  check({
    id: 'TOK-CC-007',
    level: 'MUST',
    sentence: 'Each service scope that a client is enabled for can be obtained by it, and opens its operations.',
    source: '5.7',
    needs: ['client:service'],
    judge: async (run) => {
      for (const role of ['service', 'service_account'] as const) {
        if (!run.facts.target.clients[role]) continue;
        const scopes = serviceScopes(run, role);
        const ask = async (subset: readonly Scope[]): Promise<Grant> => {
          const answer = await run.oauth.tokenRequest(credentialFields(run, role, subset.join(' ')));
          const grant = issued(run, role, null, answer);
          run.expect.equal(
            [...new Set(grant.scopes)].sort(),
            [...subset].sort(),
            'the scopes asked for, as a set',
            answer,
          );
          return grant;
        };
        if (scopes.length === 0) continue;
        await opens(run, await ask(scopes), scopes);
        await opens(run, await ask(scopes.toReversed()), scopes.slice(0, 1));
        if (role !== 'service') continue;
        await run.expect.each('%s alone', scopes, async (scope) => opens(run, await ask([scope]), [scope]));
        await run.expect.property('some service scopes', gScopeSubset(scopes), { share: 0.15 }, async (subset) =>
          opens(run, await ask(subset), [subset[0]!, subset.at(-1)!]),
        );
      }
    },
  }),

  check({
    id: 'TOK-CC-003',
    level: 'MUST',
    sentence: 'A client-credentials token never expires.',
    source: '3,5.6,8',
    needs: ['client:service', 'clock'],
    phase: 'clock',
    judge: async (run) => {
      const roles = services(run).filter((role) => serviceScopes(run, role).length > 0);
      const grants = await Promise.all(
        roles.map((role) => run.oauth.clientCredentials(role, { scopes: serviceScopes(run, role).slice(0, 1) })),
      );
      let age = 0;
      const grow = async (to: number): Promise<void> => {
        await run.facts.advance(to - age, Infinity);
        age = to;
        await run.expect.each(
          ({ role }) => `the token of client ${role} after ${Math.round(age / day)} days`,
          grants,
          async ({ access, scopes }) => run.expect.status(await run.oauth.probe(access, scopes), '2xx'),
          { atOnce: true },
        );
      };
      // Beyond each life that users' tokens have, each power of two that a timer may overflow at, and years.
      for (const to of [1, 7, 24.9, 28, 30, 49.8, 90].map((days) => days * day + 60)) await grow(to);
      await run.expect.property(
        'any age up to 20 years',
        fc.array(fc.integer({ min: 1, max: 20 * 365 }), { minLength: 3, maxLength: 3 }),
        { share: 0.01, examples: [[100, 365, 3650]] },
        async (days) => {
          for (const to of days.toSorted((a, b) => a - b).map((count) => count * day)) if (to > age) await grow(to);
        },
      );
    },
  }),
];

const day = 86_400;

const observations: readonly DefinedCheck[] = [
  observation({
    id: 'TOK-CC-013',
    sentence: 'What a client_credentials request without `scope` gives is not stated.',
    source: '4.1',
    needs: ['client:service'],
    observe: async (run, note) => {
      const answer = await run.oauth.tokenRequest(omit('scope')(serviceFields(run)));
      note(`client_credentials without scope: status ${answer.status}, scope ${scopesIn(answer).join(' ') || 'none'}`);
    },
  }),

  observation({
    id: 'TOK-CC-014',
    sentence: 'Whether a second client-credentials token ends the first is not stated.',
    source: '3',
    needs: ['client:service'],
    observe: async (run, note) => {
      const first = await run.oauth.clientCredentials('service', { scopes: serviceScopes(run, 'service').slice(0, 1) });
      await assumeWorking(run, first);
      await run.oauth.clientCredentials('service', { scopes: first.scopes });
      const alive = await works(run, first.access, first.scopes);
      note(`A second token by client credentials ${alive ? 'leaves the first alive' : 'ends the first'}`);
      // The table of section 3 has no such end of a token, but nothing denies it either.
      if (!alive)
        run.expect.warn('a client can have one token at a time, which may well be why tokens are found dead elsewhere');
    },
  }),
];

/** Client credentials (interface 3, 4.1, 5.6, 5.7; RFC 6749 4.4). */
export default group('oauth/client-credentials', [
  ...grantChecks,
  ...credentialsRefusals,
  ...ownerChecks,
  ...observations,
]);
