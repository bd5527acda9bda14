/**
 * `npx tsx scripts/traffic-memory.ts [megabytes]`: the memory that `gamedata check` takes for a recording of that size,
 * beside what it takes for one of a tenth.
 */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loadTarget } from '../conformance/target/load.js';
import { checkTraffic } from '../conformance/traffic/judge.js';

const megabytes = Number(process.argv[2] ?? 1000);
const folder = mkdtempSync(join(tmpdir(), 'gamedata-traffic-'));
const url = 'http://api.example';
const target = await loadTarget({ env: {}, overrides: { 'base-url': url } });

/** A page of a stash stream: 100 kB. */
const page = (number: number): string => {
  const stashes = Array.from({ length: 500 }, (_, index) => ({
    id: `${number.toString(16)}0${index.toString(16)}`.padStart(64, 'a'),
    public: false,
    stashType: 'NormalStash',
    items: [],
  }));
  return JSON.stringify({
    startedDateTime: '2026-01-01T00:00:00Z',
    request: { method: 'GET', url: `${url}/public-stash-tabs?id=${number}`, headers: [] },
    response: {
      status: 200,
      headers: [{ name: 'content-type', value: 'application/json' }],
      content: { text: JSON.stringify({ next_change_id: String(number + 1), stashes }) },
    },
  });
};

try {
  for (const size of [megabytes / 10, megabytes]) {
    const path = join(folder, `${size}.har`);
    const file = openSync(path, 'w');
    let written = writeSync(file, '{"log":{"version":"1.2","entries":[');
    for (let number = 0; written < size * 1e6; number += 1)
      written += writeSync(file, `${number === 0 ? '' : ',\n'}${page(number)}`);
    writeSync(file, ']}}');
    closeSync(file);
    let most = 0;
    const started = performance.now();
    const report = await checkTraffic({
      paths: [path],
      target,
      named: true,
      only: [],
      waivers: [],
      today: '2026-01-01',
      version: '0',
      command: '',
      replay: '',
      onExchange: () => void (most = Math.max(most, process.memoryUsage.rss())),
    });
    const seconds = (performance.now() - started) / 1000;
    const { exchanges, judged } = report.recording!;
    process.stdout.write(
      `${size} MB, ${exchanges} exchanges, ${judged} judged: ${Math.round(most / 1e6)} MB of memory at most, ${seconds.toFixed(1)} s, ${report.outcome}\n`,
    );
    rmSync(path);
  }
} finally {
  rmSync(folder, { recursive: true });
}
