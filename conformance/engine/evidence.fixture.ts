import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createMonitors } from '../monitors/monitors.js';
import type { Hooks } from '../target/hooks.js';
import type { Target } from '../target/target.js';
import { MissingCapability } from '../verdict.js';
import { Wire } from '../wire/wire.js';
import { createCoverage } from './coverage.js';
import type { Environment } from './environment.js';
import { LaterConsent } from './later-consent.js';

/** A target with nothing but an address, and whatever is given. */
export const targetAt = (url: string, more: Partial<Target> = {}): Target => ({
  name: 'fake',
  base_url: url,
  auth_url: url,
  paths: {},
  form: {},
  tokens: [],
  not_offered: [],
  edition: {},
  names: { game2: 'game2', livestream: 'livestream' },
  accounts: { alice: {} },
  clients: {},
  consent: 'none',
  readings: {
    access_after_refresh: 'any',
    refresh_reuse: 'any',
    invalid_scope: 'any',
    over_max: 'any',
    null_lookup_status: 200,
  },
  known: {},
  waivers: [],
  budget: { requests: 0, per_second: 0, concurrency: 16 },
  ...more,
});

export const client = (client_id: string, more: Partial<NonNullable<Target['clients']['confidential']>> = {}) => ({
  client_id,
  redirect_uri: 'https://app.example/cb',
  redirect_uris: ['https://app.example/cb'],
  scopes: ['account:profile'] as const,
  refresh: true,
  ...more,
});

/** What a check works with at a target, with monitors and nothing shared. */
export const environmentAt = (
  target: Target,
  { hooks = {}, seed = 1, runs = 100 }: { readonly hooks?: Hooks; readonly seed?: number; readonly runs?: number } = {},
): Environment & { readonly wire: Wire } => ({
  target,
  hooks,
  wire: new Wire({
    budget: 1000,
    perSecond: 0,
    concurrency: 16,
    signal: new AbortController().signal,
    seen: () => {},
  }),
  monitors: createMonitors(target),
  lifecycle: createCoverage(),
  later: new LaterConsent(),
  met: new Set(),
  seed,
  runs,
  wait: false,
  thorough: false,
  codec: () => Promise.reject(new MissingCapability('codec')),
});

export interface Met {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A server on a free port that answers as a function says; what it met is kept. */
export async function meeting(
  answer: (met: Met, reply: ServerResponse) => void,
): Promise<{ readonly url: string; readonly met: Met[]; close(): Promise<void> }> {
  const met: Met[] = [];
  const server = createServer((request: IncomingMessage, reply) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      const one = { method: request.method!, path: request.url!, headers: request.headers, body };
      met.push(one);
      answer(one, reply);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    met,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
