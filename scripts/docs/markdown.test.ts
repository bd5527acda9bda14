import { expect, it } from 'vitest';

import { linkOf } from './links.js';
import { plainText, renderMarkdown } from './markdown.js';

const render = (markdown: string) => renderMarkdown(markdown, (href) => linkOf(href, 'docs/mock.md'));

it('escapes HTML wherever it stands', () => {
  const { html } = render(
    '# A <b>\n\n<script>alert(1)</script>\n\nText <img src=x onerror=alert(1)> `<i>`\n\n```\n</pre>\n```',
  );
  expect(html).not.toMatch(/<(?:script|img|b|i)\b|<\/pre>\S/);
  expect(html).toContain('&lt;script&gt;');
});

it('gives headings the ids of GitHub, and the same heading twice two of them', () => {
  const { sections } = render('# The mock\n\n## Exit codes of `verify`\n\none\n\n## A\n\n## A');
  expect(sections.map(({ id }) => id)).toEqual(['the-mock', 'exit-codes-of-verify', 'a', 'a-1']);
  expect(sections[1]?.text).toBe('one');
});

it('leads links to the page of a file, and leaves out those to files without a page', () => {
  const { html } = render(
    '[one](../conformance/README.md#inference) [two](../cli/main.ts) [three](https://example.com/)',
  );
  expect(html).toContain('<a href="verify.html#inference">one</a> two <a href="https://example.com/">three</a>');
});

it('keeps a picture in light and dark, and drops comments', () => {
  const { html } = render(
    '<!-- start -->\n\n<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="images/try-dark.webp">\n  <img src="images/try-light.webp" alt="A \\" form">\n</picture>',
  );
  expect(html).not.toContain('start');
  expect(html).toMatch(/srcset="images\/try-dark[.]webp"><img src="images\/try-light[.]webp" alt="[^"<>]+">/);
});

it('says without markup what a search finds', () => {
  expect(plainText('Revokes a **token**, see [`K-027`](a.html).\n\n- one\n- two')).toBe(
    'Revokes a token, see K-027. one two',
  );
});

it('keeps options and ids on a line', () => {
  const { html } = render('`verify --only AUTH`\n\n| Id | Words |\n|-|-|\n| M-AZ-36 | a code can be used again |');
  expect(html).toContain('<code>verify <span>--only</span> AUTH</code>');
  expect(html).toContain('<td class="whole">M-AZ-36</td><td class="long">a code can be used again</td>');
});
