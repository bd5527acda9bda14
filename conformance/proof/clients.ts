import { readFileSync } from 'node:fs';

import type { Markup } from '../report/html/escape.js';
import { markup } from '../report/html/escape.js';

/** The published result of the audit's own proof: `clients.json`. Nothing in it depends on the machine. */
export interface ClientProof {
  readonly ledger: string;
  readonly seeds: readonly number[];
  readonly mutants: readonly {
    readonly id: string;
    readonly does: string;
    readonly row: string;
    /** What its row gives it, or that it survives; `skipped`: it was not tried. */
    readonly status: 'failure' | 'warning' | 'survived' | 'skipped';
  }[];
  readonly variants: readonly {
    readonly id: string;
    readonly does: string;
    /** `skipped`: what it needs was not installed. */
    readonly status: 'accepted' | 'blamed' | 'skipped';
    /** Rows that it passed, at least, with every seed. */
    readonly passed: number;
    /** Rows of advice that truly applies to it, and may warn. */
    readonly mayWarn?: readonly string[];
  }[];
}

/** Reads the published proof of the audit. */
export function publishedClients(): ClientProof {
  return JSON.parse(readFileSync(new URL('clients.json', import.meta.url), 'utf8')) as ClientProof;
}

/** The audit's proof as a section of the page. */
export function clientSection({ mutants, variants, seeds, ledger }: ClientProof): Markup {
  const of = (wanted: string): number => mutants.filter(({ status }) => status === wanted).length;
  const killed = of('failure') + of('warning');
  const tried = variants.filter(({ status }) => status !== 'skipped');
  const blamed = tried.filter(({ status }) => status === 'blamed').length;
  const skipped = variants.length - tried.length;
  return markup`<p><code>gamedata audit</code> judges clients. ${killed} of ${mutants.length} mutants of a reference client killed by the row that each names, ${of('warning')} of them with a warning; ${blamed} false positives on ${tried.length} conforming clients${skipped > 0 && `, ${skipped} skipped`}. Seeds ${seeds.join(', ')}; ledger <code>${ledger}</code>; <code>npm run prove -- --audit</code> does it again.</p>
<div class="table" tabindex="0"><table><thead><tr><th>Mutant</th><th>What it does</th><th>Killed by</th></tr></thead><tbody>${mutants.map(({ id, does, row, status }) => markup`<tr><td><code>${id}</code></td><td>${does}</td><td>${status === 'failure' ? undefined : markup`<b>${status}</b> `}<code>${row}</code></td></tr>`)}</tbody></table></div>
<div class="table" tabindex="0"><table><thead><tr><th>Conforming client</th><th>What it does</th><th>Status</th><th>May be warned by</th><th class="num">Rows passed</th></tr></thead><tbody>${variants.map(({ id, does, status, mayWarn = [], passed }) => markup`<tr><td><code>${id}</code></td><td>${does}</td><td>${status}</td><td>${mayWarn.map((row) => markup`<code>${row}</code> `)}</td><td class="num">${passed}</td></tr>`)}</tbody></table></div>`;
}
