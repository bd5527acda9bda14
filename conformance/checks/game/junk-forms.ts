import type { Fields, Run } from '../../engine/run.js';
import type { Answer } from '../../wire/answer.js';

/** Bodies of forms, and credentials, that are no text once they are decoded, or nothing at all. */
const badForms = [
  '',
  '&',
  '=',
  'token=%zz',
  'token=%FF',
  // A name that no header can hold, should the error name it there.
  '%D0%BA=%zz',
  'grant_type=refresh_token&refresh_token=%00',
  'scope[]=a',
];
const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;
const badCredentials = [
  'Basic',
  'Basic %%%',
  'Basic /w==',
  ...['cx', '%zz:cx', 'cx:%zz', '%FF:cx', ':', ':cx'].map(basic),
  `Bearer ${'a'.repeat(3000)}`,
];
/** Credentials twice, and of two clients (RFC 6749 2.3). */
const manyCredentials: readonly Fields[] = [
  [['client_secret', 'cx']],
  [
    ['client_id', 'cx'],
    ['client_secret', 'cx'],
  ],
  [['client_id', 'cx-other']],
];

/** What each of the three endpoints reads on with, so that it comes to the credentials. */
const longToken: Fields = [
  ['grant_type', 'client_credentials'],
  ['token', `cx-${'a'.repeat(3000)}`],
];

export const notBroken = (run: Run, answer: Answer): void =>
  run.expect.that(answer.status < 500, 'any status but 5xx', answer.status, answer);

/** Forms of the authorization server that are no text, and credentials that are none. */
export async function brokenForms(run: Run): Promise<void> {
  const { public: open } = run.facts.target.clients;
  const credentials = [...badCredentials, ...(open ? [basic(`${open.client_id}:`)] : [])];
  const forms = ['/oauth/token', '/oauth/token/revoke', '/oauth/token/introspect'].flatMap((path) => [
    ...badForms.map((text) => ({ path, over: { body: text } })),
    { path, over: { headers: { 'content-type': null } } },
    ...credentials.map((authorization) => ({ path, over: { fields: longToken, headers: { authorization } } })),
    ...manyCredentials.map((fields) => ({
      path,
      over: { fields: [...longToken, ...fields], headers: { authorization: basic('cx:cx') } },
    })),
  ]);
  await run.expect.each(
    ({ path, over }) => `${path} ${JSON.stringify(over).slice(0, 80)}`,
    forms,
    async ({ path, over }) => notBroken(run, await run.oauth.request('POST', path, over)),
    { atOnce: true },
  );
}

/** What a parser of addresses refuses, and a reader of registered ones may take for one of these. */
const noAddresses = (registered: string): readonly string[] => {
  const { protocol, hostname, pathname, search } = new URL(registered);
  const ports = ['65536', '99999', '-1', 'cx'].map((port) => `${protocol}//${hostname}:${port}${pathname}${search}`);
  return [...ports, 'http://', 'http://[', '//', ':', '%zz', `${registered}%zz`, `${registered}\u0000`];
};

/** Requests that are right but for a scope of spaces, a client that nobody has registered, or such an address. */
export async function strayRequests(run: Run): Promise<void> {
  const put = (fields: Fields, [name, value]: Fields[number]): Fields =>
    fields.map((field) => (field[0] === name ? [name, value] : field));
  const { service, confidential, public: open } = run.facts.target.clients;
  for (const role of ['confidential', 'public'] as const) {
    if ((role === 'public' ? open : confidential)?.redirect_uri === undefined) continue;
    const { fields, redirect_uri } = run.oauth.authorizationRequest(role);
    const strays: Fields = [
      ['scope', ' '],
      ['client_id', 'cx-none'],
      ...['https://cx.example/', ...noAddresses(redirect_uri)].map((uri) => ['redirect_uri', uri] as const),
    ];
    for (const stray of strays) notBroken(run, await run.oauth.bareAuthorize(put(fields, stray)));
  }
  if (!service) return;
  const fields: Fields = [...run.oauth.credentials('service'), ['grant_type', 'client_credentials'], ['scope', ' ']];
  notBroken(run, await run.oauth.tokenRequest(fields));
}
