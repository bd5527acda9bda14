import { sourceWords } from './source-words.js';
import type { Markup } from './html/escape.js';
import { certificateLines } from './certificate.js';
import { pictureOf } from './copies.js';
import { anchor, drawing, lanesDrawing, markup, prose } from './html/escape.js';
import { failureList, linked } from './html/failures.js';
import { ledger, shade } from './html/ledger.js';
import { overview } from './html/overview.js';
import { page } from './html/page.js';
import { script } from './html/script.js';
import { style } from './html/style.js';
import type { RowResult, RunReport } from '../result.js';
import { extent, headline, isPlain, lacks, mostAdvice, pageOf, reasons, standingAt } from './rows.js';
import { standings, tally } from '../standing.js';
import { count, duration, line } from '../text.js';

/** The report as one self-contained page. */
export function html(report: RunReport): string {
  const sections = [
    report.subject === 'client' || report.rows.every(({ pointer }) => pointer === undefined)
      ? undefined
      : section('overview', 'Operations', undefined, overview(report.rows)),
    failed(report),
    suiteErrors(report),
    couldNotRun(report),
    warnings(report),
    notExercised(report),
    waived(report),
    problems(report),
    lifecycle(report),
    copies(report),
    edition(report),
    bullets('advice', 'Advice', report.advice ?? [], mostAdvice),
    observations(report),
    section('ledger', 'Requirements', report.rows.length, ledger(report.rows)),
  ].filter((each) => each !== undefined);
  const body = markup`${summary(report)}
<nav aria-label="Sections"><ul>${sections.map(({ id, short, number }) => markup`<li><a href="#${id}">${short}${number !== undefined && markup` <b>${number}</b>`}</a></li>`)}</ul></nav>
<main>
${sections.map((one) => one.body)}
</main>
<footer>Suite ${line(report.suite.version, 40)}, ledger <code>${line(report.suite.ledger, 80)}</code>, contract <code>${line(report.suite.contract, 80)}</code>. For programs: report.json.</footer>`;
  return page(`${line(report.target.name, 80)}: ${report.outcome}`, body, { style, script });
}

interface Section {
  readonly id: string;
  /** Its name in the navigation. */
  readonly short: string;
  readonly number?: number;
  readonly body: Markup;
}

const shortTitles: Readonly<Record<string, string>> = { errors: 'Suite errors', waived: 'Known', lifecycle: 'Tokens' };

const section = (id: string, title: string, number: number | undefined, body: Markup | Markup[]): Section => ({
  id,
  short: shortTitles[id] ?? title,
  number,
  body: markup`<section aria-labelledby="${id}-title" id="${id}"><h2 id="${id}-title">${title}${number !== undefined && markup`<span class="n">${number.toLocaleString('en-US')}</span>`}</h2>
${body}</section>\n`,
});

/** The first screen: outcome, counts, facts of the run, and the command that repeats it. */
function summary(report: RunReport): Markup {
  const { target, requests, recording, seconds, seed, runs, started, command, outcome, subject } = report;
  const facts: [string, string][] = [
    ...(subject === 'client' ? [] : [['Data API', target.base_url] as [string, string]]),
    ...(target.auth_url === target.base_url ? [] : [['Authorization server', target.auth_url] as [string, string]]),
    recording
      ? ['Recording', `${extent(report)}: ${recording.files.join(', ')}`]
      : subject === 'client'
        ? ['Requests', `${requests.sent.toLocaleString('en-US')} in ${count(runs, 'world')}`]
        : [
            'Requests',
            `${requests.sent.toLocaleString('en-US')} of at most ${requests.announced.toLocaleString('en-US')}`,
          ],
    ['Time', duration(seconds)],
    ['Started', started.replace('T', ' ').replace(/[.]\d+Z$/, ' UTC')],
    ...(recording || subject === 'client'
      ? []
      : ([
          ['Seed', `${seed}, ${count(runs, 'case')} per property`],
          ['Consent', target.consent],
        ] as [string, string][])),
  ];
  return markup`<header><div><h1>${headline(report)} of ${line(target.name, 120)}</h1>
<p class="verdict ${outcome !== 'conformant' || isPlain(report) ? outcome.split(' ')[0] : 'warned'}">${line(report.summary, 600)}</p>
${bar(report)}
<dl class="facts">${facts.map(([term, value]) => markup`<div><dt>${term}</dt><dd>${line(value, 300)}</dd></div>`)}</dl>
<div class="command"><code id="command">${line(command, 1000)}</code><button type="button" data-copy="command" hidden>Copy</button></div>
<details><summary>Effective settings</summary><pre>${JSON.stringify(target.settings, undefined, 2)}</pre></details>
</div></header>`;
}

const titles: Readonly<Record<string, string>> = { pass: 'passed', fail: 'failed' };

/** One bar of all requirements by standing, passed first, and a legend with links into the ledger. */
function bar({ rows }: RunReport): Markup {
  const counts = tally(rows);
  const shown = (['pass', ...standings.filter((at) => at !== 'pass')] as const).filter((at) => counts[at] > 0);
  const scale = 1000 / Math.max(1, rows.length);
  let left = 0;
  const parts = shown.map((at) => {
    // What is there is seen: half a percent at least, drawn over its neighbour.
    const part = markup`<rect class="${shade(at)}" x="${left.toFixed(1)}" y="0" width="${Math.max(5, counts[at] * scale).toFixed(1)}" height="20"/>`;
    left = Math.min(995, left + counts[at] * scale);
    return part;
  });
  const label = shown.map((at) => `${counts[at]} ${titles[at] ?? at}`).join(', ');
  return markup`<svg class="bar" viewBox="0 0 1000 20" preserveAspectRatio="none" role="img" aria-label="${label}">${parts}</svg>
<ul class="legend">${shown.map((at) => markup`<li><a href="#ledger" data-verdict="${at}"><svg viewBox="0 0 1 1" aria-hidden="true"><rect class="${shade(at)}" width="1" height="1"/></svg><b>${counts[at].toLocaleString('en-US')}</b> ${titles[at] ?? at}</a></li>`)}</ul>`;
}

function failed({ rows }: RunReport): Section | undefined {
  const its = standingAt(rows, 'fail');
  return its.length === 0 ? undefined : section('failures', 'Failed', its.length, failureList(its));
}

/** A section with a list; none where there is nothing to list. */
const listSection = (id: string, title: string, number: number, items: readonly Markup[]): Section | undefined =>
  number === 0
    ? undefined
    : section(id, title, number, markup`<div class="card"><ul class="plain">${items}</ul></div>`);

/** A section of requirements, one by one. `say` gives the text below each. */
function listed(
  id: string,
  title: string,
  rows: readonly RowResult[],
  say: (row: RowResult) => Markup,
): Section | undefined {
  const items = rows.map(
    (row) =>
      markup`<li><p class="meta"><a class="id" href="#${anchor('row', row.id)}">${line(row.id, 100)}</a><span class="tag">${row.level}</span>${linked(pageOf(row), sourceWords(line(row.section, 60)))}</p><p>${prose(row.statement, 400)}</p>${say(row)}</li>`,
  );
  return listSection(id, title, rows.length, items);
}

const suiteErrors = ({ rows }: RunReport): Section | undefined =>
  listed(
    'errors',
    'Suite errors',
    standingAt(rows, 'suite error'),
    ({ reason }) => markup`<p class="ids">${prose(reason ?? '', 800)}</p>`,
  );

function warnings({ rows, subject }: RunReport): Section | undefined {
  const its = standingAt(rows, 'warn');
  // Advice to a client has its evidence like a failure.
  if (subject === 'client' && its.some(({ failure }) => failure))
    return section('warnings', 'Warnings', its.length, failureList(its, 'fair'));
  return listed(
    'warnings',
    'Warnings',
    its,
    ({ reason, notes }) =>
      markup`<p class="ids">${prose([reason, ...notes.slice(0, 5)].filter(Boolean).join(' · '), 800)}</p>`,
  );
}

const waived = ({ rows }: RunReport): Section | undefined =>
  listed('waived', 'Known deviations', standingAt(rows, 'waived'), (row) => {
    const until = row.waived?.expires && `until ${row.waived.expires}`;
    const issue = row.waived?.issue;
    return markup`<p class="ids">${line(row.waived?.reason ?? '', 500)} ${issue !== undefined && linked(issue, line(issue, 200))} ${until && line(until, 40)}</p>`;
  });

/** Ids of rows, the first of them as links into the ledger. */
const ids = (rows: readonly RowResult[]): Markup => {
  const shown = rows
    .slice(0, 60)
    .map(({ id }, index) => markup`${index > 0 && ', '}<a href="#${anchor('row', id)}">${line(id, 100)}</a>`);
  return markup`<p class="ids">${shown}${rows.length > 60 && ` and ${rows.length - 60} more`}</p>`;
};

function couldNotRun(report: RunReport): Section | undefined {
  const items = lacks(report.rows)
    .slice(0, 100)
    .map(
      ({ what, remedy, rows }) =>
        markup`<li><h3>${prose(what, 400)}<span class="tag">${count(rows.length, 'requirement')}</span></h3>${remedy !== undefined && markup`<p class="remedy">${prose(remedy, 600)}</p>`}${ids(rows)}</li>`,
    );
  return listSection('missing', 'Could not run', standingAt(report.rows, 'could not run').length, items);
}

function notExercised({ rows }: RunReport): Section | undefined {
  const its = standingAt(rows, 'not exercised');
  const items = reasons(its)
    .slice(0, 100)
    .map(
      ([reason, same]) =>
        markup`<li><h3>${prose(reason, 400)}<span class="tag">${count(same.length, 'requirement')}</span></h3>${ids(same)}</li>`,
    );
  return listSection('unexercised', 'Not exercised', its.length, items);
}

const bullets = (id: string, title: string, texts: readonly string[], most = 600): Section | undefined =>
  listSection(
    id,
    title,
    texts.length,
    texts.slice(0, 200).map((text) => markup`<li><p>${prose(text, most)}</p></li>`),
  );

const problems = ({ problems: texts }: RunReport): Section | undefined => bullets('problems', 'Problems', texts);
const observations = ({ observations: texts }: RunReport): Section | undefined =>
  bullets('observations', 'Observations', texts);

/** What the complete suite proves, the readings that were found, and the machine as the server showed it. */
function certificate(report: RunReport): Markup {
  const given = report.lifecycle?.certificate;
  const [told = '', extent] = certificateLines(report);
  if (!given) return markup`${told && markup`<p>${told}</p>`}`;
  const rows = given.readings.map(
    (one) =>
      markup`<tr><th scope="row">${line(one.reading, 120)}</th><td>${line(one.gap, 20)}</td><td>${one.answer === 'depends' ? 'depends on the state' : one.answer}</td><td>${one.words.map((word) => line(word.join(', '), 200)).join('; ')}</td></tr>`,
  );
  const title = `The token lifecycle as ${line(report.target.name, 80)} showed it`;
  return markup`<h3>${given.sentence === undefined ? 'No certificate' : 'Certificate'}</h3><p>${told}</p><p>${extent}</p>
<div class="table" tabindex="0">${drawing(given.machine, title)}</div>
<div class="table" tabindex="0"><table><thead><tr><th scope="col">Where the interface is open</th><th scope="col">Gap</th><th scope="col">Found</th><th scope="col">Shown by</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

/** Actions by the state that they met, and the outcomes of races. */
function lifecycle(report: RunReport): Section | undefined {
  const { lifecycle: life } = report;
  if (!life) return undefined;
  const entries = Object.entries(life.transitions).map(([name, times]) => {
    const [state = '', ...event] = name.split(' ');
    return { state, event: event.join(' '), times };
  });
  const states = [...new Set([...life.states, ...entries.map(({ state }) => state)])];
  const events = [...new Set(entries.map(({ event }) => event))];
  const cell = (state: string, event: string): number =>
    entries.find((entry) => entry.state === state && entry.event === event)?.times ?? 0;
  const races = Object.entries(life.races);
  return section('lifecycle', 'Token lifecycle', undefined, [
    certificate(report),
    markup`<p>${count(life.words, 'sequence')} of actions ran. Each number counts how often an action met a token in that state.</p>
<div class="table" tabindex="0"><table><thead><tr><th scope="col">Action</th>${states.map((state) => markup`<th scope="col" class="num">${line(state, 40)}</th>`)}</tr></thead><tbody>${events.map((event) => markup`<tr><th scope="row">${line(event, 80)}</th>${states.map((state) => markup`<td class="num">${cell(state, event) || markup`<span class="ids">never</span>`}</td>`)}</tr>`)}</tbody></table></div>`,
    ...(races.length === 0
      ? []
      : [
          markup`<h3>Races</h3><div class="table" tabindex="0"><table><thead><tr><th scope="col">Outcome</th><th scope="col" class="num">Times</th></tr></thead><tbody>${races.map(([name, times]) => markup`<tr><td>${line(name, 120)}</td><td class="num">${times}</td></tr>`)}</tbody></table></div>`,
        ]),
  ]);
}

/** A picture of each world of copies, those first in which something is wrong. */
function copies({ copies: all = [] }: RunReport): Section | undefined {
  const sorted = all.toSorted((one, other) => Number(other.blamed.length > 0) - Number(one.blamed.length > 0));
  const figures = sorted.flatMap((one) => {
    const picture = pictureOf(one);
    const blamed = one.blamed.map((id) => markup` <a href="#${anchor('row', id)}">${line(id, 100)}</a>`);
    return picture === undefined
      ? []
      : markup`<h3>${line(one.world, 60)}</h3><p class="ids">${line(one.title, 200)}${blamed.length > 0 && markup`. Not kept:${blamed}`}</p>${lanesDrawing(picture)}\n`;
  });
  return figures.length === 0 ? undefined : section('copies', 'Copies', undefined, figures);
}

function edition({ edition: flags }: RunReport): Section | undefined {
  const entries = Object.entries(flags);
  if (entries.length === 0) return undefined;
  const differs = (declared: string, seen: string): boolean =>
    (declared === 'on' || declared === 'off') && (seen === 'on' || seen === 'off') && declared !== seen;
  const rows = entries.map(
    ([flag, { declared, seen }]) =>
      markup`<tr><th scope="row"><code>${line(flag, 80)}</code></th><td>${line(declared, 80)}</td><td>${differs(declared, seen) ? markup`<span class="seen">${line(seen, 120)}, differs from the declaration</span>` : line(seen, 120)}</td></tr>`,
  );
  return section(
    'edition',
    'Edition',
    entries.length,
    markup`<div class="table" tabindex="0"><table><thead><tr><th scope="col">Flag</th><th scope="col">Declared</th><th scope="col">Observed</th></tr></thead><tbody>${rows}</tbody></table></div>`,
  );
}
