import type { Call } from '../call.js';
import type { AuditRow } from '../row.js';
import { each, quote, violation } from '../row.js';
import { authorizations, exchanges, own, requestOf, scopesIn, visitOf } from './requests.js';

export const has =
  (name: string, wanted: (value: string) => boolean, expected: string): NonNullable<AuditRow['judge']> =>
  (run) =>
    each(authorizations(run), (call) => {
      const value = call.query.get(name);
      return value !== null && wanted(value) ? undefined : violation(`${name} ${expected}`, quote(value), call);
    });

/** The authorization request. */
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
      each(authorizations(run), (call) => {
        if (call.status !== 400 || !/redirect_uri/.test(call.reason ?? '')) return undefined;
        const [, registered] = (call.reason ?? '').split('; registered: ');
        return violation(
          `a registered redirect_uri${registered === undefined ? '' : `: ${registered}`} (redirect_uris of the client plan registers others)`,
          quote(call.query.get('redirect_uri')),
          call,
        );
      }),
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
    id: 'AUTH-REDIR-004',
    level: 'ADVICE',
    sentence: 'The listener of a desktop client accepts connections only on loopback.',
    source: 'RFC 8252 8.3',
    how: 'On Linux, the list of sockets is read while the client waits for its callback. In a container a client has to listen on all addresses.',
    judge: (run) =>
      each(
        authorizations(run).flatMap((call) => {
          const { exposed } = visitOf(run, call) ?? {};
          const desktop = run.facts.clients.get(call.query.get('client_id') ?? '')?.public === true;
          return exposed !== undefined && desktop ? [{ call, exposed }] : [];
        }),
        ({ call, exposed }) =>
          exposed ? violation('a listener on the loopback', 'one on all addresses of the machine', call) : undefined,
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
    sentence: 'scope is a list separated by spaces, of scopes that exist.',
    source: '4.1',
    how: 'The mock refuses any other; its clients may ask for every scope that a user can grant. One space stands between two of them (RFC 6749 3.3), and none before or behind them.',
    judge: (run) =>
      each(authorizations(run), (call) => {
        if (call.replyHeaders.location?.includes('error=invalid_scope'))
          return violation('scopes of the interface', quote(call.query.get('scope')), call);
        return /^ | {2}| $/.test(call.query.get('scope') ?? '')
          ? violation('one space between two scopes, and no other', JSON.stringify(call.query.get('scope')), call)
          : undefined;
      }),
  },
  {
    id: 'AUTH-SCOPE-003',
    level: 'ADVICE',
    sentence: 'The client asks only for scopes that it uses.',
    source: 'RFC 6749 10.3',
    // What is asked for at a path that does not exist needs no scope.
    follows: ['ADDR-PATH-001'],
    how: 'The scopes asked for are compared with those that its data requests needed, in the calm world. One run does not show all that a client does, so this never fails.',
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
];

/** The parameters that an authorization request must have (interface 4.1). */
export const required = [
  'client_id',
  'response_type',
  'scope',
  'state',
  'redirect_uri',
  'code_challenge',
  'code_challenge_method',
];

const scopesOf = ({ query }: Call): string[] => scopesIn(query.get('scope'));
