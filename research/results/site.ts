import { existsSync, readFileSync } from 'node:fs';

import { escape } from '../../src/server/pages/html.js';
import { cellCommand, changesOf, standingOf, textOf, titles } from './cell.js';
import type { Kind, Latest, Run } from './run.js';
import { believed, grouped, kinds } from './run.js';

/** A subject with its newest run, and why to doubt it. */
export interface Shown extends Latest {
  readonly doubts: readonly string[];
}

/** A requirement of a kind of subject: servers and clients share ids. */
export type SentenceOf = (kind: Kind, id: string) => { readonly level: string; readonly sentence: string } | undefined;

/** The site: its pages by their names. They need no script and no network. */
export function siteOf(shown: readonly Shown[], sentenceOf: SentenceOf): ReadonlyMap<string, string> {
  const subjects = shown.map((one): [string, string] => [pageName(one.run), subjectPage(one, sentenceOf)]);
  return new Map([['index.html', indexPage(shown)], ...subjects]);
}

export const pageName = ({ kind, subject }: Pick<Run, 'kind' | 'subject'>): string => `${kind}-${subject.id}.html`;

/** The columns of a kind, in the order in which runs have them. */
export const columnsOf = (shown: readonly Pick<Latest, 'run'>[]): readonly string[] => [
  ...new Set(shown.flatMap(({ run }) => Object.keys(run.cells))),
];

const about: Readonly<Record<Kind, string>> = {
  server: 'Third-party authorization servers, by groups of requirements: passed of judged.',
  machine: 'What gamedata learn found of their tokens, beside the machine of the contract.',
  client:
    'Clients around third-party OAuth libraries, as the documentation of each shows it, under the audit. These runs kept findings alone: where there is none, the client passed, or never did what the requirement is about.',
  library: 'Generators of clients, and OAuth libraries: what compiles, runs and logs in.',
};

function indexPage(shown: readonly Shown[]): string {
  const parts = kinds.flatMap((kind) => {
    const own = shown.filter(({ run }) => run.kind === kind);
    if (own.length === 0) return [];
    // Generators and libraries have columns of their own.
    const tables = [
      ...grouped(own, ({ run }) => (Object.keys(run.cells).some((name) => name.startsWith('log in')) ? 'log in' : '')),
    ];
    return [
      `<h2 id="${kind}">${titles[kind]}</h2><p>${escape(about[kind])}</p>${tables.map(([, rows]) => tableOf(rows)).join('')}`,
    ];
  });
  const doubtful = shown.filter(({ doubts }) => doubts.length > 0);
  const changed = shown.flatMap(({ run, before }) => {
    const changes = before ? changesOf(before, run) : [];
    return changes.length === 0
      ? []
      : [
          `<li><a href="${pageName(run)}">${escape(run.subject.name)}</a> (${run.kind}): ${escape(changes.slice(0, 4).join('; '))}${changes.length > 4 ? ` and ${changes.length - 4} more` : ''}</li>`,
        ];
  });
  return page(
    'Open results',
    `<h1>Open results</h1>
<p>What the suite and the audit of the Game Data Contract find in third-party servers, clients and libraries. Each cell leads to its evidence and to the command that rebuilds it. Failures stay listed; where a subject documents that it does otherwise, that stands beside them.</p>
<p>${shown.length} subjects. ${doubtful.length} of their runs are marked: a run is believed for ${believed} days, and as long as the code that judged, the contract and the subject are what they were.</p>
${parts.join('\n')}
<h2 id="changes">What changed since the run before</h2>
${changed.length === 0 ? '<p>Nothing.</p>' : `<ul>${changed.join('')}</ul>`}`,
  );
}

function tableOf(shown: readonly Shown[]): string {
  const columns = columnsOf(shown);
  const rows = shown.map(({ run, doubts }) => {
    const cells = columns.map((column) => {
      const cell = run.cells[column];
      return cell
        ? `<td class="${standingOf(cell)}"><a href="${pageName(run)}#${anchor(column)}">${escape(textOf(cell))}</a></td>`
        : '<td></td>';
    });
    const mark = doubts.length > 0 ? `<span class="doubt">${escape(doubts.join('; '))}</span>` : '';
    return `<tr><th scope="row"><a href="${pageName(run)}">${escape(run.subject.name)}</a> ${escape(run.subject.version)}<br><small>${escape(run.subject.language)}, ${run.date.slice(0, 10)}</small>${mark}</th>${cells.join('')}</tr>`;
  });
  return `<div class="table" tabindex="0" role="region" aria-label="Results"><table><thead><tr><th scope="col">Subject</th>${columns.map((column) => `<th scope="col">${escape(column)}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function subjectPage({ run, before, doubts }: Shown, sentenceOf: SentenceOf): string {
  const { subject, date, commit, digests, seconds, requests } = run;
  const cells = Object.entries(run.cells).map(([column, cell]) => {
    const rows = [
      ...(cell.failed ?? []).map((id) => ['failed', id]),
      ...(cell.warned ?? []).map((id) => ['warned', id]),
      ...(cell.unjudged ?? []).map((id) => ['not judged', id]),
    ];
    const list = rows.map(([how = '', id = '']) => rowOf(how, id, run, sentenceOf)).join('');
    return `<h2 id="${anchor(column)}">${escape(column)}: <span class="${standingOf(cell)}">${escape(textOf(cell))}</span></h2>
<pre tabindex="0"><code>${escape(cellCommand(run, column))}</code></pre>${list === '' ? '' : `<ul class="rows">${list}</ul>`}`;
  });
  const changes = before ? changesOf(before, run) : [];
  return page(
    `${subject.name} ${subject.version}`,
    `<p><a href="index.html">All results</a></p><h1>${escape(subject.name)} ${escape(subject.version)}</h1>
${doubts.length > 0 ? `<p class="doubt">This run is ${escape(doubts.join('; '))}.</p>` : ''}
<dl><dt>Kind</dt><dd>${titles[run.kind]}</dd><dt>Language</dt><dd>${escape(subject.language)}</dd><dt>Published</dt><dd>${date.slice(0, 16).replace('T', ' ')} UTC, commit <code>${commit.slice(0, 12)}</code></dd>
<dt>Believed until</dt><dd>${new Date(Date.parse(date) + believed * 86_400_000).toISOString().slice(0, 10)}</dd>
<dt>Took</dt><dd>${seconds} s${requests === undefined ? '' : `, ${requests.toLocaleString('en-US')} requests`}</dd>
${Object.entries(digests)
  .map(([of, digest]) => `<dt>Digest of the ${of}</dt><dd><code>${digest.slice(0, 16)}</code></dd>`)
  .join('')}
<dt>Digest of the run</dt><dd><code>${run.digest.slice(0, 16)}</code></dd></dl>
${run.kind === 'machine' ? machinesOf(subject.id) : ''}
${cells.join('\n')}
<h2 id="changes">Since the run before${before ? `, of ${before.date.slice(0, 10)}` : ''}</h2>
${before === undefined ? '<p>There is none.</p>' : changes.length === 0 ? '<p>Nothing changed.</p>' : `<ul>${changes.map((one) => `<li>${escape(one)}</li>`).join('')}</ul>`}`,
  );
}

function rowOf(how: string, id: string, { kind, causes }: Run, sentenceOf: SentenceOf): string {
  const row = sentenceOf(kind, id);
  const own = causes.filter(({ rows }) => rows.includes(id));
  const because = own.map(
    ({ class: whose, why, varies }) =>
      `<p class="cause"><b>${escape(whose)}</b>${varies ? ' (not in every run)' : ''}: ${escape(why)}</p>`,
  );
  return `<li><span class="${how === 'failed' ? 'bad' : how === 'warned' ? 'fair' : 'none'}">${how}</span> <b>${escape(id)}</b>${row ? ` ${escape(row.level)}: ${escape(row.sentence)}` : ''}${because.join('')}</li>`;
}

/** The learned machine beside that of the contract. */
function machinesOf(id: string): string {
  const files = [
    ['The contract', 'conformance/machine/contract.svg'],
    ['The server', `research/foreign/machines/${id}.svg`],
  ] as const;
  const drawn = files.filter(([, file]) => existsSync(file));
  return `<div class="side">${drawn.map(([title, file]) => `<figure><figcaption>${title}</figcaption><img alt="The token lifecycle of ${title.toLowerCase()}" src="data:image/svg+xml;base64,${readFileSync(file).toString('base64')}"></figure>`).join('')}</div>`;
}

const anchor = (column: string): string => column.replaceAll(/[^A-Za-z0-9-]+/g, '-');

const style = `:root{color-scheme:light dark;--ink:#1b2130;--soft:#566073;--line:#d9dee8;--paper:#fff;--sunk:#f3f5f9;--accent:#2457c5;--good:#d7f0dc;--fair:#fdf0c2;--bad:#fbd9d5;--none:#eceff4}
@media(prefers-color-scheme:dark){:root{--ink:#e7eaf1;--soft:#a3adbf;--line:#353d4c;--paper:#14181f;--sunk:#1d232d;--accent:#8fb2ff;--good:#173f25;--fair:#463a0f;--bad:#5a211c;--none:#262d39}}
*{box-sizing:border-box}body{margin:0 auto;padding:1rem 1.25rem 3rem;max-width:100rem;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.8rem}h2{font-size:1.2rem;margin:2rem 0 .5rem}a{color:var(--accent)}small,dt,figcaption{color:var(--soft)}p,ul.rows{max-width:60rem}
.table{overflow-x:auto;margin:0 0 1rem;border:1px solid var(--line)}table{border-collapse:collapse;font-size:.85rem;overflow-wrap:normal}th,td{padding:.35rem .55rem;border:1px solid var(--line);text-align:left;vertical-align:top;white-space:nowrap}thead th{background:var(--sunk)}td a{color:var(--ink)}
.good{background:var(--good)}.fair{background:var(--fair)}.bad{background:var(--bad)}.none{background:var(--none)}span.good,span.fair,span.bad,span.none{padding:.05rem .4rem;border-radius:.25rem}
.doubt{display:block;color:var(--soft);font-style:italic;font-weight:400;white-space:normal;max-width:22rem}pre{background:var(--sunk);padding:.5rem .75rem;overflow-x:auto}dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:0}dd{margin:0}
.rows{padding-left:1rem}.rows li{margin:.5rem 0}.cause{margin:.15rem 0 0;color:var(--soft)}.side{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0;flex:1 1 24rem}img{max-width:100%;background:#fff;border:1px solid var(--line)}:focus-visible{outline:3px solid var(--accent)}`;

const page = (title: string, main: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${escape(title)} · Game Data Contract</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body><main>${main}</main></body></html>
`;
