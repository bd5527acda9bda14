import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { root } from '../generate/document.js';
import { chapters } from './chapters.js';
import { layout } from './layout.js';
import { linkOf, pictureName } from './links.js';
import { renderMarkdown } from './markdown.js';
import { sectionRecords } from './records.js';
import type { SearchRecord } from './search-options.js';

const pictureFolders = ['docs/images', 'conformance/machine', 'research/foreign/machines'];

/** Writes the chapters and their pictures to `folder`. Gives what the search finds of them. */
export async function buildChapters(folder: string): Promise<SearchRecord[]> {
  const pages: string[] = [];
  const records = await Promise.all(
    chapters.map(async ({ name, file }) => {
      const { html, sections } = renderMarkdown(await readFile(join(root, file), 'utf8'), (href) => linkOf(href, file));
      const title = sections[0]?.title;
      if (title === undefined) throw new Error(`${file} has no heading`);
      pages.push(html);
      await writeFile(join(folder, `${name}.html`), layout(name, title, html, { sections }));
      return sectionRecords(name, title, sections);
    }),
  );
  await mkdir(join(folder, 'images'), { recursive: true });
  const files = await Promise.all(
    pictureFolders.map(async (from) => (await readdir(join(root, from))).map((name) => `${from}/${name}`)),
  );
  // Only what a page shows: the package has no room for more.
  const isShown = (file: string): boolean => pages.some((html) => html.includes(`"images/${pictureName(file)}"`));
  for (const file of files.flat().filter(isShown))
    await copyFile(join(root, file), join(folder, 'images', pictureName(file)));
  return records.flat();
}
