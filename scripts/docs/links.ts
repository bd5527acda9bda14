import { posix } from 'node:path';

import { chapters } from './chapters.js';

/** What the documentation calls a picture of the repository. */
export const pictureName = (file: string): string => file.replace('docs/images/', '').replaceAll('/', '-');

/** Where a link of a Markdown file leads in the documentation; undefined where it names a file that is no page. */
export function linkOf(href: string, file: string): string | undefined {
  if (/^[a-z]+:/.test(href) || href.startsWith('#')) return href;
  const [path = '', fragment] = href.split('#');
  const target = posix.join(posix.dirname(file), path);
  if (target === 'docs/reference.md') return `index.html${fragment === undefined ? '' : `#/section/${fragment}`}`;
  const page = chapters.find((chapter) => chapter.file === target);
  if (page) return `${page.name}.html${fragment === undefined ? '' : `#${fragment}`}`;
  return /[.](?:webp|svg)$/.test(target) ? `images/${pictureName(target)}` : undefined;
}
