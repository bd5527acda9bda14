import { describe, expect, it } from 'vitest';

import { basic, createBench, errorOf, forItself, post, tokensOf } from './authority.fixture.js';
import { introspectToken } from './introspect.js';
import { revokeToken } from './revoke.js';

const bench = createBench();
const { secret } = bench.client('service');
const grant = { grant_type: 'client_credentials' };
const scope = { scope: 'service:leagues' };

describe('authentication in the body', () => {
  it('takes the right secret, reserved characters and all', () => {
    expect(tokensOf(bench, { ...forItself(bench, 'service'), ...scope }).scope).toBe('service:leagues');
  });

  it.each([
    ['an unknown client', { client_id: 'nobody', client_secret: secret! }],
    ['a name of Object', { client_id: 'constructor', client_secret: secret! }],
    ['no secret', { client_id: 'service' }],
    ['an empty secret', { client_id: 'service', client_secret: '' }],
    ['half a secret', { client_id: 'service', client_secret: secret!.slice(0, 5) }],
    ['a secret in another case', { client_id: 'service', client_secret: secret!.toUpperCase() }],
    ['a longer secret', { client_id: 'service', client_secret: `${secret}x` }],
    ["another client's secret", { client_id: 'service', client_secret: bench.client('web').secret! }],
    ['a secret of a public client', { client_id: 'app', client_secret: 'invented' }],
  ])('refuses %s', (_, fields) => {
    const answer = post(bench, { ...fields, ...grant });
    expect(answer).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
      headers: { 'www-authenticate': /^Basic / },
    });
  });

  it('asks for a client_id', () => {
    expect(errorOf(bench, { ...grant, client_secret: secret! })).toBe('invalid_request');
  });

  it('answers 400 where the switch says so, but never after HTTP Basic', () => {
    const lenient = createBench({ 'clientAuth.invalidClientStatus': 400 });
    expect(post(lenient, { client_id: 'service', ...grant }).status).toBe(400);
    expect(post(lenient, grant, basic('service', 'wrong')).status).toBe(401);
  });

  it.each([
    ['revocation', revokeToken],
    ['introspection', introspectToken],
  ])('does the same at %s', (_, endpoint) => {
    const lenient = createBench({ 'clientAuth.invalidClientStatus': 400 });
    const form = new URLSearchParams({ client_id: 'service', client_secret: 'wrong', token: 'x' });
    expect(endpoint(form, undefined, lenient)).toMatchObject({ status: 400, body: { error: 'invalid_client' } });
    expect(endpoint(form, undefined, createBench()).status).toBe(401);
    expect(endpoint(new URLSearchParams({ token: 'x' }), basic('service', 'wrong'), lenient).status).toBe(401);
  });
});

describe('authentication by HTTP Basic', () => {
  const header = basic('service', secret!);

  it('takes form-urlencoded credentials, the scheme in any case, the id in the body too', () => {
    expect(errorOf(bench, grant, header)).toBe('none');
    expect(errorOf(bench, grant, header.replace('Basic', 'bAsIc'))).toBe('none');
    expect(errorOf(bench, { ...grant, client_id: 'service' }, header)).toBe('none');
  });

  it.each([
    'Basic',
    'Basic ',
    'Basic !!!',
    `Basic ${Buffer.from('no-colon').toString('base64')}`,
    basic('service', 'wrong'),
    basic('nobody', 'x'),
  ])('answers 401 with a challenge to %s', (bad) => {
    expect(post(bench, grant, bad)).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
      headers: { 'www-authenticate': /^Basic / },
    });
  });

  it('tells in the log that the secret was not form-urlencoded', () => {
    for (const plain of [secret!, 'a+b']) {
      const one = createBench();
      const service = { ...one.client('service'), secret: plain };
      const answer = post(
        { ...one, clients: new Map([['service', service]]) },
        grant,
        `Basic ${Buffer.from(`service:${plain}`).toString('base64')}`,
      );
      expect(answer.status).toBe(401);
      expect(answer.error?.reason).toContain('form-urlencoded');
      expect(JSON.stringify(answer.body)).not.toContain('form-urlencoded');
    }
  });

  it('cannot be mixed with another way or another id', () => {
    expect(errorOf(bench, { ...grant, client_id: 'web' }, header)).toBe('invalid_request');
    expect(errorOf(bench, { ...grant, client_id: 'service', client_secret: secret! }, header)).toBe('invalid_request');
  });

  it('names a public client with an empty password', () => {
    expect(errorOf(bench, grant, basic('app', ''))).toBe('unauthorized_client');
  });

  it('is not known where it is switched off', () => {
    const off = createBench({ 'clientAuth.basic': false });
    expect(errorOf(off, grant, header)).toBe('invalid_request');
    expect(errorOf(off, forItself(off, 'service'), header)).toBe('none');
  });
});

it('never shows a secret, not even in the reason', () => {
  const shown = [
    post(bench, { ...grant, client_id: 'service', client_secret: 'wrong-secret-of-some-length' }),
    post(bench, grant, basic('service', 'wrong-secret-of-some-length')),
    post(bench, grant, `Basic ${Buffer.from(`service:${secret}`).toString('base64')}`),
  ].map((answer) => JSON.stringify(answer) + answer.error?.reason);
  expect(shown.join()).not.toContain('wrong-secret');
  expect(shown.join()).not.toContain(secret);
});
