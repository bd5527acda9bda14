import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { targetAt } from '../engine/evidence.fixture.js';
import type { HarEntry } from './entry.js';
import { Pseudonyms } from './pseudonyms.js';
import { entryCopier } from './redact.js';

const base = 'http://api.example';

const hexOf = (length: number): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`)).filter((text) => /[a-f]/.test(text));

/** What tells of a person: tokens, names in any script with any punctuation, ids. */
const secret = fc.oneof(
  hexOf(40),
  hexOf(64),
  fc.uuid(),
  fc.stringMatching(/^[A-Za-z0-9._~+/-]{20,40}$/),
  fc.stringMatching(/^[A-Za-zÅåÑñ漢字ßİ_]{6,16}$/),
  fc.stringMatching(/^[A-Za-z]{4,8}[ #&%+'"\\<>=;/]{1,2}[A-Za-z0-9]{4,6}$/),
);

interface Exchange {
  readonly path?: string;
  readonly method?: string;
  readonly request?: Readonly<Record<string, string>>;
  readonly response?: Readonly<Record<string, string>>;
  readonly form?: string;
  readonly body?: unknown;
  readonly status?: number;
  readonly base64?: boolean;
}

function exchange({
  path = '/profile',
  method = 'GET',
  request = {},
  response = {},
  form,
  body = {},
  status = 200,
  base64 = false,
}: Exchange): HarEntry {
  const text = JSON.stringify(body);
  const pairs = (headers: Readonly<Record<string, string>>) =>
    Object.entries(headers).map(([name, value]) => ({ name, value }));
  return {
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: 1,
    request: {
      method,
      url: base + path,
      headers: pairs(request),
      ...(form !== undefined && { postData: { mimeType: 'application/x-www-form-urlencoded', text: form } }),
    },
    response: {
      status,
      headers: pairs({ 'content-type': 'application/json', ...response }),
      content: base64 ? { text: Buffer.from(text).toString('base64'), encoding: 'base64' } : { text },
    },
  };
}

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const e = encodeURIComponent;

/** Where the contract has such a value: it is known from there. */
const known: readonly ((value: string) => HarEntry)[] = [
  (value) => exchange({ request: { authorization: `Bearer ${value}` } }),
  (value) => exchange({ request: { Authorization: `Basic ${Buffer.from(`me:${value}`).toString('base64')}` } }),
  (value) =>
    exchange({
      request: { cookie: `a=b; session=${value.replaceAll(/[;=]/g, 'x')}; c=${e(value)}` },
      body: { name: value },
    }),
  (value) =>
    exchange({
      path: '/oauth/token',
      method: 'POST',
      request: form,
      form: `grant_type=refresh_token&refresh_token=${e(value)}`,
    }),
  (value) =>
    exchange({
      path: '/oauth/token',
      method: 'POST',
      request: form,
      form: 'a=b',
      body: { access_token: value, username: value },
    }),
  (value) =>
    exchange({
      path: `/oauth/authorize?client_id=${e(value)}&state=${e(value)}`,
      status: 302,
      response: { location: `https://app.example/cb?code=${e(value)}&state=${e(value)}` },
    }),
  (value) => exchange({ path: `/character/${e(value)}` }),
  (value) => exchange({ body: { uuid: value, name: value }, base64: true }),
  (value) => exchange({ path: '/character', body: { characters: [{ id: value, name: value }] } }),
  (value) =>
    exchange({
      path: '/league/Standard/ladder',
      body: { league: { entries: [{ account: { name: value, guild: { name: value } } }] } },
    }),
  (value) =>
    exchange({
      path: '/public-stash-tabs',
      body: { stashes: [{ public: true, id: value, accountName: value }] },
      base64: true,
    }),
];

/** Where it may stand as well: texts of all kinds, in any encoding. */
const elsewhere: readonly ((value: string) => HarEntry)[] = [
  (value) => exchange({ status: 404, body: { error: { code: 1, message: `there is no ${value} here` } } }),
  (value) => exchange({ body: { locale: 'en', email: `to ${value}`, [value]: { [`x ${value}`]: [value] } } }),
  (value) =>
    exchange({
      path: '/league',
      body: {
        leagues: [
          {
            id: 'x',
            url: `http://site.example/of/${e(value)}?a=${e(value)}`,
            description: `<b>${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</b>`,
          },
        ],
      },
    }),
  (value) =>
    exchange({
      path: '/item-filter',
      body: { filters: [{ description: `by "${value}"`, filter_name: value }] },
      base64: true,
    }),
  (value) =>
    exchange({
      path: `/league?type=${e(value)}&unknown=${e(value)}`,
      response: {
        'x-account': value,
        'www-authenticate': `Bearer realm="${value.replaceAll(/[^\x20-\x7e]/g, '')} ${value}"`,
      },
    }),
  (value) =>
    exchange({ request: { referer: `http://x.example/${e(value)}`, 'x-api-key': value, accept: `text/${value}` } }),
  (value) => exchange({ path: '/stash/Standard', body: { stashes: [{ id: 'aaaaaaaaaa', name: `tab of ${value}` }] } }),
  (value) => exchange({ path: `/stash/${e(`${value} (PL123)`)}`, body: { stashes: [] } }),
  (value) => ({ ...exchange({}), comment: value, _initiator: { stack: value }, serverIPAddress: value }) as HarEntry,
  (value) =>
    exchange({ path: '/oauth/authorize?x=1', response: { 'content-type': 'text/html' }, body: `<p>${value}</p>` }),
];

/** Every way to read what was written: as it is, and decoded once and twice. */
function readings(text: string): string[] {
  const percent = (given: string): string =>
    given.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
  const json = (given: string): string =>
    given.replace(/\\(?:u([0-9a-f]{4})|(.))/gi, (_, code: string | undefined, sign: string) =>
      code ? String.fromCharCode(parseInt(code, 16)) : sign,
    );
  const html = (given: string): string => given.replaceAll('&lt;', '<').replaceAll('&amp;', '&');
  const basic = [...text.matchAll(/Basic ([A-Za-z0-9+/=]+)/g)].map(([, found = '']) =>
    Buffer.from(found, 'base64').toString('utf8'),
  );
  const once = [text, ...basic].flatMap((given) => [given, percent(given), json(given), json(json(given))]);
  return once.flatMap((given) => [given, percent(given), json(given), html(given), given.replaceAll('+', ' ')]);
}

describe('the copy that --redact writes', () => {
  it('has nothing left of what tells of a person, wherever it stood and however it was encoded', () => {
    const places = fc.array(fc.constantFrom(...known, ...elsewhere), { minLength: 1, maxLength: 5 });
    const parts = fc.array(fc.tuple(secret, fc.constantFrom(...known), places), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(parts, (given) => {
        const entries = given.flatMap(([value, first, others]) => [...others, first].map((place) => place(value)));
        const book = new Pseudonyms();
        const target = targetAt(base);
        const copy = entryCopier(target, true, book);
        for (const entry of entries) copy(entry);
        const copies = entries.map((entry) => JSON.stringify(copy(entry)));
        const plain = (text: string): string => text.normalize('NFC').toLowerCase();
        const texts = [...new Set(copies.flatMap(readings))].map(plain);
        const values = given.map(([value]) => plain(value));
        expect(texts.filter((text) => values.some((value) => text.includes(value)))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('has one pseudonym for a value wherever it stands, in the form of the value', () => {
    const book = new Pseudonyms();
    const id = 'ab'.repeat(32);
    const copy = entryCopier(targetAt(base), true, book);
    const texts = [
      exchange({ path: '/character', body: { characters: [{ id, name: 'Kaya_Long' }] } }),
      exchange({ path: '/character/Kaya_Long', body: { character: { id, name: 'Kaya_Long' } } }),
      exchange({ path: '/public-stash-tabs', body: { stashes: [{ id, accountName: 'KAYA_LONG' }] } }),
    ].map((entry) => JSON.stringify(copy(entry)));
    const [name = ''] = /x-[0-9a-f]{12}/.exec(texts[1]!) ?? [];
    expect(texts.every((text) => text.includes(name))).toBe(true);
    const ids = texts.filter((_, index) => index !== 1).map((text) => /[0-9a-f]{64}/.exec(text)?.[0]);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[0]).not.toBe(id);
    expect(new Pseudonyms().of(id)).not.toBe(book.of(id));
    expect(book.of('0000000a-0000-4000-8000-000000000000')).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  });

  it('leaves the words, numbers and dates of the contract, and nothing else', () => {
    const book = new Pseudonyms();
    const copy = entryCopier(targetAt(base), true, book);
    copy(exchange({ body: { name: 'pc', uuid: 'x' } }));
    const text = JSON.stringify(
      copy(
        exchange({
          path: '/league',
          body: { leagues: [{ id: 'Our League (PL7)', realm: 'pc', startAt: '2026-01-01T00:00:00Z', event: true }] },
        }),
      ),
    );
    expect(
      JSON.parse((JSON.parse(text) as { response: { content: { text: string } } }).response.content.text),
    ).toMatchObject({
      leagues: [{ id: expect.stringMatching(/^x-/), realm: 'pc', startAt: '2026-01-01T00:00:00Z', event: true }],
    });
    expect(copy(exchange({ path: '/docs' }))).toBeUndefined();
  });
});
