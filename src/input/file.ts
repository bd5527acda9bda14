import { closeSync, openSync, readSync } from 'node:fs';

import { SetupError } from './setup-error.js';

/** How much of a kind of file is read, and what to say where there is none. */
export interface FileBounds {
  /** The remedy where there is no such file. */
  readonly missing?: string;
  /** MiB that it may have: 1 where it is left out. */
  readonly most?: number;
}

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
  { missing = `name ${wanted}`, most = mostMebibytes }: FileBounds = {},
): string {
  let bytes: Buffer;
  try {
    bytes = bytesOf(file, most);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_INVALID_ARG_VALUE')
      throw new SetupError(`${JSON.stringify(file)}: has a character that no file name has; name ${wanted}`);
    if (code === 'ENOENT') throw new SetupError(`${file}: no such file; ${missing}`);
    throw new SetupError(`${file}: ${states[code] ?? `cannot be read (${code || message})`}; name ${wanted}`);
  }
  return textOfBytes(bytes, file, wanted, most);
}

/**
 * The value of a JSON file. What it has to be is for the caller to check.
 *
 * @throws SetupError
 */
export function jsonFile(file: string, wanted: string, bounds?: FileBounds): unknown {
  const text = textFile(file, wanted, bounds);
  try {
    return JSON.parse(text);
  } catch (error) {
    const [message = ''] = (error as Error).message.split('\n');
    throw new SetupError(`${file}: is not JSON (${message.slice(0, 120)}); name ${wanted}`);
  }
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

/** Bytes read at a time. */
const portion = 2 ** 16;

/** No more than shows that there are too many: a device has no end. */
function bytesOf(file: string, most: number): Buffer {
  const handle = openSync(file, 'r');
  try {
    const parts: Buffer[] = [];
    for (let length = 0; length <= most * 2 ** 20;) {
      const part = Buffer.alloc(portion);
      const read = readSync(handle, part, 0, portion, null);
      if (read === 0) break;
      parts.push(part.subarray(0, read));
      length += read;
    }
    return Buffer.concat(parts);
  } finally {
    closeSync(handle);
  }
}
