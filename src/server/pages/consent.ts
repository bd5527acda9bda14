import { scopes as scopeTexts } from '../../contract/index.js';
import type { AuthorizationRequest } from '../../oauth/index.js';
import type { Service } from '../service.js';
import { accountField } from './accounts.js';
import { escape, page } from './html.js';

/**
 * The consent page (interface 4.1, 5.4): who asks, for what, and a form to approve as an account, to deny, or to grant a
 * part. Works without scripts. The form carries the request's own query, which is checked anew when the decision comes.
 */
export function consentPage(
  { client, scopes, redirectUri }: AuthorizationRequest,
  query: string,
  { base, world, user }: Service,
): string {
  const boxes = scopes.map(
    (scope) =>
      `<label class="box"><input type="checkbox" name="scope" value="${escape(scope)}" checked> <span><code>${escape(scope)}</code> <span>${escape(scopeTexts[scope])}</span></span></label>`,
  );
  return page(
    `Authorize ${client.name}`,
    `<h1>Authorize ${escape(client.name)}?</h1>
<p>The application <strong>${escape(client.name)}</strong> (<code>${escape(client.id)}</code>) asks for access to your account. You will be sent back to <code>${escape(redirectUri)}</code>.</p>
${client.type === 'public' ? publicWarning : ''}
<form method="post" action="${base}/oauth/authorize?${escape(query)}">
<fieldset><legend>What it may do</legend>
${boxes.join('\n')}
</fieldset>
<div class="field">${accountField('Your account', world.accounts, user)}</div>
<div class="actions">
<button class="primary" name="decision" value="approve">Approve</button>
<button name="decision" value="deny">Deny</button>
</div>
</form>
<p class="note">This is a mock server: there are no passwords and no real data.</p>`,
  );
}

/** Interface 4.1: public clients see a warning that the request's authenticity cannot be verified. */
export const publicWarning =
  '<p class="warning" role="alert"><strong>Warning:</strong> the authenticity of this request cannot be verified. Any program can pretend to be this application. Continue only if you have just started it yourself.</p>';

/** The page of a request whose client_id or redirect_uri is not to be trusted: nobody is redirected (RFC 6749 4.1.2.1). */
export function refusedPage(code: string, words: string): string {
  return page(
    'This request cannot be answered',
    `<h1>This request cannot be answered</h1>
<p>You were not redirected, because an answer goes only to an address that is registered for the client.</p>
<p><code>${escape(code)}</code>: ${escape(words)}</p>`,
  );
}
