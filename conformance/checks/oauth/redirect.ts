import { check, observation } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { Fields, Redirect, Run } from '../../engine/run.js';
import { everyTwist, gTwist, redirectMisses, twisted } from '../../generators/oauth.js';
import type { Twist } from '../../generators/oauth.js';
import { anyRole, checkEach, codeRoles, gotCode, noCode, omit, put, reached, refusing, thatSent } from './outcome.js';

/**
 * Whether the browser was sent to the URI that was offered and not to the registered one. Where the two are the same
 * place and differ in query or fragment, it is that difference that tells.
 */
function sentTo(redirect: Redirect, offered: string, registered: string): boolean {
  const { location, query } = redirect;
  if (location === null || !reached(redirect, offered)) return false;
  if (!reached({ location: registered }, offered)) return true;
  const { searchParams, hash } = new URL(offered);
  const own = new URL(registered).searchParams;
  const more = [...searchParams].filter(([name]) => !own.has(name));
  return more.some(([name]) => query.has(name)) || (hash !== '' && location.includes(hash));
}

/** Nothing is handed out, and the browser does not go where an attacker asked it to go. */
function refusedUri(run: Run, redirect: Redirect, fields: Fields, registered: string): void {
  noCode(run, redirect, fields);
  const offered = fields.find(([name]) => name === 'redirect_uri')![1];
  thatSent(run, redirect, !sentTo(redirect, offered, registered), `no redirect to ${offered}`);
}

/** The query that the redirect_uri was registered with is still there. */
function kept(run: Run, { query }: Redirect, redirect_uri: string): void {
  for (const [name, value] of new URL(redirect_uri).searchParams) {
    run.expect.that(
      query.getAll(name).includes(value),
      `${name}=${value} of the redirect_uri to be kept`,
      [...query.keys()].join(' '),
    );
  }
}

/** What else may be wrong with an authorization request whose redirect_uri is. */
const faultsBeside: readonly { readonly what: string; readonly change: (fields: Fields) => Fields }[] = [
  { what: 'response_type=token', change: put('response_type', 'token') },
  { what: 'no code_challenge', change: omit('code_challenge') },
  { what: 'an unknown scope', change: put('scope', 'account:everything') },
];

/** AUTH-REDIR: where codes and errors may be sent (interface 4.1, RFC 6749 3.1.2, 4.1.2.1). */
export const redirectChecks: readonly DefinedCheck[] = [
  checkEach({
    id: 'AUTH-REDIR-002',
    level: 'MUST',
    sentence:
      'A redirect_uri that differs from the registered one is refused, and neither a code nor an error is sent to it.',
    source: '4.1',
    gap: 'K-081',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run, role) => {
      const refuse = await refusing(run, role);
      const { redirect_uri } = run.oauth.authorizationRequest(role);
      const registered = run.oauth.client(role).redirect_uris;
      // A comparison may be loose for addresses of one form only: a few misses of the others too.
      const others = registered
        .filter((uri) => uri !== redirect_uri)
        .slice(0, 3)
        .flatMap((uri) => redirectMisses(uri, { registered, port: false }))
        .filter(({ what }) => /slash|case|query|encoded|place of a port/.test(what));
      await run.expect.each(
        '$what, $uri',
        [...redirectMisses(redirect_uri, { registered, port: false }), ...others],
        ({ uri }) =>
          refuse('refused', put('redirect_uri', uri), (redirect, fields) =>
            refusedUri(run, redirect, fields, redirect_uri),
          ),
      );
      // What is wrong beside it is told to nobody else either (RFC 6749 4.1.2.1).
      const elsewhere = put('redirect_uri', 'https://elsewhere.example/callback');
      await run.expect.each('another host, and $what', faultsBeside, ({ change }) =>
        refuse(
          'refused',
          (fields) => change(elsewhere(fields)),
          (redirect, fields) => refusedUri(run, redirect, fields, redirect_uri),
        ),
      );
    },
  }),

  check({
    id: 'AUTH-REDIR-003',
    level: 'MUST-RFC',
    sentence: 'An unknown client_id leads to no redirect.',
    source: '4.1',
    gap: 'K-006',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const role = anyRole(run);
      const { client_id } = run.oauth.client(role);
      const registered = Object.values(run.facts.target.clients).map((client) => client.client_id);
      const refuse = await refusing(run, role);
      const unknown = async (twist: Twist): Promise<void> => {
        const id = twisted(client_id, twist);
        if (registered.includes(id)) return;
        await refuse(`client_id ${id}`, put('client_id', id), (redirect, fields, { redirect_uri }) => {
          noCode(run, redirect, fields);
          thatSent(run, redirect, !reached(redirect, redirect_uri), `no redirect to ${redirect_uri}`);
          // It would lead to the same request again, and tell the user nothing (RFC 3986 5.2, RFC 6749 4.1.2.1). A hook
          // may write the Location of a page so, which has none.
          const leadsNowhere = redirect.status >= 300 && redirect.status < 400 && redirect.location === '';
          thatSent(run, redirect, !leadsNowhere, 'no redirect with an empty Location');
        });
      };
      await run.expect.each('$kind', everyTwist, unknown);
      await run.expect.property('any client_id that is not registered', gTwist, { share: 0.05 }, unknown);
    },
  }),

  check({
    id: 'AUTH-REDIR-004',
    level: 'MUST',
    sentence: 'A redirect_uri registered only for another client is refused.',
    source: '4.1',
    needs: ['client:confidential', 'client:confidential_other', 'consent'],
    judge: async (run) => {
      const own = run.oauth.client('confidential').redirect_uris;
      const foreign = run.oauth.client('confidential_other').redirect_uris.find((uri) => !own.includes(uri));
      const others = Object.values(run.facts.target.clients).flatMap(({ redirect_uris }) => redirect_uris);
      const uri = foreign ?? others.find((one) => !own.includes(one));
      if (uri === undefined)
        return run.expect.notExercised('no client has a redirect_uri that the confidential one has not');
      const { redirect_uri } = run.oauth.authorizationRequest('confidential');
      const refuse = await refusing(run, 'confidential');
      await refuse(`redirect_uri ${uri} of another client`, put('redirect_uri', uri), (redirect, fields) =>
        refusedUri(run, redirect, fields, redirect_uri),
      );
    },
  }),

  check({
    id: 'AUTH-REDIR-005',
    level: 'MUST-RFC',
    sentence: 'A query in the registered redirect_uri is kept when code and state are added (RFC 6749 3.1.2).',
    source: '4.1',
    needs: [['client:confidential', 'client:public'], 'consent'],
    judge: async (run) => {
      const withQuery = codeRoles(run).flatMap((role) =>
        run.oauth
          .client(role)
          .redirect_uris.filter((uri) => new URL(uri).search !== '')
          .map((redirect_uri) => ({ role, redirect_uri })),
      );
      if (withQuery.length === 0) {
        run.expect.notExercised('no client has a redirect_uri with a query among its redirect_uris in the target');
      }
      await run.expect.each('$redirect_uri', withQuery, async ({ role, redirect_uri }) => {
        const request = run.oauth.authorizationRequest(role, { redirect_uri });
        const redirect = await run.oauth.authorize(request.fields);
        gotCode(run, redirect, request);
        kept(run, redirect, redirect_uri);
        // Errors are added to the query in the same way (RFC 6749 4.1.2.1); that they are redirected is another row's.
        const failed = await run.oauth.authorize(omit('code_challenge')(request.fields));
        if (failed.error !== null && reached(failed, redirect_uri)) kept(run, failed, redirect_uri);
      });
    },
  }),

  observation({
    id: 'AUTH-REDIR-007',
    sentence: "A public client's loopback URI with another port than the registered one may be taken or refused.",
    source: '5.4',
    gap: 'K-081',
    needs: ['client:public', 'consent'],
    observe: async (run, note) => {
      const { redirect_uri } = run.oauth.authorizationRequest('public');
      const other = redirectMisses(redirect_uri).find(({ what }) => what === 'another port')!;
      const redirect = await run.oauth.authorize(
        run.oauth.authorizationRequest('public', { redirect_uri: other.uri }).fields,
      );
      note(
        `A public client's redirect_uri with another port was ${redirect.code !== null && reached(redirect, other.uri) ? 'taken' : 'refused'}.`,
      );
    },
  }),
];
