import fc from 'fast-check';

import { isSearched, least } from './known.js';

/** An exchange as every redactor takes it, in the form that it has of one. */
export interface Sample {
  readonly method: 'GET' | 'POST';
  readonly target: string;
  readonly operation:
    | 'getProfile'
    | 'issueToken'
    | 'authorize'
    | 'createItemFilter'
    | 'getPublicStashTabs'
    | 'getCharacter'
    | undefined;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
  readonly status: number;
  readonly replyHeaders: readonly (readonly [string, string])[];
  readonly reply: string;
  readonly reason: string | undefined;
}

const profile: Sample = {
  method: 'GET',
  target: '/profile',
  operation: 'getProfile',
  headers: [['accept', 'application/json']],
  body: '',
  status: 200,
  replyHeaders: [['content-type', 'application/json']],
  reply: '{"name":"x","uuid":null}',
  reason: undefined,
};

const header = (name: string, value: string): Sample => ({ ...profile, headers: [...profile.headers, [name, value]] });
const sent = (operation: Sample['operation'], target: string, type: string, body: string): Sample => ({
  ...profile,
  method: 'POST',
  target,
  operation,
  headers: [['content-type', type]],
  body,
});
const form = 'application/x-www-form-urlencoded';
const token = (body: string, type = form): Sample => sent('issueToken', '/oauth/token', type, body);
const filter = (body: string, type = 'application/json'): Sample =>
  sent('createItemFilter', '/item-filter', type, body);
const answered = (reply: string, more: Partial<Sample> = {}): Sample => ({ ...profile, reply, ...more });
const e = encodeURIComponent;
const j = JSON.stringify;

/** Places where what stands is a credential, or nothing that the contract knows: it is hidden though nobody knows it. */
export const telling: readonly ((secret: string) => Sample)[] = [
  (s) => header('Authorization', `Bearer ${s}`),
  (s) => header('authorization', `Basic ${Buffer.from(`web:${s}`).toString('base64')}`),
  (s) => header('Authorization', s),
  (s) => header('Cookie', `a=b; session=${e(s)}`),
  (s) => header('Proxy-Authorization', `Bearer ${s}`),
  (s) => header('X-Api-Key', s),
  (s) => header('Referer', `http://me:${e(s)}@${e(s)}@x.example/`),
  (s) => ({ ...profile, target: `/profile?access_token=${e(s)}` }),
  (s) => ({
    ...profile,
    target: `/public-stash-tabs?unknown=${e(s)}&access_token=${e(s)}`,
    operation: 'getPublicStashTabs',
  }),
  (s) => ({ ...profile, target: `/profile?${e(s)}` }),
  (s) => token(`grant_type=refresh_token&client_secret=${e(s)}&refresh_token=${e(s)}`),
  (s) => token(`grant_type=authorization_code&code=${e(s)}&code_verifier=${e(s)}&other=${e(s)}`),
  (s) => token(j({ client_secret: s, nested: { other: [s, { deeper: s }] } })),
  (s) => token(j({ client_secret: s }), 'application/json'),
  (s) => token(e(s)),
  (s) => token(s, 'text/plain'),
  (s) =>
    token(
      `--b\r\nContent-Disposition: form-data; name="client_secret"\r\n\r\n${s}\r\n--b--`,
      'multipart/form-data; boundary=b',
    ),
  (s) => token(`<r><client_secret>${s}</client_secret></r>`, 'application/xml'),
  (s) => filter(j({ client_secret: s, filter: 'Show', more: { a: s } })),
  (s) => filter(`client_secret=${e(s)}`, form),
  (s) =>
    answered(j({ access_token: s, refresh_token: s, id_token: s }), {
      ...token('a=b'),
      reply: j({ access_token: s, id_token: s }),
    }),
  (s) =>
    answered('', {
      target: '/oauth/authorize?client_id=web',
      operation: 'authorize',
      status: 302,
      replyHeaders: [['location', `https://app.example/cb?code=${e(s)}&state=1`]],
    }),
  (s) =>
    answered('', {
      target: '/oauth/authorize?client_id=web',
      operation: 'authorize',
      status: 302,
      replyHeaders: [['location', `https://app.example/cb?${e(s)}`]],
    }),
  (s) => ({
    ...profile,
    replyHeaders: [
      ['content-type', 'application/json'],
      ['set-cookie', `id=${e(s)}; Path=/`],
    ],
  }),
];

/** Places where anything may stand: what stands there is hidden if it is known. */
export const anywhere: readonly ((text: string) => Sample)[] = [
  ...telling,
  (t) => header('User-Agent', `agent/1 ${t}`),
  (t) => header('x-trace', t),
  (t) => header(t, 'value'),
  // Below a folder: `/?…` would be the mock's own first page, which the journal leaves out.
  (t) => ({ ...profile, target: `/none/${t}`, operation: undefined, status: 404, reason: `there is no /none/${t}` }),
  (t) => ({ ...profile, target: `/character/${e(t)}`, operation: 'getCharacter' }),
  (t) => ({
    ...profile,
    target: `/oauth/authorize?client_id=web&state=${e(t)}&redirect_uri=${e(`https://app.example/${t}?code=${t}`)}`,
    operation: 'authorize',
    status: 400,
    reason: `redirect_uri https://app.example/${t}?code=${t} is not registered`,
  }),
  (t) => token(`grant_type=${e(t)}&client_id=${e(t)}&scope=${e(t)}`),
  (t) => token(`${e(t)}=1`),
  (t) => filter(j({ filter_name: t, filter: `# ${t}\nShow`, description: `x${t}x` })),
  (t) => filter(j({ filter: t }).slice(0, -2)),
  (t) => filter(`[${t}`),
  (t) => filter(j({ [t]: 1 })),
  (t) => sent(undefined, '/upload', 'application/json', j({ any: { [t]: [t] } })),
  (t) => answered(j({ error: { code: 1, message: `no ${t} here` } }), { status: 404 }),
  (t) => answered(j({ name: t, [t]: t, livestream: { name: t } })),
  (t) =>
    answered(`<p>${t}</p>`, {
      status: 502,
      replyHeaders: [
        ['content-type', 'text/html'],
        ['x-mock-reason', t],
      ],
    }),
  (t) => answered(`{"access_token":"${t}`, { ...token('a=b'), reply: `{"access_token":"${t}` }),
  (t) =>
    answered(j({ error: 'invalid_grant', error_description: `"${t}" is unknown` }), {
      ...token('a=b'),
      status: 400,
      reply: j({ error: t, error_description: t }),
    }),
  (t) => ({
    ...profile,
    replyHeaders: [
      ['content-type', 'application/json'],
      ['www-authenticate', `Bearer realm="${t}", error="${t}"`],
    ],
  }),
];

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const percentAll = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const units = (text: string): string =>
  text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const html = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const inJson = (text: string): string => j(text).slice(1, -1);

/** How a secret may be written. A part of one is long enough to be known by it. */
export const spellings: readonly ((secret: string) => string)[] = [
  (s) => s,
  (s) => e(s),
  percentAll,
  (s) => new URLSearchParams({ '': s }).toString().slice(1),
  inJson,
  (s) => inJson(inJson(s)),
  units,
  html,
  (s) => html(inJson(s)),
  base64,
  (s) => base64(`a:${s}`),
  (s) => base64(`ab:${s}:c`),
  (s) => base64(`web:${e(s)}`),
  (s) => e(base64(s)),
  (s) => Buffer.from(s).toString('base64url'),
  (s) => Buffer.from(s).toString('hex'),
  (s) => Buffer.from(s).toString('hex').toUpperCase(),
  (s) => [...s].reverse().join(''),
  (s) => s.replace(/[a-z]/g, (sign) => sign.toUpperCase()),
  (s) => s.replace(/[A-Z]/g, (sign) => sign.toLowerCase()),
  (s) => e(e(s)),
  (s) => s.replaceAll("'", "'\\''"),
  (s) => (s.length > least ? [...s].slice(0, Math.max(least, [...s].length - 5)).join('') : s),
  (s) => (s.length > least ? [...s].slice(-Math.max(least, [...s].length - 5)).join('') : s),
];

const of = (unit: fc.Arbitrary<string>, minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit, minLength, maxLength });
const letters = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';

/** Secrets of every alphabet and length that is looked for, of enough different characters to be nothing by chance. */
export const secrets: fc.Arbitrary<string> = fc
  .oneof(
    of(fc.constantFrom(...`${letters}${letters.toUpperCase()}${digits}-_`), 8, 64),
    of(fc.constantFrom(...`${digits}abcdef`), 8, 64),
    of(fc.constantFrom(...digits), 12, 40),
    of(fc.constantFrom(...letters), 12, 40),
    of(fc.constantFrom(...`${letters}${digits}+/-._~=`), 8, 64),
    of(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }), 12, 48),
    of(fc.constantFrom(...`"\\'/+%&=<>{}[]$\`#;:,.~-_abcdefXYZ019éß東🜂`), 12, 48),
  )
  .filter((value) => isSearched(value) && new Set(value.toLowerCase().replace(/\s/g, '')).size >= 6);
