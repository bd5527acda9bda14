import type { Transport } from './hooks.js';

/** An answer as the transport gives it. */
export type PlainAnswer = Awaited<ReturnType<Transport>>;

/** All values of a header. */
export function headerValues({ headers }: Pick<PlainAnswer, 'headers'>, name: string): readonly string[] {
  const value = headers[name];
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

/** Where a redirect leads, as sent; undefined where the answer is no redirect. */
export function redirectOf(answer: PlainAnswer): string | undefined {
  return [301, 302, 303, 307, 308].includes(answer.status) ? headerValues(answer, 'location')[0] : undefined;
}
