import { check } from '../../engine/check.js';
import type { Check } from '../../engine/check.js';
import type { Fields, Run } from '../../engine/run.js';
import { gToken } from '../../generators/data.js';
import { everyTwist, gTwist, twisted } from '../../generators/oauth.js';
import type { Twist } from '../../generators/oauth.js';
import { refreshable } from '../../model/probe.js';
import type { Refreshable } from '../../model/probe.js';
import type { Role } from '../../target/target.js';
import type { Answer } from '../../wire/answer.js';
import { replaced, without } from './outcome.js';
import { refusedAs } from './token-errors.js';

interface Refresh {
  readonly grant: Refreshable;
  readonly fields: Fields;
}

/** A refresh that works, to be changed in one thing; each case has a token of its own. */
const refreshing = (
  run: Run,
  role: Role,
  refused: (answer: Answer) => void,
  unharmed?: (request: Refresh) => Promise<void>,
) =>
  run.expect.negative<Refresh>({
    valid: async () => {
      const grant = await refreshable(run, role);
      return { grant, fields: run.oauth.refreshFields(role, grant.refresh) };
    },
    send: ({ fields }) => run.oauth.tokenRequest(fields),
    refused,
    ...(unharmed && { unharmed }),
  });

/** The owner of the token can still refresh with it. */
const usable =
  (run: Run) =>
  async ({ grant }: Refresh): Promise<void> =>
    run.expect.status(await run.oauth.tokenRequest(run.oauth.refreshFields(grant.role, grant.refresh)), 200);

const change =
  (name: string, value?: (old: string) => string) =>
  ({ grant, fields }: Refresh): Refresh => {
    const old = fields.find(([key]) => key === name)?.[1] ?? '';
    return { grant, fields: value ? replaced(fields, name, value(old)) : without(fields, name) };
  };

/** The refresh as another client would send it. */
const sentBy =
  (run: Run, role: Role) =>
  ({ grant }: Refresh): Refresh => ({ grant, fields: run.oauth.refreshFields(role, grant.refresh) });

/**
 * Texts in the place of a good refresh token. One grant does for all cases: each of them leaves its token alone, and
 * the control hands on the next.
 */
async function textRefused(
  run: Run,
  role: Role,
): Promise<(what: string, text: (good: string) => string) => Promise<void>> {
  let { refresh } = await refreshable(run, role);
  const refuse = await run.expect.negative<string>({
    valid: () => refresh,
    send: (text) => run.oauth.tokenRequest(run.oauth.refreshFields(role, text)),
    accepted: async (answer) => {
      run.expect.status(answer, 200);
      ({ refresh } = await refreshable(run, role));
    },
    refused: refusedAs(run, ['invalid_grant']),
  });
  return async (what, text) => {
    await refuse(what, text);
  };
}

/** Refreshes that must be refused (interface 4.1; RFC 6749 5.2, 6, 10.4). */
export const refreshRefusals: readonly Check[] = [
  check('TOK-REFRESH-010', async (run) => {
    // The other client can refresh its own, so that it is the token that is refused.
    await run.oauth.refreshed(await refreshable(run, 'confidential_other'));
    const refused = refusedAs(run, ['invalid_grant']);
    const refuse = await refreshing(run, 'confidential', refused, usable(run));
    await refuse('by another confidential client', sentBy(run, 'confidential_other'));
    if (!run.facts.target.clients.public?.refresh) return;
    await refuse('by a public client', sentBy(run, 'public'));
    const refusePublic = await refreshing(run, 'public', refused, usable(run));
    await refusePublic("a public client's token by a confidential client", sentBy(run, 'confidential_other'));
  }),

  check('TOK-REFRESH-011', async (run) => {
    const wrong = await refreshing(run, 'confidential', refusedAs(run, ['invalid_client']));
    const missing = await refreshing(run, 'confidential', refusedAs(run, ['invalid_client'], ['invalid_request']));
    await missing('without client_secret', change('client_secret'));
    await missing(
      'with an empty client_secret',
      change('client_secret', () => ''),
    );
    const other = run.facts.target.clients.confidential_other?.client_secret;
    if (other !== undefined && other !== run.oauth.client('confidential').client_secret) {
      await wrong(
        'with the secret of another client',
        change('client_secret', () => other),
      );
    }
    const near = async (twist: Twist): Promise<void> => {
      await wrong(
        `a secret missed by ${twist.kind}`,
        change('client_secret', (old) => twisted(old, twist)),
      );
    };
    await run.expect.each(everyTwist, () => 'refused', near);
    await run.expect.property('a secret that is missed narrowly', gTwist, near, { share: 0.06 });
  }),

  check('TOK-REFRESH-016', async (run) => {
    const refuse = await refreshing(run, 'confidential', refusedAs(run, ['invalid_request']));
    await refuse('without refresh_token', change('refresh_token'));
    await refuse(
      'with an empty refresh_token',
      change('refresh_token', () => ''),
    );
  }),

  check('TOK-REFRESH-017', async (run) => {
    const refused = await textRefused(run, 'confidential');
    const near = (twist: Twist): Promise<void> =>
      refused(`a token missed by ${twist.kind}`, (good) => twisted(good, twist, { encoded: true }));
    await run.expect.each(everyTwist, () => 'refused', near);
    await run.expect.property('a refresh token that is missed narrowly', gTwist, near, { share: 0.3 });
    await run.expect.property(
      'a token that was never issued',
      gToken,
      (text) => refused('a random token', () => text),
      {
        share: 0.1,
      },
    );
  }),

  check('TOK-REFRESH-018', async (run) => {
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
  }),

  check('TOK-REFRESH-022', async (run) => {
    const refuse = await refreshing(run, 'confidential', refusedAs(run, ['unauthorized_client', 'invalid_grant']));
    await refuse("another client's token", sentBy(run, 'confidential_no_refresh'));
    const { access } = await run.oauth.grant('confidential_no_refresh');
    await refuse('its own access token', ({ grant }) => ({
      grant,
      fields: run.oauth.refreshFields('confidential_no_refresh', access),
    }));
    await refuse('an invented token', ({ grant }) => ({
      grant,
      fields: run.oauth.refreshFields('confidential_no_refresh', 'cx-invented-refresh-token'),
    }));
  }),

  check('TOK-REFRESH-023', async (run) => {
    const refused = refusedAs(run, ['invalid_client', 'invalid_request']);
    const refuse = await refreshing(run, 'confidential', refused, usable(run));
    await refuse(
      'with a wrong secret',
      change('client_secret', (old) => `${old}-wrong`),
    );
    await refuse('without a secret', change('client_secret'));
  }),
];
