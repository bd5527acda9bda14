import { closeSync, openSync, readSync } from 'node:fs';

import { SetupError } from './setup-error.js';

/** Larger files are none of ours. */
const mostBytes = 1024 * 1024;

/**
 * The text of a file that somebody wrote for us, of 1 MiB at the most, without a byte order mark.
 *
 * @param wanted what to name instead, such as `a target file`
 * @param missing the remedy where there is no such file
 * @throws SetupError
 */
export function textFile(file: string, wanted: string, missing = `name ${wanted}`): string {
  let bytes: Buffer;
  try {
    bytes = bytesOf(file);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new SetupError(`${file}: no such file; ${missing}`);
    throw new SetupError(`${file}: ${states[code] ?? `cannot be read (${code || message})`}; name ${wanted}`);
  }
  return textOfBytes(bytes, file, wanted);
}

const states: Readonly<Record<string, string>> = {
  EISDIR: 'is a folder',
  EACCES: 'is not readable by this user',
  ENOTDIR: 'has a file where a folder should be',
};

/** @throws SetupError where the bytes are too many, or no UTF-8. */
export function textOfBytes(bytes: Uint8Array, label: string, wanted: string): string {
  if (bytes.length > mostBytes) throw new SetupError(`${label}: exceeds 1 MiB; name ${wanted}`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new SetupError(`${label}: is not UTF-8 text; save it as UTF-8`);
  }
}

/** No more than shows that there are too many: a device has no end. */
function bytesOf(file: string): Buffer {
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(mostBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(handle, bytes, length, bytes.length - length, null);
    return bytes.subarray(0, length);
  } finally {
    closeSync(handle);
  }
}
