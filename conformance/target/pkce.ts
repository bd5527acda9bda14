import { createHash, randomBytes } from 'node:crypto';

/** The S256 challenge of a verifier (RFC 7636 4.2). */
export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url');

/** 256 random bits as 43 characters: a verifier (RFC 7636 4.1), or a state. */
export const unguessable = (): string => randomBytes(32).toString('base64url');
