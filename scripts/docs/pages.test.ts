import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { buildChapters } from './build.js';
import { chapters } from './chapters.js';

/** The chapters as static files: built here, so that the test holds what the sources make. */
let folder: string;
let pages: ReadonlyMap<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gamedata-docs-'));
  await buildChapters(folder);
  const names = (await readdir(folder)).filter((name) => name.endsWith('.html'));
  pages = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Pages that other generators make. */
const elsewhere = new Set(['index.html', 'try/index.html', 'requirements.html', 'mutants.html', 'search.html']);

it('has a chapter for every Markdown file that people read', () => {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
    encoding: 'utf8',
  });
  const meant = files
    .trim()
    .split('\n')
    // The reference is a page of its own, which its prose is read on.
    .filter((file) => !/^[.]github\/|^openapi\/|^skills\/|^docs\/reference[.]md$/.test(file));
  expect(meant.toSorted()).toEqual(chapters.map(({ file }) => file).toSorted());
});

it('has no link and no picture that leads nowhere', async () => {
  const images = new Set(await readdir(join(folder, 'images')));
  const dead = [...pages].flatMap(([name, html]) =>
    [...html.matchAll(/ (?:href|src|srcset|action)="([^"]*)"/g)].flatMap(([, link = '']) => {
      if (/^(?:https?|data):/.test(link)) return [];
      const [path = '', id] = link.split('#');
      if (path.startsWith('images/')) return images.has(path.slice('images/'.length)) ? [] : [`${name}: ${link}`];
      if (elsewhere.has(path)) return [];
      const target = pages.get(path === '' ? name : path);
      const there = target !== undefined && (id === undefined || target.includes(` id="${id}"`));
      return there ? [] : [`${name}: ${link}`];
    }),
  );
  expect(dead).toEqual([]);
});

it('names every style by its hash and allows no script', () => {
  for (const html of pages.values()) {
    expect(html).toMatch(/style-src ('sha256-[\w+/=]+' ?){2}; script-src 'none';/);
    expect(html).not.toMatch(/<script|\son\w+=| style="/);
  }
});
