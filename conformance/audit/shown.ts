import { unzipSync } from 'node:zlib';

/** Secrets that are shorter have parts that anybody may write, such as the word "secret". */
const longEnough = 24;

/**
 * Whether a text shows a secret, or three quarters of a long one in one piece: who hides its end alone has shown it.
 */
export function isShown(secret: string, text: string): boolean {
  if (secret.length < longEnough) return text.includes(secret);
  const half = Math.ceil(secret.length / 2);
  return [0, secret.length >> 2, secret.length - half].some((at) => text.includes(secret.slice(at, at + half)));
}

/** What is inflated of a text: so many words of it, and so many bytes of each. */
const mostInflated = { words: 100, bytes: 100_000 };

/**
 * A text, and after it what is percent-encoded or in base64 in it, such as the secret in a header of HTTP Basic, and what
 * is compressed in that, as in the cookies of some frameworks.
 */
export function readable(text: string): string {
  const plain = text.replaceAll(/%[0-9a-f]{2}/gi, (escape) =>
    String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
  );
  const coded = new Set([text, plain].flatMap((one) => one.match(/[\w+/-]{16,}/g) ?? []));
  const decoded = [...coded].map((one) => Buffer.from(one, 'base64'));
  const compressed = decoded.filter(isCompressed).slice(0, mostInflated.words);
  const within = [...decoded, ...compressed.flatMap(inflated)].map((one) => one.toString('latin1'));
  return [text, plain, ...within].join('\n');
}

/** Whether bytes begin as those of zlib or gzip do. */
const isCompressed = (bytes: Buffer): boolean => bytes[0] === 0x78 || (bytes[0] === 0x1f && bytes[1] === 0x8b);

function inflated(bytes: Buffer): Buffer[] {
  try {
    return [unzipSync(bytes, { maxOutputLength: mostInflated.bytes })];
  } catch {
    return [];
  }
}
