import { expect, it } from 'vitest';

import { finishedRedoc } from './redoc.js';

const redoc = `<html><head><title>x</title></head>
<body>
<a href="/">Top</a><a href="/section/errors">Errors</a><a href="https://example.com/">out</a>
<script>const page = '<body></body></head>'; const logo = "https://cdn.redoc.ly/logo.png";</script>
</body></html>`;

it('lets links work before the script has run, asks nobody for a logo and leaves scripts whole', () => {
  const page = finishedRedoc(redoc);
  expect(page).toContain('<a href="#">Top</a><a href="#section/errors">Errors</a><a href="https://example.com/">');
  expect(page).toContain(`const page = '<body></body></head>'; const logo = "data:,";`);
  expect(page).toMatch(/<body>\n<div class="site"[^]*href="start\.html"[^]*<script>[^]*<script>[^]*<\/body><\/html>$/);
});

it('refuses a page of another form', () => {
  expect(() => finishedRedoc('<html></html>')).toThrow('another form');
});
