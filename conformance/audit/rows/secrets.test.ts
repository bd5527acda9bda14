import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

import { runOf, verdictOf } from '../run.fixture.js';
import type { Handed } from '../run.js';

describe('a refresh token', () => {
  const token = 'aB3-'.repeat(10);
  const json = JSON.stringify({ token: { access_token: 'x'.repeat(40), refresh_token: token } });
  const session = (text: string): Partial<Handed> => ({ cookies: [`session=${text}; HttpOnly; Path=/`] });
  const judge = (handed: Partial<Handed>, client = 'web', code = 'k'): string =>
    verdictOf(
      'TOK-SECRET-007',
      runOf(
        [
          [
            '/oauth/token',
            {
              form: { grant_type: 'authorization_code', client_id: client, code: 'k' },
              reply: { access_token: 'x'.repeat(40), refresh_token: token },
            },
          ],
        ],
        {
          facts: {
            clients: new Map([
              ['web', { secret: 's', public: false }],
              ['desktop', { secret: null, public: true }],
            ]),
          },
          visits: [
            {
              url: '/',
              asked: [],
              callbacks: [
                { kind: 'answer', at: 0, code, status: 200, handed: { cookies: [], redirects: [], ...handed } },
              ],
            },
          ],
        },
      ),
    );
  it.each([
    ['is kept on the server', judge({ ...session('7f3a9c'), redirects: ['/'] }), 'pass'],
    ['is in a cookie that only the server can read', judge(session('gAAAAABl'.repeat(20))), 'pass'],
    ['is in a cookie', judge(session(encodeURIComponent(json))), 'violated'],
    ['is in a cookie, in base64', judge(session(`${Buffer.from(json).toString('base64url')}.aB-c.d_Efg`)), 'violated'],
    [
      'is in a cookie, compressed',
      judge(session(`.${deflateSync(json).toString('base64url')}.aB-c.d_Efg`)),
      'violated',
    ],
    ['is in the address of a redirect', judge({ redirects: [`/#refresh_token=${token}`] }), 'violated'],
    ['is with a public client, which has no server', judge(session(json), 'desktop'), 'not exercised'],
    ['is of another login than the callback', judge(session(json), 'web', 'other'), 'not exercised'],
  ])('%s', (_, got, expected) => expect(got).toBe(expected));
});
