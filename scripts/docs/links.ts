import { posix } from 'node:path';

import { chapters } from './chapters.js';

/** Pictures that stand elsewhere than in docs/images, and what the documentation calls them. */
export const pictures: Readonly<Record<string, string>> = {
  'conformance/machine/contract.svg': 'token-lifecycle.svg',
};

/** Where a link of a Markdown file leads in the documentation; undefined where it names a file that is no page. */
export function linkOf(href: string, file: string): string | undefined {
  if (/^[a-z]+:/.test(href) || href.startsWith('#')) return href;
  const [path = '', fragment] = href.split('#');
  const target = posix.join(posix.dirname(file), path);
  const page = chapters.find((chapter) => chapter.file === target);
  if (page) return `${page.name}.html${fragment === undefined ? '' : `#${fragment}`}`;
  if (target.startsWith('docs/images/')) return `images/${posix.basename(target)}`;
  const own = pictures[target];
  return own === undefined ? undefined : `images/${own}`;
}
