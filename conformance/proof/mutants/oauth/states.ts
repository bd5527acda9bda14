import { intercept, mutants, operator } from '../../mutant.js';
import { mapQuery, parameterOf, redirect } from '../../operators/oauth.js';
import { mapRedirect, withParameter } from '../../operators/oauth.js';

/** What `change` makes of a state, where it can be done. */
const attempted = (change: (state: string) => string, state: string): string => {
  try {
    return change(state);
  } catch {
    return state;
  }
};

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Redirects with an error that lack the state. */
const loseState = operator('loseState', (_, error: string) =>
  mapRedirect('state', (_, location) => (location.includes(`error=${error}`) ? null : undefined)),
);

export const states = mutants({
  'AUTH-STATE-001 long: a state is cut after 128 characters': () =>
    mapRedirect('state', (state) => state.slice(0, 128)),
  'AUTH-STATE-001 column: a state is cut after 255 characters': () =>
    mapRedirect('state', (state) => state.slice(0, 255)),
  'AUTH-STATE-001 twice: a state is decoded twice': () =>
    mapRedirect('state', (state) => attempted(decodeURIComponent, state)),
  'AUTH-STATE-001 html: a state is escaped for HTML': () =>
    mapRedirect('state', (state) => state.replace(/[&<>"]/g, (one) => escapes[one]!)),
  'AUTH-STATE-001 number: a state of digits is read as a number': () =>
    mapRedirect('state', (state) => (/^\d+$/.test(state) ? String(Number(state)) : state)),
  'AUTH-STATE-001 json: a state that is JSON is read and written anew': () =>
    mapRedirect('state', (state) => attempted((text) => JSON.stringify(JSON.parse(text)), state)),
  'AUTH-STATE-001 hex: the escapes in a state are put in lower case': () =>
    mapRedirect('state', (state) => state.replace(/%[0-9A-F]{2}/g, (one) => one.toLowerCase())),
  'AUTH-STATE-001 quote: a quotation mark in a state gets a backslash': () =>
    mapRedirect('state', (state) => state.replaceAll(/["']/g, String.raw`\$&`)),
  'AUTH-STATE-001 words: the words null, undefined, false and 0 are no state': () =>
    mapQuery('state', (state) => (/^(null|undefined|false|0)$/.test(state ?? '') ? null : state)),
  'AUTH-STATE-001 blank: a state of spaces is no state': () =>
    mapQuery('state', (state) => (state && state.trim() === '' ? null : state)),
  'AUTH-STATE-001 short: a state of fewer than 8 characters is refused': () =>
    mapQuery('state', (state) => (state && state.length < 8 ? null : state)),
  'AUTH-STATE-001 percent: a percent sign in a state is not encoded': () =>
    redirect((location) => location?.replaceAll('%25', '%')),
  "AUTH-STATE-001 first: a user's second authorization comes back with the state of the first": () =>
    intercept((at) => {
      const first = new Map<string, string>();
      at.redirect((location, { query }) => {
        const state = parameterOf(location, 'state');
        const id = query.get('client_id') ?? '';
        if (location === null || state === null || !location.includes('code=')) return location;
        if (!first.has(id)) first.set(id, state);
        return withParameter(location, 'state', first.get(id)!);
      });
    }),
  'AUTH-STATE-002 encoded: a redirected error carries the state as it was encoded': () =>
    mapRedirect('state', (state, to) => (to.includes('error=') ? encodeURIComponent(state) : undefined)),
  'AUTH-STATE-002 scope: a refused scope is told without state': () => loseState('invalid_scope'),
  'AUTH-STATE-002 type: a refused response_type is told without state': () => loseState('unsupported_response_type'),
  'AUTH-STATE-002 denial: a denial is told without state': () => loseState('access_denied'),
  'AUTH-STATE-003: state comes twice in the redirect': () =>
    redirect((location) => {
      const state = parameterOf(location, 'state');
      return state === null ? location : `${location}&state=${encodeURIComponent(state)}`;
    }).exercise('AUTH-REQ-001'),
});
