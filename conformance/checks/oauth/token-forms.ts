import fc from 'fast-check';

import { oauthParameters } from '../../../src/contract/index.js';
import { check, observation } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { Fields, Run } from '../../engine/run.js';
import { gParamOrder, gUnknownParam } from '../../generators/data.js';
import { userRoles } from '../../model/probe.js';
import { scopeSet, scopesIn } from '../../model/scopes.js';
import { PrerequisiteFailed } from '../../verdict.js';
import { member, succeeded } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';
import { issued } from './exchange.js';
import { noToken, serviceFields, validRequests } from './token-errors.js';
import type { Valid } from './token-errors.js';

/** The requests that cost least first: those that need no consent. */
const byCost = (run: Run): readonly Valid[] => {
  const confidential = run.facts.target.clients.confidential && userRoles(run).includes('confidential');
  if (confidential) return [...validRequests(run)].reverse();
  return [{ what: 'client_credentials', fields: async () => serviceFields(run) }];
};

/** A percent-encoding that writes some characters plainly and others not; every one is right. */
const gSpelling = fc.record({
  /** Which characters that need not be escaped are, by their place. */
  escaped: fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
  plus: fc.boolean(),
  lower: fc.boolean(),
});
type Spelling = typeof gSpelling extends fc.Arbitrary<infer S> ? S : never;

/** A form body (URL Standard, application/x-www-form-urlencoded), in one of its spellings. */
function spelt(fields: Fields, { escaped, plus, lower }: Spelling): string {
  const escape = (text: string): string =>
    [...Buffer.from(text, 'utf8')]
      .map((byte, index) => {
        const character = String.fromCharCode(byte);
        if (character === ' ' && plus) return '+';
        if (/[A-Za-z0-9*\-._]/.test(character) && !escaped[index % escaped.length]) return character;
        const digits = byte.toString(16).padStart(2, '0');
        return `%${lower ? digits : digits.toUpperCase()}`;
      })
      .join('');
  return fields.map(([name, value]) => `${escape(name)}=${escape(value)}`).join('&');
}

/** The reply to a request in its usual form. That there is a token in it is what other rows are about (TOK-CC-001, AUTH-CODE-001). */
async function inUsualForm(run: Run, fields: Fields): Promise<Answer> {
  const answer = await run.oauth.tokenRequest(fields);
  if (Math.floor(answer.status / 100) === 2) return answer;
  throw new PrerequisiteFailed(`the request in its usual form answered ${answer.status}`);
}

/** TOK-ERR-006 to -009, -012, -014: how the form may be written (interface 4.1, RFC 6749 3.2, appendix B). */
export const tokenFormChecks: readonly DefinedCheck[] = [
  check({
    id: 'TOK-ERR-006',
    level: 'MUST-RFC',
    sentence: 'Parameters that the server does not know are ignored.',
    source: '4.1',
    needs: [
      ['client:confidential', 'client:service'],
      ['consent', 'client:service'],
    ],
    judge: (run) =>
      run.expect.each('$what', byCost(run), async ({ what, fields }) => {
        await inUsualForm(run, await fields());
        const ignored = async (extra: Fields): Promise<void> =>
          run.expect.status(await run.oauth.tokenRequest([...(await fields()), ...extra]), '2xx');
        await run.expect.property(
          'unknown parameters',
          gUnknownParam(oauthParameters.issueToken),
          {
            share: what === 'client_credentials' ? 0.15 : 0.03,
            examples: [[['foo', 'bar']], [['zz_state', 'a&b=c']], [['zz_empty', '']]],
          },
          ignored,
        );
      }),
  }),

  check({
    id: 'TOK-ERR-007',
    level: 'INFER',
    sentence: 'Only POST issues tokens: GET with the same parameters in the query never does.',
    source: '4.1',
    entailed: '4.1: the method is POST',
    needs: ['client:service'],
    judge: async (run) => {
      interface Sending {
        readonly method: string;
        readonly fields: Fields;
      }
      await run.expect.each(
        '$what',
        byCost(run).filter(({ what }) => what !== 'refresh'),
        async ({ fields }) => {
          const refuse = await run.expect.negative<Sending>({
            valid: async () => ({ method: 'POST', fields: await fields() }),
            send: ({ method, fields: all }) =>
              method === 'GET'
                ? run.oauth.request(method, '/oauth/token', { query: all })
                : run.oauth.request(method, '/oauth/token', { fields: all }),
            refused: (answer) => noToken(run, answer),
          });
          for (const method of ['GET', 'PUT', 'PATCH'])
            await refuse(`by ${method}`, ({ fields: all }) => ({ method, fields: all }));
          // RFC 6749 2.3.1 forbids it to clients, and no sentence has a server refuse it.
          const inAddress = await run.oauth.request('POST', '/oauth/token', { query: await fields() });
          if (succeeded(inAddress))
            run.expect.warn('POST takes the parameters from the query, where logs keep secrets (RFC 6749 2.3.1)');
        },
      );
    },
  }),

  check({
    id: 'TOK-ERR-008',
    level: 'MUST',
    sentence: 'Bodies are form-urlencoded: `+` and `%20` both are a space, and reserved characters survive.',
    source: '4.1',
    needs: ['client:service'],
    judge: async (run) => {
      const fields = serviceFields(run);
      const plain = await inUsualForm(run, fields);
      const same = async (spelling: Spelling): Promise<void> => {
        const answer = await run.oauth.tokenRequest(fields, { body: spelt(fields, spelling) });
        run.expect.status(answer, '2xx');
        run.expect.equal(
          scopeSet(scopesIn(answer)),
          scopeSet(scopesIn(plain)),
          'the scopes of the other spelling',
          answer,
        );
      };
      await run.expect.property(
        'any spelling of the form',
        gSpelling,
        {
          share: 0.3,
          examples: [
            { escaped: [false], plus: true, lower: false },
            { escaped: [false], plus: false, lower: false },
            { escaped: [false], plus: false, lower: true },
            { escaped: [true], plus: false, lower: true },
          ],
        },
        same,
      );
      await otherClients(run);
    },
  }),

  check({
    id: 'TOK-ERR-009',
    level: 'INFER',
    sentence: '`application/x-www-form-urlencoded; charset=UTF-8` is accepted as the Content-Type.',
    source: '4.1',
    plausible: 'the media type is stated without a parameter',
    needs: ['client:service'],
    judge: async (run) => {
      const fields = serviceFields(run);
      await run.expect.each(
        'Content-Type %s',
        ['; charset=UTF-8', ';charset=utf-8', ' ; charset=utf-8'].map(
          (end) => `application/x-www-form-urlencoded${end}`,
        ),
        async (type) => {
          const answer = await run.oauth.tokenRequest(fields, { headers: { 'content-type': type } });
          issued(run, 'service', null, answer);
        },
      );
    },
  }),

  observation({
    id: 'TOK-ERR-012',
    sentence: 'What a JSON body in the place of a form does is not stated.',
    source: '4.1',
    needs: ['client:service'],
    observe: async (run, note) => {
      const fields = serviceFields(run);
      const answer = await run.oauth.tokenRequest(fields, {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(Object.fromEntries(fields)),
      });
      const token = member(answer.json, 'access_token') !== undefined;
      note(`A JSON body in the place of a form: status ${answer.status}, ${token ? 'with' : 'without'} a token`);
    },
  }),

  check({
    id: 'TOK-ERR-014',
    level: 'INFER',
    sentence: 'The order of the parameters in the body does not matter.',
    source: '4.1',
    entailed: '4.1: fields of a form have names, not places (RFC 6749 3.2)',
    needs: ['client:confidential', 'consent'],
    judge: (run) =>
      run.expect.each('$what', validRequests(run), async ({ what, fields }) => {
        const first = await fields();
        await inUsualForm(run, first);
        const names = first.map(([name]) => name);
        const indexes = [...names.keys()];
        const grantType = names.indexOf('grant_type');
        await run.expect.property(
          'any order of the parameters',
          gParamOrder(indexes),
          {
            share: what === 'client_credentials' ? 0.2 : 0.05,
            examples: [[...indexes.filter((index) => index !== grantType).toReversed(), grantType]],
          },
          async (order) => {
            const all = await fields();
            run.expect.status(await run.oauth.tokenRequest(order.map((index) => all[index]!)), '2xx');
          },
        );
      }),
  }),
];

/** Secrets with reserved characters are where a decoder shows its faults, so every client's is tried. */
async function otherClients(run: Run): Promise<void> {
  await run.expect.each(
    'client %s',
    userRoles(run).filter((role) => run.oauth.client(role).client_secret !== undefined),
    async (role) => {
      const fields = run.oauth.exchangeFields(await run.oauth.code(role));
      const body = spelt(fields, { escaped: [true, false, false], plus: true, lower: role.length % 2 === 0 });
      run.expect.status(await run.oauth.tokenRequest(fields, { body }), '2xx');
    },
  );
}
