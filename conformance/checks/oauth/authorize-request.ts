import { check } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { Fields, Redirect, Run } from '../../engine/run.js';
import { gParamOrder, gUnknownParam } from '../../generators/data.js';
import { gOtherWord } from '../../generators/oauth.js';
import type { Requirement } from '../../requirement.js';
import {
  anyRole,
  checkEach,
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
  requirement: Requirement,
  name: Parameter,
  errors: readonly string[],
  { alike = [], also }: { alike?: readonly string[]; also?: (run: Run, redirect: Redirect) => void } = {},
): DefinedCheck =>
  checkEach({
    ...requirement,
    judge: async (run, role) => {
      const refuse = await refusing(run, role);
      await refuse(`without ${name}`, omit(name), (redirect, fields) => {
        refusedWith(run, errors, alike)(redirect, fields);
        also?.(run, redirect);
      });
    },
  });

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
export const requestChecks: readonly DefinedCheck[] = [
  check({
    id: 'AUTH-REQ-001',
    level: 'MUST',
    sentence:
      'A complete request that the user approves ends in a redirect to redirect_uri with the query parameter `code`.',
    source: '4.1',
    needs: ['client:confidential', 'consent'],
    judge: async (run) => {
      const request = run.oauth.authorizationRequest('confidential');
      const redirect = await run.oauth.authorize(request.fields);
      thatSent(run, redirect, Math.floor(redirect.status / 100) === 3, 'a redirect (status 3xx)');
      gotCode(run, redirect, request);
    },
  }),

  // RFC 6749 3.1.1 treats a missing response type as one that is not understood.
  omission(
    {
      id: 'AUTH-REQ-002',
      level: 'MUST',
      sentence: 'Without `response_type` there is an error and no code.',
      source: '4.1',
      needs: [['client:confidential', 'client:public'], 'consent'],
    },
    'response_type',
    ['invalid_request'],
    { alike: ['unsupported_response_type'] },
  ),
  omission(
    {
      id: 'AUTH-REQ-003',
      level: 'MUST',
      sentence: 'Without `scope`, which the interface requires, there is an error and no code.',
      source: '4.1',
      needs: [['client:confidential', 'client:public'], 'consent'],
    },
    'scope',
    ['invalid_request', 'invalid_scope'],
  ),
  omission(
    {
      id: 'AUTH-REQ-004',
      level: 'MUST',
      sentence: 'Without `state`, which the interface requires, there is an error and no code.',
      source: '4.1',
      needs: [['client:confidential', 'client:public'], 'consent'],
    },
    'state',
    ['invalid_request'],
    {
      also: (run, redirect) => thatSent(run, redirect, !redirect.query.get('state'), 'no state that nobody sent'),
    },
  ),
  omission(
    {
      id: 'AUTH-REQ-005',
      level: 'MUST',
      sentence: 'Without `code_challenge` there is an error and no code.',
      source: '4.1',
      needs: [['client:confidential', 'client:public'], 'consent'],
    },
    'code_challenge',
    ['invalid_request'],
  ),
  omission(
    {
      id: 'AUTH-REQ-006',
      level: 'MUST',
      sentence: 'Without `code_challenge_method` there is an error and no code; the method does not default to plain.',
      source: '4.1',
      needs: [['client:confidential', 'client:public'], 'consent'],
    },
    'code_challenge_method',
    ['invalid_request'],
  ),

  check({
    id: 'AUTH-REQ-007',
    level: 'MUST',
    sentence: 'Without `client_id` there is an error, no redirect to any client and no code.',
    source: '4.1',
    gap: 'K-006',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const refuse = await refusing(run, anyRole(run));
      await refuse('without client_id', omit('client_id'), (redirect, fields) => nowhere(run, redirect, fields));
    },
  }),

  checkEach({
    id: 'AUTH-REQ-008',
    level: 'MUST',
    sentence: 'Without `redirect_uri` no code reaches any URI.',
    source: '4.1',
    gap: 'K-006',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run, role) => {
      const refuse = await refusing(run, role);
      await refuse('without redirect_uri', omit('redirect_uri'));
    },
  }),

  check({
    id: 'AUTH-REQ-009',
    level: 'MUST-RFC',
    sentence: 'The order of the parameters does not matter.',
    source: '4.1',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const role = anyRole(run);
      await run.expect.property(
        'any order of the parameters',
        gParamOrder(parameters),
        { share: 0.1 },
        async (order) => {
          const request = run.oauth.authorizationRequest(role);
          const fields = [...request.fields].sort(
            ([one], [other]) => order.indexOf(one as Parameter) - order.indexOf(other as Parameter),
          );
          gotCode(run, await run.oauth.authorize(fields), request);
        },
      );
    },
  }),

  check({
    id: 'AUTH-REQ-010',
    level: 'MUST-RFC',
    sentence: 'Parameters that the server does not know are ignored.',
    source: '4.1',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
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
    },
  }),

  check({
    id: 'AUTH-REQ-011',
    level: 'MUST-RFC',
    sentence: 'A parameter with an empty value is treated as left out.',
    source: '4.1',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
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
    },
  }),

  check({
    id: 'AUTH-REQ-012',
    level: 'MUST-RFC',
    sentence: 'A parameter that is sent twice is refused: no code is issued.',
    source: '4.1',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const refuse = await refusing(run, anyRole(run));
      const values = (['the same', 'another'] as const).flatMap((value) => parameters.map((name) => ({ name, value })));
      await run.expect.each('$name sent twice with $value value', values, ({ name, value }) =>
        refuse('refused', (fields) => [
          ...fields,
          [name, value === 'another' ? otherValue[name] : fields.find(([key]) => key === name)![1]],
        ]),
      );
    },
  }),

  check({
    id: 'AUTH-REQ-013',
    level: 'MUST-RFC',
    sentence: 'The authorization endpoint supports GET: it answers a complete request neither with 405 nor with 400.',
    source: '4.1',
    needs: [['client:confidential', 'client:public']],
    judge: async (run) => {
      const { fields } = run.oauth.authorizationRequest(anyRole(run));
      const answer = await run.oauth.bareAuthorize(fields);
      run.expect.that(
        ![400, 404, 405, 501].includes(answer.status),
        'GET to be supported at /oauth/authorize, and a complete request of a registered client to be taken',
        `status ${answer.status}`,
        answer,
      );
    },
  }),

  checkEach({
    id: 'AUTH-ERR-004',
    level: 'MUST-RFC',
    sentence:
      'The `error` of a redirect is the one that RFC 6749 4.1.2.1 names for the failure (invalid_request for a missing parameter or a method of PKCE that is not supported, unsupported_response_type, invalid_scope).',
    source: '4.1,7',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run, role) => {
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
    },
  }),

  checkEach({
    id: 'AUTH-RESP-001',
    level: 'MUST',
    sentence: 'Any response_type but `code` is refused (`token`, `code token`, `id_token`, `CODE` and others).',
    source: '4.1',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run, role) => {
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
    },
  }),
];
