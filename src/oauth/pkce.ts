import { bytes } from '../bytes/index.js';

/** 43 to 128 unreserved characters: the syntax of verifiers and challenges (RFC 7636 4.1, 4.2, K-130). */
export const isPkceText = (text: string): boolean => /^[A-Za-z0-9\-._~]{43,128}$/.test(text);

/** What one live desktop client sends, and is served: about 16 characters of Base64, padding included (K-130). */
export const isLenientVerifier = (text: string): boolean => /^[A-Za-z0-9\-._~+/=]{1,128}$/.test(text);

/** The S256 challenge of a verifier: base64url of its SHA-256 hash, without padding (RFC 7636 4.2). */
export const challengeOf = (verifier: string): string => bytes.base64url(bytes.sha256(verifier));

/** Compares two texts in a time that tells nothing of where they differ, or of how long they are. */
export function sameText(one: string, other: string): boolean {
  const [left, right] = [bytes.sha256(one), bytes.sha256(other)];
  let difference = 0;
  for (let index = 0; index < left.length; index += 1) difference |= left[index]! ^ right[index]!;
  return difference === 0;
}
