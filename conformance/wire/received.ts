/** What came back before anybody read it. */
export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

/** Headers by their names in lower case, of names and values in turn; one that came more than once is a list. */
export function headersOf(raw: readonly string[]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index]!.toLowerCase();
    const value = raw[index + 1]!;
    const before = headers[name];
    headers[name] = before === undefined ? value : typeof before === 'string' ? [before, value] : [...before, value];
  }
  return headers;
}

/** What is met where nobody listens at the address. */
export const refusedConnection = 'a refused connection';

/** Why a connection failed, in words. */
export function reason(error: NodeJS.ErrnoException): string {
  const words: Readonly<Record<string, string>> = {
    ECONNREFUSED: refusedConnection,
    ECONNRESET: 'a closed connection',
    ENOTFOUND: 'a host name that does not resolve',
    EPIPE: 'a closed connection',
    EPROXY: error.message,
  };
  return words[error.code ?? ''] ?? `a broken connection (${error.message})`;
}
