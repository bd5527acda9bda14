import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { WriteStream } from 'node:fs';

export interface WriterOptions {
  /** JSON lines otherwise. */
  readonly isHar: boolean;
  /** What the HAR names as its creator. */
  readonly creator: string;
  /** Refuses a file that is there. */
  readonly isNew?: boolean;
}

/** Writes a recording entry by entry. Nobody else may read the file. Each method throws what the system says of the file. */
export class EntryWriter {
  readonly #stream: WriteStream;
  readonly #isHar: boolean;
  readonly #failed: Promise<never>;
  #isFirst = true;

  constructor(place: string, { isHar, creator, isNew = false }: WriterOptions) {
    this.#isHar = isHar;
    this.#stream = createWriteStream(place, { mode: 0o600, flags: isNew ? 'wx' : 'w' });
    this.#failed = new Promise<never>((_, reject) => this.#stream.once('error', reject));
    this.#failed.catch(() => {});
    if (isHar)
      this.#stream.write(
        `{"log":{"version":"1.2","creator":{"name":${JSON.stringify(creator)},"version":"1"},"entries":[`,
      );
  }

  /** Resolves when the file is there. */
  async opened(): Promise<void> {
    await Promise.race([once(this.#stream, 'open'), this.#failed]);
  }

  /** Bytes that the disk has not taken yet. */
  get waiting(): number {
    return this.#stream.writableLength;
  }

  /** Resolves when there is room for another one. */
  async write(entry: object): Promise<void> {
    const text = JSON.stringify(entry);
    const hasRoom = this.#stream.write(this.#isHar ? `${this.#isFirst ? '' : ',\n'}${text}` : `${text}\n`);
    this.#isFirst = false;
    if (!hasRoom) await Promise.race([once(this.#stream, 'drain'), this.#failed]);
  }

  async close(): Promise<void> {
    this.#stream.end(this.#isHar ? ']}}\n' : '');
    await Promise.race([once(this.#stream, 'close'), this.#failed]);
  }
}
