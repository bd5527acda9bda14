import { Buffer } from 'node:buffer';
import { pathToFileURL } from 'node:url';
import { decodeTree, encodeTree, type TreeV6 } from '../../src/passive-tree/index.js';

const BAR = 0.3;
const ROUNDS = 15;
const REPEATS = 4000;

/** A tree as players have them: hashes spread over the whole range, the same on every run. */
function tree(hashes: number, extended: number, mastery: number): TreeV6 {
  let word = 1031;
  const next = () => (word = (word * 25173 + 13849) % 65536);
  const listOf = (length: number) => Array.from({ length }, next);
  return {
    version: 6,
    class: 3,
    ascendancy: 1,
    bloodline: 5,
    hashes: listOf(hashes),
    extended: listOf(extended),
    mastery: listOf(mastery).map((node) => ({ node, effect: next() })),
  };
}

/** As many small links (an empty tree, a first level, a start) as whole ones of about 120 nodes. */
const links = [
  tree(0, 0, 0),
  tree(1, 0, 0),
  tree(12, 0, 0),
  tree(30, 0, 2),
  tree(115, 0, 6),
  tree(118, 6, 5),
  tree(121, 12, 6),
  tree(123, 3, 4),
].map((each) => encodeTree(each));

/** Links a second, both ways, through `work`. */
function rate(work: (link: string) => string): number {
  let characters = 0;
  const start = process.hrtime.bigint();
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    for (const link of links) characters += work(link).length;
  }
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  if (characters === 0) throw new Error('the benchmark wrote nothing');
  return (REPEATS * links.length) / seconds;
}

/** The codec both ways against Node's bare base64url both ways: best of interleaved rounds, one process. */
export async function treeRows(): Promise<{ name: string; ratio: number; bar: number; note?: string }[]> {
  let codec = 0;
  let bare = 0;
  for (let round = 0; round < ROUNDS; round++) {
    bare = Math.max(
      bare,
      rate((link) => Buffer.from(link, 'base64url').toString('base64url')),
    );
    codec = Math.max(
      codec,
      rate((link) => encodeTree(decodeTree(link))),
    );
  }
  const note = `${Math.round(codec).toLocaleString('en')} links/s against ${Math.round(bare).toLocaleString('en')} bare`;
  return [{ name: 'tree links decoded and encoded, to bare base64url', ratio: codec / bare, bar: BAR, note }];
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const row of await treeRows()) {
    console.log(`${row.name}: ${row.ratio.toFixed(2)} (bar ${row.bar}; ${row.note})`);
    if (row.ratio < row.bar) process.exitCode = 1;
  }
}
