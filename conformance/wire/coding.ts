import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

import { bounds } from './bounds.js';

/** A body as the server meant it, or why it cannot be had. */
export type Decoded =
  | { readonly bytes: Buffer; readonly problem?: undefined }
  | { readonly bytes?: undefined; readonly problem: string };

type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

/** RFC 9110 8.4.1.2 has the zlib format; some servers send the bare stream, whose first byte is none of zlib's. */
const inflate: Decode = (bytes, options) => ((bytes[0] ?? 0) % 16 === 8 ? inflateSync : inflateRawSync)(bytes, options);

const coders: Readonly<Record<string, Decode>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflate,
  br: brotliDecompressSync,
  identity: (bytes) => bytes,
};

/**
 * Undoes content codings (RFC 9110 8.4), the last one first. The suite asks for none, but a server may not heed that. No
 * more than `most` bytes are made of a body, however small it is.
 *
 * @param codings the value of `Content-Encoding`
 */
export function uncoded(body: Buffer, codings: string | undefined, most: number = bounds.bytes): Decoded {
  let bytes = body;
  const names = (codings ?? '').split(',').map((name) => name.trim().toLowerCase());
  for (const name of names.filter((one) => one !== '').toReversed()) {
    // A response to HEAD, a 204 and a 304 have no body to decode.
    if (bytes.length === 0) break;
    const coder = Object.hasOwn(coders, name) ? coders[name] : undefined;
    const has = `the response has Content-Encoding ${name.slice(0, 40)}`;
    if (!coder) return { problem: `${has}, which the suite did not ask for and cannot decode` };
    try {
      bytes = coder(bytes, { maxOutputLength: most });
    } catch (error) {
      const isTooLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      return {
        problem: isTooLong
          ? `${has} and more than ${most / 1024 / 1024} MB when it is decoded`
          : `${has}, and its body is not ${name} (${(error as Error).message})`,
      };
    }
  }
  return { bytes };
}
