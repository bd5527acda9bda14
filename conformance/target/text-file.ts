import { closeSync, openSync, readSync } from 'node:fs';

import { SetupError } from './setup-error.js';

/** Larger files are none of ours. */
const mostMebibytes = 1;

/**
 * The text of a file, without a byte order mark.
 *
 * @param wanted what to name instead, such as `a target file`
 * @param missing the remedy where there is no such file
 * @param most MiB that it may have
 * @throws SetupError
 */
export function textFile(
  file: string,
  wanted: string,
  { missing = `name ${wanted}`, most = mostMebibytes }: { readonly missing?: string; readonly most?: number } = {},
): string {
  let bytes: Buffer;
  try {
    bytes = bytesOf(file, most);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new SetupError(`${file}: no such file; ${missing}`);
    throw new SetupError(`${file}: ${states[code] ?? `cannot be read (${code || message})`}; name ${wanted}`);
  }
  return textOfBytes(bytes, file, wanted, most);
}

const states: Readonly<Record<string, string>> = {
  EISDIR: 'is a folder',
  EACCES: 'is not readable by this user',
  ENOTDIR: 'has a file where a folder should be',
};

/** @throws SetupError where the bytes are too many, or no UTF-8. */
export function textOfBytes(bytes: Uint8Array, label: string, wanted: string, most = mostMebibytes): string {
  if (bytes.length > most * 2 ** 20) throw new SetupError(`${label}: exceeds ${most} MiB; name ${wanted}`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new SetupError(`${label}: is not UTF-8 text; save it as UTF-8`);
  }
}

/** No more than shows that there are too many: a device has no end. */
function bytesOf(file: string, most: number): Buffer {
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(most * 2 ** 20 + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(handle, bytes, length, bytes.length - length, null);
    return bytes.subarray(0, length);
  } finally {
    closeSync(handle);
  }
}
