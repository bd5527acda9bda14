import type { HarEntry } from '../traffic/entry.js';
import { pairsOf } from './headers.js';
import type { RawHeaders } from './headers.js';
import type { Passed } from './relay.js';

const named = (headers: RawHeaders): { name: string; value: string }[] =>
  [...pairsOf(headers)].map(([name, value]) => ({ name, value }));

const valueOf = (headers: RawHeaders, wanted: string): string =>
  [...pairsOf(headers)].find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array = new Uint8Array()): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** An exchange as a recording has it. */
export function entryOf({ method, url, at, ms, request, response }: Passed): HarEntry {
  const body = bufferOf(request.body);
  const headers = response?.headers ?? [];
  return {
    startedDateTime: new Date(at).toISOString(),
    time: ms,
    request: {
      method,
      url,
      headers: named(request.headers),
      ...(body.length > 0 && {
        postData: { mimeType: valueOf(request.headers, 'content-type'), text: body.toString('utf8') },
      }),
    },
    response: {
      status: response?.status ?? 0,
      headers: named(headers),
      content: { bytes: bufferOf(response?.body) },
    },
  };
}
