import { bytes } from '../../bytes/index.js';

import { operationList, scopes } from '../../contract/index.js';
import type { Scope } from '../../contract/index.js';
import { servedScopes } from '../served-scopes.js';
import { aboutMock } from '../pages/home.js';
import { escape, htmlHeaders, page } from '../pages/html.js';
import type { Service } from '../service.js';
import { readyClients } from './ready.js';
import { script } from './script.gen.js';
import { style } from './style.js';

const scriptHash = bytes.base64(bytes.sha256(script));

/** Headers of the dashboard: it runs its own script alone, which asks the mock alone and makes no HTML of texts. */
export function dashboardHeaders(): Record<string, string> {
  const headers = htmlHeaders();
  return {
    ...headers,
    'content-security-policy': `${headers['content-security-policy']}; script-src 'sha256-${scriptHash}'; connect-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'`,
  };
}

/** The dashboard: what comes in and why it is refused, and everything that is switched by hand. The script fills it. */
export function dashboardPage(service: Service, controlToken?: string): string {
  const operations = [...new Set(operationList.map(({ logical }) => logical))];
  return page(
    'Game Data mock',
    `<div id="dashboard" data-base="${escape(service.base)}" data-account="${escape(service.user)}" data-scopes="${servedScopes(Object.keys(scopes) as Scope[], service.flags).join(' ')}">
<h1>Game Data mock</h1>
${aboutMock(service)}
<noscript><p class="warning">The dashboard needs scripts. Without them, use the pages above and the control calls.</p></noscript>
<p id="problem" class="warning" role="alert" hidden></p>
<p id="news" class="note" role="status"></p>
<form id="access" class="field" hidden><label for="token">Control token</label><input id="token" type="password" autocomplete="off" required><button class="primary">Use</button></form>
<div class="panels">
${requestPanel}
<div class="side">
${panel(
  'clock',
  'Clock',
  `<p class="now"><time id="now">…</time> <span id="frozen"></span></p>
<div class="actions"><button type="button" data-hours="1">+1 hour</button><button type="button" data-hours="24">+1 day</button><button type="button" data-hours="672">+28 days</button><button type="button" data-hours="2160">+90 days</button><button type="button" id="freeze">Freeze</button></div>
<form id="step-form" class="actions"><label for="step">Hours</label><input id="step" type="number" min="0.001" max="876000" step="any" value="0.5" required><button>Advance</button></form>`,
)}
${panel('ready', 'Ready to use', readyClients(service, controlToken))}
${panel('grants', 'Tokens and grants', '<ul id="grant-list" class="rows"></ul>')}
${panel(
  'limits',
  'Rate limits',
  `<p id="limit-state" class="note"></p>
<ul id="limit-left" class="rows"></ul>
<div class="actions"><button type="button" id="limit">Realistic limits</button><button type="button" id="observed">Observed limits</button><button type="button" id="unlimit">No limits</button></div>`,
)}
${faultPanel(operations)}
${panel(
  'snapshots',
  'Snapshots',
  `<form id="snapshot-form"><div class="pair"><label for="snapshot">Name</label><input id="snapshot" required maxlength="64" pattern="[A-Za-z0-9_.\\-]+" title="Letters, digits and ._-" autocomplete="off"></div><div class="actions"><button>Save</button></div></form>
<ul id="snapshot-list" class="rows"></ul>
<div class="actions"><button type="button" id="reset">Reset the mock</button></div>`,
)}
</div>
</div>
</div>`,
    `<style>${style}</style>\n<script type="module">${script}</script>\n`,
  );
}

const panel = (id: string, title: string, body: string): string =>
  `<section id="${id}" aria-labelledby="${id}-title">\n<h2 id="${id}-title" tabindex="-1">${title}</h2>\n${body}\n</section>`;

const requestPanel = panel(
  'requests',
  'Requests',
  `<div class="actions"><button id="record" type="button" class="primary">Start the journal</button><button id="forget" type="button">Clear</button><label class="check"><input id="refusals" type="checkbox"> Only refused and failed</label></div>
<p id="recording" class="note"></p>
<ol id="entries" class="rows" tabindex="0" aria-live="polite" aria-relevant="additions" aria-label="Requests, the latest first"></ol>`,
);

const faultPanel = (operations: readonly string[]): string =>
  panel(
    'faults',
    'Faults',
    `<form id="fault-form"><div class="pair"><label for="fault">What goes wrong</label><select id="fault"></select></div>
<div class="pair"><label for="operation">Operation</label><select id="operation"><option value="">every operation</option>${operations.map((name) => `<option>${escape(name)}</option>`).join('')}</select></div>
<div class="actions"><button>Add fault</button><button type="button" id="clear-faults">Clear faults</button></div></form>
<ul id="fault-list" class="rows"></ul>`,
  );
