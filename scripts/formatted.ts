import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FormatConfig } from 'oxfmt';
import { format } from 'oxfmt';

import { root } from './generate/document.js';

const config = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8')) as FormatConfig;

/**
 * A text as `npm run check:format` wants it in a file.
 *
 * @param file the path or name of the file, whose ending tells the language
 * @throws where the text is not of that language
 */
export async function formatted(file: string, text: string): Promise<string> {
  const { code, errors } = await format(file, text, config);
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join('\n')}`);
  return code;
}

/** Writes a file as `npm run check:format` wants it. */
export async function written(file: string, text: string): Promise<void> {
  writeFileSync(file, await formatted(file, text));
}
