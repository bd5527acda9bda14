import { grantedApplications } from '../../oauth/index.js';
import type { GrantedApplication } from '../../oauth/index.js';
import type { Account } from '../../world/world.js';
import type { Service } from '../service.js';
import { escape, page } from './html.js';

/** The applications page of an account (interface 1): what it granted, to whom, until when, and a button to take it back. */
export function applicationsPage(account: Account, service: Service): string {
  const granted = grantedApplications(account.key, service.authority);
  const others = service.world.accounts.map(
    ({ key, username }) =>
      `<option value="${escape(key)}"${key === account.key ? ' selected' : ''}>${escape(username)}</option>`,
  );
  return page(
    'Applications',
    `<h1>Applications of ${escape(account.username)}</h1>
<p>What may act for this account. Revoking an application ends every token that it holds for the account, at once.</p>
<form method="get" action="/applications"><label>Account <select name="account">${others.join('')}</select></label> <button>Show</button></form>
${granted.length === 0 ? '<p><strong>No application has access.</strong></p>' : table(account, granted)}`,
  );
}

function table(account: Account, granted: readonly GrantedApplication[]): string {
  return `<table><thead><tr><th>Application</th><th>May</th><th>Since, until</th><th></th></tr></thead><tbody>
${granted.map((application) => row(account, application)).join('\n')}
</tbody></table>`;
}

function row(account: Account, { client, scopes, since, expires }: GrantedApplication): string {
  const until = expires === null ? 'no end' : date(expires);
  return `<tr><td><strong>${escape(client.name)}</strong><br><code>${escape(client.id)}</code></td>
<td>${scopes.map((scope) => `<code>${escape(scope)}</code>`).join('<br>')}</td>
<td>${date(since)},<br>${until}</td>
<td><form method="post" action="/applications"><input type="hidden" name="account" value="${escape(account.key)}"><input type="hidden" name="client_id" value="${escape(client.id)}"><button aria-label="Revoke ${escape(client.name)}">Revoke</button></form></td></tr>`;
}

const date = (instant: number): string => new Date(instant).toISOString().slice(0, 16).replace('T', ' ');
