import { methodColours } from '../../src/server/pages/methods.js';
import { siteBar } from './layout.js';
import { siteStyle } from './style.js';

/** Colours of Redoc that are too pale for what stands on them or behind them (WCAG 1.4.3), and those of methods. */
const contrast = `:root:not(.dark) { --color-blue-6: #2457c5; --color-blue-7: #1d4f9c; --color-carrot-7: #8a4b00 }
:root { --button-bg-color-primary-legacy: #2457c5 } .schema-name { color: var(--text-color-primary) !important }
${Object.entries(methodColours)
  .map(
    ([method, { light, dark }]) =>
      `.tag-${method} { --tag-color: ${light} !important } .dark .tag-${method} { --tag-color: ${dark} !important }`,
  )
  .join('\n')}`;

/**
 * What Redoc leaves to the page: the way to the other pages, keys for what scrolls, the room beside the prose, which it
 * keeps empty but for a licence, and its search, as the bar has one over all pages.
 */
const style = `<link rel="icon" href="data:,">
<style>
a[href='https://redocly.com/redoc/'] p::after { content: ' Redoc' }
:has(> * > [data-section-id^='/section/']) { flex-direction: column !important }
:has(> [data-section-id^='/section/']) { width: 100% !important; max-width: 60rem }
:has(> [data-section-id^='/section/']) + div { width: 100% !important; max-width: 60rem; position: static !important; height: auto !important }
td:first-child code { white-space: nowrap }
[data-testid='search-trigger'] { display: none !important }
${contrast}
${siteStyle}</style>`;

/** Redoc lays out what scrolls after the page has loaded, and again where a part of it is opened. */
const script = `<script>
{
  const reach = () => { for (const one of document.querySelectorAll('pre:not([tabindex]), .md-table-wrapper:not([tabindex])')) one.tabIndex = 0 };
  addEventListener('load', () => { reach(); document.body.addEventListener('click', () => setTimeout(reach)) });
}
</script>`;

/**
 * The page that Redoc made, finished: links between its parts work before its script has run, nothing is asked of
 * Redoc's own site, and the other pages of the mock are a click away.
 */
export function finishedRedoc(page: string): string {
  const head = page.indexOf('</head>');
  const body = page.indexOf('<body>', head);
  const close = page.lastIndexOf('</body>');
  if (head < 0 || body < 0 || close < 0) throw new Error('the page of Redoc has another form now');
  const linked = page
    .slice(body, close)
    .split(/(?=<script)|(?<=<\/script>)/)
    .map((part) => (part.startsWith('<script') ? part : part.replaceAll(/href="[/](?![/])([^"]*)"/g, 'href="#$1"')))
    .join('')
    .replace('<body>', () => `<body>\n${siteBar('index.html')}`);
  return `${page.slice(0, head)}${style}\n${page.slice(head, body)}${linked}${script}\n${page.slice(close)}`.replaceAll(
    /https:\/\/cdn\.redoc\.ly\/[^"'`\s)]+/g,
    'data:,',
  );
}
