import type { Code, Fields, Grant, Run } from '../../engine/run.js';
import { grantOf } from '../../engine/session.js';
import type { Role } from '../../target/target.js';
import { member } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';
import { codeRoles, replaced, without } from './outcome.js';

/** A code and the fields of its exchange. */
export interface Exchange {
  readonly code: Code;
  readonly fields: Fields;
}

/** An exchange that works, to be changed in one thing. */
export const exchanging = (run: Run, role: Role, refused: (answer: Answer, exchange: Exchange) => void) =>
  run.expect.negative<Exchange>({
    valid: async () => {
      const code = await run.oauth.code(role);
      return { code, fields: run.oauth.exchangeFields(code) };
    },
    send: ({ fields }) => run.oauth.tokenRequest(fields),
    refused,
  });

/** The exchange with one field changed, or left out where there is no value. */
export const changed =
  (name: string, value?: (old: string, code: Code) => string) =>
  ({ code, fields }: Exchange): Exchange => {
    const old = fields.find(([key]) => key === name)?.[1] ?? '';
    return { code, fields: value ? replaced(fields, name, value(old, code)) : without(fields, name) };
  };

/** The exchange without a field, by each kind of client. */
export const omission = (name: string, errors: readonly string[]) => (run: Run) =>
  run.expect.each(
    codeRoles(run),
    (role) => `client ${role}`,
    async (role) => {
      const refuse = await exchanging(run, role, (answer) => run.expect.oauthError(answer, errors));
      await refuse(`without ${name}`, changed(name));
    },
  );

/** A token response: 200 with a token. */
export function issued(run: Run, role: Role, account: string | null, answer: Answer): Grant {
  run.expect.status(answer, 200);
  const token = member(answer.json, 'access_token');
  run.expect.that(
    typeof token === 'string' && token !== '',
    'an access_token',
    token === '' ? 'an empty text' : typeof token,
  );
  return grantOf(role, account, answer);
}
