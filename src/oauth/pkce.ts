import { hash, timingSafeEqual } from 'node:crypto';

/** 43 to 128 unreserved characters: the syntax of verifiers and challenges (RFC 7636 4.1, 4.2, K-130). */
export const isPkceText = (text: string): boolean => /^[A-Za-z0-9\-._~]{43,128}$/.test(text);

/** What one live desktop client sends, and is served: about 16 characters of Base64, padding included (K-130). */
export const isLenientVerifier = (text: string): boolean => /^[A-Za-z0-9\-._~+/=]{1,128}$/.test(text);

/** The S256 challenge of a verifier: base64url of its SHA-256 hash, without padding (RFC 7636 4.2). */
export const challengeOf = (verifier: string): string => hash('sha256', verifier, 'base64url');

/** Compares two texts in a time that tells nothing of where they differ, or of how long they are. */
export function sameText(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}
