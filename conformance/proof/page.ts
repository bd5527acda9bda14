import { ledger } from '../ledger.gen.js';
import { kinds } from '../machine/faults.js';
import type { EnumerationProof, FaultCount, Kind, PublishedFaults } from '../machine/faults.js';
import type { Markup } from '../report/html/escape.js';
import { anchor, markup, prose } from '../report/html/escape.js';
import { page } from '../report/html/page.js';
import { style as reportStyle } from '../report/html/style.js';
import { clientSection } from './clients.js';
import type { ClientProof } from './clients.js';
import { killedByFailure } from './matrix.js';
import type { MutantLine, Matrix } from './matrix.js';
import { script } from './page-script.js';
import { survivors, withoutMutant } from './survivors.js';

/** Ids and words stay whole: a table that is too wide for its screen is scrolled. */
const style = `${reportStyle}th,td{overflow-wrap:normal}td code{white-space:nowrap}th.num{text-align:right}h3{margin:1.5rem 0 .6rem}summary{cursor:pointer;font-weight:600;padding:.4rem 0}summary:focus-visible{outline:3px solid var(--accent)}`;

const rows = new Map<string, (typeof ledger)[number]>(ledger.map((row) => [row.id, row]));

/** The published proof as one page of the documentation, which asks nobody for anything. It stands beside Redoc's. */
export function proofPage(matrix: Matrix, clients: ClientProof, machine: PublishedFaults): string {
  const { mutants, variants, seeds } = matrix;
  const killed = mutants.filter(({ status }) => status === 'killed').length;
  const failures = mutants.filter(killedByFailure).length;
  const accepted = variants.filter(({ status }) => status === 'accepted').length;
  const killing = new Set(mutants.flatMap(({ by }) => by));
  const binding = ledger.filter(({ level, how }) => level.startsWith('MUST') && how !== 'excluded');
  const unkilled = binding.filter(({ id }) => !killing.has(id) && withoutMutant[id] !== undefined);
  const sections = [
    areaSection(mutants),
    survivorSection(mutants),
    variantSection(matrix),
    mutantSection(mutants),
    rowSection(mutants),
    { id: 'machine', title: 'Every fault of the token lifecycle', body: machineSection(machine) },
    { id: 'clients', title: 'Clients', body: clientSection(clients) },
  ];
  const body = markup`<header><div><h1>Every mutant of the server</h1>
<p class="verdict ${killed === mutants.length && accepted === variants.length ? 'conformant' : 'not'}">${killed} of ${mutants.length} mutants killed, ${variants.length - accepted} false positives on ${variants.length} conforming variants.</p>
${killBar(failures, killed - failures, mutants.length)}
<p>A mutant counts as killed when every check that its line names fails (or warns, where an RFC only recommends or no sentence entails the requirement), and passes in the baseline run. A time-out or a crash is no kill.</p>
<dl class="facts">
<div><dt>Killed by a failure</dt><dd>${failures}</dd></div>
<div><dt>Killed by warnings alone</dt><dd>${killed - failures}</dd></div>
<div><dt>Binding requirements that kill a mutant</dt><dd>${binding.filter(({ id }) => killing.has(id)).length} of ${binding.length}</dd></div>
<div><dt>Seeds of generated values</dt><dd>${seeds.join(', ')}</dd></div>
<div><dt>Do it again</dt><dd>${prose('`npm run prove`, `npm run prove -- --mutant M-AZ-36`', 100)}</dd></div>
</dl>
${unkilled.map(({ id }) => markup`<p>No mutant for ${requirement(id)}. ${withoutMutant[id]}</p>`)}</div></header>
<nav aria-label="Sections"><ul>${sections.map(({ id, title }) => markup`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
<main><form class="filter" hidden><label>Find mutants, variants and requirements<input type="search" id="find" autocomplete="off" spellcheck="false"></label></form><p class="shown" id="found" role="status"></p>${sections.map(({ id, title, body }) => markup`<section id="${id}"><h2>${title}</h2>${body}</section>`)}</main>
<footer>Ledger <code>${matrix.ledger}</code>, contract <code>${matrix.contract}</code>. What a program needs is in <code>conformance/proof/matrix.json</code>.</footer>`;
  return page('Every mutant of the server', body, { style, script });
}

/** A long list, folded until it is wanted. */
const folded = (title: string, number: number, body: Markup, id?: string): Markup =>
  markup`<details><summary${id !== undefined && markup` id="${id}"`}>${title} <span class="tag">${number.toLocaleString('en-US')}</span></summary>${body}</details>`;

/** The share of mutants that failures and warnings kill, as a bar. */
function killBar(failures: number, warnings: number, all: number): Markup {
  const share = (number: number): string => ((1000 * number) / Math.max(1, all)).toFixed(1);
  return markup`<svg class="bar" viewBox="0 0 1000 20" preserveAspectRatio="none" role="img" aria-label="${failures} of ${all} killed by a failure, ${warnings} by warnings alone, ${all - failures - warnings} alive"><rect class="fail" x="0" y="0" width="1000" height="20"/><rect class="warn" x="0" y="0" width="${share(failures + warnings)}" height="20"/><rect class="pass" x="0" y="0" width="${share(failures)}" height="20"/></svg>`;
}

interface PageSection {
  readonly id: string;
  readonly title: string;
  readonly body: Markup;
}

/** A table; heads that begin with # stand over numbers. */
const table = (heads: readonly string[], lines: readonly Markup[]): Markup =>
  markup`<div class="table" tabindex="0"><table><thead><tr>${heads.map((head) => (head === '' ? markup`<td></td>` : markup`<th class="${head.startsWith('#') ? 'num' : ''}">${head.replace('#', '')}</th>`))}</tr></thead><tbody>${lines}</tbody></table></div>`;

/** All faults that the machines of the contract can have, made by program, and what each suite finds. */
function machineSection({ timed, ...still }: PublishedFaults): Markup {
  const told = Object.keys(kinds) as Kind[];
  return markup`<p>The machine of the token lifecycle, with the mock's readings, has ${still.states} states and ${still.inputs} inputs. These are all faults of three kinds, none of them written by hand, run on a simulation of the faulty server. A fault is one that some sequence shows, however long; it counts as killed if a suite shows it.</p>
${faultTable(still)}<p>${told.map((kind) => `${kind}: ${kinds[kind]}. `)}</p>
<p>Where time passes, so that codes, access tokens and refresh chains end, it has ${timed.states} states and ${timed.inputs} inputs. Faults of one state more are too many there to be tried one by one.</p>
${faultTable(timed)}`;
}

function faultTable({ faults, suites }: EnumerationProof): Markup {
  const tried = Object.keys(faults) as Kind[];
  const share = ({ killed }: FaultCount, kind: Kind): string =>
    `${killed[kind]?.toLocaleString('en-US')} of ${faults[kind]?.toLocaleString('en-US')}`;
  const lines = suites.map(
    (one) =>
      markup`<tr><td>${one.suite}</td><td class="num">${one.words}</td><td class="num">${one.steps}</td>${tried.map((kind) => markup`<td class="num">${share(one, kind)}</td>`)}</tr>`,
  );
  return table(['Suite', '#Sequences', '#Steps', ...tried.map((kind) => `#${kind}`)], lines);
}

function areaSection(mutants: readonly MutantLine[]): PageSection {
  const names = [...new Set(mutants.map(({ area }) => area))];
  const lines = names.map((name) => {
    const own = mutants.filter(({ area }) => area === name);
    const killed = own.filter(({ status }) => status === 'killed').length;
    const failures = own.filter(killedByFailure).length;
    return markup`<tr><td><a href="#${anchor('area', name)}">${name}</a></td><td class="num">${own.length}</td><td class="num">${failures}</td><td class="num">${killed - failures || ''}</td></tr>`;
  });
  return { id: 'areas', title: 'Areas', body: table(['Area', '#Mutants', '#Killed', '#By warnings'], lines) };
}

function survivorSection(mutants: readonly MutantLine[]): PageSection {
  const lines = Object.entries(survivors).map(([id, reason]) => {
    const mutant = mutants.find((one) => one.id === id);
    return markup`<tr><td><code>${id}</code></td><td>${mutant?.what}</td><td>${reason}</td></tr>`;
  });
  const without = Object.entries(withoutMutant).map(
    ([id, reason]) => markup`<tr><td>${requirement(id)}</td><td>${rows.get(id)?.statement}</td><td>${reason}</td></tr>`,
  );
  const body = markup`${lines.length > 0 ? table(['Mutant', '', 'Why no check kills it'], lines) : markup`<p>None.</p>`}
${without.length > 0 && markup`<h3>Binding requirements without a mutant</h3>${table(['Requirement', '', 'Why'], without)}`}`;
  return { id: 'survivors', title: 'Survivors', body };
}

function variantSection({ variants }: Matrix): PageSection {
  const lines = variants.map(
    ({ id, what, status, judged }) =>
      markup`<tr><td><code>${id}</code></td><td>${what}</td><td>${status}</td><td class="num">${judged}</td></tr>`,
  );
  const body = markup`<p>Servers that conform and differ from the mock: each variant, alone or with others that leave it visible, then mixtures of a third of them. The whole suite runs against each; one failure would be a false positive.</p>
${folded('Every variant', lines.length, table(['Variant', 'How it differs from the mock', '', '#Requirements passed'], lines))}`;
  return { id: 'variants', title: 'Conforming variants', body };
}

/** A requirement as a link to its sentence. */
const requirement = (id: string): Markup => markup`<a href="requirements.html#${id}"><code>${id}</code></a>`;

function mutantSection(mutants: readonly MutantLine[]): PageSection {
  const names = [...new Set(mutants.map(({ area }) => area))];
  const body = names.map((name) => {
    const lines = mutants
      .filter(({ area }) => area === name)
      .map((line) => {
        const { id, what, status, by } = line;
        const how = status !== 'killed' ? status : killedByFailure(line) ? undefined : 'warning';
        return markup`<tr id="${anchor('mutant', id)}"><td><code>${id}</code></td><td>${what}</td><td>${how && markup`<b>${how}</b> `}${by.map((row) => markup`${requirement(row)} `)}</td></tr>`;
      });
    return folded(name, lines.length, table(['Mutant', '', 'Killed by'], lines), anchor('area', name));
  });
  return { id: 'mutants', title: 'Mutants', body: markup`${body}` };
}

function rowSection(mutants: readonly MutantLine[]): PageSection {
  const count = new Map<string, number>();
  for (const row of mutants.flatMap(({ by }) => by)) count.set(row, (count.get(row) ?? 0) + 1);
  const lines = ledger
    .filter(({ how }) => how !== 'excluded')
    .map(
      ({ id, level, statement, plausible }) =>
        markup`<tr><td>${requirement(id)}</td><td>${plausible === undefined ? level : `${level}, warns`}</td><td>${statement}</td><td class="num">${count.get(id) ?? ''}</td></tr>`,
    );
  return {
    id: 'requirements',
    title: 'Requirements',
    body: folded(
      'Every requirement',
      lines.length,
      table(['Requirement', 'Level', 'Sentence', '#Mutants killed'], lines),
    ),
  };
}
