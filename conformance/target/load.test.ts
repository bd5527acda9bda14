import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { describeTarget } from './describe.js';
import { targetTemplate } from './init.js';
import { loadTarget } from './load.js';
import type { Overrides } from './overlay.js';
import type { TargetSource } from './load.js';
import { SetupError } from '../../src/input/setup-error.js';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'target-'))));
afterAll(() => rmSync(folder, { recursive: true }));

const load = (text: string, more: Partial<TargetSource> = {}) =>
  loadTarget({ file: '-', env: {}, stdin: async () => text, ...more });

async function problems(promise: Promise<unknown>): Promise<readonly string[]> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(SetupError);
  expect((error as Error).name).toBe('SetupError');
  return (error as SetupError).problems.map((line) => line.replaceAll('standard input', 'in'));
}

const least = 'base_url: http://127.0.0.1:1\n';
const service = 'client_id: s, client_secret: x, scopes: [service:leagues]';

describe('a target file', () => {
  it('needs no more than a base address', async () => {
    const target = await load('base_url: http://127.0.0.1:4010/api/\n');
    expect(target).toMatchObject({
      name: '127.0.0.1:4010',
      base_url: 'http://127.0.0.1:4010/api',
      auth_url: 'http://127.0.0.1:4010/api',
      names: { game2: 'game2', livestream: 'livestream' },
      accounts: { alice: {} },
      clients: {},
      consent: 'none',
      readings: { access_after_refresh: 'any', null_lookup_status: 'any' },
      known: {},
      waivers: [],
      budget: { requests: 50_000, per_second: 0, concurrency: 32 },
    });
    expect(target.edition['F-CX']).toBe('any');
  });

  it('may be JSON, with a byte order mark and tabs', async () => {
    const text = '\uFEFF{\n\t"$schema": "x",\n\t"base_url": "https://api.example",\n\t"edition": { "F-CX": "on" }\n}\n';
    expect(await load(text)).toMatchObject({ base_url: 'https://api.example', edition: { 'F-CX': 'on' } });
  });

  it('has endpoints elsewhere, as paths or URLs', async () => {
    const paths = { token: '/t', authorize: 'https://login.example/a?x=1' };
    expect((await load(`${least}paths: ${JSON.stringify(paths)}\n`)).paths).toEqual(paths);
    expect((await load(least, { overrides: { path: ['token=/t', 'revoke=/r'] } })).paths).toEqual({
      token: '/t',
      revoke: '/r',
    });
    expect(
      await problems(load(`${least}paths:\n  tokn: /t\n  revoke: r\n  token: https://a:b@c.example/#d\n`)),
    ).toEqual([
      'in:3: paths.tokn: no such endpoint; did you mean token?',
      'in:4: paths.revoke: "r" is neither a path nor a URL; write it as /token or https://login.example/token',
      'in:5: paths.token: is not the URL of an endpoint; write it without credentials or fragment',
    ]);
  });

  it('names operations that are not offered, and ready tokens', async () => {
    const { not_offered } = await load(`${least}not_offered: [getStashXbox, /profile, authorization]\n`);
    expect(not_offered).toEqual([
      'authorize',
      'issueToken',
      'revokeToken',
      'introspectToken',
      'getProfile',
      'getStashXbox',
    ]);
    expect((await load(least, { overrides: { 'not-offered': 'listCharacters' } })).not_offered).toContain(
      'listCharactersXbox',
    );
    const token = '{ token: a-secret-token, scopes: [account:profile], account: bob }';
    expect(await problems(load(`${least}not_offered: [getProfil, tea]\ntokens:\n  - ${token}\n  - {}\n`))).toEqual([
      'in:2: not_offered[0]: "getProfil" is no operation; did you mean getProfile?',
      'in:2: not_offered[1]: "tea" is no operation; write an operationId such as getProfile, or a path',
      'in:4: tokens[0].account: "bob" is not in accounts; add it there',
      'in:5: tokens[1].token: is missing; write the token',
      'in:5: tokens[1].scopes: is missing; list the scopes of the application, such as account:profile',
    ]);
    const shown = describeTarget(
      await load(`${least}accounts: { bob: { password: a-pass-word } }\ntokens: [${token}]\n`),
    );
    expect(JSON.stringify(shown)).not.toMatch(/a-secret-token|a-pass-word/);
  });

  it('makes one list of the redirect URIs', async () => {
    const { clients } = await load(
      `${least}clients:\n  public: { client_id: p, redirect_uri: 'http://127.0.0.1:8/a', redirect_uris: ['http://127.0.0.1:8/b', 'http://127.0.0.1:8/a'], scopes: [account:profile] }`,
    );
    expect(clients.public).toEqual({
      client_id: 'p',
      redirect_uri: 'http://127.0.0.1:8/a',
      redirect_uris: ['http://127.0.0.1:8/a', 'http://127.0.0.1:8/b'],
      scopes: ['account:profile'],
      refresh: false,
    });
  });

  it('gives consent the way that there is, where it does not say how', async () => {
    expect((await load(`${least}control_url: http://127.0.0.1:2`)).consent).toBe('control');
    expect((await load(`${least}adapter: ./a.mjs`)).consent).toBe('adapter');
  });

  it('may call its readings variants, as before', async () => {
    expect((await load(`${least}variants: { over_max: clamp }\n`)).readings).toMatchObject({ over_max: 'clamp' });
    expect((await load(`${least}readings: { over_max: clamp }\n`)).readings).toMatchObject({ over_max: 'clamp' });
    await expect(load(`${least}variants: { over_max: clamp }\nreadings: {}\n`)).rejects.toThrow(
      'variants: is the earlier name of readings, which is set too; move its lines there',
    );
  });

  it('takes keys without a value as not written', async () => {
    expect((await load(`${least}known:\nclients:\n  service:\nname:`)).clients).toEqual({});
  });

  it('has the adapter beside it', async () => {
    const file = join(folder, 'a.yaml');
    writeFileSync(file, `${least}adapter: hooks/adapter.mjs\n`);
    expect((await loadTarget({ file, env: {} })).adapter).toBe(join(folder, 'hooks/adapter.mjs'));
    const flag = await loadTarget({ file, env: {}, overrides: { adapter: 'own.mjs' } });
    expect(flag.adapter).toBe(join(process.cwd(), 'own.mjs'));
  });

  it('says nothing of the scopes of another client that a flag or variable puts in', async () => {
    const file = join(folder, 'exact.yaml');
    writeFileSync(file, `${least}clients:\n  service: { ${service}, exact_scopes: true }\n`);
    const exact = async (overrides: Overrides): Promise<boolean | undefined> =>
      (await loadTarget({ file, env: {}, overrides })).clients.service?.exact_scopes;
    expect(await exact({})).toBe(true);
    expect(await exact({ 'service-client-id': 's' })).toBe(true);
    expect(await exact({ 'service-client-id': 'another' })).toBe(false);
  });

  it('resolves aliases, and knows the line behind them', async () => {
    const text = `${least}clients:\n  service: &s { ${service} }\n  operations: *s\n`;
    expect((await load(text)).clients.operations?.client_id).toBe('s');
    expect(await problems(load(text.replace('service:leagues', 'service:league')))).toContain(
      'in:3: clients.operations.scopes[0]: is "service:league"; did you mean service:leagues?',
    );
  });
});

describe('what is wrong with a target file', () => {
  const cases: [what: string, text: string, ...problems: string[]][] = [
    ['nothing in it', '', 'in: is empty; gamedata target init writes one to fill in'],
    ['remarks only', '# base_url: x\n', 'in: is empty; gamedata target init writes one to fill in'],
    ['a text', 'hello', 'in:1: must be a mapping of keys to values, not a string; write a mapping of keys to values'],
    ['a list', '- a', 'in:1: must be a mapping of keys to values, not a list; write a mapping of keys to values'],
    [
      'no base address',
      'name: x\n',
      'in:1: base_url: is missing; write the base address of the data API, in the file or with --base-url or GAMEDATA_BASE_URL',
    ],
    ['an empty base address', "\nbase_url: ''", 'in:2: base_url: is empty; write the base address of the data API'],
    [
      'another scheme',
      'base_url: ftp://x',
      'in:1: base_url: "ftp://x" is not an http or https URL; write it as https://api.example or http://127.0.0.1:4010',
    ],
    [
      'no URL',
      `${least}auth_url: http://[::1`,
      'in:2: auth_url: "http://[::1" is not an http or https URL; write it as https://api.example or http://127.0.0.1:4010',
    ],
    [
      'a query',
      'base_url: http://x/?a=1',
      'in:1: base_url: has a query, but paths are appended to it; remove the query',
    ],
    [
      'a fragment',
      'base_url: http://x/#',
      'in:1: base_url: has a fragment, but paths are appended to it; remove the fragment',
    ],
    [
      'a password',
      'base_url: http://u:p@x',
      'in:1: base_url: contains credentials; write it as https://api.example or http://127.0.0.1:4010',
    ],
    ['a misspelt key', `${least}baseurl: x`, 'in:2: baseurl: no such setting; did you mean base_url?'],
    [
      'a misspelt role',
      `${least}clients:\n  confidental: { ${service} }`,
      'in:3: clients.confidental: no such client role; did you mean confidential?',
    ],
    [
      'a key that is near to nothing',
      `${least}names: { colour: x }`,
      'in:2: names.colour: no such setting; valid: game2, livestream',
    ],
    [
      'a key with a letter twice',
      `${least}known: { stash_leaggue: x }`,
      'in:2: known.stash_leaggue: no such known fact; did you mean stash_league?',
    ],
    [
      'an unknown flag',
      `${least}edition: { F-CZ: on }`,
      'in:2: edition.F-CZ: no such edition flag; did you mean F-CX?',
    ],
    ['a state of no flag', `${least}edition: { F-CX: true }`, 'in:2: edition.F-CX: is true; valid: on, off or any'],
    [
      'an unknown scope',
      `${least}clients:\n  service:\n    client_id: s\n    client_secret: x\n    scopes:\n      - service:leagues\n      - service:leages:ladder`,
      'in:8: clients.service.scopes[1]: is "service:leages:ladder"; did you mean service:leagues:ladder?',
    ],
    [
      'a scope twice',
      `${least}clients:\n  service: { client_id: s, client_secret: x, scopes: [service:psapi, service:psapi] }`,
      'in:3: clients.service.scopes[1]: is a duplicate; remove it',
    ],
    [
      'scopes as a text',
      `${least}clients: { service: { client_id: s, client_secret: x, scopes: service:psapi } }`,
      'in:2: clients.service.scopes: must be a list, not a string; write [service:psapi]',
    ],
    [
      'an id that YAML takes for a number',
      `${least}known:\n  empty_tab: 0123456789`,
      'in:3: known.empty_tab: must be a string, not the number 123456789; put it in quotes',
    ],
    [
      'a secret that YAML takes for a number, which is kept',
      `${least}clients: { service: { client_id: s, client_secret: 12345, scopes: [service:psapi] } }`,
      'in:2: clients.service.client_secret: must be a string; put it in quotes',
    ],
    [
      'a thousand aliases in aliases',
      `name: &a [x, x, x, x, x, x, x, x, x, x]\nknown: { main_leagues: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a], odd_names: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b], season: [*c, *c, *c] }`,
      'in: its aliases expand to too many nodes; replace the aliases by their values',
    ],
    [
      'a public client with a secret',
      `${least}clients:\n  public:\n    client_id: p\n    client_secret: x\n    redirect_uri: http://127.0.0.1:8/\n    scopes: [account:profile]`,
      'in:5: clients.public.client_secret: a public client has no secret; remove it, or make the client confidential',
    ],
    [
      'a redirect URI that is none',
      `${least}clients:\n  public:\n    client_id: p\n    redirect_uri: /callback\n    scopes: [account:profile]`,
      'in:5: clients.public.redirect_uri: "/callback" is not an absolute URI; write it as registered',
    ],
    [
      'consent that nobody gives',
      `${least}consent: control`,
      'in:2: consent: is control, but control_url is not set; set it, or use form, auto or none',
    ],
    ['a word for consent', `${least}consent: forms`, 'in:2: consent: is "forms"; did you mean form?'],
    [
      'a token for nothing',
      `${least}control_token: x`,
      'in:2: control_token: is sent on control calls only, but control_url is not set; set it',
    ],
    [
      'a day that does not exist',
      `${least}waivers:\n  - id: GEN-001\n    reason: x\n    expires: 2027-02-30`,
      'in:5: waivers[0].expires: "2027-02-30" is not a date; write it as 2027-01-31',
    ],
    [
      'a waiver without a reason',
      `${least}waivers:\n  - id: GEN-001\n`,
      'in:3: waivers[0].reason: is missing; say why the server deviates',
    ],
    [
      'a waiver twice',
      `${least}waivers:\n  - { id: A-1, reason: x }\n  - { id: A-1, reason: y }\n`,
      'in:4: waivers[1]: A-1 is waived twice; remove one',
    ],
    [
      'a timestamp within an hour',
      `${least}known: { first_hour: 1767225601 }`,
      'in:2: known.first_hour: 1767225601 is not a whole hour; write the timestamp of a whole hour',
    ],
    ['a negative budget', `${least}budget: { requests: -1 }`, 'in:2: budget.requests: is -1; the minimum is 0'],
    ['a key twice', `${least}name: a\nname: b\n`, 'in:3: duplicate key; remove one'],
    ['two documents', `${least}---\n${least}`, 'in:2: a second document starts here; keep one, without ---'],
    [
      'a prototype',
      `${least}clients: { constructor: {} }`,
      expect.stringMatching(/^in:2: clients.constructor: no such client role/) as string,
    ],
  ];
  it.each(cases)('%s', async (_, text, ...expected) => {
    expect(await problems(load(text))).toEqual(expected);
  });

  it('is told of YAML that is none, with its line and a hint about braces', async () => {
    expect(
      await problems(load(`${least}clients: { service: { client_id: \${X}, scopes: [`, { env: { X: 'x' } })),
    ).toContainEqual(expect.stringMatching(/^in:2: invalid YAML: .*; within { } put "\$\{NAME\}" in quotes$/));
  });

  it.each([
    [
      'a bracket',
      'name: a\nclients:\n  service:\n    scopes: [a, b\n    client_id: c\n',
      'in:4: invalid YAML: the [ here is never closed; end the value with ]',
    ],
    [
      'a brace',
      'name: a\nclients: { service: { client_id: a }\nedition: {}\n',
      'in:2: invalid YAML: the { here is never closed; end the value with }',
    ],
    [
      'a double quote',
      'name: a\nbase_url: "http://a\nclients:\n  service:\n    client_id: c\n',
      'in:2: invalid YAML: the " here is never closed; end the value with "',
    ],
    [
      'a single quote',
      "name: 'a\nbase_url: b\n",
      "in:1: invalid YAML: the ' here is never closed; end the value with '",
    ],
    [
      'a colon',
      'name: a\nbase_url http://a\nclients: {}\n',
      'in:2: invalid YAML: a key here has no colon and space behind it; write key: value',
    ],
    [
      'the last colon',
      'name: a\nbase_url http://a\n',
      'in:2: invalid YAML: a key here has no colon and space behind it; write key: value',
    ],
    [
      'a space behind a colon',
      'clients:\n  service:\n    client_id:a\n    scopes: [a]\n',
      'in:3: invalid YAML: a key here has no colon and space behind it; write key: value',
    ],
    [
      'a space for a tab',
      'clients:\n\tservice: {}\n',
      'in:2: invalid YAML: a tab indents this line; indent with spaces',
    ],
    [
      'the indentation of the neighbours',
      'clients:\n  service:\n    client_id: a\n      client_secret: b\n',
      'in:4: invalid YAML: this line is not indented as its neighbours are; indent them alike',
    ],
    [
      'quotes around a colon',
      'name: a: b\n',
      'in:1: invalid YAML: a second colon is in this line; put the value in quotes',
    ],
  ])('names the line and the remedy where %s is missing', async (_, text, words) => {
    expect(await problems(load(text))).toEqual([words]);
  });

  it('of a template that nobody has filled in names each empty value and what to write there', async () => {
    expect(await problems(load(targetTemplate()))).toEqual([
      expect.stringMatching(/^in:\d+: base_url: is empty; write the base address/),
      expect.stringMatching(
        /^in:\d+: clients\.service\.client_id: is empty; write the client id of the registered application, or remove clients\.service if there is no such application$/,
      ),
      expect.stringMatching(/^in:\d+: clients\.service\.client_secret: is empty; write the secret of the application$/),
    ]);
  });

  it('is told all at once, in the order of the lines, with the name of the file', async () => {
    const file = join(folder, 'bad.yaml');
    writeFileSync(
      file,
      'base_url: nowhere\nedition:\n  F-CX: maybe\nclients:\n  gild: {}\nbudget:\n  requests: many\n',
    );
    const found = await problems(loadTarget({ file, env: {} }));
    expect(
      found.map((line) =>
        line
          .slice(folder.length + 1)
          .split(':')
          .slice(0, 3)
          .join(':'),
      ),
    ).toEqual([
      'bad.yaml:1: base_url',
      'bad.yaml:3: edition.F-CX',
      'bad.yaml:5: clients.gild',
      'bad.yaml:7: budget.requests',
    ]);
  });

  it('is told of a file that cannot be read', async () => {
    const file = join(folder, 'none.yaml');
    expect(await problems(loadTarget({ file, env: {} }))).toEqual([
      `${file}: no such file; gamedata target init --out ${file} writes one to fill in`,
    ]);
    expect(await problems(loadTarget({ file: folder, env: {} }))).toEqual([
      `${folder}: is a folder; name a target file`,
    ]);
    const binary = join(folder, 'binary');
    writeFileSync(binary, Buffer.from([0xff, 0xfe, 0, 0]));
    expect(await problems(loadTarget({ file: binary, env: {} }))).toEqual([
      `${binary}: is not UTF-8 text; save it as UTF-8`,
    ]);
  });
});

describe('a target file that nobody wrote by hand', () => {
  const unknown = (keys: number): string =>
    least + Array.from({ length: keys }, (_, index) => `name_of_a_key_${index}: 1\n`).join('');

  it.each([
    [
      'an anchor that stands in itself',
      'base_url: &a\n  b: *a\n',
      'in:2: alias *a contains itself; replace it by the value',
    ],
    [
      'a ring of anchors',
      'a: &a { b: &b { c: *a, d: *b }, e: *b }\n',
      'in:1: alias *a contains itself; replace it by the value',
    ],
    ['a merge of itself', 'clients: &a\n  <<: *a\n', 'in:2: alias *a contains itself; replace it by the value'],
    ['deep lists', `name: ${'['.repeat(40)}${']'.repeat(40)}\n`, 'in:1: nests deeper than 32 levels; flatten it'],
    ['lists deeper than any parser goes', '['.repeat(50_000), 'in:1: nests deeper than 32 levels; flatten it'],
    [
      'deep mappings',
      Array.from({ length: 200 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join(''),
      'in:33: nests deeper than 32 levels; flatten it',
    ],
    ['deep lists in a line', '- '.repeat(20_000), 'in:1: nests deeper than 32 levels; flatten it'],
    ['deep keys', '? '.repeat(20_000), 'in:1: nests deeper than 32 levels; flatten it'],
    ['deep mappings in a line', 'a: '.repeat(20_000), 'in:1: nests deeper than 32 levels; flatten it'],
    ['200,000 keys', unknown(40_000), 'in: has more than 100,000 YAML tokens; check that it is the right file'],
    ['too large a text', `name: "${'x'.repeat(1024 * 1024)}"\n`, 'in: exceeds 1 MiB; name a target file'],
    [
      'an endless key',
      `${'x'.repeat(200_000)}: 1\n`,
      /^in:1: invalid YAML: The : indicator must be at most 1024 chars/,
    ],
    [
      'an endless address',
      `base_url: >\n${'  a b c\n'.repeat(30_000)}`,
      /^in:1: base_url: "a b c a b .*… is not an http or https URL; write it as https:\/\/api\.example or \S+$/,
    ],
  ])('is refused in a line: %s', async (_, text, words) => {
    const told = await problems(load(text));
    expect(told).toEqual([typeof words === 'string' ? words : (expect.stringMatching(words) as string)]);
    expect(told[0]!.length).toBeLessThan(700);
  });

  it('is told of the first of thousands of problems, and of their number', async () => {
    const told = await problems(load(unknown(5000)));
    expect(told).toHaveLength(21);
    expect(told[0]).toMatch(/^in:2: name_of_a_key_0: no such setting; valid: /);
    expect(told.at(-1)).toBe('and 4,980 more problems');
  });

  it('may be a device without an end', async () => {
    expect(await problems(loadTarget({ file: '/dev/zero', env: {} }))).toEqual([
      '/dev/zero: exceeds 1 MiB; name a target file',
    ]);
  });
});

describe('variables in a target file', () => {
  it('are replaced, in any value, once or more often', async () => {
    const text = `name: a \${A} b \${B}\nbase_url: http://\${A}:1\nclients:\n  service: { client_id: s, client_secret: "\${A}$\${A}", scopes: [service:leagues] }`;
    const { name, base_url, clients } = await load(text, { env: { A: 'x', B: 'y # z' } });
    expect([name, base_url, clients.service?.client_secret]).toEqual(['a x b y # z', 'http://x:1', 'x${A}']);
  });

  it('are told of with their line where they are missing, beside everything else', async () => {
    const text = `${least}control_url: \${URL}\ncontrol_token: \${}\nname: \${A-B}\nknown: { seson: x }\nclients:\n  service:\n    client_id: s\n    client_secret: \${SECRET}\n    scopes: [service:leagues]\n`;
    expect(await problems(load(text, { env: { SECRET: '' } }))).toEqual([
      'in:2: control_url: the environment variable URL is not set; export it, or write the value here',
      'in:3: control_token: ${} is not a variable; write ${NAME}, or $${ for a literal ${',
      'in:4: name: ${A-B} is not a variable; write ${NAME}, or $${ for a literal ${',
      'in:5: known.seson: no such known fact; did you mean season?',
      'in:9: clients.service.client_secret: the environment variable SECRET is empty; export it, or write the value here',
    ]);
  });

  it('are not missed where a flag says the value', async () => {
    const { base_url } = await load('base_url: ${NOWHERE}', { overrides: { 'base-url': 'http://x' } });
    expect(base_url).toBe('http://x');
  });
});

describe('flags and environment', () => {
  const first = {
    'base-url': 'http://127.0.0.1:1',
    'client-id': 'c',
    'client-secret': 's',
    'redirect-uri': 'https://app.example/',
    scopes: 'account:profile, account:characters',
    refresh: true,
    flag: ['F-CX=on', 'F-FRAME-12=off'],
    name: ['game2=second'],
  };

  it('are enough for a first run', async () => {
    const target = await loadTarget({ env: {}, overrides: first });
    expect(target.clients).toEqual({
      confidential: {
        client_id: 'c',
        client_secret: 's',
        redirect_uri: 'https://app.example/',
        redirect_uris: ['https://app.example/'],
        scopes: ['account:profile', 'account:characters'],
        refresh: true,
      },
    });
    expect(target.edition).toMatchObject({ 'F-CX': 'on', 'F-FRAME-12': 'off', 'F-FRAME-13': 'any' });
    expect(target.names).toEqual({ game2: 'second', livestream: 'livestream' });
  });

  it('win in this order: flag, environment, file', async () => {
    const text = `${least}auth_url: http://file\ncontrol_url: http://file\nedition: { F-CX: on, F-FRAME-12: on, F-FRAME-13: on }`;
    const target = await load(text, {
      env: {
        GAMEDATA_AUTH_URL: 'http://env',
        GAMEDATA_CONTROL_URL: 'http://env',
        GAMEDATA_FLAG: 'F-CX=off F-FRAME-12=off',
      },
      overrides: { 'control-url': 'http://flag', flag: ['F-CX=any'] },
    });
    expect([target.base_url, target.auth_url, target.control_url]).toEqual([
      'http://127.0.0.1:1',
      'http://env',
      'http://flag',
    ]);
    expect(target.edition).toMatchObject({ 'F-CX': 'any', 'F-FRAME-12': 'off', 'F-FRAME-13': 'on' });
  });

  it('give secrets to the clients of a file by role', async () => {
    const text = `${least}clients:\n  service: { client_id: s, scopes: [service:leagues] }`;
    const { clients } = await load(text, {
      env: { GAMEDATA_CLIENT_SERVICE_SECRET: 'more', GAMEDATA_SERVICE_CLIENT_SECRET: 'less' },
    });
    expect(clients.service?.client_secret).toBe('more');
  });

  it('may be empty, and then say nothing', async () => {
    expect((await load(least, { env: { GAMEDATA_AUTH_URL: '' } })).auth_url).toBe('http://127.0.0.1:1');
  });

  it('are named where they are wrong', async () => {
    const found = await problems(
      load(least, {
        env: {
          GAMEDATA_AUTH_URL: 'x',
          GAMEDATA_CLIENT_GUILD_SECRT: 'x',
          GAMEDATA_REFRESH: 'yes',
          GAMEDATA_TOKEN_X: 'x',
        },
        overrides: { 'control-url': 'y', consent: 'formm', flag: ['F-CX', 'F-CZ=on'], 'service-client-id': 's' },
      }),
    );
    expect(found).toEqual([
      'GAMEDATA_CLIENT_GUILD_SECRT: no such variable; did you mean GAMEDATA_CLIENT_GUILD_SECRET?',
      'GAMEDATA_REFRESH: is "yes"; valid: true, false',
      '--flag: "F-CX" is invalid; write it as name=on|off|any',
      '--flag F-CZ=on: no such edition flag; did you mean F-CX?',
      '--consent: is "formm"; did you mean form?',
      'GAMEDATA_AUTH_URL: "x" is not an http or https URL; write it as https://api.example or http://127.0.0.1:4010',
      '--control-url: "y" is not an http or https URL; write it as https://api.example or http://127.0.0.1:4010',
      'in:1: clients.service.client_secret: is missing; write the secret of the application, in the file or with --service-client-secret or GAMEDATA_SERVICE_CLIENT_SECRET',
      'in:1: clients.service.scopes: is missing; list the scopes of the application, such as account:profile, in the file or with --service-scopes or GAMEDATA_SERVICE_SCOPES',
    ]);
  });
});

it('shows its settings without secrets', async () => {
  const target = await load(
    `${least}control_url: http://x\ncontrol_token: hidden-1\nclients: { service: { client_id: s, client_secret: hidden-2, scopes: [service:leagues] } }`,
  );
  const shown = describeTarget(target);
  expect(JSON.stringify(shown)).not.toContain('hidden');
  expect(shown).toMatchObject({ control_url: 'http://x', clients: { service: { client_id: 's' } } });
});
