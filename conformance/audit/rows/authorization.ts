import { createHash } from 'node:crypto';

import type { AuditRow } from '../row.js';
import { each, groups, quote, violation } from '../row.js';
import type { Call } from '../call.js';
import type { WorldRun } from '../run.js';
import { authorizations, exchanges, own, probes } from './requests.js';
import { bitsOf, guessable, structureOf } from './entropy.js';

const has =
  (name: string, wanted: (value: string) => boolean, expected: string): NonNullable<AuditRow['judge']> =>
  (run) =>
    each(authorizations(run), (call) => {
      const value = call.query.get(name);
      return value !== null && wanted(value) ? undefined : violation(`${name} ${expected}`, quote(value), call);
    });

const allAuthorizations = (runs: readonly WorldRun[]): { call: Call; world: string }[] =>
  runs.flatMap((run) => authorizations(run).map((call) => ({ call, world: run.world.id })));

/** A value of an authorization request that comes again in another one, in this world or another. */
function repeated(name: string): NonNullable<AuditRow['across']> {
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

const verifiers = (runs: readonly WorldRun[]): { verifier: string; call: Call; run: WorldRun }[] =>
  runs.flatMap((run) =>
    exchanges(run).flatMap((call) => {
      const verifier = call.form.get('code_verifier') ?? '';
      return verifier === '' ? [] : [{ verifier, call, run }];
    }),
  );

/** The authorization request that an exchange completes: the one whose challenge fits the verifier. */
const requestOf = (run: WorldRun, exchange: Call): Call | undefined => {
  const challenge = createHash('sha256')
    .update(exchange.form.get('code_verifier') ?? '')
    .digest('base64url');
  return authorizations(run).find((call) => call.query.get('code_challenge') === challenge);
};

export const authorization: readonly AuditRow[] = [
  {
    id: 'AUTH-PARAM-001',
    level: 'MUST',
    sentence:
      'An authorization request carries client_id, response_type, scope, state, redirect_uri, code_challenge and code_challenge_method.',
    source: '4.1',
    how: 'The query of every authorization request is read.',
    judge: (run) =>
      each(authorizations(run), (call) => {
        const missing = required.filter((name) => (call.query.get(name) ?? '') === '');
        return missing.length === 0
          ? undefined
          : violation('all of its required parameters', `no ${missing.join(', ')}`, call);
      }),
  },
  {
    id: 'AUTH-PARAM-002',
    level: 'MUST-RFC',
    sentence: 'No parameter of an authorization request is sent more than once.',
    source: 'RFC 6749 3.1',
    how: 'Names in the query of every authorization request are counted.',
    judge: (run) =>
      each(authorizations(run), (call) => {
        const twice = [...call.query.keys()].find((name) => call.query.getAll(name).length > 1);
        return twice === undefined ? undefined : violation('each parameter once', `${twice} twice`, call);
      }),
  },
  {
    id: 'AUTH-TYPE-001',
    level: 'MUST',
    sentence: 'response_type is always code.',
    source: '4.1',
    how: 'The query of every authorization request is read.',
    judge: has('response_type', (value) => value === 'code', 'code'),
  },
  {
    id: 'AUTH-STATE-001',
    level: 'MUST-RFC',
    sentence: 'state cannot be guessed.',
    source: 'RFC 6749 10.12',
    how: 'Values of fewer than 60 bits, by the alphabet that all of them are made of, numbers, and hashes of the time of the request can be guessed.',
    across: (runs) => {
      const all = runs.flatMap((run) =>
        authorizations(run)
          .map((call) => ({ call, run, state: call.query.get('state') ?? '' }))
          .filter(({ state }) => state !== ''),
      );
      const states = all.map(({ state }) => state);
      const wrong = all.flatMap(({ call, run, state }) => {
        const reason = guessable(state, states, run.epoch, call.at);
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
    level: 'MUST-RFC',
    sentence: 'state is new for each authorization request.',
    source: 'RFC 6749 10.12',
    how: 'The values of all authorization requests of all worlds are compared.',
    across: repeated('state'),
  },
  {
    id: 'AUTH-STATE-003',
    level: 'MUST',
    sentence:
      'The state returned is checked against the one generated: a code that comes with another state is not exchanged.',
    source: '5.5',
    how: 'In the world forged-callback the browser delivers a code with a foreign state first.',
    judge: (run) => {
      const forged = run.visits.flatMap(({ callbacks }) =>
        callbacks.filter(({ kind, code, status }) => kind === 'forged' && code && status !== null),
      );
      return each(forged, ({ code }) => {
        const call = exchanges(run).find(({ form }) => form.get('code') === code);
        return (
          call &&
          violation('the code of a callback with a foreign state left alone', 'it was sent to the token endpoint', call)
        );
      });
    },
  },
  {
    id: 'AUTH-PKCE-001',
    level: 'MUST',
    sentence: 'code_challenge is the base64url of a SHA-256 hash: 43 characters without padding.',
    source: '4.1',
    how: 'The query of every authorization request is read.',
    judge: has('code_challenge', (value) => /^[\w-]{43}$/.test(value), 'of 43 characters of base64url'),
  },
  {
    id: 'AUTH-PKCE-002',
    level: 'MUST',
    sentence: 'code_challenge_method is S256.',
    source: '4.1',
    how: 'The query of every authorization request is read.',
    judge: has('code_challenge_method', (value) => value === 'S256', 'S256'),
  },
  {
    id: 'AUTH-PKCE-003',
    level: 'MUST-RFC',
    sentence: 'code_verifier has 43 to 128 characters, all of them unreserved.',
    source: 'RFC 7636 4.1',
    how: 'The form of every code exchange is read.',
    judge: (run) =>
      each(verifiers([run]), ({ verifier, call }) =>
        /^[\w.~-]{43,128}$/.test(verifier)
          ? undefined
          : violation(
              '43 to 128 unreserved characters',
              `${verifier.length} characters, such as ${quote(verifier.replaceAll(/[\w.~-]/g, '').slice(0, 5) || verifier.slice(0, 5))}`,
              call,
            ),
      ),
  },
  {
    id: 'AUTH-PKCE-004',
    level: 'MUST',
    sentence: 'code_verifier has the entropy of at least 32 bytes.',
    source: '4.1',
    how: 'The alphabet and the length of all verifiers bound their entropy; texts, times of day and hashes of them, and parts that all verifiers share, are found out.',
    across: (runs) => {
      const all = verifiers(runs);
      const texts = all.map(({ verifier }) => verifier);
      const bits = bitsOf(texts);
      return {
        ...each(all, ({ verifier, call, run }) => {
          const request = requestOf(run, call);
          const structure = structureOf(verifier, texts, run.epoch, request);
          if (structure !== undefined)
            return violation('32 random bytes', structure, ...(request ? [request] : []), call);
          return bits < 240
            ? violation(
                'the entropy of 32 bytes, 256 bits',
                `at most ${Math.round(bits)} bits: ${verifier.length} characters of a small alphabet`,
                call,
              )
            : undefined;
        }),
        ...(all[0] && { world: all[0].run.world.id }),
      };
    },
  },
  {
    id: 'AUTH-PKCE-005',
    level: 'MUST-RFC',
    sentence: 'code_verifier is new for each authorization request.',
    source: 'RFC 7636 4.1',
    how: 'The challenges of all authorization requests of all worlds are compared.',
    across: repeated('code_challenge'),
  },
  {
    id: 'AUTH-PKCE-006',
    level: 'MUST-RFC',
    sentence: 'code_verifier goes to the token endpoint alone, with the code.',
    source: 'RFC 7636 4.5',
    how: 'All other requests are searched for the verifier.',
    judge: (run) =>
      each(verifiers([run]), ({ verifier, call }) => {
        const leak = run.calls.find(
          (one) => one.operation !== 'issueToken' && (one.target.includes(verifier) || one.body.includes(verifier)),
        );
        return (
          leak &&
          violation('the verifier in the code exchange only', `it stands in ${leak.method} ${leak.path}`, leak, call)
        );
      }),
  },
  {
    id: 'AUTH-PKCE-007',
    level: 'MUST',
    sentence: 'The code exchange carries the code_verifier whose hash was sent as code_challenge.',
    source: '4.1',
    how: 'The verifier of every exchange is hashed and looked for among the challenges of the authorization requests.',
    judge: (run) =>
      each(
        exchanges(run).filter(() => authorizations(run).length > 0),
        (call) => {
          if (!call.form.get('code_verifier')) return violation('a code_verifier', 'none', call);
          return requestOf(run, call)
            ? undefined
            : violation('the verifier of an authorization request', 'one whose SHA-256 hash no request carried', call);
        },
      ),
  },
  {
    id: 'AUTH-REDIR-001',
    level: 'MUST',
    sentence: 'redirect_uri of the code exchange is the one the code was received with.',
    source: '4.1',
    how: 'Both requests are compared.',
    judge: (run) =>
      each(
        exchanges(run).flatMap((call) => {
          const request = requestOf(run, call);
          return request ? [{ call, request }] : [];
        }),
        ({ call, request }) => {
          const [asked, sent] = [request.query.get('redirect_uri'), call.form.get('redirect_uri')];
          return asked === sent ? undefined : violation(quote(asked), quote(sent), request, call);
        },
      ),
  },
  {
    id: 'AUTH-REDIR-002',
    level: 'MUST',
    sentence: "redirect_uri matches one of the client's registered URIs.",
    source: '4.1',
    how: 'The mock refuses any other; a public client may take any port of the loopback (RFC 8252 7.3).',
    judge: (run) =>
      each(authorizations(run), (call) =>
        call.status === 400 && /redirect_uri/.test(call.reason ?? '')
          ? violation('a registered redirect_uri', quote(call.query.get('redirect_uri')), call)
          : undefined,
      ),
  },
  {
    id: 'AUTH-REDIR-003',
    level: 'ADVICE',
    sentence: 'A desktop client listens on a loopback address, not on the name localhost.',
    source: 'RFC 8252 8.3',
    how: 'The host in redirect_uri of public clients is read.',
    judge: (run) =>
      each(
        authorizations(run).filter(
          ({ query }) =>
            (query.get('redirect_uri') ?? '').startsWith('http:') &&
            run.facts.clients.get(query.get('client_id') ?? '')?.public === true,
        ),
        (call) =>
          /^http:\/\/localhost[:/]/.test(call.query.get('redirect_uri') ?? '')
            ? violation('127.0.0.1 or [::1]', 'localhost', call)
            : undefined,
      ),
  },
  {
    id: 'AUTH-SCOPE-001',
    level: 'MUST',
    sentence: 'service:* scopes are not asked of a user: they need client_credentials.',
    source: '5.7',
    how: 'The scope of every authorization request is read.',
    judge: (run) =>
      each(authorizations(run), (call) => {
        const [scope] = scopesOf(call).filter((name) => name.startsWith('service:'));
        return scope === undefined ? undefined : violation('scopes that a user can grant', scope, call);
      }),
  },
  {
    id: 'AUTH-SCOPE-002',
    level: 'MUST',
    sentence: 'scope is a list separated by spaces, of scopes that exist and that the application may have.',
    source: '4.1',
    how: 'The mock refuses any other.',
    judge: (run) =>
      each(authorizations(run), (call) =>
        call.replyHeaders.location?.includes('error=invalid_scope')
          ? violation('scopes of the application', quote(call.query.get('scope')), call)
          : undefined,
      ),
  },
  {
    id: 'AUTH-SCOPE-003',
    level: 'ADVICE',
    sentence: 'The client asks only for scopes that it uses.',
    source: 'RFC 9700 2.3',
    how: 'The scopes asked for are compared with those that its data requests needed, in the calm world.',
    judge: (run) => {
      if (run.world.id !== 'calm' || !run.ended) return { exercised: 0, violations: [] };
      const used = new Set<string>(own(run).flatMap(({ scope }) => scope ?? []));
      return each(authorizations(run), (call) => {
        const idle = scopesOf(call).filter((scope) => scope.startsWith('account:') && !used.has(scope));
        return idle.length === 0 || used.size === 0
          ? undefined
          : violation('scopes of the operations that it calls', `also ${idle.join(', ')}`, call);
      });
    },
  },
  {
    id: 'AUTH-ERROR-001',
    level: 'MUST',
    sentence: 'An error redirect is the outcome of the request: no code is exchanged for it.',
    source: '4.1',
    how: 'In the world denied the user refuses; nothing may reach the token endpoint with grant_type authorization_code then.',
    judge: (run) => {
      const denied =
        run.world.browser === 'deny'
          ? run.visits.filter(({ callbacks }) =>
              callbacks.some(({ kind, status }) => kind === 'answer' && status !== null),
            )
          : [];
      return each(denied, () => {
        const [call] = exchanges(run);
        return call && violation('no code exchange after access_denied', 'one', call);
      });
    },
  },
  {
    id: 'AUTH-ERROR-002',
    level: 'ADVICE',
    sentence: 'A user who refused is not asked again at once.',
    source: 'RFC 6749 4.1.2.1',
    how: 'Authorization requests in the world denied are counted.',
    judge: (run) => {
      const all = run.world.browser === 'deny' ? authorizations(run) : [];
      return {
        exercised: all.length,
        violations:
          all.length > 2 * run.endings.length + 1
            ? [violation('one authorization request, perhaps two', `${all.length}`, ...all.slice(0, 3))]
            : [],
      };
    },
  },
  {
    id: 'AUTH-STRAY-001',
    level: 'MUST',
    sentence:
      'A request to the listener that carries neither a code nor an error is no outcome: it does not end the flow.',
    source: '4.1',
    how: 'In the world stray-connection the browser opens a silent connection and asks for /favicon.ico before it follows the redirect.',
    judge: (run) => {
      const strays = run.visits.filter(({ callbacks }) => callbacks.some(({ kind }) => kind === 'stray'));
      if (run.endedInCalm === undefined) return { exercised: 0, violations: [] };
      if (!run.endedInCalm) return { exercised: 0, violations: [], ...(strays.length > 0 && { obstacle: calmFirst }) };
      return each(strays, ({ callbacks }) => {
        const answer = callbacks.find(({ kind }) => kind === 'answer');
        if (answer?.status === null && !run.ended)
          return violation(
            'the redirect taken after a stray request',
            'the listener was gone, and the client ended without success',
          );
        return run.ended ? undefined : violation('the flow completed', 'the client ended without success');
      });
    },
  },
  {
    id: 'AUTH-CODE-001',
    level: 'MUST-RFC',
    sentence: 'An authorization code is not used more than once.',
    source: 'RFC 6749 4.1.2',
    how: 'Codes that were exchanged with success are looked for in later exchanges.',
    judge: (run) =>
      each(
        exchanges(run).filter((call) => call.status === 200 && call.delivery === 'sent'),
        (first) => again(run, first, 'one exchange of a code'),
      ),
  },
  {
    id: 'AUTH-CODE-002',
    level: 'SHOULD-RFC',
    sentence: 'A code that was refused with invalid_grant is not tried again.',
    source: 'RFC 6749 4.1.2',
    how: 'In the world late-code the code has expired when it comes; it is looked for in later exchanges, of which one with another client authentication is let pass.',
    judge: (run) =>
      each(
        exchanges(run).filter((call) => call.status === 400 && /invalid_grant/.test(call.text)),
        (first) => again(run, first, 'a refused code left alone'),
      ),
  },
  {
    id: 'AUTH-CODE-003',
    level: 'MUST',
    sentence: 'An authorization code is exchanged within its 30 seconds.',
    source: '5.5',
    how: 'The time between the redirect and the exchange is measured, where the world does not delay it.',
    judge: (run) =>
      each(
        run.world.browser === 'late'
          ? []
          : exchanges(run).filter(({ form }) =>
              run.visits.some(({ callbacks }) => callbacks.some(({ code }) => code === form.get('code'))),
            ),
        (call) => {
          const at = run.visits
            .flatMap(({ callbacks }) => callbacks)
            .find(({ code }) => code === call.form.get('code'))!.at;
          return call.at - at > 30_000
            ? violation('at most 30 seconds', `${Math.round((call.at - at) / 1000)} seconds`, call)
            : undefined;
        },
      ),
  },
];

const required = [
  'client_id',
  'response_type',
  'scope',
  'state',
  'redirect_uri',
  'code_challenge',
  'code_challenge_method',
];

export const calmFirst = 'the client does not end with success in the calm world; nothing can be compared with that';

const scopesOf = ({ query }: Call): string[] => (query.get('scope') ?? '').split(' ').filter((scope) => scope !== '');

function again(run: WorldRun, first: Call, expected: string): ReturnType<typeof violation> | undefined {
  const next = exchanges(run).find(
    (call) =>
      call.number > first.number &&
      call.form.get('code') === first.form.get('code') &&
      !(first.status !== 200 && probes(first, call)),
  );
  return next && violation(expected, 'the same code again', first, next);
}
