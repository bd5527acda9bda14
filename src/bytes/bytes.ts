/** What is done to bytes wherever the mock runs. */
export interface Bytes {
  /** UTF-8. */
  encode(text: string): Uint8Array<ArrayBuffer>;
  /** UTF-8; what is none becomes U+FFFD. */
  decode(bytes: Uint8Array): string;
  /** How many bytes a text takes in UTF-8. */
  size(text: string): number;
  /** A character for each byte. */
  latin1(bytes: Uint8Array): string;
  hex(bytes: Uint8Array): string;
  base64(bytes: Uint8Array): string;
  /** Without padding (RFC 4648 5). */
  base64url(bytes: Uint8Array): string;
  /** From pairs of digits; what follows the last pair is left out. */
  fromHex(digits: string): Uint8Array;
  /** From either alphabet, padded or not; bits that make no whole byte are left out. */
  fromBase64(text: string): Uint8Array;
  /** Of bytes, or of a text in UTF-8 (FIPS 180-4). */
  sha256(data: string | Uint8Array): Uint8Array;
  /** The digest in hexadecimal digits, lower case. */
  sha256Hex(data: string | Uint8Array): string;
  /** Fills `target` from the system's generator. */
  random<T extends Uint8Array<ArrayBuffer>>(target: T): T;
}
