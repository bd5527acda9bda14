import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { redactedJson } from './json.js';
import { KnownSecrets } from './known.js';
import { secrets } from './places.fixture.js';
import { isCredentialName, redactedPairs, scrubbed } from './places.js';

const mark = (): string => '[redacted]';
const knowing = (...values: string[]): KnownSecrets => {
  const known = new KnownSecrets();
  for (const value of values) known.add(value);
  return known;
};

describe('known secrets', () => {
  it.each(['secret', 'test', 'password', 'changemenow'])(
    'leave the word %s alone: nobody can tell it from others',
    (word) => {
      const text = `the ${word} of a client is a ${word}; grant_type=password, client_secret_basic`;
      expect(knowing(word).hide(text, mark)).toBe(text);
      expect(scrubbed(`client_secret=${word}&a=b`, mark)).toBe('client_secret=[redacted]&a=b');
    },
  );

  it('leave what everybody knows, and hide the rest of a secret that has it in it', () => {
    const known = new KnownSecrets();
    known.open('example-service-account');
    known.add('example-service-account-4711');
    expect(known.hide('client example-service-account', mark)).toBe('client example-service-account');
    expect(known.hide('client example-service-account-4711', mark)).not.toContain('4711');
  });

  it('stand alone in what is shown: nothing around them is lost', () => {
    const known = knowing('vF8sK2mQ9xLr4TzW7bNc', 'w3b-s3cr3t');
    expect(known.hide('/character/vF8sK2mQ9xLr4TzW7bNc/x?a=w3b-s3cr3t.', mark)).toBe(
      '/character/[redacted]/x?a=[redacted].',
    );
  });

  it('take time in proportion to the text, however many there are and however alike', () => {
    const alike = Array.from({ length: 20_000 }, (_, index) => `${'ab'.repeat(15)}${index}`);
    const known = knowing(...alike);
    const text = `${'ab'.repeat(50_000)} ${'%61%62'.repeat(10_000)} ${'\\\\'.repeat(10_000)}`;
    const started = process.cpuUsage();
    expect(known.hide(text, mark)).not.toContain('abab');
    // Microseconds of this process, however busy the machine is.
    expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
  });
});

describe('places of credentials', () => {
  it.each(['client_secret', 'clientSecret', 'X-API-Key', 'access%5Ftoken', 'code', 'pwd', 'id_token', 'sessionid'])(
    '%s is one',
    (name) => expect(isCredentialName(name)).toBe(true),
  );
  it.each(['token_type', 'token_type_hint', 'code_challenge', 'grant_type', 'scope', 'state', 'zipcode', 'monkey'])(
    '%s is none',
    (name) => expect(isCredentialName(name)).toBe(false),
  );

  it('are told in texts of any kind', () => {
    for (const text of [
      'https://me:p@ss@x.example/',
      '<password>p@ss</password>',
      '{"password": "p@ss"}',
      'no ?password=p@ss here',
      '<a>\n  <password> p@ss',
      'got <password>p@ss',
      'got <password> p@ss </password>',
    ])
      expect(scrubbed(text, mark)).not.toContain('p@ss');
    for (const text of [
      'Basic authentication is used',
      'a Bearer credential',
      'mail to me@x.example',
      'Prefer: code=404',
      '{"access_token":"","x":1}',
    ])
      expect(scrubbed(text, mark)).toBe(text);
  });

  it('are none where a sentence has a placeholder', () => {
    for (const text of [
      'Expected: Authorization: Bearer <token>; got: nothing of it, at 12:00:01, 3 requests',
      'send client_secret=<client_secret> with code=<code>, not both',
      'Bearer <ACCESS_TOKEN>',
    ])
      expect(scrubbed(text, mark)).toBe(text);
  });

  it('are every field of a form that is not known, and what is no field', () => {
    const shown = redactedPairs('scope=a+b&other=s1&{"a":"s2=s3"}&s4&scope=', (name) => name === 'scope', mark);
    expect(shown).toBe('scope=a+b&other=[redacted]&[redacted]&[redacted]&scope=');
  });

  it('cost time in proportion to the text', () => {
    const texts = [
      '//a'.repeat(50_000),
      '"a":"'.repeat(50_000),
      'a='.repeat(50_000),
      '<a>'.repeat(50_000),
      'bearer '.repeat(50_000),
      `//${'a'.repeat(200_000)}`,
    ];
    const started = process.cpuUsage();
    for (const text of texts) expect(scrubbed(text, mark).length).toBeGreaterThan(0);
    redactedPairs('other=1&'.repeat(16_000), () => false, mark);
    redactedJson('[{"a":"'.repeat(30_000), { isOpen: () => true, hide: (text) => text, mark });
    expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
  });
});

describe('redacted JSON', () => {
  const strict = (known: KnownSecrets) => ({
    isOpen: (name: string) => name === 'open',
    hide: (text: string) => known.hide(text, mark),
    mark,
  });

  it('shows no name that is not open of what is no JSON: it may be a credential', () => {
    const text = '{"🜂_1e}d<<ß%""';
    expect(redactedJson(text, strict(knowing()))).not.toContain('1e}d');
    expect(redactedJson('["secret-7","x', strict(knowing()))).toBe('["[redacted]","[redacted]"');
    expect(redactedJson('[{"open":"seen"},{"open":"too"}]', strict(knowing()))).toContain('"too"');
    expect(redactedJson('{"open":1,"cut-sh', strict(knowing()))).toBe('{"open":1,"[redacted]"');
  });

  it.each(['"Y-9ß:/[b_+"', 'ab","open":12345678'])('hides a secret that is more than one string: %j', (secret) => {
    for (const text of [`["${secret}`, `[${secret}`, `[${secret}]`])
      expect(redactedJson(text, strict(knowing(secret))), text).not.toContain(secret.slice(0, 12));
  });

  const json = fc.jsonValue({ maxDepth: 3 });

  it('is valid JSON of the same form, without any secret, and the same when it is redacted again', () => {
    fc.assert(
      fc.property(secrets, json, fc.nat(4), (secret, value, spaces) => {
        const known = knowing(secret);
        const number = Number(secret);
        const rule = {
          isOpen: (name: string) => name !== 'hidden',
          hide: (text: string) => known.hide(text, () => '[redacted 000000000000]'),
          mark: () => '[redacted 000000000000]',
        };
        const given = {
          open: [value, `x ${secret} y`, Number.isSafeInteger(number) ? number : 1],
          hidden: [secret, { [secret]: 1 }],
          [secret]: null,
        };
        const written = JSON.stringify(given, undefined, spaces);
        const shown = redactedJson(written, rule);
        const { open } = JSON.parse(shown) as { open: unknown[] };
        expect(JSON.stringify(JSON.parse(shown))).not.toContain(JSON.stringify(secret).slice(1, -1));
        expect(JSON.stringify(open[0])).toBe(JSON.stringify(value));
        expect(redactedJson(shown, rule)).toBe(shown);
        // Cut anywhere, it shows as little.
        expect(redactedJson(written.slice(0, -7), rule)).not.toContain(secret);
      }),
      { numRuns: 300 },
    );
  });
});
