import { request as overHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as overHttps } from 'node:https';

import { uncoded } from '../wire/coding.js';
import { agentFor } from '../wire/connection.js';
import type { Connection } from '../wire/connection.js';
import { ownHeaders } from '../wire/identity.js';
import type { Transport } from './hooks.js';

/** Milliseconds for an answer, its body included. */
const timeout = 15_000;
/** Bytes of a body; no answer that set-up looks at is larger. */
const mostBytes = 16 * 1024 * 1024;

/** Sends requests by themselves, outside of a run: a connection each, nothing traced, no redirect followed. A signal ends them. */
export const plainTransport =
  (connection: Connection = {}, signal?: AbortSignal): Transport =>
  ({ method, url, headers, body = '' }) =>
    new Promise((done, fail) => {
      const send = url.startsWith('https:') ? overHttps : overHttp;
      const length = method === 'GET' ? {} : { 'content-length': Buffer.byteLength(body) };
      const request = send(url, {
        method,
        agent: agentFor(new URL(url).protocol as 'http:' | 'https:', connection, false),
        headers: { ...ownHeaders, ...headers, ...length },
        ...(signal && { signal }),
      });
      const late = setTimeout(() => {
        request.destroy(Object.assign(new Error(`no response within ${timeout / 1000} s`), { code: 'ETIMEDOUT' }));
      }, timeout);
      request.on('close', () => clearTimeout(late));
      request.on('error', fail);
      request.on('response', (response) => done(answerOf(response)));
      request.end(body);
    });

async function answerOf(response: IncomingMessage): ReturnType<Transport> {
  const { statusCode: status = 0, headers } = response;
  const known = Object.entries(headers).filter((entry): entry is [string, string | string[]] => entry[1] !== undefined);
  const { bytes, problem } = uncoded(await bodyOf(response), headers['content-encoding'], mostBytes);
  return { status, headers: Object.fromEntries(known), text: bytes?.toString('utf8') ?? `(${problem})` };
}

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error('the response exceeds 16 MiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
