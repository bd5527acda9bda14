import { grantedApplications } from '../../oauth/index.js';
import type { GrantedApplication } from '../../oauth/index.js';
import type { Account } from '../../world/world.js';
import type { Service } from '../service.js';
import { accountField } from './accounts.js';
import { escape, page } from './html.js';

/** The applications page of an account (interface 1): what it granted, to whom, until when, and a button to take it back. */
export function applicationsPage(account: Account, service: Service): string {
  const granted = grantedApplications(account.key, service.authority);
  const items = granted.map((application) => item(account, application, service.base)).join('\n');
  return page(
    'Applications',
    `<h1>Applications of ${escape(account.username)}</h1>
<p>What may act for this account. Revoking an application ends every token that it holds for the account, at once.</p>
<form class="field" method="get" action="${service.base}/applications">${accountField('Account', service.world.accounts, account.key)} <button>Show</button></form>
${granted.length === 0 ? '<p><strong>No application has access.</strong></p>' : `<ul class="applications">\n${items}\n</ul>`}
<p class="note"><a href="${service.base}/">Start page of the mock</a></p>`,
  );
}

function item(account: Account, { client, scopes, since, expires }: GrantedApplication, base: string): string {
  const end = expires === null ? 'without end' : `until ${date(expires)}`;
  return `<li>
<div><h2>${escape(client.name)}</h2><code>${escape(client.id)}</code></div>
<form method="post" action="${base}/applications"><input type="hidden" name="account" value="${escape(account.key)}"><input type="hidden" name="client_id" value="${escape(client.id)}"><button aria-label="Revoke ${escape(client.name)}">Revoke</button></form>
<p>Since ${date(since)}, ${end}</p>
<p class="scopes">${scopes.map((scope) => `<code>${escape(scope)}</code>`).join(' ')}</p>
</li>`;
}

function date(instant: number): string {
  const text = new Date(instant).toISOString();
  return `<time datetime="${text}">${text.slice(0, 16).replace('T', ' ')} UTC</time>`;
}
