import { check } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { Code, Fields } from '../../engine/run.js';
import { everyTwist, gTwist, spaced, twisted } from '../../generators/oauth.js';
import type { Twist } from '../../generators/oauth.js';
import { userRoles } from '../../model/probe.js';
import type { Role } from '../../target/target.js';
import { exchanging, issued, omission } from './exchange.js';
import { codeRoles, missed, omit, put } from './outcome.js';

/** AUTH-CODE-014, -019 to -023: who may exchange a code (interface 4.1, RFC 6749 2.3.1, 4.1.3, 5.2). */
export const codeClientChecks: readonly DefinedCheck[] = [
  check({
    id: 'AUTH-CODE-014',
    level: 'MUST-RFC',
    sentence:
      'A code is bound to its client: another client with its own credentials, the same redirect_uri and the right verifier is refused.',
    source: '4.1',
    needs: ['client:confidential', 'consent'],
    judge: async (run) => {
      const { confidential_other: other, public: mobile } = run.facts.target.clients;
      if (!other && !mobile) return run.expect.missing('client confidential_other or public');
      const by = (role: Role) => (_: Fields, code: Code) => run.oauth.exchangeFields({ ...code, role });
      if (other) {
        const own = run.oauth.client('confidential').redirect_uris;
        const shared = own.find((uri) => other.redirect_uris.includes(uri));
        const refuse = await exchanging(run, 'confidential', ['invalid_grant'], () =>
          run.oauth.code('confidential', shared === undefined ? {} : { redirect_uri: shared }),
        );
        // The other client's own credentials work, so that it is the code that is refused.
        await run.oauth.grant('confidential_other');
        await refuse('by another client', by('confidential_other'));
      }
      if (!mobile) return;
      // The two kinds of client share no redirect_uri, of which a server may speak first.
      const refused = () => ({ errors: ['invalid_grant'], alike: ['invalid_request'] });
      for (const [victim, thief] of [
        ['confidential', 'public'],
        ['public', 'confidential'],
      ] as const) {
        await run.oauth.grant(thief);
        const refuseKind = await exchanging(run, victim, refused);
        await refuseKind(`a code of client ${victim} by client ${thief}`, by(thief));
      }
    },
  }),

  check({
    id: 'AUTH-CODE-019',
    level: 'MUST',
    sentence: 'A client that has a secret must send it: without it the exchange is refused.',
    source: '4.1',
    gap: 'K-080',
    needs: ['client:confidential', 'consent'],
    judge: async (run) => {
      // A required parameter is missing as well.
      const refuse = await exchanging(run, 'confidential', ['invalid_client', 'invalid_request']);
      await refuse('without client_secret', omit('client_secret'));
      await refuse('with an empty client_secret', put('client_secret', ''));
    },
  }),

  check({
    id: 'AUTH-CODE-020',
    level: 'MUST',
    sentence: 'A wrong secret is refused.',
    source: '4.1',
    gap: 'K-080',
    needs: ['client:confidential', 'consent'],
    judge: async (run) => {
      const refuse = await exchanging(run, 'confidential', ['invalid_client']);
      const wrong = (twist: Twist) => refuse(`a secret missed by ${twist.kind}`, missed('client_secret', twist));
      await run.expect.each('refused', everyTwist, wrong);
      const { client_secret: own } = run.oauth.client('confidential');
      await run.expect.each(
        'the secret of client $0',
        Object.entries(run.facts.target.clients).filter(
          ([, { client_secret }]) => client_secret && client_secret !== own,
        ),
        ([, { client_secret }]) => refuse('refused', put('client_secret', client_secret!)),
      );
      await run.expect.each('a secret with another space at its ends', own === undefined ? [] : spaced(own), (secret) =>
        refuse('refused', put('client_secret', secret)),
      );
      await run.expect.property('any other secret', gTwist, { share: 0.05 }, wrong);
      // Secrets of another length or form may be compared otherwise.
      const others = userRoles(run).filter((role) => role !== 'confidential' && run.oauth.client(role).client_secret);
      await run.expect.each('client %s', others, async (role) => {
        const { client_secret: secret } = run.oauth.client(role);
        const refuseOther = await exchanging(run, role, ['invalid_client']);
        for (const near of [
          twisted(secret!, { kind: 'its last character', at: 0 }),
          `${secret}x`,
          ...spaced(secret!),
        ]) {
          await refuseOther('a secret that is missed at its ends', put('client_secret', near));
        }
      });
    },
  }),

  check({
    id: 'AUTH-CODE-021',
    level: 'MUST',
    sentence: 'A public client exchanges its code without a client_secret.',
    source: '4.1',
    needs: ['client:public', 'consent'],
    judge: async (run) => {
      const code = await run.oauth.code('public');
      const fields = omit('client_secret')(run.oauth.exchangeFields(code));
      issued(run, 'public', code.account, await run.oauth.tokenRequest(fields));
    },
  }),

  omission(
    {
      id: 'AUTH-CODE-022',
      level: 'MUST',
      sentence: 'client_id is required in the exchange.',
      source: '4.1',
      needs: [['client:confidential', 'client:public'], 'consent'],
    },
    'client_id',
    ['invalid_request', 'invalid_client'],
  ),

  check({
    id: 'AUTH-CODE-023',
    level: 'MUST-RFC',
    sentence: 'An unknown client_id is refused.',
    source: '4.1',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const registered = Object.values(run.facts.target.clients).map(({ client_id }) => client_id);
      await run.expect.each('client %s', codeRoles(run), async (role) => {
        const refuse = await exchanging(run, role, ['invalid_client']);
        const unknown = async (twist: Twist): Promise<void> => {
          const id = twisted(run.oauth.client(role).client_id, twist);
          if (registered.includes(id)) return;
          await refuse(`client_id ${id}`, put('client_id', id));
        };
        await run.expect.each('refused', everyTwist, unknown);
        await run.expect.property('any other client_id', gTwist, { share: 0.02 }, unknown);
      });
    },
  }),
];
