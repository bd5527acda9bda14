import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { twisted } from '../generators/oauth.js';
import { annotations } from '../report/annotations.js';
import { verdictLine } from '../report/console.js';
import { ending } from '../report/ending.js';
import { sampleReport, withRows } from '../report/sample.fixture.js';
import { terminalOf } from '../report/terminal.js';
import { visible } from '../text.js';
import { formats } from '../report/write.js';
import type { Answer, Sent } from '../wire/answer.js';
import { bodyOf } from '../wire/body.js';
import { client, targetAt } from './evidence.fixture.js';
import { Issued } from './issued.js';
import { scriptOf, stepsOf } from './repro.js';
import { hidden, settingsOf } from './secrets.js';
import { shown } from './format.js';

const url = 'http://127.0.0.1:1';
const secret = 'kV3"\\ +/=%é<x>&\'9QzT-pL';
const target = targetAt(url, { clients: { confidential: client('web', { client_secret: secret }) } });

const answer = (request: Partial<Sent>, text = '', headers: Answer['headers'] = {}): Answer => ({
  number: 1,
  asked: { server: 'authorization', args: {} },
  request: { method: 'POST', url: `${url}/oauth/token`, headers: {}, ...request },
  status: 200,
  headers,
  text,
  json: undefined,
  ms: 1,
});

const form = (value: string): string => new URLSearchParams({ '': value }).toString().slice(1);
const base64 = (value: string): string => Buffer.from(value).toString('base64');
const inHtml = (value: string): string =>
  value.replace(/[&<>"']/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[sign]!);
const inJson = (value: string): string => JSON.stringify(value).slice(1, -1);
const inUnits = (value: string): string =>
  value.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** How servers, clients and reports write a value. */
const spellings = (value: string): string[] => [
  value,
  inJson(value),
  inJson(inJson(value)),
  inUnits(value),
  inHtml(value),
  inHtml(inJson(value)),
  encodeURIComponent(value),
  form(value),
  encodeURIComponent(form(value)),
  base64(value),
  base64(`web:${value}`),
  base64(`web:${encodeURIComponent(value)}`),
  value.replaceAll("'", "'\\''"),
  inJson(value.replaceAll("'", "'\\''")),
];
const misses = (value: string): string[] =>
  (['its second half', 'the order of its characters', 'its first character', 'its last character'] as const).map(
    (kind) => twisted(value, { kind, at: 0 }),
  );

/** Everything that a run writes of a failure whose exchanges these are. */
function written(answers: readonly Answer[], issued: Issued, words: readonly string[]): string[] {
  const redact = (text: string): string => issued.hide(hidden(text, settingsOf(target)));
  const evidence = { answers, target, issued };
  const told = { expected: redact(words.join(' ')), got: redact(words.map((one) => shown({ one })).join(' ')) };
  const trace = stepsOf(evidence);
  const script = scriptOf(evidence, { title: 'TOK-1', ...told });
  const [row] = sampleReport().rows.filter(({ failure }) => failure);
  const failed = {
    ...row!,
    reason: told.got,
    notes: [told.expected],
    failure: { ...row!.failure!, ...told, trace, script, smallest: redact(fc.stringify(words)) },
  };
  const report = withRows([failed], { observations: [told.got] });
  const terminal = terminalOf({}, {});
  return [
    JSON.stringify(trace),
    script,
    ...Object.values(formats).map((format) => format(report)),
    ending(report, [], terminal),
    verdictLine(failed, terminal),
    annotations(report),
  ];
}

/** Characters of which servers may make tokens; enough different ones, so that a token is nothing else by chance. */
const token = (unit: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.string({ unit, minLength: 24, maxLength: 60 }).filter((value) => new Set(value.replace(/\s/g, '')).size >= 8);
const delicate = fc.constantFrom(...`"\\'/+%&=<>{}[]$\`#;:,. \t\n~-_abcdefXYZ019éß東🜂`);
const tokens = fc.oneof(
  token(fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')),
  token(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 })),
  token(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })),
  token(delicate),
);

describe('what a run writes', () => {
  it('is no token and no secret, whatever it is made of and wherever it was sent', () => {
    fc.assert(
      fc.property(tokens, tokens, (own, earlier) => {
        const issued = new Issued(target);
        issued.see(answer({}, JSON.stringify({ access_token: earlier })));
        const first = answer({}, JSON.stringify({ access_token: own, token_type: 'bearer' }));
        issued.see(first);
        const sent = [own, earlier, secret]
          .flatMap((value) => [...spellings(value), ...misses(value)])
          .flatMap((one) => [
            answer({ headers: { authorization: `Bearer ${one}` } }),
            answer({ headers: { authorization: `Basic ${one}`, 'x-other': one } }),
            answer({ url: `${url}/x?token=${one}&a=b`, body: `a=b&token=${one}&c=d` }, one, { location: `/?a=${one}` }),
            answer({ body: `{"token":"${one}"}` }, `{"error":"no ${one}"}`, { 'x-a': ['a', one] }),
          ]);
        const words = [own, earlier, secret].flatMap((value) => [value, `the token "${value}" is live`]);
        const files = written([first, ...sent], issued, words);
        for (const value of [own, earlier, secret]) {
          for (const spelling of [...spellings(value), ...misses(value), visible(value), visible(inJson(value))]) {
            const at = files.findIndex((file) => file.includes(spelling));
            if (at === -1) continue;
            const place = files[at]!.indexOf(spelling);
            expect.fail(`file ${at} has ${spelling} in …${files[at]!.slice(Math.max(0, place - 200), place + 200)}…`);
          }
        }
      }),
      // A token that ends with half of a character once its end is cut off.
      { numRuns: 25, examples: [['AAAAAAAAAAAAAAAAoAx2-azK', `${'"'.repeat(8)}%09${'"'.repeat(13)}<ß#🜂`]] },
    );
  });

  it.each([
    ['an id_token', (value: string) => JSON.stringify({ access_token: 'at-0123456789', id_token: value }), {}],
    ['a member that nobody knows', (value: string) => JSON.stringify({ access_token: 'a', device: value }), {}],
    ['a nested member', (value: string) => JSON.stringify({ data: { access_token: 'a', more: [{ x: value }] } }), {}],
    ['a member beside no access token', (value: string) => JSON.stringify({ id_token: value }), {}],
    ['a form', (value: string) => `access_token=at-0123456789&id_token=${value}&token_type=bearer`, {}],
    ['a redirect', () => '', (value: string) => ({ location: `https://app.example/cb#id_token=${value}&state=x` })],
  ] as const)('is no secret of a token response, known or not: %s', (_, body, headers) => {
    const value = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl';
    const given = {
      ...answer({}, body(value), typeof headers === 'function' ? headers(value) : {}),
      asked: { server: 'authorization', operation: 'issueToken', args: {} },
    } as const;
    const json: unknown = given.text.startsWith('{') ? JSON.parse(given.text) : undefined;
    const issued = new Issued(target);
    issued.see({ ...given, json });
    const later = answer({ headers: { authorization: `Bearer ${value}` } }, `{"seen":"${value}"}`);
    const files = written([given, later], issued, [value]);
    for (const file of files) expect(file).not.toContain(value);
    expect(issued.hide(`the token ${value} is dead`)).toBe('the token (a token) is dead');
  });

  it('is what a token response says openly, and what the target says', () => {
    const open = { token_type: 'Bearer', scope: 'account:profile', username: 'alice-of-the-lake', sub: 'c0ffee-42' };
    const text = JSON.stringify({ access_token: 'at-0123456789', ...open, type: 'bearer', issuer: url });
    const [trace] = written([answer({}, text)], new Issued(target), []);
    for (const value of [...Object.values(open), url]) expect(trace).toContain(value);
    expect(trace).not.toContain('at-0123456789');
  });

  it('is what a refusal says', () => {
    const text = '{"error":"invalid_grant","error_description":"no such code as","message":"the code is unknown"}';
    const refused = {
      ...answer({}, text),
      status: 400,
      asked: { server: 'authorization', operation: 'issueToken', args: {} },
    } as const;
    const [trace] = written([refused], new Issued(target), []);
    expect(trace).toContain('the code is unknown');
    expect(trace).toContain('no such code as');
  });

  it('is no token as a shell quotes it', () => {
    const live = `""""""'""""""'"""f>Y]9`;
    const issued = new Issued(target);
    issued.add(live);
    const quoted = live.replaceAll("'", "'\\''");
    const spelled = [quoted, inJson(quoted)];
    const files = written(
      spelled.map((one) => answer({ headers: { authorization: `Basic ${one}`, 'x-other': one } })),
      issued,
      spelled,
    ).join();
    for (const one of spelled) expect(files).not.toContain(one);
  });

  it('is no token in a Basic header that holds no base64 of anything', () => {
    const live = 'vF8sK2mQ9xLr4TzW7bNc';
    const issued = new Issued(target);
    issued.add(live);
    const files = written([answer({ headers: { authorization: `Basic ${live}` } })], issued, []);
    expect(files.join()).not.toContain(live);
    expect(files[0]).toContain('Basic ${EARLIER_TOKEN_1}');
  });

  it('has its own words, where a secret has them in it', () => {
    const issued = new Issued(targetAt(url, { clients: { confidential: client('confidential-web') } }));
    issued.add('http://127.0.0.1:1/tokens/confidential-web-7Hq2Lm5Zc8');
    expect(issued.hide('client confidential-web at http://127.0.0.1:1/')).toBe(
      'client confidential-web at http://127.0.0.1:1/',
    );
    expect(issued.hide('"http://127.0.0.1:1/tokens/confidential-web-7Hq2Lm5Zc8"')).not.toContain('7Hq2Lm5Zc8');
  });
});

describe('redaction', () => {
  const long = (seed: number): string => {
    let state = seed;
    return Array.from({ length: 300_000 }, () => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return (state >>> 16) % 36 < 0 ? '' : ((state >>> 16) % 36).toString(36);
    }).join('');
  };

  it('of long tokens takes time in proportion to their length', () => {
    const [own, earlier] = [long(1), long(2)];
    const issued = new Issued(target);
    const first = answer({}, JSON.stringify({ access_token: own }));
    for (const given of [first, answer({}, JSON.stringify({ access_token: earlier }))]) issued.see(given);
    const answers = [
      first,
      ...[own, earlier, ...misses(own)].map((value) => answer({ headers: { authorization: `Bearer ${value}` } })),
      answer({ body: `token=${own.slice(0, 150_000)}Q${own.slice(150_001)}` }, `{"error":"${earlier.slice(100_000)}"}`),
      answer({ body: `token=${long(3)}` }),
    ];
    const evidence = { answers, target, issued };
    const started = process.cpuUsage();
    const text = JSON.stringify(stepsOf(evidence)) + scriptOf(evidence, { title: '', expected: '', got: '' });
    // Microseconds of this process, however busy the machine is.
    expect(process.cpuUsage(started).user).toBeLessThan(8_000_000);
    for (const value of [own, earlier])
      for (let at = 0; at < value.length; at += 10_000) expect(text).not.toContain(value.slice(at, at + 40));
    expect(text).toContain(long(3));
  });

  it('is no token that is longer than what is kept of the text it came in', () => {
    const [access, refresh] = ['A', 'R'].map((kind) => kind + 'tok3n-'.repeat(5000)) as [string, string];
    const body = bodyOf(Buffer.from(JSON.stringify({ access_token: access, more: { refresh_token: refresh } })));
    const known = new Issued();
    known.see({ ...answer({}), ...body });
    expect(body.text.length).toBeLessThan(access.length);
    for (const token of [access, refresh])
      expect(known.hide(`Basic ${base64(token)}, ${token}`)).toBe('Basic (a token)==, (a token)');
  });

  it('knows tokens of which there are too many to keep', () => {
    const issued = new Issued(target);
    for (let seed = 1; seed <= 60; seed += 1) issued.add(long(seed));
    for (const seed of [1, 60]) {
      const value = long(seed);
      expect(issued.hide(`the token "${value}" is dead`)).toBe('the token "(a token)" is dead');
      expect(issued.hide(`the token ${value.slice(0, 400)} …`)).toBe('the token (a token) …');
    }
  });
});
