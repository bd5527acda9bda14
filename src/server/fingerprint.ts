import { createHash, randomBytes } from 'node:crypto';

/** How many fingerprints are remembered, so that a token that is used often is not hashed each time. */
const most = 1000;

/**
 * Stable marks of secrets: two uses of one token have the same, and nobody can try guesses against it, for each mock has
 * a key of its own.
 */
export function fingerprints(key: Buffer = randomBytes(32)): (secret: string) => string {
  const known = new Map<string, string>();
  return (secret) => {
    const earlier = known.get(secret);
    if (earlier !== undefined) return earlier;
    const mark = createHash('sha256').update(key).update(secret).digest('hex').slice(0, 12);
    if (known.size >= most) known.clear();
    known.set(secret, mark);
    return mark;
  };
}
