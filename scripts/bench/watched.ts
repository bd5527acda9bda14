import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { LimitSettings } from '../../src/client/index.js';
import type { Exchange, Row, Subject } from './subject.js';
import { ratio, startMock } from './subject.js';

const windows = [10, 60, 1800].map((period) => ({ hits: 1_000_000_000, period, restriction: 60, bucket: 5 }));
/** Everything is counted three times three, and nobody is refused. */
const limits: LimitSettings = {
  policies: [
    {
      name: 'all',
      operations: '*',
      rules: [...(['client', 'account', 'ip'] as const)].map((rule) => ({ rule, windows })),
    },
  ],
};

/** The read path with journal and limits on, against the same mock without. */
export async function watchedRows(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const file = join(folder, 'limits.json');
  writeFileSync(file, JSON.stringify(limits));
  const subjects = await Promise.all([startMock('--journal', '--limits', file), startMock('--journal'), startMock()]);
  const [both, journal, plain] = subjects;
  const get = (target: string, token: 'account' | 'service', { facts }: typeof plain): Exchange => ({
    target,
    method: 'GET',
    headers: { authorization: `Bearer ${facts.tokens[token].token}` },
  });
  const against = async (watched: typeof plain, target: string, token: 'account' | 'service'): Promise<number> =>
    ratio(watched, plain, get(target, token, watched), { rounds: 5, other: get(target, token, plain) });
  try {
    const row = async (name: string, watched: typeof plain, target: string, token: 'account' | 'service') => ({
      name,
      figure: await against(watched, target, token),
      bar: 0.9,
      wanted: 'at least' as const,
      unit: 'x' as const,
    });
    return [
      await row('GET /profile with journal and limits, against without', both, '/profile', 'account'),
      await row(
        'ladder page of 20 with journal and limits, against without',
        both,
        '/league/Standard/ladder',
        'service',
      ),
      await row('GET /profile with the journal alone, against without', journal, '/profile', 'account'),
    ];
  } finally {
    for (const subject of subjects as Subject[]) subject.process.kill();
    rmSync(folder, { recursive: true });
  }
}
