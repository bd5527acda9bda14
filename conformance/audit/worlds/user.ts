import { markup, scripted } from '../markup.js';
import { authorizations } from '../rows/requests.js';
import { asksUser, ends, visited } from './conditions.js';
import type { PlannedWorld } from './conditions.js';

/** The user and the browser. */
export const user: readonly PlannedWorld[] = [
  {
    id: 'forged-callback',
    title: 'A callback with a different state comes first, and another one when the login is done',
    because: 'Anybody on the machine can send one; 5.5 has the client check the state.',
    browser: 'forge',
    needs: visited,
  },
  {
    id: 'stateless-callback',
    title: 'A callback without a state comes first, and one with an empty state',
    because: 'Anybody on the machine can send one; 4.1 has the service return the state unchanged.',
    browser: 'forge-stateless',
    needs: visited,
  },
  {
    id: 'forged-last',
    title: 'A callback comes first whose state differs in the last character',
    because: 'Anybody on the machine can send one; RFC 6749 10.12 has the client compare the values.',
    browser: 'forge-last',
    needs: visited,
  },
  {
    id: 'forged-prefix',
    title: 'A callback comes first whose state lacks the last character',
    because: 'Anybody on the machine can send one; RFC 6749 10.12 has the client compare the values.',
    browser: 'forge-prefix',
    needs: visited,
  },
  {
    id: 'forged-case',
    title: 'A callback comes first whose state has capitals for small letters',
    because: 'Anybody on the machine can send one; RFC 6749 10.12 has the client compare the values.',
    browser: 'forge-case',
    needs: visited,
  },
  {
    id: 'forged-before',
    title: 'A callback comes first whose state has one character more before it',
    because: 'Anybody on the machine can send one; RFC 6749 10.12 has the client compare the values.',
    browser: 'forge-before',
    needs: visited,
  },
  {
    id: 'forged-behind',
    title: 'A callback comes first whose state has one character more behind it',
    because: 'Anybody on the machine can send one; RFC 6749 10.12 has the client compare the values.',
    browser: 'forge-behind',
    needs: visited,
  },
  {
    id: 'forged-earlier',
    title: 'The user revokes the access, and in the next login a callback with the state of the first one comes first',
    because: 'Anybody who has seen the first can send one; RFC 6749 10.12 has the client compare the values.',
    browser: 'forge-earlier',
    events: [{ when: { data: 1 }, do: 'revoke-user' }],
    again: true,
    needs: visited,
  },
  {
    id: 'forged-error',
    title: 'A callback with a different state comes first, and says that the user refused',
    because:
      'Anybody on the machine can send one; 5.5 has the client check the state, which 4.1 returns with an error too.',
    browser: 'forge-error',
    needs: visited,
  },
  {
    id: 'held-connection',
    title: 'The browser opens a silent connection, and keeps it while it follows the redirect on another',
    because: 'Browsers open connections ahead of time, and keep those that they do not use.',
    browser: 'hold',
    needs: visited,
  },
  {
    id: 'stray-connection',
    title: 'The browser opens a silent connection, and asks for an icon',
    because: 'Browsers do both with any address they are about to open.',
    browser: 'stray',
    needs: visited,
  },
  {
    id: 'reloaded-callback',
    title: 'The user reloads the page to which the redirect led',
    because: 'Browsers send a request again when their user reloads; RFC 6749 4.1.2 has a code used once.',
    browser: 'reload',
    needs: visited,
  },
  {
    id: 'callback-twice',
    title: 'The browser loads the callback twice at the same moment',
    because: 'Browsers load pages ahead of time; RFC 6749 4.1.2 has a code used once.',
    browser: 'twice',
    needs: visited,
  },
  {
    id: 'registered-query',
    title: 'The registered redirect URI of a web client has a query',
    because: 'RFC 6749 3.1.2: a redirect URI may have a query, which is kept.',
    redirectQuery: 'from=game',
    needs: (calm) => authorizations(calm).some(({ query }) => query.get('client_id') === 'example-web'),
  },
  {
    id: 'denied',
    title: 'The user refuses',
    because: '4.1: a failure redirects with an error.',
    browser: 'deny',
    needs: asksUser,
  },
  {
    id: 'denied-in-markup',
    title: 'The user refuses; the description of the error looks like HTML, and its address is a script',
    because: 'RFC 6749 4.1.2.1: error_description is a text, of nearly any ASCII characters, and error_uri any URI.',
    browser: 'deny',
    parameters: `error_description=${encodeURIComponent(markup)}&error_uri=${encodeURIComponent(scripted)}`,
    needs: asksUser,
  },
  {
    id: 'late-code',
    title: 'The code has expired when it comes',
    because: '5.5: a code lives for 30 seconds, and a browser may take longer.',
    browser: 'late',
    needs: visited,
  },
  {
    id: 'partial-consent',
    title: 'The user grants all scopes but one, and the access token is revoked during the run',
    because: '4.1: the response names the scopes that were granted.',
    browser: 'part',
    // 4.1 lists scope among the fields of the exchange: a client may repeat there what it asked for.
    switches: { 'exchange.scope': 'ignore' },
    events: ends,
    again: true,
    stores: true,
    needs: asksUser,
  },
  {
    id: 'redirect-parameters',
    title: 'The redirect carries state first and a parameter that nobody has described, and is a 303',
    because: 'RFC 6749 4.1.2: parameters that a client does not know are ignored.',
    // Not iss: who knows it compares it with an issuer (RFC 9207 2.4), and the interface names none.
    parameters: 'x_undocumented=1',
    switches: {
      'authorize.paramOrder': 'state-first',
      'authorize.status': 303,
      'authorize.spaceForm': 'percent',
    },
    survival: 'READ-UNKNOWN-003',
    needs: visited,
    met: ({ operation, status }) => operation === 'authorize' && status === 200,
  },
];
