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
h1 { font-size: 1.4rem; margin: 0 0 .5rem } h2 { font-size: 1.05rem; margin: 1.5rem 0 .25rem }
p, li { color: var(--soft) } strong, label, code { color: var(--ink) } a { color: var(--accent) }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere }
fieldset { border: 0; padding: 0; margin: 1.25rem 0 } legend { padding: 0; font-weight: 600 }
label { display: block; padding: .3rem 0 } label span { color: var(--soft) }
select { font: inherit; padding: .4rem; min-width: 14rem }
button { font: inherit; padding: .6rem 1.4rem; border-radius: .5rem; border: 1px solid var(--line); background: var(--paper); color: var(--ink); cursor: pointer }
button.primary { background: var(--accent); border-color: var(--accent); color: var(--paper) }
button:focus-visible, select:focus-visible, input:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.actions { display: flex; gap: .75rem; flex-wrap: wrap }
.warning { background: var(--warnground); color: var(--warn); border-radius: .5rem; padding: .75rem 1rem; margin: 1rem 0 }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .5rem .5rem .5rem 0; border-top: 1px solid var(--line); vertical-align: top }
`;

/** A whole page. `body` is HTML; everything from outside in it has gone through `escape`. */
export function page(title: string, body: string): string {
  return `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>${escape(title)}</title>\n<style>${style}</style>\n</head>\n<body>\n<main>\n${body}\n</main>\n</body>\n</html>\n`;
}

/**
 * Headers of a page: no scripts, nothing from elsewhere, no frames. A form may lead to the mock itself and, where it ends
 * in a redirect, to the client: browsers hold the redirect to the same rule.
 */
export function htmlHeaders(formTarget?: string): Record<string, string> {
  const target = formTarget === undefined ? '' : ` ${formSource(formTarget)}`;
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'${target}`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  };
}

/** The origin of a redirect URI, or its scheme where it has none (an application's own scheme). */
function formSource(uri: string): string {
  const { origin, protocol } = new URL(uri);
  return origin === 'null' ? protocol : origin;
}
