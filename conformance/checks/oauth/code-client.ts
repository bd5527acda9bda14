import { check } from '../../engine/check.js';
import type { Check } from '../../engine/check.js';
import { everyTwist, gTwist, spaced, twisted } from '../../generators/oauth.js';
import type { Twist } from '../../generators/oauth.js';
import { userRoles } from '../../model/probe.js';
import { changed, exchanging, issued, omission } from './exchange.js';
import type { Exchange } from './exchange.js';
import { codeRoles, without } from './outcome.js';
import { refusedAs } from './token-errors.js';

/** AUTH-CODE-014, -019 to -023: who may exchange a code (interface 4.1, RFC 6749 2.3.1, 4.1.3, 5.2). */
export const codeClientChecks: readonly Check[] = [
  check('AUTH-CODE-014', async (run) => {
    const shared = run.oauth
      .client('confidential')
      .redirect_uris.find((uri) => run.oauth.client('confidential_other').redirect_uris.includes(uri));
    const refuse = await run.expect.negative<Exchange>({
      valid: async () => {
        const code = await run.oauth.code('confidential', shared === undefined ? {} : { redirect_uri: shared });
        return { code, fields: run.oauth.exchangeFields(code) };
      },
      send: ({ fields }) => run.oauth.tokenRequest(fields),
      refused: (answer) => run.expect.oauthError(answer, ['invalid_grant']),
    });
    // The other client's own credentials work, so that it is the code that is refused.
    await run.oauth.grant('confidential_other');
    await refuse('by another client', ({ code }) => ({
      code,
      fields: run.oauth.exchangeFields({ ...code, role: 'confidential_other' }),
    }));
    if (!run.facts.target.clients.public) return;
    // The two kinds of client share no redirect_uri, of which a server may speak first.
    const refused = refusedAs(run, ['invalid_grant'], ['invalid_request']);
    for (const [victim, thief] of [
      ['confidential', 'public'],
      ['public', 'confidential'],
    ] as const) {
      await run.oauth.grant(thief);
      const refuseKind = await exchanging(run, victim, refused);
      await refuseKind(`a code of client ${victim} by client ${thief}`, ({ code }) => ({
        code,
        fields: run.oauth.exchangeFields({ ...code, role: thief }),
      }));
    }
  }),

  check('AUTH-CODE-019', async (run) => {
    const refuse = await exchanging(run, 'confidential', (answer) => run.expect.oauthError(answer, ['invalid_client']));
    await run.expect.each(
      ['left out', 'empty'],
      (how) => `client_secret ${how}`,
      async (how) => {
        await refuse('refused', changed('client_secret', how === 'empty' ? () => '' : undefined));
      },
    );
  }),

  check('AUTH-CODE-020', async (run) => {
    const refuse = await exchanging(run, 'confidential', (answer) => run.expect.oauthError(answer, ['invalid_client']));
    const wrong = async (twist: Twist): Promise<void> => {
      await refuse(
        `a secret missed by ${twist.kind}`,
        changed('client_secret', (old) => twisted(old, twist)),
      );
    };
    await run.expect.each(everyTwist, () => 'refused', wrong);
    const { client_secret: own } = run.oauth.client('confidential');
    await run.expect.each(
      Object.entries(run.facts.target.clients).filter(
        ([, { client_secret }]) => client_secret && client_secret !== own,
      ),
      ([role]) => `the secret of client ${role}`,
      async ([, { client_secret }]) => {
        await refuse(
          'refused',
          changed('client_secret', () => client_secret!),
        );
      },
    );
    await run.expect.each(
      own === undefined ? [] : spaced(own),
      () => 'a secret with another space at its ends',
      async (secret) => {
        await refuse(
          'refused',
          changed('client_secret', () => secret),
        );
      },
    );
    await run.expect.property('any other secret', gTwist, wrong, { share: 0.05 });
    // Secrets of another length or form may be compared otherwise.
    const others = userRoles(run).filter((role) => role !== 'confidential' && run.oauth.client(role).client_secret);
    await run.expect.each(
      others,
      (role) => `client ${role}`,
      async (role) => {
        const { client_secret: secret } = run.oauth.client(role);
        const refuseOther = await exchanging(run, role, (answer) => run.expect.oauthError(answer, ['invalid_client']));
        for (const near of [twisted(secret!, { kind: 'dropLast', at: 0 }), `${secret}x`, ...spaced(secret!)]) {
          await refuseOther(
            'a secret that is missed at its ends',
            changed('client_secret', () => near),
          );
        }
      },
    );
  }),

  check('AUTH-CODE-021', async (run) => {
    const code = await run.oauth.code('public');
    const fields = without(run.oauth.exchangeFields(code), 'client_secret');
    issued(run, 'public', code.account, await run.oauth.tokenRequest(fields));
  }),

  check('AUTH-CODE-022', omission('client_id', ['invalid_request', 'invalid_client'])),

  check('AUTH-CODE-023', async (run) => {
    const registered = Object.values(run.facts.target.clients).map(({ client_id }) => client_id);
    await run.expect.each(
      codeRoles(run),
      (role) => `client ${role}`,
      async (role) => {
        const refuse = await exchanging(run, role, (answer) => run.expect.oauthError(answer, ['invalid_client']));
        const unknown = async (twist: Twist): Promise<void> => {
          const id = twisted(run.oauth.client(role).client_id, twist);
          if (registered.includes(id)) return;
          await refuse(
            `client_id ${id}`,
            changed('client_id', () => id),
          );
        };
        await run.expect.each(everyTwist, () => 'refused', unknown);
        await run.expect.property('any other client_id', gTwist, unknown, { share: 0.02 });
      },
    );
  }),
];
