import type { Json } from '../../interceptor/interceptor.js';
import { mutants, operator } from '../../mutant.js';
import { clientOf, errorLocation, parameterOf, redirect } from '../../operators/oauth.js';
import { mapRedirect, withParameter } from '../../operators/oauth.js';

/** Redirect URIs that are found among a client's own although they do not stand there. */
const findUri = operator(
  'findUri',
  (at, isFound: (uri: string, own: readonly string[], all: readonly string[]) => boolean) =>
    at.clients(({ redirectUris: own }) => ({
      redirectUris: Object.assign([...own], {
        includes(uri: string) {
          const all = [...at.service.authority.clients.values()].flatMap(({ redirectUris }) => redirectUris);
          const found = !own.includes(uri) && isFound(uri, own, all);
          if (found) at.acted();
          return found || own.includes(uri);
        },
      }),
    })),
);

export const redirects = mutants({
  'AUTH-STATE-001 M-AZ-01: state is not encoded in the redirect, and so cut at the first & or #': () =>
    redirect((location) => {
      const state = parameterOf(location, 'state');
      return state === null ? location : location?.replace(/([?&]state=)[^&]*/, (_, name: string) => name + state);
    }),
  'AUTH-STATE-001 M-AZ-03: + in state becomes a space': () =>
    mapRedirect('state', (state) => state.replaceAll('+', ' ')),
  'AUTH-STATE-001 M-AZ-04: state is put in lower case': () => mapRedirect('state', (state) => state.toLowerCase()),
  'AUTH-STATE-001 M-AZ-04-trim: state is trimmed': () => mapRedirect('state', (state) => state.trim()),
  'AUTH-STATE-002: redirected errors have no state': () =>
    redirect((location) => (location?.includes('error=') ? location.replace(/([?&])state=[^&]*&?/, '$1') : location)),
  'AUTH-REDIR-001 M-AD-12: the redirect target gets a slash at its end': () =>
    redirect((location) => location?.replace(/^([^?]*)\?/, '$1/?')),
  'AUTH-REDIR-005: the query of the registered redirect_uri is lost': () =>
    redirect((location) => location?.replace('tenant=7&', '')),
  'AUTH-REDIR-002 M-AZ-11: redirect_uri is matched by its beginning': () =>
    findUri((uri, own) => own.some((registered) => uri.startsWith(registered))),
  'AUTH-REDIR-002 port: a loopback address may have anything short where its port stands': () =>
    findUri((uri, own) => own.some((one) => one === uri.replace(/^(http:\/\/127\.0\.0\.1):\D{1,5}(?=\/)/, '$1'))),
  'AUTH-REDIR-004 M-AZ-14: a redirect_uri of any registered client is accepted': () =>
    findUri((uri, _, all) => all.includes(uri)),
  'AUTH-REDIR-003 M-AZ-16: with an unknown client_id the browser is sent to the offered address, with an error': () =>
    redirect((location, { query }, at) => {
      const uri = query.get('redirect_uri');
      if (location !== null || uri === null || clientOf(query, at)) return location;
      return errorLocation(uri, 'unauthorized_client', query);
    }),
  'AUTH-REDIR-002 beside: what else is wrong with a request is told to the address that it offers': () =>
    redirect((location, { query }) => {
      const uri = query.get('redirect_uri');
      const isWrong = query.get('response_type') !== 'code' || !query.has('code_challenge');
      return location === null && uri !== null && isWrong ? errorLocation(uri, 'invalid_request', query) : location;
    }),
  'AUTH-ERR-002 M-AD-14: error_description carries quotes from user input': () =>
    redirect((location, { query }) => {
      if (!location?.includes('error=')) return location;
      return withParameter(location, 'error_description', `not for "${query.get('scope') ?? ''}"`);
    }),
  'AUTH-ERR-003: failures of good clients are shown on a page': () =>
    redirect((location, { reply }) => {
      const page = { status: 400, location: null, body: '<p>That did not work.</p>' };
      if (location?.includes('error=')) Object.assign((reply.json ?? {}) as Json, page);
      return location;
    }),
  'AUTH-ERR-003 first: errors are sent to the first redirect_uri of a client': () =>
    redirect((location, { query }, at) => {
      if (location === null || parameterOf(location, 'error') === null) return location;
      const first = clientOf(query, at)?.redirectUris[0];
      const named = query.get('redirect_uri');
      if (first === undefined || named === null || named === first) return location;
      const { searchParams } = new URL(location);
      for (const name of new URL(named).searchParams.keys()) searchParams.delete(name);
      return `${first}${first.includes('?') ? '&' : '?'}${searchParams.toString()}`;
    }),
});
