import fc from 'fast-check';

import { check, group, observation } from '../../engine/check.js';
import type { Refuse, Run } from '../../engine/run.js';
import { gBadAuthHeader, gToken, gUnknownName } from '../../generators/data.js';
import type { Answer } from '../../wire/answer.js';
import { lifetime } from './bearer-life.js';
import { edited, gEdit } from './edits.js';
import { allForms, ask, logicalForms, lookupRemedy, refusing } from './forms.js';
import type { OperationForm } from './forms.js';
import { allQueriedForms } from './queried-forms.js';
import { gScopes } from './scope-sets.js';
import { nameParameter, shortest } from '../../engine/operations.js';
import { userRoles } from '../../model/probe.js';
import { PrerequisiteFailed } from '../../verdict.js';

/** Every operation accepts tokens of several grants: not only the first one, nor only the last. */
const accepted = check({
  id: 'BEAR-001',
  level: 'MUST',
  sentence: '`Authorization: Bearer <token>` with a valid token of the right scope is accepted by every operation.',
  source: '5.2',
  needs: [
    ['client:confidential', 'client:public', 'client:service'],
    ['consent', 'client:service'],
  ],
  judge: async (run) => {
    await run.expect.each('$name', await logicalForms(run), async (form) =>
      run.expect.status(await ask(run, form), '2xx'),
    );
    await run.case('two users of a client', () => besideAnother(run));
    const grants = [
      ...(run.facts.target.clients.confidential
        ? [await run.oauth.grant('confidential'), await run.oauth.grant('confidential')]
        : []),
      ...(run.facts.target.clients.service
        ? [await run.oauth.clientCredentials('service'), await run.oauth.clientCredentials('service')]
        : []),
    ];
    await run.expect.each('a token of client $role', grants, ({ access, scopes, role }) =>
      run.expect.alive(access, scopes.length > 0 ? scopes : run.oauth.client(role).scopes),
    );
  },
});

/** What one user grants leaves the tokens of another as they are. */
async function besideAnother(run: Run): Promise<void> {
  const [role] = userRoles(run);
  if (role === undefined || !run.oauth.accounts().includes('bob')) return;
  const grants = [await run.oauth.grant(role), await run.oauth.grant(role, { account: 'bob' })];
  await run.expect.each('a token of $account', grants, ({ access, scopes }) => run.expect.alive(access, scopes));
}

const without = (judge: (run: Run, answer: Answer) => void) => async (run: Run) => {
  const { forms } = await allForms(run);
  await run.expect.each('$name', forms, async (form) => {
    const refuse = await refusing(run, form, (answer) => judge(run, answer));
    await refuse('without a token', () => ({ token: null }));
  });
};

const tokenless = check({
  id: 'BEAR-002',
  level: 'MUST',
  sentence: 'A request without a token is refused by every operation that lists a scope.',
  source: '1,4,5',
  gap: 'K-013',
  needs: [
    ['client:confidential', 'client:public', 'client:service'],
    ['consent', 'client:service'],
  ],
  judge: async (run) => {
    const refused = ({ status }: Answer): void =>
      run.expect.that(status < 200 || status > 299, 'no 2xx status', status);
    await without((_, answer) => refused(answer))(run);
    await run.expect.each(
      '$name without a token',
      await allQueriedForms(run),
      async (form) => refused(await ask(run, form, { token: null })),
      { atOnce: true },
    );
    // HEAD is GET without the content (RFC 9110 9.3.2); that it works is not stated.
    await run.case('HEAD', async () => refused(await run.http.raw('HEAD', '/profile', { token: null })));
  },
});

const tokenless401 = check({
  id: 'BEAR-018',
  level: 'SHOULD-RFC',
  sentence: 'The refusal of a request without a token has status 401 (RFC 6750 3).',
  source: '5',
  gap: 'K-013',
  needs: [
    ['client:confidential', 'client:public', 'client:service'],
    ['consent', 'client:service'],
  ],
  judge: without((run, answer) => run.expect.status(answer, 401)),
});

/** A refusal of every form, so that properties may pick among them at the cost of one control each. */
async function refusals(run: Run, forms: readonly OperationForm[], refused: (answer: Answer) => void) {
  return run.http.atOnce(forms, async (form) => ({ form, refuse: await refusing(run, form, refused) }));
}

const unknown = check({
  id: 'BEAR-003',
  level: 'SHOULD-RFC',
  sentence: 'An unknown bearer token is refused with 401 (RFC 6750 3.1).',
  source: '5.3',
  needs: [
    ['client:confidential', 'client:public', 'client:service'],
    ['consent', 'client:service'],
  ],
  judge: async (run) => {
    const all = await refusals(run, (await allForms(run)).forms, (answer) => run.expect.status(answer, 401));
    const some = fc.sample(gToken, { numRuns: 1, seed: 6750 })[0]!;
    await run.expect.each(
      '$form.name',
      all,
      async ({ refuse }) => void (await refuse('a token that was never issued', () => ({ token: some }))),
      { atOnce: true },
    );
    await run.expect.property(
      'a token that was never issued',
      fc.record({ token: gToken, index: fc.nat({ max: all.length - 1 }) }),
      async ({ token, index }) => {
        const { form, refuse } = all[index]!;
        await refuse(form.name, () => ({ token }));
      },
    );
  },
});

const lackingScope = check({
  id: 'BEAR-006',
  level: 'MUST',
  sentence: 'A valid token without the needed scope meets 403.',
  source: '5.3,7',
  gap: 'K-129',
  needs: [
    ['client:confidential', 'client:public', 'client:service'],
    ['consent', 'client:service'],
  ],
  judge: async (run) => {
    const forms = (await allForms(run)).forms;
    const all = await refusals(run, forms, (answer) => run.expect.status(answer, 403));
    const named = new Map(all.map((one) => [one.form.name, one]));
    await run.expect.property(
      'a token without the scope',
      fc.record({ scopes: gScopes(run), requests: fc.shuffledSubarray([...named.keys()], { minLength: 1 }) }),
      { share: 0.15 },
      async ({ scopes, requests }) => {
        const token = await run.oauth.token(scopes);
        const open = requests.map((name) => named.get(name)!).filter(({ form }) => !scopes.includes(form.scope));
        for (const { form, refuse } of open.slice(0, 7))
          await refuse(`${form.name} with a token of scope ${scopes.join(' ')}`, () => ({ token }));
      },
    );
  },
});

const schemeForm = check({
  id: 'BEAR-007',
  level: 'SHOULD-RFC',
  sentence:
    'The name of the scheme is case-insensitive, as that of every HTTP authentication scheme, and one or more spaces follow it (RFC 6750 2.1).',
  source: '5.2',
  needs: [
    ['client:confidential', 'client:public', 'client:service'],
    ['consent', 'client:service'],
  ],
  judge: async (run) => {
    const [form] = await logicalForms(run);
    const token = await run.oauth.token([form!.scope]);
    const usual = await ask(run, form!, { headers: { authorization: `Bearer ${token}` } });
    if (usual.status >= 300) throw new PrerequisiteFailed(`a fresh access token is refused with ${usual.status}`);
    for (const [scheme, why] of [
      ['bearer ', 'its case does not matter (RFC 9110 11.1)'],
      ['BEARER ', 'its case does not matter (RFC 9110 11.1)'],
      ['Bearer  ', 'more than one space may follow (RFC 6750 2.1)'],
    ] as const) {
      const answer = await ask(run, form!, { headers: { authorization: `${scheme}${token}` } });
      if (answer.status >= 200 && answer.status <= 299) run.expect.status(answer, '2xx');
      else run.expect.warn(`"${scheme.replaceAll(' ', '␠')}<token>" is refused although ${why}`, answer);
    }
    run.expect.note('the scheme was written bearer and BEARER, and Bearer with two spaces');
  },
});

const otherScheme = check({
  id: 'BEAR-008',
  level: 'SHOULD-RFC',
  sentence: 'A valid token under another scheme (Basic, Token, MAC), or under none, is refused with 401.',
  source: '5.2',
  needs: [
    ['client:confidential', 'client:public', 'client:service'],
    ['consent', 'client:service'],
  ],
  judge: async (run) => {
    const forms = (await allForms(run)).forms;
    const all = await refusals(run, forms, (answer) => run.expect.status(answer, 401));
    const schemes: readonly (readonly [name: string, header: (token: string) => string])[] = [
      ['Basic <token>', (token) => `Basic ${token}`],
      ['<token>', (token) => token],
      ['Token <token>', (token) => `Token ${token}`],
      ['MAC id="<token>"', (token) => `MAC id="${token}"`],
      ['Digest <token>', (token) => `Digest ${token}`],
      ['Basic base64(<token>:)', (token) => `Basic ${Buffer.from(`${token}:`).toString('base64')}`],
    ];
    const one = async (index: number, scheme: number): Promise<void> => {
      const { form, refuse } = all[index]!;
      const token = await run.oauth.token([form.scope]);
      const [name, header] = schemes[scheme]!;
      await refuse(`${form.name} by ${name}`, () => ({ headers: { authorization: header(token) } }));
    };
    await run.expect.each(
      (index) => all[index]!.form.name,
      all.keys(),
      (index) => one(index, index % 2),
    );
    await run.expect.property(
      'a valid token under another scheme',
      fc.record({ index: fc.nat({ max: all.length - 1 }), scheme: fc.nat({ max: schemes.length - 1 }) }),
      { share: 0.3 },
      ({ index, scheme }) => one(index, scheme),
    );
  },
});

const elsewhere = observation({
  id: 'BEAR-009',
  sentence: 'Whether a token in the form body or in the query is taken is not stated (RFC 6750 2.2, 2.3).',
  source: '5.2',
  gap: 'K-092',
  needs: [
    ['client:confidential', 'client:public', 'client:service'],
    ['consent', 'client:service'],
  ],
  observe: async (run, note) => {
    const [form] = await logicalForms(run);
    const token = await run.oauth.token([form!.scope]);
    const query = await ask(run, form!, { token: null, query: [['access_token', token]] });
    const body = await ask(run, form!, {
      token: null,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `access_token=${encodeURIComponent(token)}`,
    });
    note(`token as access_token in the query: status ${query.status}; in a form body: status ${body.status}`);
  },
});

const notBearer = check({
  id: 'BEAR-010',
  level: 'INFER',
  sentence:
    'Refresh tokens, authorization codes, client ids and client secrets do not work as bearer tokens: they get 401.',
  source: '3,5',
  entailed: '4.2, 5.2: an operation takes an access token, and these are none',
  needs: ['refresh:confidential', 'consent'],
  judge: async (run) => {
    const role = run.facts.target.clients.confidential ? 'confidential' : 'public';
    const grant = await run.oauth.grant(role);
    const { code } = await run.oauth.code(role);
    const { client_id, client_secret } = run.oauth.client(role);
    const form = (await logicalForms(run)).find(({ scope }) => run.oauth.client(role).scopes.includes(scope));
    if (!form)
      return run.expect.missing(
        `an operation for a token of client ${role}`,
        `in the target file, add a scope of an operation to clients.${role}.scopes`,
      );
    const strangers = {
      'a refresh token': grant.refresh,
      'an authorization code': code,
      'a client id': client_id,
      'a client secret': client_secret,
    };
    // What no bearer token can look like may be called malformed (RFC 6750 3.1, invalid_request).
    const wellFormed = (text: string): boolean => /^[\w\-.~+/]+=*$/.test(text);
    for (const [what, token] of Object.entries(strangers)) {
      if (token === undefined) continue;
      const refuse = await refusing(run, form, (answer) =>
        run.expect.status(answer, ...(wellFormed(token) ? [401] : [400, 401])),
      );
      await refuse(`${what} as bearer token`, () => ({ token }));
    }
  },
});

const nearMiss = check({
  id: 'BEAR-013',
  level: 'SHOULD-RFC',
  sentence: 'A token that differs from a valid one by one edit gets 401.',
  source: '5.3',
  needs: [
    ['client:confidential', 'client:public', 'client:service'],
    ['consent', 'client:service'],
  ],
  judge: async (run) => {
    const forms = (await logicalForms(run)).filter(({ logical }) => !logical.includes('ItemFilter'));
    const user = forms.find(({ scope }) => scope.startsWith('account:'));
    const service = forms.find(({ scope }) => scope.startsWith('service:'));
    for (const form of [user, service]) {
      if (!form) continue;
      const token = await run.oauth.token([form.scope]);
      const refuse = await refusing(run, form, (answer) => run.expect.status(answer, 401));
      await run.expect.property(
        `a token one edit away from a valid one, on ${form.name}`,
        gEdit,
        {
          share: 0.35,
          examples: (['swap case', 'case of all', 'drop last', 'half', 'append'] as const).map((kind) => ({
            kind,
            at: 0,
            text: 'a',
          })),
        },
        async (edit) => {
          const near = edited(token, edit);
          if (near !== token && near !== '')
            await refuse(`a valid token after the edit "${edit.kind}"`, () => ({ token: near }));
        },
      );
    }
  },
});

const malformed = check({
  id: 'BEAR-014',
  level: 'SHOULD-RFC',
  sentence: 'A malformed Authorization header (`Bearer`, `Bearer  `, two tokens) gives 4xx, never 2xx or 5xx.',
  source: '5.2',
  needs: [
    ['client:confidential', 'client:public', 'client:service'],
    ['consent', 'client:service'],
  ],
  judge: async (run) => {
    const [form] = await logicalForms(run);
    const token = await run.oauth.token([form!.scope]);
    const refuse = await refusing(run, form!, (answer) => run.expect.status(answer, '4xx'));
    const place = 'TOKEN';
    await run.expect.property(
      'a malformed Authorization header',
      gBadAuthHeader(place),
      {
        share: 0.3,
        examples: ['Bearer', 'Bearer  ', `Bearer ${place} ${place}`, `Bearer ${place},${place}`, `Bearer "${place}"`],
      },
      async (value) => {
        const authorization = value.replaceAll(place, token);
        await refuse(`the header "${value}"`, () => ({ headers: { authorization } }));
      },
    );
  },
});

const beforeLookup = check({
  id: 'BEAR-015',
  level: 'INFER',
  sentence:
    'Authentication comes before the lookup: a request without a token for something that does not exist gets 401, not a wrapper with null.',
  source: '5.3',
  plausible: 'which of several refusals comes first is not stated',
  gap: 'K-129',
  needs: [
    ['client:confidential', 'client:public', 'client:service'],
    ['consent', 'client:service'],
  ],
  judge: async (run) => {
    const all: { readonly what: string; readonly refuse: Refuse<{ name: string; token?: null }> }[] = [];
    for (const form of await logicalForms(run)) {
      const parameter = nameParameter(form.logical);
      if (parameter === undefined || shortest(form.logical).method !== 'GET') continue;
      const { logical, request } = form;
      const refuse = await run.expect.negative<{ name: string; token?: null }>({
        valid: () => ({ name: 'cx-unknown' }),
        send: ({ name, ...over }) =>
          run.http.data(logical, { ...request, ...over, args: { ...request.args, [parameter]: name } }),
        // The token is good: whatever is said of the unknown name, it is not 401.
        accepted: (answer) =>
          run.expect.that(![401, 403].includes(answer.status), 'the token is accepted', answer.status),
        refused: (answer) => run.expect.status(answer, 401),
      });
      all.push({ what: form.name, refuse });
    }
    if (all.length === 0) return run.expect.missing('a lookup that some client may ask for', lookupRemedy);
    await run.expect.property(
      'a lookup of an unknown name without a token',
      fc.record({ name: gUnknownName(['cx-unknown']), index: fc.nat({ max: all.length - 1 }) }),
      { share: 0.3, examples: all.map((_, index) => ({ name: 'cx nobody', index })) },
      async ({ name, index }) => {
        const { what, refuse } = all[index]!;
        await refuse(`${what}, unknown name without a token`, () => ({ name, token: null }));
      },
    );
  },
});

export default group('game/bearer', [
  accepted,
  tokenless,
  tokenless401,
  unknown,
  lackingScope,
  schemeForm,
  otherScheme,
  elsewhere,
  notBearer,
  nearMiss,
  malformed,
  beforeLookup,
  ...lifetime,
]);
