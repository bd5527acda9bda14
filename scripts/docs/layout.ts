import { createHash } from 'node:crypto';

import { escape } from '../../src/server/pages/html.js';
import { ofMock } from '../../src/server/pages/files.js';
import { chapterGroups } from './chapters.js';
import type { Section } from './markdown.js';
import { siteStyle, style } from './style.js';

/** Pages beside the chapters that every page leads to. */
const places: Readonly<Record<string, string>> = {
  'start.html': 'Overview',
  'index.html': 'API reference',
  'requirements.html': 'Requirements',
  'mutants.html': 'Mutants',
};

/** The bar on top of every page. The mock that serves a page has the links to its own pages in the place of one. */
export function siteBar(current: string): string {
  const links = Object.entries(places).map(([href, label]) => link(href, label, current));
  return `<div class="site" role="navigation" aria-label="Documentation"><a class="brand" href="start.html">Game Data Contract</a>
${links.join('\n')}
${ofMock}
<form role="search" action="search.html" method="get"><label>Search <input type="search" name="q" autocomplete="off" required></label></form></div>`;
}

const link = (href: string, label: string, current: string): string =>
  `<a href="${href}"${href === current ? ' aria-current="page"' : ''}>${escape(label)}</a>`;

/** Gives a page that another generator wrote, with its own style, the bar and the policy of all pages. */
export function withBar(html: string, current: string): string {
  const at = html.indexOf('<body>');
  if (at < 0) throw new Error(`${current} has no <body> to put the bar into`);
  const whole = `${html.slice(0, at)}<body>\n${siteBar(current)}\n${html.slice(at + '<body>'.length)}`;
  return withPolicy(whole.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>\n?/, ''), [siteStyle]);
}

/** Whether a group of chapters is unfolded: that of the page, and all of them on the first page. */
const isOpen = (pages: readonly { readonly name: string }[], current: string): boolean =>
  current === 'start' || pages.some(({ name }) => name === current);

/** A page of the documentation. `main` is HTML; `script` runs at its end. */
export function layout(
  name: string,
  title: string,
  main: string,
  { sections = [], data = '', script }: { sections?: readonly Section[]; data?: string; script?: string } = {},
): string {
  const current = `${name}.html`;
  const parts = sections.filter(({ depth }) => depth === 2 || depth === 3);
  const contents =
    parts.length < 2
      ? ''
      : `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${parts.map(({ id, depth, title: part }) => `<li class="depth${depth}"><a href="#${escape(id)}">${escape(part)}</a></li>`).join('')}</ul></nav>`;
  const chapters = Object.entries(chapterGroups).map(
    ([group, pages]) =>
      `<details${isOpen(pages, name) ? ' open' : ''}><summary>${escape(group)}</summary><ul>${pages.map(({ name: page, label }) => `<li>${link(`${page}.html`, label, current)}</li>`).join('')}</ul></details>`,
  );
  return withPolicy(
    `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title === 'Game Data Contract' ? title : `${title} · Game Data Contract`)}</title><link rel="icon" href="data:,">
</head>
<body>
${siteBar(current)}
<div class="frame">
<main id="content">
<p class="all"><a href="#chapters">All chapters</a></p>
${main}
</main>
<nav class="chapters" id="chapters" aria-label="Chapters">${chapters.join('\n')}</nav>
${contents}
</div>
${data}${script === undefined ? '' : `<script>${script}</script>\n`}</body></html>
`,
    [siteStyle, style],
  );
}

/** The page with styles of ours in its head, and a policy that allows its styles and scripts by hash and no others. */
function withPolicy(html: string, styles: readonly string[]): string {
  const own = [...html.matchAll(/<style>([^<]*)<\/style>/g)].map(([, text = '']) => text);
  const scripts = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(([, text = '']) => text);
  const style = [...own, ...styles].map(hash).join(' ');
  const script = scripts.length === 0 ? "'none'" : scripts.map(hash).join(' ');
  const policy = `default-src 'none'; style-src ${style}; script-src ${script}; img-src 'self' data:; base-uri 'none'; form-action 'self'`;
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  return html
    .replace('<meta charset="utf-8">', () => `<meta charset="utf-8">\n${meta}`)
    .replace('</head>', () => `${styles.map((text) => `<style>${text}</style>`).join('\n')}\n</head>`);
}

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** What an address leads to that no page has. */
export const noSuchPage = layout(
  '404',
  'No such page',
  '<h1>There is no such page</h1>\n<p>Choose a chapter, or search: the field is at the top.</p>',
);
