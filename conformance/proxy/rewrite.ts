import type { IncomingMessage } from 'node:http';
import { Transform } from 'node:stream';

/** What is changed of one response. */
export interface Change {
  readonly header: (name: string, value: string) => string | undefined;
  readonly body?: Transform;
}

/** Bytes of metadata that are rewritten; a longer document passes as it is. */
const most = 1024 * 1024;

/**
 * Puts the proxy's addresses in the place of the server's: in `Location`, and in the metadata of RFC 8414. Nothing else of
 * a response is touched. What is judged is what the server sent.
 */
export class Rewriter {
  /** @param addresses the address of the proxy by the origin that it stands for */
  constructor(private readonly addresses: () => ReadonlyMap<string, string>) {}

  /** Whether bodies of a path are rewritten: they have to come without a content coding. */
  readsBody(path: string): boolean {
    return path.startsWith('/.well-known/');
  }

  change(path: string, { rawHeaders, headers, statusCode }: IncomingMessage): Change {
    void rawHeaders;
    const isPlain = headers['content-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= most;
    const body = this.readsBody(path) && statusCode === 200 && isPlain ? this.#metadata() : undefined;
    return {
      header: (name, value) => {
        if (name === 'location' || name === 'content-location') return this.#address(value);
        // The length becomes another one: chunks need none.
        return body && name === 'content-length' ? undefined : value;
      },
      ...(body && { body }),
    };
  }

  /** A URL below one of the origins; any other stays. */
  #address(url: string): string {
    for (const [origin, own] of this.addresses())
      if (url.startsWith(origin) && /^([/?#]|$)/.test(url.slice(origin.length))) return own + url.slice(origin.length);
    return url;
  }

  #metadata(): Transform {
    const chunks: Buffer[] = [];
    let size = 0;
    return new Transform({
      transform: (chunk: Buffer, _, done) => {
        size += chunk.length;
        if (size <= most) {
          chunks.push(chunk);
          return done();
        }
        done(null, Buffer.concat([...chunks.splice(0), chunk]));
      },
      flush: (done) => {
        if (size > most) return done();
        const text = Buffer.concat(chunks).toString('utf8');
        done(
          null,
          text.replace(/"(https?:\/\/[^"\\]*)"/g, (_, url: string) => `"${this.#address(url)}"`),
        );
      },
    });
  }
}
