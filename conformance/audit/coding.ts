import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';

const coders = {
  br: (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: gzipSync,
  // RFC 9110 8.4.1.2: with the header of zlib.
  deflate: deflateSync,
} satisfies Readonly<Record<string, (bytes: Buffer) => Buffer>>;

/** A content coding of the audit's service. */
export type Coding = keyof typeof coders;

/** A body in a content coding. */
export const coded = (bytes: Buffer, coding: Coding): Buffer => coders[coding](bytes);

/** The first coding of ours that a client says it reads. */
export const codingFor = (accepted?: string | string[]): Coding | undefined => codingsFor(accepted)[0];

/** Every coding of ours that a client says it reads (RFC 9110 12.5.3); what it does not name is not counted upon. */
export function codingsFor(accepted: string | string[] = ''): Coding[] {
  const named = String(accepted)
    .split(',')
    .map((one) => one.split(';').map((part) => part.trim().toLowerCase()))
    .filter(([, ...parameters]) => !parameters.some((one) => one.startsWith('q=') && Number(one.slice(2)) === 0))
    .map(([name]) => name);
  return (Object.keys(coders) as Coding[]).filter((coding) => named.includes(coding));
}
