import { check, observation } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import { formatAnswer, Words } from '../../engine/format.js';
import { tokenErrors } from '../../engine/monitors.js';
import { encoded } from '../../engine/requests.js';
import type { Fields, Run } from '../../engine/run.js';
import { gOtherWord, twisted } from '../../generators/oauth.js';
import { refreshable } from '../../model/probe.js';
import { header, member, succeeded } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';
import { omit, put } from './outcome.js';

/** A token request of some grant that must succeed, made anew for every use. */
export interface Valid {
  readonly what: 'exchange' | 'refresh' | 'client_credentials';
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
            what: 'refresh' as const,
            fields: async () =>
              run.oauth.refreshFields('confidential', (await refreshable(run, 'confidential')).refresh),
          },
        ]
      : []),
    ...(service ? [{ what: 'client_credentials' as const, fields: async () => serviceFields(run) }] : []),
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

/** A refusal; which error is right for it, and which says it less well, is told to the row that names it. */
export const refusedAs =
  (run: Run, errors: readonly string[], alike: readonly string[] = []) =>
  (answer: Answer): void =>
    run.expect.refused(answer, { errors, alike });

/**
 * That a refusal has one of these codes. Whether there is a refusal is another row's sentence, and so is an `error` that
 * is no code of RFC 6749 5.2 (TOK-ERR-001).
 */
export const thatCode =
  (run: Run, errors: readonly string[]) =>
  (answer: Answer): void => {
    const error = member(answer.json, 'error');
    if (!tokenErrors.has(error)) return;
    run.expect.that(
      errors.includes(String(error)),
      `error ${errors.join(' or ')}`,
      new Words(formatAnswer(answer)),
      answer,
    );
  };

const grantTypes = ['authorization_code', 'client_credentials', 'refresh_token'];
const unknownTypes = [
  'Authorization_Code',
  'AUTHORIZATION_CODE',
  'authorization-code',
  'authorization_codes',
  'code',
  'none',
];
/** Grants of RFCs that the interface does not name. A server may know them, and then says what such a request lacks, in codes of theirs (RFC 8628 3.5). */
const grantsElsewhere = [
  'password',
  'implicit',
  ...['jwt-bearer', 'saml2-bearer', 'device_code', 'token-exchange'].map(
    (name) => `urn:ietf:params:oauth:grant-type:${name}`,
  ),
  'urn:openid:params:grant-type:ciba',
];

/** Client fields are looked at before the request as a whole, so the error may be about them. */
const aboutClient = ['client_id', 'client_secret'];

/** TOK-ERR-002 to -005: requests that the token endpoint refuses (interface 4.1, RFC 6749 3.2, 5.2). */
export const tokenErrorChecks: readonly DefinedCheck[] = [
  check({
    id: 'TOK-ERR-002',
    level: 'MUST',
    sentence: 'An unknown grant_type is refused with unsupported_grant_type.',
    source: '4.1',
    needs: ['client:confidential', 'consent'],
    judge: async (run) => {
      const [exchange, ...others] = validRequests(run);
      const unsupported = (answer: Answer): void => {
        run.expect.refused(answer);
        thatCode(run, ['unsupported_grant_type'])(answer);
      };
      const refuse = await refusing(run, exchange!.fields, unsupported);
      const unknown = async (type: string): Promise<void> => {
        await refuse(`grant_type ${type}`, put('grant_type', type));
      };
      await run.expect.each('an exchange', unknownTypes, unknown);
      await run.expect.property('any other grant_type', gOtherWord(grantTypes), { share: 0.05 }, unknown);
      const refuseKnown = await refusing(run, exchange!.fields, (answer) => run.expect.refused(answer));
      await run.expect.each('an exchange', grantsElsewhere, (type) =>
        refuseKnown(`grant_type ${type}`, put('grant_type', type)),
      );
      await run.expect.each('$what', others, async ({ what, fields }) => {
        const refuseOther = await refusing(run, fields, unsupported);
        for (const type of [what.toUpperCase(), `${what}_`, 'token']) {
          if (grantTypes.includes(type)) continue;
          await refuseOther(`grant_type ${type}`, put('grant_type', type));
        }
      });
    },
  }),

  check({
    id: 'TOK-ERR-003',
    level: 'MUST',
    sentence: 'A request without grant_type is refused.',
    source: '4.1',
    needs: ['client:confidential', 'consent'],
    judge: (run) =>
      run.expect.each('$what', validRequests(run), async ({ fields }) => {
        const refuse = await refusing(run, fields, refusedAs(run, ['invalid_request', 'unsupported_grant_type']));
        await refuse('without grant_type', omit('grant_type'));
      }),
  }),

  check({
    id: 'TOK-ERR-004',
    level: 'MUST-RFC',
    sentence: 'A parameter that is sent twice is refused (RFC 6749 3.2).',
    source: '4.1',
    needs: ['client:confidential', 'consent'],
    judge: (run) =>
      run.expect.each('$what', validRequests(run), async ({ what, fields }) => {
        const names = (await fields()).map(([name]) => name);
        // The other grants have the client's fields and grant_type in common with the exchange.
        const own = names.filter(
          (name) => what === 'exchange' || ['refresh_token', 'scope', 'client_id'].includes(name),
        );
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
  }),

  check({
    id: 'TOK-ERR-005',
    level: 'MUST-RFC',
    sentence: 'A parameter with an empty value is treated as left out.',
    source: '4.1',
    needs: ['client:confidential', 'consent'],
    judge: (run) => run.expect.each('$what', blanks(run), (blank) => asLeftOut(run, blank)),
  }),

  check({
    id: 'TOK-ERR-011',
    level: 'MUST-RFC',
    sentence: 'A client that used the Authorization header and failed gets 401 with WWW-Authenticate (RFC 6749 5.2).',
    source: '4.1',
    gap: 'K-079',
    needs: ['client:confidential', 'consent'],
    judge: async (run) => {
      const basic = async (secret: string): Promise<Answer> => {
        const code = await run.oauth.code('confidential');
        const { client_id } = run.oauth.client('confidential');
        const fields = omit('client_secret')(run.oauth.exchangeFields(code));
        return run.oauth.tokenRequest(fields, { headers: { authorization: basicHeader(client_id, secret) } });
      };
      const { client_secret } = run.oauth.client('confidential');
      if (client_secret === undefined) return run.expect.missing('client_secret of client confidential');
      if (!succeeded(await basic(client_secret))) {
        return run.expect.notApplicable('the server takes no HTTP Basic, which the interface does not ask for (K-079)');
      }
      const failed = async (secret: string): Promise<Answer> => {
        const answer = await basic(secret);
        refusedAs(run, ['invalid_client'])(answer);
        run.expect.status(answer, 401);
        return answer;
      };
      const answer = await failed(`${client_secret}-wrong`);
      const challenge = header(answer, 'www-authenticate');
      run.expect.that(challenge !== undefined, 'a WWW-Authenticate header', 'none', answer);
      if (!/\bbasic\b/i.test(challenge ?? '')) run.expect.warn(`The challenge does not name Basic: ${challenge}`);
      for (const kind of [
        'the case of a letter',
        'its second half',
        'its last character',
        'a character added',
      ] as const)
        await failed(twisted(client_secret, { kind, at: 0 }));
      await run.case('an empty secret', async () => noToken(run, await basic('')));
    },
  }),

  observation({
    id: 'TOK-ERR-013',
    sentence:
      'Whether a client may authenticate with HTTP Basic is not stated: the RFC asks for it, the interface lists body fields only.',
    source: '4.1',
    gap: 'K-079',
    needs: ['client:confidential', 'consent'],
    observe: async (run, note) => {
      const { client_id, client_secret = '' } = run.oauth.client('confidential');
      const code = await run.oauth.code('confidential');
      const fields = omit('client_secret')(run.oauth.exchangeFields(code));
      const answer = await run.oauth.tokenRequest(fields, {
        headers: { authorization: basicHeader(client_id, client_secret) },
      });
      note(`HTTP Basic in the place of client_secret: status ${answer.status}`);
    },
  }),
];

/** RFC 6749 2.3.1: both are form-encoded first. */
const basicHeader = (id: string, secret: string): string => {
  const encoded = [id, secret].map((text) => new URLSearchParams({ '': text }).toString().slice(1)).join(':');
  return `Basic ${Buffer.from(encoded).toString('base64')}`;
};

/** A request without a parameter, to be compared with the same request where it is empty. */
interface Blank {
  readonly what: string;
  readonly name: string;
  readonly fields: () => Promise<Fields>;
}

/** Every parameter of every request that succeeds, and optional ones that it goes without. */
function blanks(run: Run): readonly Blank[] {
  const names = {
    exchange: ['client_id', 'client_secret', 'grant_type', 'code', 'redirect_uri', 'code_verifier', 'scope'],
    refresh: ['client_id', 'client_secret', 'grant_type', 'refresh_token', 'scope'],
    client_credentials: ['client_id', 'client_secret', 'grant_type', 'scope'],
  };
  const required = validRequests(run).flatMap(({ what, fields }) =>
    names[what].map((name) => ({ what: `${what}, ${name}`, name, fields })),
  );
  if (!run.facts.target.clients.public) return required;
  const fields = async (): Promise<Fields> => run.oauth.exchangeFields(await run.oauth.code('public'));
  return [...required, { what: 'exchange of a public client, client_secret', name: 'client_secret', fields }];
}

/** Empty, with or without `=`, a parameter is as if it was not there: what is refused is refused, and what succeeds succeeds. */
async function asLeftOut(run: Run, { name, fields }: Blank): Promise<void> {
  const others = async (): Promise<Fields> => omit(name)(await fields());
  const outcome = (answer: Answer): string => (succeeded(answer) ? 'success' : 'a refusal');
  const omitted = await run.oauth.tokenRequest(await others());
  for (const end of ['=', '']) {
    const rest = await others();
    const empty = await run.oauth.tokenRequest(rest, { body: `${encoded(rest)}&${name}${end}` });
    const expected = `${outcome(omitted)}, as without ${name}`;
    run.expect.that(succeeded(omitted) === succeeded(empty), expected, outcome(empty), empty);
    const [left, blank] = [omitted, empty].map(({ json }) => member(json, 'error'));
    if (left !== blank)
      run.expect.warn(
        `without ${name} the error is ${JSON.stringify(left)}, with \`${name}${end}\` ${JSON.stringify(blank)}`,
      );
  }
}
