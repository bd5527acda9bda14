import type { DefinedCheck } from '../../engine/check.js';
import type { Code, Fields, Grant, Run, Situation } from '../../engine/run.js';
import { grantOf } from '../../engine/grants.js';
import type { Requirement } from '../../requirement.js';
import type { Role } from '../../target/target.js';
import { member } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';
import { checkEach, omit } from './outcome.js';

/** An exchange that works, to be changed in one thing, and refused; `errors` are right for it. */
export async function exchanging(
  run: Run,
  role: Role,
  errors: readonly string[] | ((fields: Fields) => Situation),
  code: () => Promise<Code> = () => run.oauth.code(role),
) {
  const refuse = await run.expect.negative<{ readonly code: Code; readonly fields: Fields }>({
    valid: async () => {
      const own = await code();
      return { code: own, fields: run.oauth.exchangeFields(own) };
    },
    send: ({ fields }) => run.oauth.tokenRequest(fields),
    refused: (answer, { fields }) =>
      run.expect.refused(answer, typeof errors === 'function' ? errors(fields) : { errors }),
  });
  return (what: string, change: (fields: Fields, code: Code) => Fields | Promise<Fields>): Promise<Answer> =>
    refuse(what, async (own) => ({ ...own, fields: await change(own.fields, own.code) }));
}

/** A changed exchange that is sent a second time: a refusal holds for the next attempt as well. */
export const again =
  (run: Run, change: (fields: Fields) => Fields) =>
  async (fields: Fields): Promise<Fields> => {
    const changed = change(fields);
    await run.oauth.tokenRequest(changed);
    return changed;
  };

/** The exchange without a field, by each kind of client. */
export const omission = (requirement: Requirement, name: string, errors: readonly string[]): DefinedCheck =>
  checkEach({
    ...requirement,
    judge: async (run, role) => {
      // What holds for one user holds for the next.
      for (const account of ['alice', 'bob'].filter((one) => run.oauth.accounts().includes(one))) {
        const refuse = await exchanging(run, role, errors, () => run.oauth.code(role, { account }));
        await refuse(`without ${name}, by ${account}`, omit(name));
      }
    },
  });

/** A success with a token; what else the response holds is judged by rows of its own (TOK-RESP). */
export function issued(run: Run, role: Role, account: string | null, answer: Answer): Grant {
  run.expect.status(answer, '2xx');
  const token = member(answer.json, 'access_token');
  run.expect.that(
    typeof token === 'string' && token !== '',
    'an access_token',
    token === '' ? 'an empty text' : typeof token,
  );
  return grantOf(role, account, answer);
}
