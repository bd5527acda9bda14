import { describe, expect, it } from 'vitest';

import type { MockFacts } from '../src/server/facts.js';
import { firstScreen, table } from './screen.js';

const plain = { strong: String, faint: String };
const ready = (account: string, token: string) => ({ account, clientId: 'c', scopes: ['account:profile'], token });

const facts: MockFacts = {
  version: '1.2.3',
  edition: 'base',
  seed: 7,
  baseUrl: 'http://127.0.0.1:4010',
  authUrl: 'http://127.0.0.1:4010',
  controlUrl: 'http://127.0.0.1:4010/__control',
  docsUrl: 'http://127.0.0.1:4010/docs',
  tryUrl: 'http://127.0.0.1:4010/try',
  applicationsUrl: 'http://127.0.0.1:4010/applications',
  accounts: [
    { key: 'alice', username: 'alice', uuid: 'u1' },
    { key: 'bob', username: 'bob', uuid: 'u2' },
  ],
  clients: [
    {
      id: 'example-web',
      name: 'Example Web',
      type: 'confidential',
      secret: 'web-secret',
      redirectUris: ['https://app.example/a', 'https://app.example/b'],
      scopes: ['account:profile'],
      credentialScopes: [],
      refresh: true,
      owner: 'alice',
      lastCharacterName: false,
    },
  ],
  tokens: { account: ready('alice', 'aaa'), service: ready('bob', 'sss') },
  samples: [
    { token: 'aaa', url: 'http://127.0.0.1:4010/profile' },
    { token: 'sss', url: 'http://127.0.0.1:4010/league/Standard/ladder?limit=3' },
  ],
};

describe('the address that clients use', () => {
  it('stands first where it is another one', () => {
    expect(firstScreen({ ...facts, publicUrl: 'https://api.example' }, plain)).toMatch(
      /\n\n {2}Clients use +https:\/\/api\.example\n {2}Data API/,
    );
    expect(firstScreen(facts, plain)).not.toContain('Clients use');
  });
});

describe('firstScreen', () => {
  it('names everything that a client needs', () => {
    const screen = firstScreen(facts, plain);
    for (const text of [
      '1.2.3',
      'base',
      'seed 7',
      '/docs',
      '/applications',
      '/__control',
      'alice, bob',
      'web-secret',
      'https://app.example/a +1',
      'aaa',
      'sss',
    ]) {
      expect(screen).toContain(text);
    }
  });

  it('has curl lines for a shell, with a query in quotes', () => {
    const lines = firstScreen(facts, plain).split('\n');
    expect(lines).toContain("curl -H 'Authorization: Bearer aaa' http://127.0.0.1:4010/profile");
    expect(lines).toContain(
      "curl -H 'Authorization: Bearer sss' 'http://127.0.0.1:4010/league/Standard/ladder?limit=3'",
    );
  });

  it('does without tokens and clients', () => {
    const screen = firstScreen({ ...facts, accounts: [], clients: [], tokens: {}, samples: [] }, plain);
    expect(screen).toContain('http://127.0.0.1:4010');
    expect(screen).not.toContain('undefined');
  });
});

describe('table', () => {
  it('lines up columns, colours or not', () => {
    expect(
      table([
        ['a', 'b'],
        ['\x1b[1mlonger\x1b[22m', 'c'],
      ]),
    ).toEqual(['  a       b', '  \x1b[1mlonger\x1b[22m  c']);
  });

  it('lets one long cell push its own row aside only', () => {
    expect(
      table([
        ['x'.repeat(40), 'b'],
        ['ab', 'c'],
      ]),
    ).toEqual([`  ${'x'.repeat(40)}  b`, '  ab  c']);
  });
});
