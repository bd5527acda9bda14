import { expect, it } from 'vitest';

import { CookieJar } from './cookies.js';

const at = (path: string): URL => new URL(path, 'http://127.0.0.1:1');

it('sends cookies back below their path, the closest first', () => {
  const jar = new CookieJar();
  jar.take(at('/oauth/authorize'), [
    'a=1',
    'b=2; Path=/; HttpOnly; SameSite=Lax',
    'c="x=y" ; path=/login',
    'bad',
    '=x',
  ]);
  expect(jar.header(at('/oauth/token'))).toBe('a=1; b=2');
  expect(jar.header(at('/oauthx'))).toBe('b=2');
  expect(jar.header(at('/login/next'))).toBe('c="x=y"; b=2');
  expect(new CookieJar().header(at('/'))).toBeUndefined();
});

it('replaces and forgets', () => {
  const jar = new CookieJar();
  jar.take(at('/'), ['a=1', 'b=1', 'c=1']);
  jar.take(at('/'), ['a=2; Max-Age=60', 'b=; Max-Age=0', 'c=; Expires=Thu, 01 Jan 1970 00:00:00 GMT']);
  expect(jar.header(at('/'))).toBe('a=2');
});
