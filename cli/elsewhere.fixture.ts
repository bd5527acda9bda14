import { createServer, request as ask } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

import { loadTarget } from '../conformance/target/load.js';
import type { Target } from '../conformance/target/target.js';
import { verify } from '../conformance/verify.js';
import type { RunReport } from '../conformance/result.js';
import { flags } from '../src/contract/index.js';
import type { Mock } from '../src/server/mock.js';
import { defaultSwitches } from '../src/server/switches.js';
import { targetText } from '../src/server/target-file.js';

export interface Elsewhere {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * The authorization server of a mock at other paths, and nowhere else. `answers` answers before it: a body, or undefined
 * to leave the request to the mock.
 */
export async function elsewhere(
  mock: Pick<Mock, 'url'>,
  paths: Readonly<Record<string, string>>,
  answers: (
    path: string,
    headers: IncomingHttpHeaders,
  ) => { readonly status: number; readonly body: string } | undefined = () => undefined,
): Promise<Elsewhere> {
  const server = createServer((incoming, outgoing) => {
    const [place = '', query = ''] = (incoming.url ?? '').split(/(?=\?)(.*)/s);
    const own = answers(place, incoming.headers);
    // The consent page submits to the mock's own path.
    const isForm = incoming.method === 'POST' && place === '/oauth/authorize';
    const inside = paths[place] ?? (place.startsWith('/oauth/') && !isForm ? undefined : place);
    if (own !== undefined || inside === undefined)
      return void outgoing.writeHead(own?.status ?? 404, { 'content-type': 'application/json' }).end(own?.body ?? '{}');
    const { hostname, port } = new URL(mock.url);
    const passed = ask(
      { hostname, port, method: incoming.method, path: inside + query, headers: incoming.headers, agent: false },
      (answer) => answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)),
    );
    incoming.pipe(passed.on('error', () => outgoing.destroy()));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

/** The target of a mock, as data, to change. */
export async function targetOfMock({ url, controlUrl, world }: Mock): Promise<Target> {
  const on = new Set(flags.map(({ flag }) => flag));
  const text = targetText({ url, controlUrl, controlToken: undefined, flags: on, switches: defaultSwitches, world });
  return loadTarget({ file: '-', env: {}, stdin: async () => text });
}

/** The report of a short run. */
export const verified = (target: Target, only: readonly string[]): Promise<RunReport> =>
  verify({
    target,
    only,
    seed: 1,
    runs: 2,
    wait: false,
    budget: 0,
    timeLimit: 60,
    version: '0',
    command: '',
    replay: '{row}',
    waivers: [],
    today: '2026-01-01',
  });

export const verdictsOf = ({ rows }: RunReport): Record<string, string> =>
  Object.fromEntries(rows.map(({ id, verdict }) => [id, verdict]));
