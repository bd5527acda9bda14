import type { Service } from '../service.js';
import { escape, page } from './html.js';

/** The front page of whoever may not control the mock: what this is and where things are. */
export function homePage(service: Service): string {
  return page(
    'Game Data mock',
    `<h1>Game Data mock</h1>
${aboutMock(service)}
<p class="note">The dashboard is open to the machine of the mock only; start the mock with <code>--control-token</code> to open it to others.</p>`,
  );
}

/** What runs here, and the links to everything that it serves to people. */
export function aboutMock({ base, issuer, world, options }: Service): string {
  return `<p>A mock of the Game Data Developer Interface, edition <strong>${escape(options.edition)}</strong>, seed ${options.seed}. Data API and authorization server are both at <code>${escape(issuer)}</code>. ${world.clients.length} clients and ${world.accounts.length} accounts are ready: <code>gamedata mock</code> lists them when it starts, and in a program, <code>mock.world</code> has them.</p>
<nav aria-label="Pages of the mock"><ul class="links">
<li><a href="${base}/docs/start.html">Documentation</a></li>
<li><a href="${base}/docs/index.html">API reference</a></li>
<li><a href="${base}/try">Try the operations</a></li>
<li><a href="${base}/docs/requirements.html">Requirements</a></li>
<li><a href="${base}/docs/mutants.html">Mutants and variants of the proof</a></li>
<li><a href="${base}/applications">Applications page</a></li>
<li><a href="${base}/openapi.yaml">OpenAPI document</a></li>
<li><a href="${base}/.well-known/oauth-authorization-server">Server metadata</a></li>
</ul></nav>`;
}
