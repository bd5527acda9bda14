import type { Call } from './call.js';
import { arrived } from './call.js';

/** Data requests that were answered with success. */
export const answered = (calls: readonly Call[]): readonly Call[] =>
  calls.filter((call) => call.data && arrived(call) && call.status! < 300);
