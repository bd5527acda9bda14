import { check } from '../../engine/check.js';
import type { Check } from '../../engine/check.js';
import type { Fields, Redirect, Run } from '../../engine/run.js';
import { gParamOrder, gUnknownParam } from '../../generators/data.js';
import { gOtherWord } from '../../generators/oauth.js';
import type { RowId } from '../../ledger.gen.js';
import {
  anyRole,
  checkEach,
  codeRoles,
  gaveCode,
  gotCode,
  noCode,
  omit,
  parameters,
  put,
  reached,
  refusedWith,
  refusing,
  thatSent,
} from './outcome.js';
import type { Parameter } from './outcome.js';

/** A request without a parameter, by each kind of client; `also` is expected of the outcome beyond the error. */
const omission = (
  row: RowId,
  name: Parameter,
  errors: readonly string[],
  { alike = [], also }: { alike?: readonly string[]; also?: (run: Run, redirect: Redirect) => void } = {},
): Check =>
  check(row, (run) =>
    run.expect.each('client %s', codeRoles(run), async (role) => {
      const refuse = await refusing(run, role);
      await refuse(`without ${name}`, omit(name), (redirect, fields) => {
        refusedWith(run, errors, alike)(redirect, fields);
        also?.(run, redirect);
      });
    }),
  );

/** Where a browser is sent to no client at all. */
function nowhere(run: Run, redirect: Redirect, fields: Fields): void {
  noCode(run, redirect, fields);
  const clients = Object.values(run.facts.target.clients).flatMap(({ redirect_uris }) => redirect_uris);
  thatSent(
    run,
    redirect,
    !clients.some((uri) => reached(redirect, uri)),
    'no redirect to a redirect URI of any client',
  );
}

/** What became of a request, as far as two readings of it can differ. */
function outcomeOf(run: Run, redirect: Redirect, uri: string): 'a code' | 'an error at the client' | 'a page' {
  if (gaveCode(run, redirect, [uri])) return 'a code';
  return reached(redirect, uri) ? 'an error at the client' : 'a page';
}

/** A second value for a parameter that is sent twice. */
const otherValue: Readonly<Record<Parameter, string>> = {
  client_id: 'cx-unknown-client',
  response_type: 'token',
  scope: 'account:cx_unknown',
  state: 'another-state',
  redirect_uri: 'https://attacker.example/callback',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'plain',
};

/** AUTH-REQ and AUTH-RESP: the parameters of the authorization request (interface 4.1, RFC 6749 3.1, 4.1.1). */
export const requestChecks: readonly Check[] = [
  check('AUTH-REQ-001', async (run) => {
    const request = run.oauth.authorizationRequest('confidential');
    const redirect = await run.oauth.authorize(request.fields);
    thatSent(run, redirect, Math.floor(redirect.status / 100) === 3, 'a redirect (status 3xx)');
    gotCode(run, redirect, request);
  }),

  // RFC 6749 3.1.1 treats a missing response type as one that is not understood.
  omission('AUTH-REQ-002', 'response_type', ['invalid_request'], { alike: ['unsupported_response_type'] }),
  omission('AUTH-REQ-003', 'scope', ['invalid_request', 'invalid_scope']),
  omission('AUTH-REQ-004', 'state', ['invalid_request'], {
    also: (run, redirect) => thatSent(run, redirect, !redirect.query.get('state'), 'no state that nobody sent'),
  }),
  omission('AUTH-REQ-005', 'code_challenge', ['invalid_request']),
  omission('AUTH-REQ-006', 'code_challenge_method', ['invalid_request']),

  check('AUTH-REQ-007', async (run) => {
    const refuse = await refusing(run, anyRole(run));
    await refuse('without client_id', omit('client_id'), (redirect, fields) => nowhere(run, redirect, fields));
  }),

  checkEach('AUTH-REQ-008', async (run, role) => {
    const refuse = await refusing(run, role);
    await refuse('without redirect_uri', omit('redirect_uri'));
  }),

  check('AUTH-REQ-009', async (run) => {
    const role = anyRole(run);
    await run.expect.property('any order of the parameters', gParamOrder(parameters), { share: 0.1 }, async (order) => {
      const request = run.oauth.authorizationRequest(role);
      const fields = [...request.fields].sort(
        ([one], [other]) => order.indexOf(one as Parameter) - order.indexOf(other as Parameter),
      );
      gotCode(run, await run.oauth.authorize(fields), request);
    });
  }),

  check('AUTH-REQ-010', async (run) => {
    const role = anyRole(run);
    await run.expect.property(
      'further parameters',
      gUnknownParam([...parameters, 'account', 'decision']),
      { share: 0.1 },
      async (further) => {
        const request = run.oauth.authorizationRequest(role);
        const half = Math.floor(further.length / 2);
        const fields = [...further.slice(0, half), ...request.fields, ...further.slice(half)];
        gotCode(run, await run.oauth.authorize(fields), request);
      },
    );
  }),

  check('AUTH-REQ-011', async (run) => {
    const refuse = await refusing(run, anyRole(run));
    await run.expect.each('%s', parameters, async (name) => {
      const judge = (): void => undefined;
      const omitted = await refuse('', omit(name), judge);
      await refuse(`an empty ${name}`, put(name, ''), (redirect, _, { redirect_uri }) => {
        const [like, got] = [omitted, redirect].map((one) => outcomeOf(run, one, redirect_uri));
        thatSent(run, redirect, (like === 'a code') === (got === 'a code'), `${like}, as for a request without it`);
        if (like !== got) run.expect.warn(`an empty ${name} led to ${got}, a request without it to ${like}`);
      });
    });
  }),

  check('AUTH-REQ-012', async (run) => {
    const refuse = await refusing(run, anyRole(run));
    const values = (['the same', 'another'] as const).flatMap((value) => parameters.map((name) => ({ name, value })));
    await run.expect.each('$name sent twice with $value value', values, ({ name, value }) =>
      refuse('refused', (fields) => [
        ...fields,
        [name, value === 'another' ? otherValue[name] : fields.find(([key]) => key === name)![1]],
      ]),
    );
  }),

  check('AUTH-REQ-013', async (run) => {
    const { fields } = run.oauth.authorizationRequest(anyRole(run));
    const answer = await run.oauth.bareAuthorize(fields);
    run.expect.that(
      ![404, 405, 501].includes(answer.status),
      'GET to be supported at /oauth/authorize',
      `status ${answer.status}`,
      answer,
    );
  }),

  checkEach('AUTH-ERR-004', async (run, role) => {
    const refuse = await refusing(run, role);
    // A code instead of an error is for AUTH-REQ-005, AUTH-PKCE-001 and AUTH-RESP-001.
    const told = (errors: readonly string[], alike?: readonly string[]) => {
      const judge = refusedWith(run, errors, alike);
      return (redirect: Redirect, fields: Fields): void => {
        if (redirect.code === null) judge(redirect, fields);
      };
    };
    await refuse('without code_challenge', omit('code_challenge'), told(['invalid_request']));
    await refuse('with method plain', put('code_challenge_method', 'plain'), told(['invalid_request']));
    const types = ['unsupported_response_type', 'invalid_request'];
    await refuse('response_type=token', put('response_type', 'token'), told(types, ['unauthorized_client']));
  }),

  checkEach('AUTH-RESP-001', async (run, role) => {
    const refuse = await refusing(run, role);
    const other = async (type: string): Promise<void> => {
      await refuse(
        `response_type=${type}`,
        put('response_type', type),
        // RFC 6749 4.1.2.1 has unauthorized_client for a client that may not use "this method".
        refusedWith(run, ['unsupported_response_type', 'invalid_request'], ['unauthorized_client']),
      );
    };
    const known = ['token', 'id_token', 'code token', 'code id_token', 'id_token token', 'none', 'CODE', 'Code'];
    await run.expect.each('refused', known, other);
    if (role !== anyRole(run)) return;
    await run.expect.property('any other response_type', gOtherWord(['code', ...known]), { share: 0.04 }, other);
  }),
];
