import { describe, expect, it } from 'vitest';

import { ledger } from '../ledger.gen.js';
import type { ClientProof } from './clients.js';
import { publishedFaults } from './enumeration.js';
import type { Matrix } from './matrix.js';
import { script } from './page-script.js';
import { proofPage } from './page.js';

const matrix: Matrix = {
  ledger: 'l1',
  contract: 'c1',
  seeds: [1, 2],
  mutants: [
    { id: 'M-1', area: 'codes', what: 'a <b>code</b> lives on', status: 'killed', by: ['AUTH-CODE-009'], digest: 'd' },
    { id: 'M-3', area: 'leagues', what: 'null is 404', status: 'killed', by: ['LEAGUE-GET-006'], digest: 'd' },
    { id: 'M-2', area: 'codes', what: 'a code is short', status: 'survived', by: [], digest: 'd' },
  ],
  variants: [
    { id: 'B-01', what: 'nothing is 404', status: 'accepted', judged: 970 },
    { id: 'B-02', what: 'limits are lowered', status: 'false positive', judged: 969 },
  ],
};
const clients: ClientProof = {
  ledger: 'a1',
  seeds: [1],
  mutants: [
    { id: 'state-none', does: 'sends no <i>state</i>', row: 'AUTH-PARAM-001', status: 'failure' },
    { id: 'ends-429', does: 'ends with a 429', row: 'PACE-SURVIVE-001', status: 'warning' },
    { id: 'quiet', does: 'is not found', row: 'PACE-SAME-001', status: 'survived' },
  ],
  variants: [
    { id: 'reference', does: 'does everything right', status: 'accepted', passed: 90, mayWarn: [] },
    { id: 'arctic', does: 'uses arctic', status: 'skipped', passed: 0, mayWarn: ['PACE-HANG-001'] },
  ],
};
const page = proofPage(matrix, clients, publishedFaults());

describe('the page of the proof', () => {
  it('says what was found, and what was not', () => {
    const told = [
      '2 of 3 mutants killed, 1 false positives on 2 conforming variants.',
      '<b>survived</b>',
      'Killed by a failure</dt><dd>1</dd>',
      'Killed by warnings alone</dt><dd>1</dd>',
      '<b>warning</b>',
      '<td>false positive</td>',
    ];
    expect(told.filter((text) => !page.includes(text))).toEqual([]);
  });

  it('folds its long lists, and shows at the top how many mutants are killed', () => {
    expect(page).toContain('aria-label="1 of 3 killed by a failure, 1 by warnings alone, 1 alive"');
    const open = page.replaceAll(/<details>[^]*?<\/details>/g, '');
    expect(open).not.toContain('M-1');
    expect(open).not.toContain('B-01');
    expect(open).not.toContain(ledger[0]?.statement);
  });

  it('shows the proof of the audit, and what was skipped in it', () => {
    const told = [
      '2 of 3 mutants of a reference client killed',
      '0 false positives on 1 conforming clients, 1 skipped',
      'sends no &lt;i&gt;state&lt;/i&gt;',
      '<b>survived</b> <code>PACE-SAME-001</code>',
      '<td>skipped</td><td><code>PACE-HANG-001</code> </td>',
    ];
    expect(told.filter((text) => !page.includes(text))).toEqual([]);
  });

  it('escapes what it is given, and runs its own filter alone', () => {
    expect(page.includes('a &lt;b&gt;code&lt;/b&gt; lives on')).toBe(true);
    expect(page.match(/<script[^]*?<\/script>/g)).toEqual([`<script>${script}</script>`]);
    expect(page.match(/script-src '[^']+';/g)).toHaveLength(1);
  });

  it('leads to the sentence of each requirement, and nowhere that is not there', () => {
    expect(page).toContain('href="requirements.html#AUTH-CODE-009"');
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const inner = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!);
    expect(inner.filter((id) => !ids.has(id))).toEqual([]);
  });

  it('counts the mutants of each requirement', () => {
    const lines = page.slice(page.indexOf('id="requirements"')).split('<tr>');
    const counts = (id: string): string[] =>
      lines
        .filter((line) => line.includes(`<code>${id}</code>`))
        .map((line) => line.split('class="num">')[1]!.charAt(0));
    expect(counts('AUTH-CODE-009')).toEqual(['1']);
    expect(counts('AUTH-CODE-001')).toEqual(['<']);
  });
});
