import { bytes } from '../bytes/index.js';

/** How many fingerprints are remembered, so that a token that is used often is not hashed each time. */
const most = 1000;

/**
 * Stable marks of secrets: two uses of one token have the same, and nobody can try guesses against it, for each mock has
 * a key of its own.
 */
export function fingerprints(key: Uint8Array = bytes.random(new Uint8Array(32))): (secret: string) => string {
  const known = new Map<string, string>();
  const prefix = bytes.hex(key);
  return (secret) => {
    const earlier = known.get(secret);
    if (earlier !== undefined) return earlier;
    const mark = bytes.sha256Hex(prefix + secret).slice(0, 12);
    if (known.size >= most) known.clear();
    known.set(secret, mark);
    return mark;
  };
}
