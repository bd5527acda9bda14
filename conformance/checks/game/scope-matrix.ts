import { operationList } from '../../../src/contract/index.js';
import type { GameOperation, LogicalOperation, Scope } from '../../../src/contract/index.js';
import { check } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { Fields, Grant, Run } from '../../engine/run.js';
import { attempt, MissingCapability, MissingScope, PrerequisiteFailed } from '../../verdict.js';
import type { Requirement } from '../../requirement.js';
import type { Answer } from '../../wire/answer.js';
import { revoke } from './bearer-life.js';
import { ask, formsOf, logicalForms, refusing } from './forms.js';
import type { OperationForm } from './forms.js';
import { queriedForms } from './queried-forms.js';

const userRole = (run: Run): 'confidential' | 'public' =>
  run.facts.target.clients.confidential ? 'confidential' : 'public';

/** A token whose life shows whether a request had an effect: of a user, or of a service where no user can be asked. */
async function victimOf(run: Run): Promise<Grant> {
  const { value, undecided } = await attempt(() => run.oauth.grant(userRole(run)), [MissingCapability]);
  if (value) return value;
  if (!run.facts.target.clients.service) throw undecided!;
  return run.oauth.clientCredentials('service');
}

/** A token that was revoked at its endpoint, or null where that cannot be done. */
const revokedToken = (run: Run): Promise<string | null> =>
  run.facts.once('a revoked token', async () => {
    const role = userRole(run);
    // A service may be given the same token again, which other checks hold, so that none of its tokens is revoked here.
    const { value: grant } = await attempt(async () => {
      const made = await run.oauth.grant(role);
      await revoke(run, made, 'endpoint');
      return made;
    }, [MissingCapability, PrerequisiteFailed]);
    if (!grant) return null;
    // That revocation works is the business of other rows.
    const form = (await logicalForms(run)).find(({ scope }) => run.oauth.client(role).scopes.includes(scope));
    return form && (await ask(run, form, { token: grant.access })).status === 401 ? grant.access : null;
  });

const tokensOf = (run: Run, scopes: readonly Scope[]): Promise<readonly (readonly [Scope, string])[]> =>
  Promise.all(scopes.map(async (scope) => [scope, await run.oauth.token([scope], { exact: true })] as const));

const statusFor = (run: Run, answer: Answer, status: number, what: string): void =>
  run.expect.that(answer.status === status, `${what}: status ${status}`, `status ${answer.status}`, answer);

/** A token of either kind of client opens an account's operation with its scope, and only with that (interface 5.4). */
async function eachClient(run: Run, form: OperationForm, scope: Scope): Promise<void> {
  if (!scope.startsWith('account:') || !run.facts.hooks.consent || form.logical === 'createItemFilter') return;
  for (const role of ['confidential', 'public'] as const) {
    const own = run.facts.target.clients[role]?.scopes.filter((one) => one.startsWith('account:')) ?? [];
    const rest = own.filter((one) => one !== scope);
    if (rest.length > 0) {
      const { access } = await run.facts.once(`a token of ${role} for all but ${scope}`, () =>
        run.oauth.grant(role, { scopes: rest }),
      );
      const answer = await ask(run, form, { token: access });
      statusFor(run, answer, 403, `${form.name} with a token of client ${role} that lacks ${scope}`);
    }
    if (rest.length === own.length) continue;
    const { access } = await run.oauth.grant(role, { scopes: [scope] });
    run.expect.status(await ask(run, form, { token: access }), '2xx');
  }
}

/** The requirement of an operation: one for each, with what a target must offer for its scope. */
const needsScope = (logical: LogicalOperation, scope: Scope, flag?: string): Requirement => ({
  id: `SCOPE-OP-${logical}`,
  level: 'MUST',
  sentence:
    `${logical} needs the scope \`${scope}\`: a token with it is accepted, one without it meets 403, an expired or ` +
    'revoked one 401, and no token is refused.',
  source: '4,5.3,5.7',
  needs: [...clientsFor(scope), ...(flag === undefined ? [] : [`flag:${flag}` as const])],
});

function clientsFor(scope: Scope): NonNullable<Requirement['needs']> {
  if (scope === 'oauth:revoke') return ['revoke'];
  if (scope === 'oauth:introspect') return ['introspect'];
  if (scope === 'service:pvp_matches:ladder') return ['client:service', 'scope:service:pvp_matches'];
  if (scope === 'account:guild:stashes') return ['client:guild', 'consent'];
  return scope.startsWith('account:') ? [['client:confidential', 'client:public'], 'consent'] : ['client:service'];
}

const dataOperation = (logical: GameOperation, flag: string | undefined, scope: Scope): DefinedCheck =>
  check({
    ...needsScope(logical, scope, flag),
    judge: async (run) => {
      if (flag !== undefined && run.facts.flag(flag) === 'off') run.expect.notApplicable(`${flag} is off`);
      const forms = await formsOf(run, logical);
      const others = [...run.oauth.obtainable().keys()].filter((other) => other !== scope);
      const own = await run.oauth.token([scope]);
      const [base, ...more] = forms;
      run.expect.status(
        await (logical === 'createItemFilter' ? ask(run, base!) : ask(run, base!, { token: own })),
        '2xx',
      );
      const refuse = await refusing(run, base!, (answer) => run.expect.status(answer, 403));
      await run.expect.each(
        (other) => `${base!.name} with scope ${other} alone`,
        others,
        async (other) => {
          const token = await run.oauth.token([other], { exact: true });
          await refuse('without the scope', () => ({ token }));
        },
      );
      await run.expect.each('$name', more, async (form) => {
        run.expect.status(await ask(run, form, form.request.account === undefined ? { token: own } : {}), '2xx');
        const refuseForm = await refusing(run, form, (answer) => run.expect.status(answer, 403));
        for (const other of others) {
          const token = await run.oauth.token([other], { exact: true });
          await refuseForm(`with scope ${other} alone`, () => ({ token }));
        }
      });
      const revoked = await revokedToken(run);
      const queried = await queriedForms(run, logical);
      const strangers = await tokensOf(run, others);
      await run.expect.each(
        ([, { name }]) => name,
        [...queried.entries()],
        async ([index, form]) => {
          // They were seen to work with the scope.
          const [other, token] = strangers[index % strangers.length] ?? [];
          if (token !== undefined) statusFor(run, await ask(run, form, { token }), 403, `with scope ${other} alone`);
          if (revoked !== null) statusFor(run, await ask(run, form, { token: revoked }), 401, 'with a revoked token');
        },
      );
      await eachClient(run, base!, scope);
      const refuseStranger = await refusing(run, base!, (answer) => run.expect.status(answer, 401));
      await refuseStranger('without a token', () => ({ token: null }));
      if (revoked !== null) await refuseStranger('with a revoked token', () => ({ token: revoked }));
    },
  });

/** Revocation and introspection need a bearer token of their scope; a request without credentials is refused (K-009). */
const oauthOperation = (
  logical: 'revokeToken' | 'introspectToken',
  scope: 'oauth:revoke' | 'oauth:introspect',
): DefinedCheck =>
  check({
    ...needsScope(logical, scope),
    gap: 'K-010',
    judge: async (run) => {
      const own = await run.oauth.token([scope]);
      const victim = await victimOf(run);
      const send = (fields: Fields, token: string | null): Promise<Answer> =>
        logical === 'revokeToken' ? run.oauth.revoke(fields, { token }) : run.oauth.introspect(fields, { token });
      // The control may use up its token, and may have to be about one of the same client (RFC 7009 2.1).
      const role = run.oauth.obtainable().get(scope);
      if (!role) throw new MissingScope([scope]);
      const { value } = await attempt(() => run.oauth.spareCredentials(role, { scopes: [scope] }), [MissingCapability]);
      const spare = value?.access ?? (logical === 'introspectToken' ? own : 'cx-was-never-issued');
      const control = await send([['token', spare]], own);
      // A client's secret may do as well (K-009); the interface's table names the scope, so a token with it must.
      run.expect.status(control, '2xx');
      const refusal = (refused: (answer: Answer) => void) =>
        run.expect.negative<{ readonly fields: Fields; readonly token: string | null }>({
          valid: () => ({ fields: [['token', spare]], token: own }),
          send: ({ fields, token }) => send(fields, token),
          refused,
          unharmed: () => run.expect.alive(victim.access, victim.scopes),
        });
      const fields: Fields = [['token', victim.access]];
      const refuse = await refusal((answer) => run.expect.status(answer, 403));
      await run.expect.each(
        'with scope %s alone',
        [...run.oauth.obtainable().keys()].filter((other) => other !== scope),
        async (other) => {
          const token = await run.oauth.token([other], { exact: true });
          await refuse('without the scope', () => ({ fields, token }));
        },
      );
      const refuseStranger = await refusal((answer) => run.expect.status(answer, '4xx'));
      await refuseStranger('without any credential', () => ({ fields, token: null }));
      const revoked = await revokedToken(run);
      if (revoked !== null) await refuseStranger('with a revoked token', () => ({ fields, token: revoked }));
    },
  });

const logicals = operationList.filter(
  ({ logical }, index) => operationList.findIndex((other) => other.logical === logical) === index,
);

/** A check for each operation that needs a scope. */
export const perOperation = logicals.flatMap(({ logical, scope, flag }) => {
  if (scope === undefined) return [];
  if (logical === 'revokeToken' || logical === 'introspectToken') {
    return [oauthOperation(logical, scope as 'oauth:revoke' | 'oauth:introspect')];
  }
  return [dataOperation(logical as GameOperation, flag, scope)];
});
