import { expect, it } from 'vitest';

import { finishedPage } from './docs-page.js';

const redoc = `<html><head><title>x</title></head>
<body>
<a href="/section/errors">Errors</a><a href="https://example.com/">out</a>
<script>const page = '<body></body></head>'; const logo = "https://cdn.redoc.ly/logo.png";</script>
</body></html>`;

it('lets links work before the script has run, asks nobody for a logo and leaves scripts whole', () => {
  const page = finishedPage(redoc);
  expect(page).toContain('<a href="#section/errors">Errors</a><a href="https://example.com/">');
  expect(page).toContain(`const page = '<body></body></head>'; const logo = "data:,";`);
  expect(page).toMatch(/<body>\n<nav id="pages"[^]*href="\.\/try"[^]*<script>[^]*<script>[^]*<\/body><\/html>$/);
});

it('refuses a page of another form', () => {
  expect(() => finishedPage('<html></html>')).toThrow('another form');
});
