import type { AuditRow } from '../../conformance/audit/row.js';
import type { LedgerRow } from '../../conformance/ledger.js';
import type { Matrix } from '../../conformance/proof/matrix.js';
import type { Markup } from '../../conformance/report/html/escape.js';
import { markup } from '../../conformance/report/html/escape.js';
import { page } from '../../conformance/report/html/page.js';
import { style } from '../../conformance/report/html/style.js';

/** Each requirement at an address of its own, `#<id>`: its sentence, its source, how it is judged, its mutants. */
export function requirementsPage(
  ledger: readonly LedgerRow[],
  audit: readonly AuditRow[],
  { mutants }: Pick<Matrix, 'mutants'>,
): string {
  const body = markup`<main>
<h1>Requirements</h1>
<p>Of servers first, which <code>gamedata verify</code> tests, then of clients, which <code>gamedata audit</code> judges. Each has an address of its own: its id behind a #. To try one alone: <code>gamedata verify --target target.yaml --only &lt;id&gt;</code>, <code>gamedata audit --only &lt;id&gt; -- &lt;command&gt;</code>.</p>
<h2>Of servers</h2>
${ledger.map((row) => ofServer(row, mutants))}
<h2>Of clients</h2>
${audit.map(({ id, level, source, sentence, how }) =>
  entry(id, level, sentence, [
    ['Source', source],
    ['How it is judged', how],
  ]),
)}
</main>`;
  return page('Requirements', body, { style });
}

function ofServer(row: LedgerRow, mutants: Matrix['mutants']): Markup {
  const { id, level, statement, section, entailed, plausible, gap, needs } = row;
  const killed = mutants.filter(({ by }) => by.some((row) => row === id)).map(({ what }) => what);
  const judged: Readonly<Record<LedgerRow['how'], string>> = {
    check: 'by a check that sends requests for it',
    monitor: 'on every response of a run',
    excluded: row.how === 'excluded' ? `not tested: ${row.reason}` : '',
  };
  const facts: [string, string | undefined][] = [
    ['Source', section === '-' ? undefined : `section ${section} of the interface`],
    ['Follows from', entailed],
    ['Plausible because', plausible],
    ['Left open', gap],
    ['How it is judged', judged[row.how]],
    ['Needs', needs.map((some) => some.join(' or ')).join(', ') || undefined],
    ['Mutants that it kills', killed.slice(0, 6).join('; ') || undefined],
  ];
  return entry(id, level, statement, facts);
}

function entry(
  id: string,
  level: string,
  sentence: string,
  facts: readonly (readonly [string, string | undefined])[],
): Markup {
  const lines = facts.flatMap(([name, text]) => (text === undefined ? [] : [markup`<dt>${name}</dt><dd>${text}</dd>`]));
  return markup`<section class="card" id="${id}"><h3>${id} <span class="tag">${level}</span></h3><p>${sentence}</p><dl>${lines}</dl></section>
`;
}
