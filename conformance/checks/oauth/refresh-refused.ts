import { check } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { Fields, Run } from '../../engine/run.js';
import { gToken } from '../../generators/data.js';
import { everyTwist, gTwist, twisted } from '../../generators/oauth.js';
import type { Twist } from '../../generators/oauth.js';
import { bothKinds, refreshable } from '../../model/probe.js';
import type { Refreshable } from '../../model/probe.js';
import type { Role } from '../../target/target.js';
import type { Answer } from '../../wire/answer.js';
import { missed, omit, put } from './outcome.js';
import { refusedAs } from './token-errors.js';

/** A refresh that works, to be changed in one thing; each case has a token of its own. */
async function refreshing(
  run: Run,
  role: Role,
  refused: (answer: Answer) => void,
  {
    /** Whether the owner of the token can still refresh with it. */
    usable = false,
    /** Whether the token came of a refresh and not of the code. */
    rotated = false,
  } = {},
) {
  const sent = (grant: Refreshable): Fields => run.oauth.refreshFields(grant.role, grant.refresh);
  const refuse = await run.expect.negative<{ readonly grant: Refreshable; readonly fields: Fields }>({
    valid: async () => {
      const first = await refreshable(run, role);
      const { refresh = first.refresh } = rotated ? await run.oauth.refreshed(first) : first;
      const grant = { ...first, refresh };
      return { grant, fields: sent(grant) };
    },
    send: ({ fields }) => run.oauth.tokenRequest(fields),
    refused,
    ...(usable && {
      unharmed: async ({ grant }) => run.expect.status(await run.oauth.tokenRequest(sent(grant)), '2xx'),
    }),
  });
  return (what: string, change: (fields: Fields, grant: Refreshable) => Fields): Promise<Answer> =>
    refuse(what, ({ grant, fields }) => ({ grant, fields: change(fields, grant) }));
}

/** The refresh as another client would send it. */
const sentBy =
  (run: Run, role: Role) =>
  (_: Fields, { refresh }: Refreshable): Fields =>
    run.oauth.refreshFields(role, refresh);

/**
 * Texts in the place of a good refresh token. One grant does for all cases: each of them leaves its token alone, and
 * the control hands on the next.
 */
async function textRefused(run: Run, role: Role) {
  let { refresh } = await refreshable(run, role);
  return run.expect.negative<string>({
    valid: () => refresh,
    send: (text) => run.oauth.refresh(role, text),
    accepted: async (answer) => {
      run.expect.status(answer, '2xx');
      ({ refresh } = await refreshable(run, role));
    },
    refused: refusedAs(run, ['invalid_grant']),
  });
}

/** Refreshes that must be refused (interface 4.1; RFC 6749 5.2, 6, 10.4). */
export const refreshRefusals: readonly DefinedCheck[] = [
  check({
    id: 'TOK-REFRESH-010',
    level: 'MUST-RFC',
    sentence: 'A refresh token is bound to its client: another client is refused.',
    source: '4.1',
    needs: ['refresh:confidential', 'consent'],
    judge: async (run) => {
      const { confidential_other: other, public: mobile } = run.facts.target.clients;
      if (!other && !mobile?.refresh) return run.expect.missing('client confidential_other, or public with refresh');
      const refused = refusedAs(run, ['invalid_grant']);
      const refuse = await refreshing(run, 'confidential', refused);
      if (other) {
        // The other client can refresh its own, so that it is the token that is refused.
        await run.oauth.refreshed(await refreshable(run, 'confidential_other'));
        await refuse('by another confidential client', sentBy(run, 'confidential_other'));
      }
      if (!mobile?.refresh) return;
      await refuse('by a public client', sentBy(run, 'public'));
      const refusePublic = await refreshing(run, 'public', refused);
      const thief = other ? 'confidential_other' : 'confidential';
      await refusePublic("a public client's token by a confidential client", sentBy(run, thief));
    },
  }),

  check({
    id: 'TOK-REFRESH-011',
    level: 'MUST',
    sentence:
      'A client that has a secret must send it to refresh; without it, or with a wrong one, the refresh is refused.',
    source: '4.1',
    gap: 'K-080',
    needs: ['refresh:confidential', 'consent'],
    judge: async (run) => {
      const wrong = await refreshing(run, 'confidential', refusedAs(run, ['invalid_client']));
      const missing = await refreshing(run, 'confidential', refusedAs(run, ['invalid_client', 'invalid_request']));
      await missing('without client_secret', omit('client_secret'));
      await missing('with an empty client_secret', put('client_secret', ''));
      const later = await refreshing(run, 'confidential', refusedAs(run, ['invalid_client']), { rotated: true });
      await later('with a wrong client_secret, after a refresh', put('client_secret', 'cx-wrong-secret'));
      const other = run.facts.target.clients.confidential_other?.client_secret;
      if (other !== undefined && other !== run.oauth.client('confidential').client_secret) {
        await wrong('with the secret of another client', put('client_secret', other));
      }
      const near = (twist: Twist) => wrong(`a secret missed by ${twist.kind}`, missed('client_secret', twist));
      await run.expect.each('refused', everyTwist, near);
      await run.expect.property('a secret that is missed narrowly', gTwist, { share: 0.06 }, near);
    },
  }),

  check({
    id: 'TOK-REFRESH-016',
    level: 'MUST',
    sentence: 'refresh_token is required for this grant.',
    source: '4.1',
    needs: ['refresh:confidential', 'consent'],
    judge: async (run) => {
      const refuse = await refreshing(run, 'confidential', refusedAs(run, ['invalid_request']));
      await refuse('without refresh_token', omit('refresh_token'));
      // That an empty one is to be treated as left out is TOK-ERR-005.
      const refuseEmpty = await refreshing(run, 'confidential', refusedAs(run, ['invalid_request', 'invalid_grant']));
      await refuseEmpty('with an empty refresh_token', put('refresh_token', ''));
    },
  }),

  check({
    id: 'TOK-REFRESH-029',
    level: 'MUST',
    sentence: 'client_id is required in a refresh; without it the refresh is refused.',
    source: '4.1',
    needs: ['refresh:confidential', 'consent'],
    judge: (run) =>
      run.expect.each('client %s', bothKinds(run, { refresh: true }), async (role) => {
        const refuse = await refreshing(run, role, refusedAs(run, ['invalid_request', 'invalid_client']));
        await refuse('without client_id', omit('client_id'));
      }),
  }),

  check({
    id: 'TOK-REFRESH-017',
    level: 'MUST-RFC',
    sentence: 'An unknown refresh token is refused.',
    source: '4.1',
    needs: ['refresh:confidential', 'consent'],
    judge: async (run) => {
      const refused = await textRefused(run, 'confidential');
      const near = (twist: Twist) =>
        refused(`a token missed by ${twist.kind}`, (good) => twisted(good, twist, { encoded: true }));
      await run.expect.each('refused', everyTwist, near);
      await run.expect.property('a refresh token that is missed narrowly', gTwist, { share: 0.3 }, near);
      await run.expect.property('a token that was never issued', gToken, { share: 0.1 }, (text) =>
        refused('a random token', () => text),
      );
    },
  }),

  check({
    id: 'TOK-REFRESH-018',
    level: 'INFER',
    sentence: 'An access token or a code is not accepted as the refresh_token.',
    source: '3',
    entailed: '3, 4.1: the grant takes a refresh token, and these are none',
    needs: ['refresh:confidential', 'consent'],
    judge: async (run) => {
      const refused = await textRefused(run, 'confidential');
      const { access, refresh } = await refreshable(run, 'confidential');
      const { code } = await run.oauth.code('confidential');
      await refused('an access token', () => access);
      await refused('a code', () => code);
      // Nor the access token that came by a refresh.
      const next = await run.oauth.refreshed(await refreshable(run, 'confidential'));
      await refused('a refreshed access token', () => next.access);
      run.expect.that(refresh !== access, 'two tokens', 'one');
      if (!run.facts.target.clients.service) return;
      const service = await run.oauth.clientCredentials('service');
      await refused('a client-credentials token', () => service.access);
    },
  }),

  check({
    id: 'TOK-REFRESH-022',
    level: 'INFER',
    sentence: 'A client without refresh tokens enabled cannot use the grant.',
    source: '5.8',
    entailed: '4.1, 5.8: refresh tokens are issued only if enabled, and the grant takes one of its client (RFC 6749 6)',
    needs: ['client:confidential_no_refresh', 'refresh:confidential', 'consent'],
    judge: async (run) => {
      const refuse = await refreshing(run, 'confidential', refusedAs(run, ['unauthorized_client', 'invalid_grant']));
      await refuse("another client's token", sentBy(run, 'confidential_no_refresh'));
      const { access } = await run.oauth.grant('confidential_no_refresh');
      const other = (text: string) => (): Fields => run.oauth.refreshFields('confidential_no_refresh', text);
      await refuse('its own access token', other(access));
      await refuse('an invented token', other('cx-invented-refresh-token'));
    },
  }),

  check({
    id: 'TOK-REFRESH-023',
    level: 'INFER',
    sentence: 'A refresh that fails client authentication, or is of another client, does not use up the token.',
    source: '4.1',
    plausible: 'a server may take a failed attempt for theft, as RFC 9700 allows for codes',
    needs: ['refresh:confidential', 'consent'],
    judge: async (run) => {
      const refused = refusedAs(run, ['invalid_client', 'invalid_request']);
      const refuse = await refreshing(run, 'confidential', refused, { usable: true });
      await refuse(
        'with a wrong secret',
        put('client_secret', (old) => `${old}-wrong`),
      );
      await refuse('without a secret', omit('client_secret'));
      if (!run.facts.target.clients.confidential_other) return;
      const foreign = await refreshing(run, 'confidential', refusedAs(run, ['invalid_grant']), { usable: true });
      await foreign('by another confidential client', sentBy(run, 'confidential_other'));
    },
  }),
];
