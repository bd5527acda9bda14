import { brotliCompressSync, gzipSync } from 'node:zlib';

import type { HarEntry } from './recording.fixture.js';

/** The JSON of a response, changed. */
export const body =
  (change: (json: Json) => void) =>
  ({ response: { content } }: HarEntry): void => {
    const json = JSON.parse(
      Buffer.from(content.text ?? '', content.encoding === 'base64' ? 'base64' : 'utf8').toString(),
    ) as Json;
    change(json);
    content.text = JSON.stringify(json);
    content.size = Buffer.byteLength(content.text);
    delete content.encoding;
  };
export type Json = Record<string, Record<string, unknown>[] & Record<string, unknown>>;

const setHeader = (entry: HarEntry, name: string, value: string | null): void => {
  const { response } = entry;
  response.headers = response.headers.filter((header) => header.name !== name);
  if (value !== null) response.headers.push({ name, value });
};

const coded =
  (coding: string, coder: (bytes: Buffer) => Buffer, encoding: 'base64' | 'latin1' = 'base64') =>
  (entry: HarEntry): void => {
    setHeader(entry, 'content-encoding', coding);
    const { content } = entry.response;
    const bytes = coder(Buffer.from(content.text ?? '', content.encoding === 'base64' ? 'base64' : 'utf8'));
    content.text = bytes.toString(encoding);
    if (encoding === 'base64') content.encoding = encoding;
    else delete content.encoding;
  };
export const html = (status: number) => (entry: HarEntry) => {
  setHeader(entry, 'content-type', 'text/html');
  Object.assign(entry.response, { status, content: { text: '<html>', size: 6 } });
};

type Change = (entry: HarEntry) => void;

/** A recording with one of its exchanges changed; `LEAGUE` in the path stands for the league whose ladder it has. */
export function withChange(
  entries: readonly HarEntry[],
  path: string,
  change: Change,
  method: string = 'GET',
): HarEntry[] {
  const copy = structuredClone([...entries]);
  const league = entries.map(({ request }) => /\/league\/([^/]+)\/ladder/.exec(request.url)?.[1]).find(Boolean) ?? '';
  const entry = copy.find(
    ({ request, response }) =>
      request.method === method &&
      new URL(request.url).pathname === path.replace('LEAGUE', league) &&
      response.status < 400,
  );
  if (!entry) throw new Error(`nothing recorded of ${method} ${path}`);
  change(entry);
  return copy;
}

/** Changes of a recorded exchange that violate the contract: what, the path of the exchange, the row, and the method. */
export const wrong: readonly [name: string, path: string, change: Change, row: string, method?: string][] = [
  ['a name that is missing', '/profile', body((json) => delete json['name']), 'PROFILE'],
  [
    'a uuid of another version',
    '/profile',
    body((json) => void Object.assign(json, { uuid: '00000000-0000-1000-8000-000000000000' })),
    'PROFILE-002',
  ],
  ['text in place of JSON', '/profile', (entry) => setHeader(entry, 'content-type', 'text/plain'), 'GEN-001'],
  ['a status of 502', '/league', (entry) => void (entry.response.status = 502), 'GEN-016'],
  ['a wrapper of null', '/item-filter', body((json) => void Object.assign(json, { filters: null })), 'ERR-005'],
  [
    'two characters of one id',
    '/character',
    body((json) => void Object.assign(json['characters']![1]!, { id: json['characters']![0]!['id'] })),
    'GEN-013',
  ],
  [
    'a league in the wrong realm',
    '/league',
    body((json) => void Object.assign(json['leagues']![0]!, { realm: 'xbox' })),
    'REALM-QUERY-004',
  ],
  [
    'a market of one code',
    '/currency-exchange',
    body((json) => void Object.assign(json['markets']![0]!, { market_id: 'alone' })),
    'CX-MARKET-001',
  ],
  [
    'a token answer that may be stored',
    '/oauth/token',
    (entry) => setHeader(entry, 'cache-control', 'private'),
    'TOK-RESP-012',
    'POST',
  ],
  [
    'a code in the fragment',
    '/oauth/authorize',
    (entry) => setHeader(entry, 'location', entry.response.redirectURL.replace('?', '#')),
    'AUTH-REDIR-006',
  ],
  [
    'a rank that is text',
    `/league/LEAGUE/ladder`,
    body((json) => void Object.assign((json['league'] as unknown as Json)['entries']![0]!, { rank: '1' })),
    'LADDERENTRY',
  ],
];

/** Changes of a recorded `GET /league` that do not, and what is said of the exchange where it is not judged. */
export const harmless: readonly [name: string, change: Change, said?: string][] = [
  ['a body that was recorded as gzip', coded('gzip', gzipSync)],
  ['a body that was recorded as br', coded('br', brotliCompressSync)],
  ['a body that was recorded decoded', (entry) => setHeader(entry, 'content-encoding', 'zstd')],
  ['zstd', coded('zstd', (bytes) => Buffer.concat([Buffer.from('28b52ffd', 'hex'), bytes])), 'Content-Encoding zstd'],
  ['gzip that was recorded as text', coded('gzip', gzipSync, 'latin1'), 'recorded with Content-Encoding gzip'],
  ['a 502 page of an edge', html(502), 'a gateway or an edge seems to have answered in place of the API'],
  ['a 524 page of an edge', html(524), 'listLeagues, status 524 (1)'],
  ['a 429 page of an edge', html(429), 'status 429'],
  ['HEAD', ({ request }) => void (request.method = 'HEAD'), 'not describe HEAD and OPTIONS: HEAD /league (1)'],
  ['OPTIONS', ({ request }) => void (request.method = 'OPTIONS'), 'OPTIONS /league (1)'],
  ['a method in small letters', ({ request }) => void (request.method = 'get')],
];
