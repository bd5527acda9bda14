import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

import { images, pictureSources, sourcesFile } from './picture-sources.js';

/** A picture that shows what is no longer there misleads. `npm run pictures` takes them anew, and takes note of the pages. */
it('the pictures were taken of the pages as they are', async () => {
  const kept = JSON.parse(readFileSync(sourcesFile, 'utf8')) as Record<string, string>;
  const now = await pictureSources();
  const stale = Object.keys({ ...kept, ...now }).filter((name) => kept[name] !== now[name]);
  expect(stale, 'npm run pictures takes these anew').toEqual([]);
  for (const name of Object.keys(now))
    for (const scheme of ['light', 'dark'])
      expect(['webp', 'svg'].some((kind) => existsSync(join(images, `${name}-${scheme}.${kind}`)))).toBe(true);
});

it('show nothing of the machine that took them', () => {
  for (const scheme of ['light', 'dark'])
    expect(readFileSync(join(images, `audit-${scheme}.svg`), 'utf8')).not.toMatch(/file:\/\/\/[^…]/);
});

it('draws from the same every time', async () => {
  expect(await pictureSources()).toEqual(await pictureSources());
});
