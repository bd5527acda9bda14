import { sourceWords } from '../source-words.js';
import { lanesOf } from '../../histories/draw.js';
import type { RowResult, TraceStep } from '../../result.js';
import { alike, bareTitle, evidence, pageOf } from '../rows.js';
import { clip, count, line, webAddress } from '../../text.js';
import type { Markup } from './escape.js';
import { anchor, lanesDrawing, markup, prose } from './escape.js';

/** Bytes of the page for failures: in full, then without trace and script. report.json has all of them. */
const bytesFull = 400_000;
const bytesShort = 150_000;
const bodyMost = 3000;

/** A link, or its text alone where the address is not safe to follow. */
export const linked = (address: string, words: string): Markup => {
  const href = webAddress(address) ?? (address.startsWith('file:///') ? address : undefined);
  return href ? markup`<a href="${href}" rel="noreferrer">${words}</a>` : markup`<span>${words}</span>`;
};

/** Every failure, grouped by message: the first in full, the others folded. */
export function failureList(failed: readonly RowResult[], shade: 'bad' | 'fair' = 'bad'): Markup[] {
  const format = formatter();
  return alike(failed).map((rows) => {
    const [first, ...others] = rows as [RowResult, ...RowResult[]];
    if (others.length === 0) return markup`<div class="card ${shade}">${format(first)}</div>\n`;
    return markup`<section class="card ${shade}"><p class="group">${count(rows.length, shade === 'bad' ? 'failure' : 'warning')} with the same message. The first:</p>
${format(first)}
<details><summary>${count(others.length, 'other requirement')} with the same message</summary><ul class="plain">${others.map((row) => markup`<li>${brief(row)}</li>`)}</ul></details></section>\n`;
  });
}

/** Formats failures as fully as the bytes allow: with trace and script, without them, by id. */
function formatter(): (row: RowResult) => Markup {
  let full = bytesFull;
  let short = bytesShort;
  return (row) => {
    const whole = article(row, 3000, evidenceOf(row));
    if ((full -= Buffer.byteLength(whole.markup)) >= 0) return whole;
    const cut = article(row, 300, markup`<p class="ids">Trace and script: see report.json.</p>`);
    return (short -= Buffer.byteLength(cut.markup)) >= 0 ? cut : brief(row);
  };
}

function article(row: RowResult, most: number, trace: Markup): Markup {
  const { expected, got } = evidence(row);
  const smallest = row.failure?.smallest;
  return markup`<article id="${anchor('failure', row.id)}">
<p class="meta"><a class="id" href="#${anchor('row', row.id)}">${line(row.id, 100)}</a><span class="tag">${row.level}</span>${linked(pageOf(row), sourceWords(line(row.section, 60)))}${row.pointer && markup`<code>${line(row.pointer, 300)}</code>`}</p>
<h3>${prose(row.statement, 600)}</h3>${row.entailed !== undefined && markup`<p class="ids">Follows from ${prose(row.entailed, 300)}</p>`}
<div class="sides"><div class="expected"><h4>Expected</h4><p class="clipped">${clip(expected, most)}</p></div><div class="got"><h4>Got</h4><p class="clipped">${clip(got, most)}</p></div></div>
${smallest !== undefined && markup`<p class="smallest"><b>Minimal case</b> <code>${clip(smallest, most)}</code></p>`}
${row.failure?.history && lanesDrawing(lanesOf(row.failure.history))}
${trace}${row.notes.slice(0, 20).map((note) => markup`<p class="ids">${line(note, 500)}</p>`)}
</article>`;
}

const brief = (row: RowResult): Markup =>
  markup`<div id="${anchor('failure', row.id)}"><a class="id" href="#${anchor('row', row.id)}">${line(row.id, 100)}</a> <span class="tag">${row.level}</span> ${prose(bareTitle(row), 200)}</div>`;

function evidenceOf(row: RowResult): Markup {
  const { failure } = row;
  if (!failure) return markup``;
  const again = anchor('again', row.id);
  const script = anchor('script', row.id);
  const paths = Object.entries(failure.paths).map(([property, path]) => `property ${property}: path ${path}`);
  return markup`<div class="again"><b>Replay</b><div class="command"><code id="${again}">${line(failure.replay, 600)}</code><button type="button" data-copy="${again}" hidden>Copy</button></div></div>
${failure.trace.length > 0 && markup`<details><summary>HTTP trace, ${count(failure.trace.length, 'request')}</summary>${failure.trace.slice(0, 40).map(step)}</details>`}
${failure.script !== '' && markup`<details><summary>curl script</summary><div class="tools"><button type="button" data-copy="${script}" hidden>Copy</button></div><pre id="${script}">${clip(failure.script, 12_000)}</pre></details>`}
<p class="ids">${[`seed ${failure.seed}`, ...paths].map((text) => line(text, 200)).join(', ')}</p>`;
}

function step(
  { method, url, headers, body, status, responseHeaders, responseBody, by, note }: TraceStep,
  index: number,
): Markup {
  const sent = [...headerLines(headers), ...(body === undefined ? [] : ['', clip(body, bodyMost)])].join('\n');
  const came = [
    ...headerLines(responseHeaders),
    ...(responseBody === '' ? [] : ['', clip(responseBody, bodyMost)]),
  ].join('\n');
  const ended = status !== 0 ? `Status ${status}` : by ? 'Returned' : 'No response';
  return markup`<div class="step"><h4>${index + 1}. ${line(method, 20)} ${line(url, 800)}${by && ` (${by})`}</h4>${note !== undefined && markup`<p class="ids">${line(note, 300)}</p>`}${sent !== '' && markup`<pre>${sent}</pre>`}<h4>${ended}</h4>${came !== '' && markup`<pre>${came}</pre>`}</div>`;
}

const headerLines = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).map(([name, value]) => `${line(name, 100)}: ${line(value, 500)}`);
