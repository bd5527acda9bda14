import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  encoding: 'utf8',
})
  .trim()
  .split('\n');

it.each(pages)('the links of %s lead to files', (page) => {
  const links = [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#\s]+)/g)].map(([, link = '']) => link);
  // A code sample has the like: `](value)`.
  const own = links.filter((link) => /[./]/.test(link) && !/^[a-z]+:/.test(link));
  expect(own.filter((link) => !existsSync(join(dirname(page), link)))).toEqual([]);
});
