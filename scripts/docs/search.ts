import { gzipSync } from 'node:zlib';
import MiniSearch from 'minisearch';
import { build } from 'esbuild';

import { root } from '../generate/document.js';
import { searchOptions } from './search-options.js';
import type { SearchRecord } from './search-options.js';
import { layout } from './layout.js';

/** The one page with a script: its index stands in it, so that searching asks nobody for anything. */
export async function searchPage(records: readonly SearchRecord[]): Promise<string> {
  const index = new MiniSearch<SearchRecord>(searchOptions);
  index.addAll(records.map((record, id) => ({ id, ...record })));
  // A fifth of its size, and text that cannot end the element it stands in.
  const data = gzipSync(JSON.stringify(index), { level: 9 }).toString('base64');
  const main = `<h1>Search</h1>
<noscript><p>Searching needs scripts. The chapters can be read without.</p></noscript>
<p role="status" id="found"></p>
<ol class="results" id="results"></ol>`;
  return layout('search', 'Search', main, {
    data: `<script type="application/octet-stream" id="index">${data}</script>\n`,
    script: await browserScript(),
  });
}

async function browserScript(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['scripts/docs/browser/main.ts'],
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    platform: 'browser',
    legalComments: 'none',
  });
  return (outputFiles[0]?.text ?? '').trim().replaceAll('</script', '<\\/script');
}
