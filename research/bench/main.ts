/** `npm run bench`: one table, ratios within one run. Needs Linux (processor time and memory are read from /proc). */
import { httpRows } from './http.js';
import { memoryRows, startRows } from './process.js';
import { watchedRows } from './watched.js';
import { namespaceRows } from './namespaces.js';
import { proxyRows } from './proxy.js';
import { replicaRows } from './replicas.js';
import { snapshotRows } from './snapshots.js';
import type { Row } from './subject.js';
import { treeRows } from './tree.js';

const parts: [string, () => Promise<Row[]>][] = [
  ['http', httpRows],
  ['watched', watchedRows],
  ['start', startRows],
  ['memory', memoryRows],
  ['snapshots', snapshotRows],
  ['namespaces', namespaceRows],
  ['replicas', replicaRows],
  ['proxy', proxyRows],
  ['tree', async () => (await treeRows()).map((row) => ({ ...row, figure: row.ratio, wanted: 'at least', unit: 'x' }))],
];
const wanted = process.argv.slice(2);
const strange = wanted.filter((word) => !parts.some(([name]) => name === word));
if (strange.length > 0) {
  console.error(`bench ${strange.join(' ')}: no such subject; there are ${parts.map(([name]) => name).join(', ')}`);
  process.exit(2);
}
const short: string[] = [];

console.log(`${'what'.padEnd(76)}${'figure'.padStart(10)}${'bar'.padStart(16)}`);
for (const [name, rows] of parts) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const row of await rows()) {
    const met = row.wanted === 'at least' ? row.figure >= row.bar : row.figure <= row.bar;
    const figure = `${row.figure.toFixed(row.unit === 'x' ? 2 : 0)} ${row.unit}`;
    console.log(
      `${row.name.padEnd(76)}${figure.padStart(10)}${`${row.wanted} ${row.bar}`.padStart(16)}${met ? '' : '  SHORT'}${row.note ? `  (${row.note})` : ''}`,
    );
    if (!met) short.push(row.name);
  }
}
console.log(short.length === 0 ? '\nEvery figure meets its bar.' : `\n${short.length} fall short: ${short.join('; ')}`);
