import type { AuditedClient } from '../client.js';
import { isShown, readable } from '../shown.js';
import type { Dependencies } from './reference.js';

/** A client of this process, from what it does: what it stores outlives a start, and no world sees that of another. */
export function inside(run: (given: Dependencies) => Promise<void>): AuditedClient {
  const stores = new Map<unknown, Map<string, string>>();
  return async ({ environment, open, limit, signal, issued, logins, secrets }) => {
    const stored = stores.get(open) ?? new Map<string, string>();
    stores.set(open, stored);
    const begin = performance.now();
    let timer: NodeJS.Timeout | undefined;
    let stop = (): void => {};
    const over = new Promise<'time'>((done) => {
      timer = setTimeout(() => done('time'), limit);
      stop = () => done('time');
      signal.addEventListener('abort', stop, { once: true });
    });
    const end = await Promise.race([
      over,
      run({ environment, open, stored }).then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
      ),
    ]);
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    const ms = performance.now() - begin;
    const texts = [...stored.values()];
    const keptLogin = logins().some((token) => texts.some((text) => text.includes(token)));
    // Where it has none, who knows where it keeps it.
    const kept = { ms, stored: stored.size > 0, ...(keptLogin && { keptLogin }) };
    if (end === 'time') return { how: 'time', code: null, signal: null, output: '', written: 0, ...kept };
    const output = end === undefined ? '' : `${end.name}: ${end.message}\n`;
    const text = readable(output);
    const printed = issued().some((token) => isShown(token, text));
    const printedSecret = secrets.some((secret) => isShown(secret, text));
    const code = end === undefined ? 0 : 1;
    return { how: 'exit', code, signal: null, output, written: output.length, printed, printedSecret, ...kept };
  };
}
