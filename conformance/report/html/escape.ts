import { drawLanes } from '../../histories/draw.js';
import { svgOf } from '../../machine/draw.js';
import type { MachineDescription } from '../../result.js';
import { block, line } from '../../text.js';
import type { Lanes } from '../../histories/draw.js';

/** HTML that is safe to stand in a page. Made by `markup` only, so that no text gets there without being escaped. */
export interface Markup {
  readonly markup: string;
}

export type MarkupPart = Markup | string | number | undefined | false | readonly MarkupPart[];

/** Markup with values: texts are escaped, markup stands as it is, lists are joined, undefined and false are nothing. */
export const markup = (strings: TemplateStringsArray, ...values: readonly MarkupPart[]): Markup => ({
  markup: strings.reduce((whole, part, index) => `${whole}${write(values[index - 1])}${part}`),
});

/** Prose of ours on one line, what stands between backticks set as code. */
export const prose = (text: string, most: number): Markup => ({
  markup: line(text, most)
    .split(/(`[^`]+`)/)
    .map((part) => (/^`[^`]+`$/.test(part) ? `<code>${unbroken(escape(part.slice(1, -1)))}</code>` : escape(part)))
    .join(''),
});

/** Code, escaped, in which no line breaks behind the hyphen of an option or an id. */
export const unbroken = (code: string): string =>
  code
    .split(' ')
    .map((word) => (word.includes('-') && word.length <= 30 ? `<span>${word}</span>` : word))
    .join(' ');

/** An SVG that was written with its texts escaped. */
export const drawing = (machine: MachineDescription, title: string): Markup => ({ markup: svgOf(machine, title) });

/** The same of lanes over time, as wide as they are. */
export const lanesDrawing = (lanes: Lanes): Markup => ({
  markup: `<div class="table" tabindex="0">${drawLanes(lanes)}</div>`,
});

function write(part: MarkupPart): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return escape(part);
  return 'markup' in part ? part.markup : part.map(write).join('');
}

const escape = (text: string): string =>
  block(text, 20_000)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** An id within the page. Ids of the ledger stay as they are. */
export const anchor = (kind: string, id: string): string => `${kind}-${line(id, 100).replaceAll(/[^\w.[\]-]/g, '_')}`;
