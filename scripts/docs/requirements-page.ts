import type { AuditRow } from '../../conformance/audit/row.js';
import { clientAnchor, sectionLink } from '../../conformance/section-link.js';
import { groupNames } from '../../conformance/requirements/groups.js';
import type { LedgerRow } from '../../conformance/ledger.js';
import { sourceWords } from '../../conformance/report/source-words.js';
import type { Matrix } from '../../conformance/proof/matrix.js';
import type { Markup } from '../../conformance/report/html/escape.js';
import { markup, prose } from '../../conformance/report/html/escape.js';
import { script } from '../../conformance/proof/page-script.js';
import { page } from '../../conformance/report/html/page.js';
import { style } from '../../conformance/report/html/style.js';
import type { gapsOf } from './gap-links.js';

/** Each requirement at an address of its own, `#<id>`: its sentence, its source, how it is judged, its mutants. */
export function requirementsPage(
  ledger: readonly LedgerRow[],
  audit: readonly AuditRow[],
  { mutants }: Pick<Matrix, 'mutants'>,
  gaps: ReturnType<typeof gapsOf>,
): string {
  const servers = new Set<string>(ledger.map(({ id }) => id));
  const clients = new Set(audit.map(({ id }) => id));
  const body = markup`<main>
<h1>What is required of servers and clients</h1>
<p>First the requirements on servers, which <code>gamedata verify</code> tests; then those on <a href="#of-clients">clients</a>, which <code>gamedata audit</code> judges. Each has an address of its own: this page, <code>#</code> and the id. A section without an RFC number is one of the interface's own description. To judge one alone: ${inProse('`gamedata verify --target target.yaml --only <id>`, `gamedata audit --only <id> -- <command>`.')}</p>
<form class="filter" hidden><label>Find requirements<input type="search" id="find" autocomplete="off" spellcheck="false"></label></form><p class="shown" id="found" role="status"></p>
<h2>Requirements on servers</h2>
${folded(
  ledger.map((row) => ({
    id: row.id,
    sentence: row.statement,
    body: ofServer(row, mutants, gaps, clients.has(row.id) ? clientAnchor(row.id) : undefined),
  })),
)}
<h2 id="of-clients">Requirements on clients</h2>
${folded(
  audit.map(({ id, level, source, sentence, how }) => ({
    id,
    sentence,
    body: entry({ id, anchor: clientAnchor(id) }, level, sentence, [
      ['Source', sourceOf(source)],
      ['How it is judged', how],
      [
        'Not to be confused with',
        servers.has(id) ? markup`<a href="#${id}">the one on servers</a> of the same id` : undefined,
      ],
    ]),
  })),
)}
</main>`;
  return page('Requirements', body, { style: `${style}${groupStyle}`, script });
}

const groupStyle = 'summary b{color:var(--ink)}@media print{details:not([open]){display:block}}';

interface Listed {
  readonly id: string;
  readonly sentence: string;
  readonly body: Markup;
}

/** The requirements of each group, folded until one is wanted: `TOK tokens 82`. */
function folded(rows: readonly Listed[]): Markup[] {
  const groups = new Map<string, Listed[]>();
  for (const row of rows) {
    const [name = ''] = row.id.split('-');
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return [...groups].map(
    ([name, own]) =>
      markup`<details><summary><b>${name}</b> ${inWords(name, own[0]!)} <span class="tag">${own.length}</span></summary>${own.map(({ body }) => body)}</details>
`,
  );
}

/** @throws Error for a group of clients that has no words yet */
function inWords(group: string, { id, sentence }: Listed): string {
  if (Object.hasOwn(groupNames, group)) return groupNames[group as keyof typeof groupNames];
  if (id.includes('-FIELD-')) return `fields of ${sentence.split('.')[0]}`;
  throw new Error(`groupNames says nothing of ${group}`);
}

/** `section 4.1`, `sections 3, 5.4 and 8`. */
const sectionsOf = (given: string): string => {
  const sections = given.split(',');
  const last = sections.pop();
  return sections.length === 0 ? `section ${last}` : `sections ${sections.join(', ')} and ${last}`;
};

/** Where a requirement on clients comes from, and where that can be read. */
const sourceOf = (source: string): string | Markup =>
  source === 'observed'
    ? 'observed practice of live services'
    : markup`<a href="${sectionLink(source).replace('dist/docs/', '')}">${sourceWords(source)}</a>`;

/** `twin`: where the requirement on clients stands that has the same id. */
function ofServer(
  row: LedgerRow,
  mutants: Matrix['mutants'],
  gaps: ReturnType<typeof gapsOf>,
  twin: string | undefined,
): Markup {
  const { id, level, statement, section, entailed, plausible, gap, needs } = row;
  const killed = mutants.filter(({ by }) => by.some((row) => row === id)).map(({ what }) => what);
  const judged: Readonly<Record<LedgerRow['how'], string>> = {
    check: 'by a check that sends requests for it',
    monitor: 'on every response of a run',
    excluded: row.how === 'excluded' ? `not tested: ${row.reason}` : '',
  };
  const facts: Fact[] = [
    ['Source', section === '-' ? undefined : sectionsOf(section)],
    ['Follows from', entailed],
    ['Plausible because', plausible],
    [
      'Left open',
      gap &&
        markup`<a href="index.html${gaps.get(gap)?.place ?? ''}">${gap}</a>: ${inProse(gaps.get(gap)?.says ?? '')}`,
    ],
    ['How it is judged', judged[row.how]],
    ['Needs', needs.map((some) => some.join(' or ')).join(', ') || undefined],
    ['Mutants that it kills', killed.slice(0, 6).join('; ') || undefined],
    ['Not to be confused with', twin && markup`<a href="#${twin}">the one on clients</a> of the same id`],
  ];
  return entry({ id, anchor: id }, level, statement, facts);
}

const inProse = (text: string): Markup => prose(text, 20_000);

/** A name and what it is about a requirement. */
type Fact = readonly [name: string, value: string | Markup | undefined];

function entry(
  { id, anchor }: { readonly id: string; readonly anchor: string },
  level: string,
  sentence: string,
  facts: readonly Fact[],
): Markup {
  const lines = facts.flatMap(([name, text]) =>
    text === undefined ? [] : [markup`<dt>${name}</dt><dd>${typeof text === 'string' ? inProse(text) : text}</dd>`],
  );
  return markup`<section class="card" id="${anchor}"><h3>${id} <span class="tag">${level}</span></h3><p>${inProse(sentence)}</p><dl>${lines}</dl></section>
`;
}
