import { Buffer } from 'node:buffer';

/** Bytes to work in, and the uint16 in them. */
export interface Room {
  readonly bytes: Buffer;
  readonly view: DataView;
}

export function roomFor(size: number): Room {
  const bytes = Buffer.allocUnsafeSlow(size);
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, size) };
}

/** The longest link of versions 5 and 6; only version 4 lists can be longer. */
export const USUAL_SIZE = 9 + 255 * 2 + 255 * 2 + 255 * 4;
