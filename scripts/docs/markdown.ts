import { Marked } from 'marked';
import type { Token, Tokens } from 'marked';

import { unbroken } from '../../conformance/report/html/escape.js';
import { escape } from '../../src/server/pages/html.js';

/** A part of a page below one heading, as the contents list and the search need it. */
export interface Section {
  /** The id of its heading, unique in the page; GitHub makes the same of it. */
  readonly id: string;
  readonly depth: number;
  readonly title: string;
  /** Its text without markup, up to the next heading. */
  readonly text: string;
}

export interface RenderedPage {
  readonly html: string;
  readonly sections: readonly Section[];
}

/** Leads a link or a picture of a file to its place in the documentation; undefined where it has none. */
export type Resolve = (href: string) => string | undefined;

/** Renders a Markdown file. Raw HTML is escaped, but for comments, which vanish, and pictures in light and dark. */
export function renderMarkdown(markdown: string, resolve: Resolve): RenderedPage {
  const marked = new Marked({ gfm: true });
  const tokens = marked.lexer(markdown);
  const sections = sectionsOf(tokens);
  const heads = sections.values();
  marked.use({
    renderer: {
      heading({ depth, tokens: inner }) {
        const { value: section } = heads.next() as { readonly value: Section };
        return `<h${depth} id="${escape(section.id)}">${this.parser.parseInline(inner)} <a class="anchor" href="#${escape(section.id)}" aria-label="Link to ${escape(section.title)}">#</a></h${depth}>\n`;
      },
      link({ href, tokens: inner }) {
        const to = resolve(href);
        const text = this.parser.parseInline(inner);
        return to === undefined ? text : `<a href="${escape(to)}">${text}</a>`;
      },
      image: ({ href, text }) => picture(resolve(href) ?? href, undefined, text),
      html: ({ text }) => rawHtml(text, resolve),
      codespan: ({ text }) => `<code>${unbroken(escape(text))}</code>`,
      code: ({ text, lang }) =>
        `<pre tabindex="0"${lang ? ` aria-label="${escape(lang)}"` : ''}><code>${escape(text)}</code></pre>\n`,
      table({ header, rows }) {
        const cells = (row: readonly Tokens.TableCell[], tag: 'th' | 'td'): string =>
          `<tr>${row.map(({ tokens: inner }) => `<${tag}${widthOf(inner)}>${this.parser.parseInline(inner)}</${tag}>`).join('')}</tr>`;
        // A head without a word would be a heading of nothing.
        const heads = cells(header, header.some(({ text }) => text === '') ? 'td' : 'th');
        return `<div class="table" tabindex="0"><table><thead>${heads}</thead><tbody>${rows.map((row) => cells(row, 'td')).join('\n')}</tbody></table></div>\n`;
      },
    },
  });
  return { html: marked.parser(tokens), sections };
}

function rawHtml(text: string, resolve: Resolve): string {
  const comment = text.trim();
  if (comment.startsWith('<!--') && comment.endsWith('-->')) return '';
  if (!comment.startsWith('<picture>')) return escape(text);
  const attribute = (name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1] ?? '';
  const [light, dark] = [attribute('src'), attribute('srcset')];
  return picture(resolve(light) ?? light, resolve(dark) ?? dark, attribute('alt'));
}

/** A drawing has small letters: where there is no room for it, it scrolls by itself. */
function picture(light: string, dark: string | undefined, alt: string): string {
  const source = dark === undefined ? '' : `<source media="(prefers-color-scheme: dark)" srcset="${escape(dark)}">`;
  const text = `<picture>${source}<img src="${escape(light)}" alt="${escape(alt)}"></picture>`;
  return light.endsWith('.svg') ? `<span class="drawing" tabindex="0">${text}</span>` : text;
}

function sectionsOf(tokens: readonly Token[]): Section[] {
  const sections: { id: string; depth: number; title: string; text: string }[] = [];
  const taken = new Map<string, number>();
  for (const token of tokens) {
    if (token.type === 'heading') {
      const { depth } = token as Tokens.Heading;
      const title = plain(token);
      const slug = slugOf(title);
      const count = taken.get(slug) ?? 0;
      taken.set(slug, count + 1);
      sections.push({ id: count === 0 ? slug : `${slug}-${count}`, depth, title, text: '' });
    } else {
      const last = sections.at(-1);
      if (last) last.text = `${last.text} ${plain(token)}`.replaceAll(/\s+/g, ' ').trim();
    }
  }
  return sections;
}

/** Markdown as a line of text, without its markup. */
export const plainText = (markdown: string): string =>
  new Marked().lexer(markdown).map(plain).join(' ').replaceAll(/\s+/g, ' ').trim();

/** A cell with an id stays whole; one with more than a word or two needs a width. */
function widthOf(tokens: readonly Token[]): string {
  const text = tokens.map(plain).join('');
  if (/^\S{1,40}$/.test(text)) return ' class="whole"';
  return text.length > 20 ? ' class="long"' : '';
}

/** The id that GitHub gives a heading. */
const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** The text of a token, without its markup. */
function plain(token: Token): string {
  if (token.type === 'html' || token.type === 'space') return '';
  if (token.type === 'list') return (token as Tokens.List).items.map(plain).join(' ');
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].flatMap((row) => row.map(({ tokens }) => tokens.map(plain).join(''))).join(' ');
  }
  const inner = 'tokens' in token ? token.tokens : undefined;
  if (inner?.length) return inner.map(plain).join('');
  return 'text' in token ? String(token.text) : '';
}
