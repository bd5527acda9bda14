import { bytes } from '../../bytes/index.js';

import { escape } from '../pages/html.js';
import { methodColours } from '../pages/methods.js';
import type { Service } from '../service.js';
import { script } from './script.gen.js';

/** The files of Swagger UI that the page runs on, in `dist/docs/try`, and their media types. */
export const tryFiles: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui.css': 'text/css; charset=utf-8',
  'oauth2-redirect.js': 'text/javascript; charset=utf-8',
};

/** Colours of Swagger UI that are too pale for what stands on them or behind them (WCAG 1.4.3). */
const contrast = `.swagger-ui .opblock .opblock-summary-method { background: ${methodColours.get.light} !important; color: #fff !important } .swagger-ui .opblock.opblock-post .opblock-summary-method { background: ${methodColours.post.light} !important }
.swagger-ui .btn.authorize, .swagger-ui .btn.authorize span { color: #1b6b45; border-color: #1b6b45 } .swagger-ui .btn.authorize svg { fill: #1b6b45 }
html.dark-mode .swagger-ui .btn.authorize, html.dark-mode .swagger-ui .btn.authorize span { color: #7fe0ad; border-color: #7fe0ad } html.dark-mode .swagger-ui .btn.authorize svg { fill: #7fe0ad }
html:not(.dark-mode) .swagger-ui .btn.execute { background: #2457c5; border-color: #2457c5 } html:not(.dark-mode) .swagger-ui .btn.cancel { color: #b3261e; border-color: #b3261e }
html.dark-mode .swagger-ui .responses-table .header-col { color: #e8ebf2 }`;

/** Spaces of a redirect's query stand as plus signs, which Swagger UI would show. */
const spaced = `history.replaceState(null, '', location.pathname + location.search.replaceAll('+', '%20') + location.hash)`;
const spacedHash = bytes.base64(bytes.sha256(spaced));

const scriptHash = bytes.base64(bytes.sha256(script));

/** The page runs what the mock serves, asks the mock alone, and is shown in no frame. Swagger UI writes styles inline. */
export const tryHeaders: Record<string, string> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; script-src 'self' 'sha256-${scriptHash}' 'sha256-${spacedHash}'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

/** The client that the authorization of the page is for: a public one that has the page's redirect URI. */
function publicClient({ world }: Service): string {
  const found = world.clients.find(
    ({ type, redirectUris }) => type === 'public' && redirectUris.some((uri) => uri.endsWith('/try/redirect')),
  );
  return found?.id ?? '';
}

/** The path of the mock itself, which a namespace has its redirect URI and its files from. */
const rootOf = ({ base, parent }: Service): string => (parent ?? { base }).base;

/** Every operation with a form to call it at this mock, a token in place. The script fills it. */
export const tryPage = (service: Service): string =>
  shell(
    'Try the Game Data mock',
    `<header><h1>Try the operations</h1>
<p>Calls go only to this mock. <a href="${service.base}/docs">Documentation</a> · <a href="${service.base || '/'}">Dashboard</a></p>
<p id="tokens" role="status">…</p>
<noscript><p>The page needs scripts. The <a href="${service.base}/docs">documentation</a> can be read without.</p></noscript>
<h2>Operations</h2></header>
<div id="try" data-base="${escape(service.base)}" data-root="${escape(rootOf(service))}" data-account="${escape(service.user)}" data-client="${escape(publicClient(service))}"></div>
<script src="${rootOf(service)}/try/swagger-ui-bundle.js"></script>
<script type="module">${script}</script>`,
    `<link rel="stylesheet" href="${rootOf(service)}/try/swagger-ui.css">
<style>body { margin: 0 } header { max-width: 1460px; margin: 0 auto; padding: 1.5rem 20px 0; font: 16px/1.5 system-ui, sans-serif; color: #1d2330 }
html.dark-mode { color-scheme: dark } html.dark-mode body { background: #1c2022 } html.dark-mode header { color: #e8ebf2 } html.dark-mode header a { color: #8fb2ff }
${contrast}
 h1 { font-size: 1.4rem; margin: 0 } h2 { font-size: 1.1rem; margin: 1rem 0 0 } header p { margin: .25rem 0 } @media (max-width: 600px) { .swagger-ui .response-col_links { display: none } .swagger-ui .response-control-media-type, .swagger-ui .response-control-media-type select, .swagger-ui .examples-select, .swagger-ui .examples-select select { width: 100%; max-width: none } .swagger-ui .response-controls { flex-direction: column } } .swagger-ui .curl-command .curl, .swagger-ui .highlight-code .microlight { padding-bottom: 40px } .swagger-ui .information-container, .swagger-ui .scheme-container .servers-title, .swagger-ui .servers { display: none }</style>`,
  );

/** Where the authorization comes back to, in a window of its own: hands the code to the page and closes. */
export const redirectPage = (service: Service): string =>
  shell(
    'Authorization',
    `<main><h1>Authorization</h1></main><script>${spaced}</script><script src="${rootOf(service)}/try/oauth2-redirect.js"></script>`,
  );

function shell(title: string, body: string, head = ''): string {
  return `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>${title}</title>\n<link rel="icon" href="data:,">\n${head}</head>\n<body>\n${body}\n</body>\n</html>\n`;
}
