import { describe, expect, it } from 'vitest';

import { createBench } from './authority.fixture.js';
import { isRegistered, withParameters } from './redirects.js';

const bench = createBench();
const accepts = (uri: string, id = 'app', { switches } = bench): boolean =>
  isRegistered(uri, bench.client(id), switches);

describe('a loopback redirect of a public client', () => {
  it.each([
    'http://127.0.0.1:1/cb',
    'http://127.0.0.1:65535/cb',
    'http://127.0.0.1/cb',
    'http://[::1]:5000/cb',
    'http://localhost:9/cb?x=1',
  ])('may name any port: %s', (uri) => expect(accepts(uri)).toBe(true));

  it.each([
    'http://127.0.0.1:0/cb',
    'http://127.0.0.1:65536/cb',
    'http://127.0.0.1:99999999/cb',
    'http://127.0.0.1:/cb',
    'http://127.0.0.1:80@evil.example/cb',
    'http://127.0.0.1.evil.example/cb',
    'http://127.0.0.1:8765/CB',
    'http://127.0.0.1:8765/cb/',
    'http://127.0.0.1:8765/cb?x=1',
    'http://127.0.0.2:8765/cb',
    'http://localhost:8765/cb',
    'https://127.0.0.1:8765/cb',
    'http://[::1]:5000/cb#f',
    'https://app.example:444/cb',
  ])('may differ in nothing else: %s', (uri) => expect(accepts(uri)).toBe(false));

  it('is matched exactly where the switch says so', () => {
    const exact = createBench({ 'redirect.loopbackAnyPort': 'none' });
    expect(accepts('http://127.0.0.1:8765/cb', 'app', exact)).toBe(true);
    expect(accepts('http://127.0.0.1:1/cb', 'app', exact)).toBe(false);
  });

  it('is a privilege of public clients', () => {
    const local = { ...bench.client('web'), redirectUris: ['http://127.0.0.1:1/cb'] };
    expect(isRegistered('http://127.0.0.1:1/cb', local, bench.switches)).toBe(true);
    expect(isRegistered('http://127.0.0.1:2/cb', local, bench.switches)).toBe(false);
  });
});

describe('withParameters', () => {
  it.each([
    ['https://a.example/cb', 'https://a.example/cb?code=x'],
    ['https://a.example/cb?', 'https://a.example/cb?code=x'],
    ['https://a.example/cb?a=%7E+b', 'https://a.example/cb?a=%7E+b&code=x'],
    ['https://a.example/cb?a=b&', 'https://a.example/cb?a=b&code=x'],
  ])('adds to %s without touching what is there', (uri, expected) => {
    expect(withParameters(uri, { code: 'x' }, bench.switches)).toBe(expected);
  });
});
