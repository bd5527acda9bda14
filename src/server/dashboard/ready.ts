import { escape } from '../pages/html.js';
import type { Service } from '../service.js';

/** A value with a button that copies it. */
const copied = (what: string, value: string): string =>
  `<div class="line"><span class="grow">${what} <code>${escape(value)}</code></span><button type="button" data-copy="${escape(value)}" aria-label="Copy ${what} ${escape(value)}">Copy</button></div>`;

/**
 * The clients that a program can use at once, and the two tokens that a person wants. The script mints them when it is
 * asked to. Where there is a control token the page is shown without it, so that it has no secrets.
 */
export function readyClients({ world }: Service, controlToken: string | undefined): string {
  const secretOf = (secret: string | null): string => {
    if (secret === null) return '<p>public: no secret, PKCE</p>';
    return controlToken === undefined ? copied('secret', secret) : '<p>its secret is in the fixtures</p>';
  };
  const scopesOf = (who: string, scopes: readonly string[]): string =>
    scopes.length === 0 ? '' : `<p>${who}: <code>${escape(scopes.join(' '))}</code></p>`;
  const clients = world.clients.map(
    ({ id, secret, redirectUris, scopes, credentialScopes, refresh }) =>
      `<li><details><summary>${escape(id)}</summary>${copied('client', id)}${secretOf(secret)}${redirectUris.map((uri) => copied('redirect', uri)).join('')}${scopesOf(`a user may grant${refresh ? ', with a refresh token' : ''}`, redirectUris.length > 0 ? scopes : [])}${scopesOf('by client_credentials', credentialScopes)}</details></li>`,
  );
  return `<div class="actions"><button type="button" id="token-account">Get a user token</button><button type="button" id="token-service">Get a service token</button></div>
<ul id="ready-tokens" class="rows"></ul>
<ul class="rows">${clients.join('')}</ul>`;
}
