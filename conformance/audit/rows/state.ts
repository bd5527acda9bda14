import type { Call } from '../call.js';
import type { AuditRow } from '../row.js';
import { each, groups, quote, violation } from '../row.js';
import type { WorldRun } from '../run.js';
import { guessable, triedOrigins } from './entropy.js';
import { authorizations, exchanges } from './requests.js';

const allAuthorizations = (runs: readonly WorldRun[]): { call: Call; world: string }[] =>
  runs.flatMap((run) => authorizations(run).map((call) => ({ call, world: run.world.id })));

/** A value of an authorization request that comes again in another one, in this world or another. */
export function repeated(name: string): NonNullable<AuditRow['across']> {
  return (runs) => {
    const all = allAuthorizations(runs).filter(({ call }) => (call.query.get(name) ?? '') !== '');
    const again = groups(all, ({ call }) => call.query.get(name) ?? '').filter((same) => same.length > 1);
    return {
      exercised: all.length > 1 ? all.length : 0,
      violations: again.map((same) =>
        violation(
          `a new ${name} for each authorization request`,
          `${quote(same[0]!.call.query.get(name))} in ${same.length} requests (${[...new Set(same.map(({ world }) => world))].join(', ')})`,
          ...same.slice(0, 3).map(({ call }) => call),
        ),
      ),
      ...(again[0]?.[0] && { world: again[0][0].world }),
    };
  };
}

/** state: there, unguessable, new, and checked. */
export const state: readonly AuditRow[] = [
  {
    id: 'AUTH-STATE-001',
    level: 'ADVICE',
    sentence: 'state cannot be guessed.',
    source: 'RFC 6749 10.12',
    how: 'Values of fewer than 60 bits, by the alphabet that all of them are made of, numbers, and hashes of the time of the request, of a small number or of the client id can be guessed. RFC 9700 2.1 lets a client rely on PKCE against forged callbacks, so this never fails.',
    across: (runs) => {
      const all = runs.flatMap((run) =>
        authorizations(run)
          .map((call) => ({ call, run, state: call.query.get('state') ?? '' }))
          .filter(({ state }) => state !== ''),
      );
      const states = all.map(({ state }) => state);
      const wrong = all.flatMap(({ call, run, state }, index) => {
        const born = run.epoch === 0 ? 0 : run.epoch + call.at;
        const reason = guessable(state, states, born, call.query.get('client_id') ?? '', index < triedOrigins);
        const what = `${quote(state)}: ${reason}`;
        return reason === undefined ? [] : [{ run, found: violation('a state that nobody can guess', what, call) }];
      });
      return {
        exercised: all.length,
        violations: wrong.map(({ found }) => found),
        ...(wrong[0] && { world: wrong[0].run.world.id }),
      };
    },
  },
  {
    id: 'AUTH-STATE-002',
    level: 'ADVICE',
    sentence: 'state is new for each authorization request.',
    source: 'RFC 6749 10.12',
    how: 'The values of all authorization requests of all worlds are compared. RFC 9700 2.1 lets a client rely on PKCE against forged callbacks, so this never fails.',
    across: repeated('state'),
  },
  {
    id: 'AUTH-STATE-003',
    level: 'MUST',
    sentence:
      'The state returned is checked against the one generated: a code that comes with another state is not exchanged.',
    source: '5.5',
    how: 'In the worlds forged-callback, forged-last, forged-prefix, forged-case, forged-before and forged-behind the browser first delivers a code with a different state, in forged-callback also half a second after the real one; in forged-earlier, with that of a login before; in stateless-callback, with none or an empty one, and with none again when the client may have given the login up.',
    judge: (run) => {
      const forged = run.visits.flatMap(({ callbacks }) =>
        callbacks.filter(({ kind, code, status }) => kind === 'forged' && code && status !== null),
      );
      return each(forged, ({ code }) => {
        const call = exchanges(run).find(({ form }) => form.get('code') === code);
        return (
          call &&
          violation(
            'the code of a callback with a different state left alone',
            'it was sent to the token endpoint',
            call,
          )
        );
      });
    },
  },
];
