import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { root } from '../generate/document.js';
import { chapters } from './chapters.js';
import { layout } from './layout.js';
import { linkOf, pictures } from './links.js';
import { renderMarkdown } from './markdown.js';
import { sectionRecords } from './records.js';
import type { SearchRecord } from './search-options.js';

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
  // Only what a page shows: the package has no room for more.
  const images = (await readdir(join(root, 'docs', 'images'))).map((name) => [`docs/images/${name}`, name] as const);
  const shown = (name: string): boolean => pages.some((html) => html.includes(`"images/${name}"`));
  for (const [from, name] of [...images, ...Object.entries(pictures)])
    if (shown(name)) await copyFile(join(root, from), join(folder, 'images', name));
  return records.flat();
}
