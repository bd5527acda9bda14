export interface ConnectOptions {
  /** What the mock was started with as `--control-token`. */
  readonly controlToken?: string;
  /** In place of the global fetch. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** A control call that was refused, or that nothing answered. */
export class MockCallError extends Error {
  override readonly name = 'MockCallError';
  /** HTTP status of the refusal; null where nothing answered. */
  readonly status: number | null;

  constructor(message: string, status: number | null, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
  }
}

/** The calls of the control protocol: JSON both ways, refusals as `{ "error": "<sentence>" }`. */
export function controlCalls(
  controlUrl: string,
  { controlToken, fetch = (request) => globalThis.fetch(request) }: ConnectOptions,
) {
  const headers = {
    'content-type': 'application/json',
    ...(controlToken !== undefined && { authorization: `Bearer ${controlToken}` }),
  };

  async function ask(method: 'GET' | 'POST', path: string, body?: object): Promise<Response> {
    const call = `${method} ${controlUrl}${path}`;
    const request = new Request(`${controlUrl}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    return fetch(request).catch((cause: unknown) => {
      throw new MockCallError(`${call}: nothing answers there; is the mock running?`, null, cause);
    });
  }

  async function send<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    const response = await ask(method, path, body);
    const text = await response.text();
    const answer = readJson(text);
    if (response.ok && (answer !== undefined || text === '')) return answer as T;
    throw refused(`${method} ${controlUrl}${path}`, answer, response);
  }

  /** The body of a reply that has no end. */
  async function open(path: string): Promise<ReadableStream<Uint8Array>> {
    const response = await ask('GET', path);
    if (response.ok && response.body) return response.body;
    throw refused(`GET ${controlUrl}${path}`, readJson(await response.text()), response);
  }

  return {
    get: <T = { now: string }>(path: string) => send<T>('GET', path),
    open,
    post: <T = { now: string }>(path: string, body?: object) => send<T>('POST', path, body),
  };
}

const refused = (call: string, answer: unknown, { status }: Response): MockCallError =>
  new MockCallError(`${call}: ${sentence(answer) ?? `no answer of a mock (HTTP ${status})`}`, status);

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sentence(answer: unknown): string | undefined {
  const error = typeof answer === 'object' && answer !== null && 'error' in answer ? answer.error : undefined;
  return typeof error === 'string' ? error : undefined;
}
