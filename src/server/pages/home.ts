import type { Service } from '../service.js';
import { escape, page } from './html.js';

/** The front page: what this is and where things are. */
export function homePage({ base, issuer, world, options }: Service): string {
  return page(
    'Game Data mock',
    `<h1>Game Data mock</h1>
<p>A mock of the Game Data Developer Interface, edition <strong>${escape(options.edition)}</strong>, seed ${options.seed}. Data API and authorization server are both at <code>${escape(issuer)}</code>.</p>
<ul>
<li><a href="${base}/docs">Documentation</a></li>
<li><a href="${base}/docs/proof.html">The suite's own proof</a>: what it notices, and whom it lets be</li>
<li><a href="${base}/applications">Applications page</a>: what users have granted, and how they take it back</li>
<li><a href="${base}/openapi.yaml">The contract as OpenAPI 3.1</a></li>
<li><a href="${base}/.well-known/oauth-authorization-server">Authorization server metadata</a> (a convenience of the mock)</li>
</ul>
<p>${world.clients.length} clients and ${world.accounts.length} accounts are ready; <code>gamedata mock --json</code> prints them.</p>`,
  );
}
