import type { Reply } from './reply.js';
import { pathOf, show } from './values.js';

/** Where the walk stands: the reply, and the way to the value in it. */
export class Cursor {
  /** The way from the body's root; the walk's own, changed as it goes. */
  readonly keys: (string | number)[] = [];

  constructor(readonly reply: Reply) {}

  here(): string {
    return pathOf(this.keys);
  }

  /** A value below the place where the walk stands, in words: `$.items[2].w is "2"`. */
  got(value: unknown, ...below: readonly (string | number)[]): string {
    return `${pathOf([...this.keys, ...below])} is ${show(value)}`;
  }
}
