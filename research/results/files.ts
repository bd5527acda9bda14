import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { formatted } from '../../scripts/formatted.js';
import { pageOf } from './page.js';
import { pictureOf } from './picture.js';
import type { Latest } from './run.js';

const page = join('docs', 'results.md');
const [open, close] = ['<!-- results: npm run results -->', '<!-- /results -->'];

/** What is committed beside the runs and made from them: the table of docs/results.md, and the picture. By their paths. */
export async function committedFiles(shown: readonly Latest[]): Promise<ReadonlyMap<string, string>> {
  const text = readFileSync(page, 'utf8');
  const whole = `${text.slice(0, text.indexOf(open) + open.length)}\n\n${pageOf(shown)}\n\n${text.slice(text.indexOf(close))}`;
  return new Map([
    [page, await formatted(page, whole)],
    [join('docs', 'images', 'results-light.svg'), pictureOf(shown, 'light')],
    [join('docs', 'images', 'results-dark.svg'), pictureOf(shown, 'dark')],
  ]);
}
