import { formsOf } from './reply.js';
import type { LogicalOperation } from '../../src/contract/index.js';
import type { Redirect } from '../engine/run.js';
import type { Target } from '../target/target.js';
import type { Answer, Asked } from '../wire/answer.js';

/** A target that declares nothing, with a client of each sort. */
export function aTarget(over: Partial<Target> = {}): Target {
  const client = {
    redirect_uris: ['https://app.example/callback'],
    redirect_uri: 'https://app.example/callback',
    scopes: [],
    refresh: true,
  };
  return {
    name: 'test',
    base_url: 'http://server.test',
    auth_url: 'http://server.test',
    paths: {},
    form: {},
    tokens: [],
    not_offered: [],
    edition: {},
    names: { game2: 'game2', livestream: 'livestream' },
    accounts: { alice: {} },
    clients: {
      confidential: { client_id: 'web', client_secret: 's', ...client },
      public: {
        ...client,
        client_id: 'app',
        redirect_uri: 'http://127.0.0.1:8400/cb',
        redirect_uris: ['http://127.0.0.1:8400/cb'],
      },
    },
    consent: 'auto',
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
    ...over,
  };
}

export interface Given {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly asked?: Partial<Asked>;
  readonly text?: string;
  readonly problem?: string;
  readonly url?: string;
  readonly method?: string;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly requestBody?: string;
}

let count = 0;

/** An answer to an operation, as the wire makes one. */
export function anAnswer(operation: LogicalOperation | undefined, body: unknown, given: Given = {}): Answer {
  const server = operation === undefined ? 'data' : (formsOf(operation)[0]?.server ?? 'data');
  const { args = {}, status = 200 } = given;
  const query = new URLSearchParams();
  if (operation !== undefined && args['realm'] !== undefined) {
    if (
      formsOf(operation).some(({ parameters }) =>
        parameters.some(({ name, in: where }) => name === 'realm' && where === 'query'),
      )
    ) {
      query.set('realm', String(args['realm']));
    }
  }
  const text = given.text ?? JSON.stringify(body);
  count += 1;
  return {
    number: count,
    asked: { server, operation, args, ...given.asked },
    request: {
      method: given.method ?? (server === 'authorization' ? 'POST' : 'GET'),
      url: given.url ?? `http://server.test/path?${query.toString()}`,
      headers:
        given.requestHeaders ??
        (server === 'authorization' ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {}),
      ...(given.requestBody !== undefined && { body: given.requestBody }),
    },
    status,
    headers: { 'content-type': 'application/json', ...given.headers },
    text,
    json: parsed(text),
    ...(given.problem !== undefined && { problem: given.problem }),
    ms: 1,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An outcome of the authorization endpoint. */
export function aRedirect(location: string | null, page = ''): Redirect {
  const query = new URLSearchParams(location?.split('#')[0]?.split('?').slice(1).join('?') ?? '');
  return {
    status: location === null ? 200 : 302,
    location,
    query,
    code: query.get('code'),
    error: query.get('error'),
    page,
  };
}
