import { check } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { Fields, Grant, Run } from '../../engine/run.js';
import { anyRevocation, ownBearer } from '../../model/authentication-methods.js';
import { assumeWorking, refreshable, spare, userRoles } from '../../model/probe.js';
import type { Role } from '../../target/target.js';
import type { Answer } from '../../wire/answer.js';

interface RevocationRequest {
  readonly victim: Grant;
  readonly fields: Fields;
  readonly bearer: string | null;
  readonly verb?: string;
}

/** A revocation that works, to be changed in one thing; after a refusal the token must still work. */
async function revoking(run: Run, refused: (answer: Answer) => void) {
  const method = await anyRevocation(run);
  return run.expect.negative<RevocationRequest>({
    valid: async () => {
      const victim = await spare(run, method.role);
      return { victim, fields: [['token', victim.access]], bearer: method.bearer };
    },
    send: ({ fields, bearer, verb = 'POST' }) =>
      verb === 'POST'
        ? bearer === method.bearer
          ? method.send(fields)
          : run.oauth.revoke(fields, { token: bearer })
        : run.oauth.request(verb, '/oauth/token/revoke', { query: [...fields, ...method.beside], token: bearer }),
    accepted: async (answer, { victim }) => {
      run.expect.status(answer, 200);
      await run.expect.dead(victim.access, victim.scopes);
    },
    refused,
    unharmed: ({ victim }) => run.expect.alive(victim.access, victim.scopes),
  });
}

/** Clients other than the victim's that are not there to revoke for others. */
const strangers = (run: Run, victim: Role): readonly Role[] => {
  const own = run.oauth.client(victim).client_id;
  const service = run.facts.target.clients.service ? (['service'] as const) : [];
  return [...userRoles(run), ...service].filter((role) => run.oauth.client(role).client_id !== own);
};

/** Who may revoke what (interface 4.1, 5.3, 5.7; RFC 7009 2.1). */
export const revokeAccessChecks: readonly DefinedCheck[] = [
  check({
    id: 'REV-001',
    level: 'MUST',
    sentence:
      'The revocation endpoint needs the scope oauth:revoke: a bearer token without it is refused with 403, and the target token stays valid.',
    source: '4.1,5.3,5.7',
    gap: 'K-009',
    needs: ['revoke', 'client:confidential', 'consent'],
    judge: async (run) => {
      const refuse = await revoking(run, (answer) => run.expect.status(answer, 403));
      const others = await bearersWithout(run);
      await run.expect.each('$what', others, ({ token }) =>
        refuse('refused', (revocation) => ({ ...revocation, bearer: token })),
      );
      await refuse('the token itself as bearer', (revocation) => ({ ...revocation, bearer: revocation.victim.access }));
    },
  }),

  check({
    id: 'REV-002',
    level: 'MUST',
    sentence:
      'Without any credential the revocation is refused with 401, or with 400 as RFC 7009 has it, and the target token stays valid.',
    source: '4.1',
    gap: 'K-009',
    needs: ['revoke'],
    judge: async (run) => {
      const refuse = await revoking(run, (answer) => run.expect.status(answer, 401, 400));
      await refuse('without a credential', (revocation) => ({ ...revocation, bearer: null }));
      await refuse('without a credential, with a hint', (revocation) => ({
        ...revocation,
        fields: [...revocation.fields, ['token_type_hint', 'access_token']],
        bearer: null,
      }));
      await refuse('with a bearer token that was never issued', (revocation) => ({
        ...revocation,
        bearer: 'cx-was-never-issued',
      }));
    },
  }),

  check({
    id: 'REV-010',
    level: 'MUST-RFC',
    sentence: 'A client cannot revoke a token that was issued to another client.',
    source: '4.1',
    needs: ['revoke', ['client:confidential', 'client:confidential_other'], 'consent'],
    judge: async (run) => {
      const victims = (['confidential', 'confidential_other'] as const).filter((role) => userRoles(run).includes(role));
      for (const victim of victims) {
        const grantOf = (): Promise<Grant> =>
          victim === 'confidential' && run.facts.target.clients.confidential?.refresh
            ? refreshable(run, victim)
            : spare(run, victim);
        await run.expect.each(
          `a token of client ${victim}, revoked by client %s`,
          strangers(run, victim),
          async (role) => {
            // A new one for each, so that only the client that ended a token is blamed.
            const grant = await grantOf();
            await assumeWorking(run, grant);
            for (const token of [grant.access, grant.refresh])
              if (token !== undefined) await tryToRevoke(run, role, token);
            await run.expect.alive(grant.access, grant.scopes);
            if (grant.refresh !== undefined) run.expect.status(await run.oauth.refresh(victim, grant.refresh), 200);
          },
        );
      }
      if (victims.length === 0) run.expect.missing('client confidential or confidential_other');
    },
  }),

  check({
    id: 'REV-014',
    level: 'INFER',
    sentence: 'Only POST revokes: GET with the token in the query leaves it valid.',
    source: '4.1',
    entailed: '4.1: the method is POST',
    gap: 'K-091',
    needs: ['revoke'],
    judge: async (run) => {
      const refuse = await revoking(run, (answer) =>
        run.expect.that(true, 'the token alive afterwards', answer.status),
      );
      for (const verb of ['GET', 'HEAD', 'PUT']) {
        await refuse(`by ${verb}`, (revocation) => ({ ...revocation, verb }));
      }
    },
  }),

  check({
    id: 'REV-016',
    level: 'INFER',
    sentence: 'A token may revoke itself, and gets 401 at the revocation endpoint afterwards.',
    source: '4.1',
    entailed: '3, 4.1: a token with oauth:revoke is an access token, and revoked it gets 401',
    needs: ['revoke'],
    judge: async (run) => {
      const { role } = await run.oauth.credential('oauth:revoke');
      const { access } = await run.oauth.spareCredentials(role, { scopes: ['oauth:revoke'] });
      run.expect.status(await run.oauth.revoke([['token', access]], { token: access }), 200);
      run.expect.status(await run.oauth.revoke([['token', 'cx-was-never-issued']], { token: access }), 401);
      // The credential that other checks use is another token, and has not ended.
      run.expect.status(await run.oauth.revoke([['token', 'cx-was-never-issued']]), 200);
    },
  }),
];

/** Tokens that lack the scope: of a user, of a service, and with the other scope of the kind. */
async function bearersWithout(run: Run): Promise<readonly { readonly what: string; readonly token: string }[]> {
  const obtainable = run.oauth.obtainable();
  const found = [];
  for (const scope of ['account:profile', 'account:characters', 'service:leagues', 'oauth:introspect'] as const) {
    if (!obtainable.has(scope)) continue;
    found.push({ what: `a bearer token with ${scope}`, token: await run.oauth.token([scope]) });
  }
  return found;
}

/** Every request that a client may make: with a token of its own, and as itself (RFC 7009 2.1). */
async function tryToRevoke(run: Run, role: Role, token: string): Promise<void> {
  const { scopes, client_secret } = run.oauth.client(role);
  if (client_secret !== undefined && scopes.includes('oauth:revoke')) {
    const bearer = await ownBearer(run, role, 'oauth:revoke');
    if (bearer !== undefined) await run.oauth.revoke([['token', token]], { token: bearer });
  }
  await run.oauth.revoke([['token', token], ...run.oauth.credentials(role)], { token: null });
}
