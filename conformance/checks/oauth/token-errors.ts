import { check } from '../../engine/check.js';
import type { Check } from '../../engine/check.js';
import type { Fields, Run } from '../../engine/run.js';
import { gOtherWord, twisted } from '../../generators/oauth.js';
import { fresh, refreshable } from '../../model/probe.js';
import { header, member } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';
import { omit, put } from './outcome.js';

/** A token request of some grant that must succeed, made anew for every use. */
export interface Valid {
  readonly what: string;
  readonly fields: () => Promise<Fields>;
}

/** The requests that succeed: an exchange, and where the target has the clients a refresh and client credentials. */
export function validRequests(run: Run): readonly Valid[] {
  const { confidential, service } = run.facts.target.clients;
  return [
    { what: 'exchange', fields: async () => run.oauth.exchangeFields(await run.oauth.code('confidential')) },
    ...(confidential?.refresh
      ? [
          {
            what: 'refresh',
            fields: async () =>
              run.oauth.refreshFields('confidential', (await refreshable(run, 'confidential')).refresh),
          },
        ]
      : []),
    ...(service ? [{ what: 'client_credentials', fields: async () => serviceFields(run) }] : []),
  ];
}

/** A request by client credentials for all scopes of the service client. */
export const serviceFields = (run: Run): Fields => [
  ...run.oauth.credentials('service'),
  ['grant_type', 'client_credentials'],
  ['scope', run.oauth.client('service').scopes.join(' ')],
];

export const refusing = (run: Run, valid: Valid['fields'], refused: (answer: Answer) => void) =>
  run.expect.negative<Fields>({ valid, send: (fields) => run.oauth.tokenRequest(fields), refused });

/** No token came, whatever else did. */
export const noToken = (run: Run, answer: Answer): void =>
  run.expect.that(
    member(answer.json, 'access_token') === undefined && member(answer.json, 'refresh_token') === undefined,
    'no token',
    `a token with status ${answer.status}`,
    answer,
  );

/** An OAuth error and no token; `alike` are errors that say it less well, and are warned of. */
export function refusedAs(run: Run, errors: readonly string[], alike: readonly string[] = []) {
  return (answer: Answer): void => {
    noToken(run, answer);
    run.expect.oauthError(answer, [...errors, ...alike]);
    const error = member(answer.json, 'error');
    if (typeof error === 'string' && alike.includes(error))
      run.expect.warn(`refused with ${error}, not ${errors.join(' or ')}`);
  };
}

const grantTypes = ['authorization_code', 'client_credentials', 'refresh_token'];
const otherTypes = [
  'password',
  'implicit',
  'urn:ietf:params:oauth:grant-type:jwt-bearer',
  'urn:ietf:params:oauth:grant-type:device_code',
  'Authorization_Code',
  'AUTHORIZATION_CODE',
  'authorization-code',
  'authorization_codes',
  'code',
  'none',
];

/** Client fields are looked at before the request as a whole, so the error may be about them. */
const aboutClient = ['client_id', 'client_secret'];

/** TOK-ERR-002 to -005: requests that the token endpoint refuses (interface 4.1, RFC 6749 3.2, 5.2). */
export const tokenErrorChecks: readonly Check[] = [
  check('TOK-ERR-002', async (run) => {
    const [exchange, ...others] = validRequests(run);
    const refused = refusedAs(run, ['unsupported_grant_type']);
    const refuse = await refusing(run, exchange!.fields, refused);
    const unknown = async (type: string): Promise<void> => {
      await refuse(`grant_type ${type}`, put('grant_type', type));
    };
    // A server may know these, and then refuses the client or the fields (RFC 6749 5.2).
    const known = ['unsupported_grant_type', 'unauthorized_client', 'invalid_request'];
    const refuseKnown = await refusing(run, exchange!.fields, refusedAs(run, known));
    await run.expect.each('an exchange', otherTypes, async (type) => {
      const may = type === 'password' || type.startsWith('urn:ietf:');
      await (may ? refuseKnown : refuse)(`grant_type ${type}`, put('grant_type', type));
    });
    await run.expect.property('any other grant_type', gOtherWord(grantTypes), { share: 0.05 }, unknown);
    await run.expect.each('$what', others, async ({ what, fields }) => {
      const refuseOther = await refusing(run, fields, refused);
      for (const type of [what.toUpperCase(), `${what}_`, 'token']) {
        if (grantTypes.includes(type)) continue;
        await refuseOther(`grant_type ${type}`, put('grant_type', type));
      }
    });
  }),

  check('TOK-ERR-003', (run) =>
    run.expect.each('$what', validRequests(run), async ({ fields }) => {
      const refuse = await refusing(run, fields, refusedAs(run, ['invalid_request', 'unsupported_grant_type']));
      await refuse('without grant_type', omit('grant_type'));
    }),
  ),

  check('TOK-ERR-004', (run) =>
    run.expect.each('$what', validRequests(run), async ({ what, fields }) => {
      const names = (await fields()).map(([name]) => name);
      // The other grants have the client's fields and grant_type in common with the exchange.
      const own = names.filter((name) => what === 'exchange' || ['refresh_token', 'scope', 'client_id'].includes(name));
      for (const name of own) {
        const alike = aboutClient.includes(name)
          ? ['invalid_client']
          : name === 'grant_type'
            ? ['unsupported_grant_type']
            : [];
        const refuse = await refusing(run, fields, refusedAs(run, ['invalid_request'], alike));
        await refuse(`${name} twice with one value`, (all) => [...all, all.find(([key]) => key === name)!]);
        await refuse(`${name} twice with different values`, (all) => [...all, [name, 'cx-other']]);
      }
    }),
  ),

  check('TOK-ERR-005', async (run) => {
    await run.expect.each('$what', validRequests(run), async ({ what, fields }) => {
      for (const [name] of await fields()) {
        // Without scope a server may grant what it likes (RFC 6749 3.3); it is another row that notes it.
        if (name === 'scope') continue;
        const refuse = await refusing(run, fields, refusedAs(run, blankErrors(name)));
        const omitted = await refuse(`without ${name}`, omit(name));
        const blank = await refuse(`with ${name} empty`, put(name, ''));
        const [left, empty] = [omitted, blank].map(({ json }) => member(json, 'error'));
        if (left !== empty)
          run.expect.warn(`${what} without ${name} is ${String(left)}, with an empty one ${String(empty)}`);
      }
    });
    await optionalBlanks(run);
  }),

  check('TOK-ERR-011', async (run) => {
    const basic = async (secret: string): Promise<Answer> => {
      const code = await run.oauth.code('confidential');
      const { client_id } = run.oauth.client('confidential');
      const fields = omit('client_secret')(run.oauth.exchangeFields(code));
      return run.oauth.tokenRequest(fields, { headers: { authorization: basicHeader(client_id, secret) } });
    };
    const { client_secret } = run.oauth.client('confidential');
    if (client_secret === undefined) return run.expect.missing('client_secret of client confidential');
    if ((await basic(client_secret)).status !== 200) {
      return run.expect.notApplicable('the server takes no HTTP Basic, which the interface does not ask for (K-079)');
    }
    const answer = await basic(`${client_secret}-wrong`);
    noToken(run, answer);
    run.expect.oauthError(answer, ['invalid_client'], [401]);
    const challenge = header(answer, 'www-authenticate');
    run.expect.that(challenge !== undefined, 'a WWW-Authenticate header', 'none', answer);
    if (!/\bbasic\b/i.test(challenge ?? '')) run.expect.warn(`The challenge does not name Basic: ${challenge}`);
    for (const kind of ['case', 'half', 'dropLast', 'append'] as const) {
      const near = await basic(twisted(client_secret, { kind, at: 0 }));
      noToken(run, near);
      run.expect.oauthError(near, ['invalid_client'], [401]);
    }
    noToken(run, await basic(''));
  }),

  check('TOK-ERR-013', async (run) => {
    const { client_id, client_secret = '' } = run.oauth.client('confidential');
    const code = await run.oauth.code('confidential');
    const fields = omit('client_secret')(run.oauth.exchangeFields(code));
    const answer = await run.oauth.tokenRequest(fields, {
      headers: { authorization: basicHeader(client_id, client_secret) },
    });
    run.expect.note(`HTTP Basic in the place of client_secret: status ${answer.status}`);
  }),
];

/** RFC 6749 2.3.1: both are form-encoded first. */
const basicHeader = (id: string, secret: string): string => {
  const encoded = [id, secret].map((text) => new URLSearchParams({ '': text }).toString().slice(1)).join(':');
  return `Basic ${Buffer.from(encoded).toString('base64')}`;
};

function blankErrors(name: string): readonly string[] {
  if (aboutClient.includes(name)) return ['invalid_client', 'invalid_request'];
  if (name === 'grant_type') return ['invalid_request', 'unsupported_grant_type'];
  // What is missing may be said of the request or of the grant that it would have proved.
  return ['invalid_request', 'invalid_grant'];
}

/** Optional parameters that are empty: the request works as without them. */
async function optionalBlanks(run: Run): Promise<void> {
  const code = await run.oauth.code('confidential');
  run.expect.status(await run.oauth.tokenRequest([...run.oauth.exchangeFields(code), ['scope', '']]), 200);
  if (run.facts.target.clients.confidential?.refresh) {
    const { refresh } = await refreshable(run, 'confidential');
    run.expect.status(
      await run.oauth.tokenRequest([...run.oauth.refreshFields('confidential', refresh), ['scope', '']]),
      200,
    );
  }
  if (run.facts.target.clients.public) {
    await fresh(run, 'public');
    const own = await run.oauth.code('public');
    run.expect.status(await run.oauth.tokenRequest([...run.oauth.exchangeFields(own), ['client_secret', '']]), 200);
  }
}
