import { afterEach, describe, expect, it } from 'vitest';

import { discovered } from './discovery.js';
import { targetTemplate } from './init.js';
import { loadTarget } from './load.js';
import { plainTransport } from './plain-transport.js';
import { fakeServer } from './server.fixture.js';
import type { FakeServer } from './server.fixture.js';

let server: FakeServer | undefined;
afterEach(() => server?.close());

/** A server that has metadata at one path only. */
async function issuer(at: string, metadata: (url: string) => object | string): Promise<string> {
  server = await fakeServer(({ path }) =>
    path === at ? { body: metadata(server!.url) } : { status: 404, body: '<h1>No</h1>' },
  );
  return server.url;
}

const endpointsAt = (base: string) => ({
  issuer: base,
  authorization_endpoint: `${base}/auth`,
  token_endpoint: `${base}/token`,
  revocation_endpoint: `${base}/revoke`,
  introspection_endpoint: 'https://inner.example/introspect?v=1',
});

describe('the metadata of an issuer', () => {
  it.each([
    ['/.well-known/oauth-authorization-server/realms/x'],
    ['/realms/x/.well-known/openid-configuration'],
    ['/.well-known/openid-configuration/realms/x'],
    ['/realms/x/.well-known/oauth-authorization-server'],
  ])('is found at %s, and fills in a target file', async (at) => {
    const url = await issuer(at, (own) => endpointsAt(`${own}/realms/x`));
    for (const named of [`${url}/realms/x/`, url + at]) {
      const found = await discovered(named, plainTransport());
      expect(found).toEqual({
        issuer: `${url}/realms/x`,
        paths: {
          authorize: '/auth',
          token: '/token',
          revoke: '/revoke',
          introspect: 'https://inner.example/introspect?v=1',
        },
        sources: [url + at],
        remarks: [],
      });
      const text = targetTemplate(found).replaceAll("''", 'filled-in');
      const target = await loadTarget({ file: '-', env: {}, stdin: async () => text });
      expect(target).toMatchObject({ auth_url: `${url}/realms/x`, paths: found.paths, consent: 'form' });
    }
  });

  it('says what is missing and what will differ', async () => {
    const url = await issuer('/.well-known/openid-configuration', (own) => ({
      issuer: 'https://other.example',
      authorization_endpoint: `${own}/a`,
      token_endpoint: `${own}/t`,
      code_challenge_methods_supported: ['plain'],
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
      grant_types_supported: ['authorization_code'],
    }));
    const found = await discovered(url, plainTransport());
    expect(found.remarks).toEqual([
      `it calls itself https://other.example, not ${url} (RFC 8414 3.3)`,
      'it has no revocation_endpoint: paths.revoke stays /oauth/token/revoke',
      'it has no introspection_endpoint: paths.introspect stays /oauth/token/introspect',
      'it does not list S256 in code_challenge_methods_supported',
      'it does not list client_secret_post in token_endpoint_auth_methods_supported, and the interface sends secrets so',
      'it does not list refresh_token in grant_types_supported',
      'it does not list client_credentials in grant_types_supported',
    ]);
    expect(targetTemplate(found)).toContain('# Note: it has no revocation_endpoint');
  });

  it('is named where there is none', async () => {
    const url = await issuer('/.well-known/openid-configuration', () => '<p>hello</p>');
    await expect(discovered(url, plainTransport())).rejects.toMatchObject({
      name: 'SetupError',
      message:
        `--from ${url}: no metadata of an authorization server: ${url}/.well-known/oauth-authorization-server returned 404; ` +
        `${url}/.well-known/openid-configuration returned 200 without endpoints in JSON; ` +
        'name the issuer as the server has it, or write a file with gamedata target init and fill in paths',
    });
    await server?.close();
    await expect(discovered(url, plainTransport())).rejects.toThrow(
      'connection refused; start the server, or correct the host and port of --from',
    );
    await expect(discovered('login.example', plainTransport())).rejects.toThrow('not an http or https URL');
  });
});
