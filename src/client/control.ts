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

  async function send<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    const call = `${method} ${controlUrl}${path}`;
    const request = new Request(`${controlUrl}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const response = await fetch(request).catch((cause: unknown) => {
      throw new MockCallError(`${call}: nothing answers there; is the mock running?`, null, cause);
    });
    const text = await response.text();
    const answer = readJson(text);
    if (response.ok && (answer !== undefined || text === '')) return answer as T;
    throw new MockCallError(
      `${call}: ${sentence(answer) ?? `no answer of a mock (HTTP ${response.status})`}`,
      response.status,
    );
  }

  return {
    get: <T = { now: string }>(path: string) => send<T>('GET', path),
    post: <T = { now: string }>(path: string, body?: object) => send<T>('POST', path, body),
  };
}

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
