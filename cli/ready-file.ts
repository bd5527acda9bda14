import { rmSync, statSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';

import { jsonText } from '../conformance/text.js';
import { UsageError } from './usage-error.js';

/**
 * Writes what `--json` prints to a file, whole or not at all, that nobody else may read. A script waits for the file.
 *
 * @returns what removes it
 * @throws UsageError where it cannot be written
 */
export async function writeReadyFile(place: string, facts: object): Promise<() => void> {
  const draft = `${place}.${process.pid}`;
  try {
    // A rename puts the file in the place of whatever is there, such as a device.
    if (statSync(place, { throwIfNoEntry: false })?.isFile() === false)
      throw new UsageError(`--ready-file ${place}: is there, and is no file; name a file of its own`);
    await writeFile(draft, `${jsonText(facts)}\n`, { mode: 0o600 });
    await rename(draft, place);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    // A name with a null character names nothing, and nothing can be removed by it.
    if (code !== 'ERR_INVALID_ARG_VALUE') rmSync(draft, { force: true });
    throw new UsageError(
      `--ready-file ${place}: cannot be written (${code ?? message}); name a file in a folder that exists`,
    );
  }
  return () => rmSync(place, { force: true });
}
