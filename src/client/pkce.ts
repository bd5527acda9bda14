/** 43 characters: 32 random bytes, the least that interface 4.1 allows for a code verifier (RFC 7636 4.1). */
export const createVerifier = (): string => randomText();

/** The S256 challenge of a verifier: base64url of its SHA-256 hash, without padding (RFC 7636 4.2). */
export async function challengeOf(verifier: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));
}

/** A value that nobody can guess, to tell one's own redirects from forged ones (interface 5.5). */
export const newState = (): string => randomText();

const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
