/** Text that is safe inside HTML, between tags and in quoted attributes. */
export const escape = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

const style = `
:root { color-scheme: light dark; --ink: #1d2330; --soft: #5b6475; --line: #d5dae3; --paper: #fff; --ground: #f2f4f8; --accent: #2457c5; --warn: #8a4b00; --warnground: #fff4e0 }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf2; --soft: #9aa4b6; --line: #38404f; --paper: #1b202b; --ground: #12151c; --accent: #8fb2ff; --warn: #ffcf8a; --warnground: #33270f } }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
main { max-width: 40rem; margin: 6vh auto; padding: 2rem; background: var(--paper); border: 1px solid var(--line); border-radius: .75rem }
main > :last-child { margin-bottom: 0 }
@media (max-width: 42rem) { main { margin: 0; padding: 1.25rem; min-height: 100vh; border: 0; border-radius: 0 } }
h1 { font-size: 1.4rem; line-height: 1.3; margin: 0 0 .5rem } h2 { font-size: 1.05rem; margin: 0 }
p { color: var(--soft) } strong, label, code, li { color: var(--ink) } a { color: var(--accent) } ul { padding-left: 1.25rem }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere }
fieldset { border: 0; padding: 0; margin: 1.25rem 0 } legend { padding: 0; font-weight: 600 }
.box { display: grid; grid-template-columns: auto 1fr; gap: .6rem; align-items: baseline; padding: .35rem 0; cursor: pointer }
.box span span { color: var(--soft) } .box input { width: 1rem; height: 1rem; margin: 0; accent-color: var(--accent); translate: 0 .15rem }
.field { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: center; margin: 1.25rem 0 } .field label { font-weight: 600 }
select { font: inherit; padding: .5rem .6rem; min-width: 9rem; color: var(--ink); background: var(--paper); border: 1px solid var(--soft); border-radius: .5rem }
button { font: inherit; padding: .5rem 1.25rem; border-radius: .5rem; border: 1px solid var(--soft); background: var(--paper); color: var(--ink); cursor: pointer }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--paper) }
button:focus-visible, select:focus-visible, input:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.actions { display: flex; gap: .75rem; flex-wrap: wrap; margin: 1.25rem 0 }
.warning { background: var(--warnground); color: var(--warn); border-radius: .5rem; padding: .75rem 1rem; margin: 1rem 0 } .warning strong { color: inherit }
.note { font-size: .9rem }
time { white-space: nowrap }
.applications { list-style: none; margin: 1.25rem 0 0; padding: 0 }
.applications li { display: grid; grid-template-columns: 1fr auto; gap: .25rem 1rem; align-items: start; padding: 1rem 0; border-top: 1px solid var(--line) }
.applications li > p { grid-column: 1 / -1; margin: .25rem 0 0; font-size: .9rem }
.scopes code { display: inline-block; margin: 0 .35rem .35rem 0; padding: .05rem .5rem; border: 1px solid var(--line); border-radius: 1rem }
`;

/**
 * A whole page. `body` is HTML; everything from outside in it has gone through `escape`. `head` is what a page has beside
 * the style of all pages.
 */
export function page(title: string, body: string, head = ''): string {
  return `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>${escape(title)}</title>\n<link rel="icon" href="data:,">\n<style>${style}</style>\n${head}</head>\n<body>\n<main>\n${body}\n</main>\n</body>\n</html>\n`;
}

/** The page of a form or an address that cannot be answered, with the reason in words. */
export function refusalPage(reason: string): string {
  return page('This cannot be answered', `<h1>This cannot be answered</h1>\n<p>${escape(reason)}</p>`);
}

/**
 * Headers of a page: no scripts, nothing from elsewhere, no frames. `redirectUri` is where a form of the page ends up.
 *
 * The referrer stays on the mock. With `no-referrer` browsers send `Origin: null` with the page's own forms, which then
 * look like another site's.
 */
export function htmlHeaders(redirectUri?: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'; form-action ${formTargets(redirectUri).join(' ')}`,
    'cache-control': 'no-store',
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}

/**
 * A form may lead to the mock and, where it ends in a redirect, to anywhere on the web: browsers hold every hop that
 * follows to the same rule, and a client may well send its user on from the redirect URI to its front end. An
 * application's own scheme is added.
 */
function formTargets(redirectUri: string | undefined): string[] {
  if (redirectUri === undefined) return ["'self'"];
  return [...new Set(["'self'", 'http:', 'https:', new URL(redirectUri).protocol])];
}
