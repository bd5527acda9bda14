import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

import { operator, variantsOf } from '../mutant.js';
import type { Outbound } from '../interceptor/traffic.js';

/** Replies of every kind, changed. */
const replies = operator('replies', (at, change: (reply: Outbound) => void) => at.reply(change));

/** At its usual quality Brotli takes longer than everything else of a run. */
const brotli = (body: Buffer): Buffer =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 16 } });

/** Bodies go out in a content coding that nobody asked for. */
const coded = operator('coded', (_, name: string, ...coders: readonly ((bytes: Buffer) => Buffer)[]) =>
  replies((reply) => {
    if (reply.text === '') return;
    reply.headers['content-encoding'] = name;
    reply.encode = (text) => coders.reduce<Buffer>((bytes, coder) => coder(bytes), Buffer.from(text));
  }),
);

/** The data API below a path. */
const below = operator('below', (at, path: string) =>
  at.request((request) => {
    if (request.path.startsWith(`${path}/`)) request.path = request.path.slice(path.length);
  }),
);

/** Other ways to speak HTTP, which is all that a client may rely on. */
export const transports = variantsOf({
  'H-close: each connection serves one request': {
    mutation: replies(({ headers }) => void (headers.connection = 'close')),
  },
  'H-chunked: bodies come in chunks': {
    mutation: replies(({ headers }) => void (headers['transfer-encoding'] = 'chunked')),
  },
  'H-type: the media type is written otherwise': {
    mutation: replies(({ headers }) => {
      if (headers['content-type']?.startsWith('application/json'))
        headers['content-type'] = 'Application/JSON;Charset="UTF-8"';
    }),
  },
  'H-suffix: data comes as application/vnd.gamedata+json': {
    mutation: operator('suffixed', (at) =>
      at.data('all', (_, { reply: { headers } }) => {
        headers['content-type'] = 'application/vnd.gamedata+json; charset=utf-8';
      }),
    )(),
  },
  'H-gzip: bodies are compressed with gzip, unasked': { mutation: coded('gzip', gzipSync) },
  'H-br: bodies are compressed with Brotli, unasked': { mutation: coded('br', brotli) },
  'H-deflate: bodies are compressed with deflate, unasked': { mutation: coded('Deflate', deflateSync) },
  'H-deflate-raw: bodies are compressed with deflate without its header, unasked': {
    mutation: coded('deflate', deflateRawSync),
  },
  'H-coded-twice: bodies are compressed twice, unasked': {
    mutation: coded('x-gzip, br', gzipSync, brotli),
  },
  'H-headers: there are cookies, and headers that nobody asked for': {
    mutation: replies(({ headers }) => {
      Object.assign(headers, {
        'set-cookie': 'session=1; Path=/; HttpOnly',
        server: 'other/1.0',
        'x-rate-limit-policy': 'backend',
        'x-rate-limit-rules': 'Ip',
        'x-rate-limit-ip': '1000:10:60',
        'x-rate-limit-ip-state': '1:10:0',
        vary: 'Accept-Encoding, Authorization',
        etag: '"1"',
        'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
      });
    }),
  },
  'H-hosts: the authorization server has another host than the data API': {
    target: (target) => ({ ...target, auth_url: target.auth_url.replace('127.0.0.1', 'localhost') }),
  },
  'H-prefix: the data API is below a path': {
    target: (target) => ({ ...target, base_url: `${target.base_url}/api/game` }),
    mutation: below('/api/game'),
  },
});
