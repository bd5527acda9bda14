import { describe, expect, it } from 'vitest';

import {
  approve,
  createBench,
  credentials,
  errorOf,
  exchange,
  forItself,
  post,
  refresh,
  signIn,
} from './authority.fixture.js';
import { issueToken } from './token-endpoint.js';

const bench = createBench();

describe('the token endpoint', () => {
  it('refuses a missing or empty grant_type', () => {
    expect(errorOf(bench, credentials(bench, 'web'))).toBe('invalid_request');
    expect(errorOf(bench, { ...credentials(bench, 'web'), grant_type: '' })).toBe('invalid_request');
  });

  it.each([
    'password',
    'implicit',
    'Authorization_Code',
    'urn:ietf:params:oauth:grant-type:device_code',
    'constructor',
    '__proto__',
  ])('does not support %s', (type) =>
    expect(errorOf(bench, { ...credentials(bench, 'web'), grant_type: type })).toBe('unsupported_grant_type'),
  );

  it('refuses each known field that comes twice', () => {
    for (const good of [
      exchange(bench, 'web', approve(bench, 'web').get('code')!),
      refresh(bench, 'web', signIn(bench, 'web').refresh_token!),
    ]) {
      for (const [name, value] of [...Object.entries(good), ['scope', 'account:profile']] as [string, string][]) {
        const form = new URLSearchParams({ ...good, [name]: value });
        form.append(name, value);
        const answer = issueToken(form, undefined, bench);
        expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
      }
      expect(errorOf(bench, good)).toBe('none');
    }
  });

  it('ignores fields that it does not know, in whatever number', () => {
    const form = new URLSearchParams([
      ...Object.entries(forItself(bench, 'service')),
      ['resource', 'a'],
      ['resource', 'b'],
    ]);
    expect(issueToken(form, undefined, bench).status).toBe(200);
  });

  it('forbids caching of tokens and of errors', () => {
    for (const answer of [
      post(bench, forItself(bench, 'service')),
      post(bench, {}),
      post(bench, { client_id: 'nobody' }),
    ]) {
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
    }
  });

  it('shows an error and its fixed words, and nothing else', () => {
    const answer = post(bench, { ...credentials(bench, 'web'), grant_type: '"user\ninput"' });
    expect(answer.body).toEqual({
      error: 'unsupported_grant_type',
      error_description: 'The grant type is not supported.',
    });
    expect(answer.error?.reason).toContain('user?input');
  });
});
