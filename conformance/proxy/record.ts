import { SetupError } from '../../src/input/setup-error.js';
import type { Target } from '../target/target.js';
import type { HarEntry } from '../traffic/entry.js';
import { Pseudonyms } from '../traffic/pseudonyms.js';
import { entryCopier } from '../traffic/redact.js';
import { EntryWriter } from '../traffic/writer.js';

/** Bytes that may wait for the disk. */
const mostWaiting = 64 * 1024 * 1024;

/** Records exchanges of the contract as `gamedata check --redact` copies them: without credentials, names and ids. */
export class Recorder {
  readonly #copy: (entry: HarEntry) => object | undefined;
  readonly #writer: EntryWriter;
  #problem: string | undefined;
  #left = 0;

  private constructor(
    private readonly place: string,
    target: Target,
  ) {
    this.#copy = entryCopier(target, true, new Pseudonyms());
    const isHar = !/\.(jsonl|ndjson)$/i.test(place);
    this.#writer = new EntryWriter(place, { isHar, creator: 'gamedata proxy --record', isNew: true });
  }

  /** @throws SetupError where the file is there, or cannot be made */
  static async open(place: string, target: Target): Promise<Recorder> {
    const recorder = new Recorder(place, target);
    await recorder.#writer.opened().catch(({ code, message }: NodeJS.ErrnoException) => {
      throw new SetupError(
        code === 'EEXIST'
          ? `--record ${place}: the file exists; name another one, or remove it`
          : `--record ${place}: cannot be written (${code ?? message}); name a file in a folder that exists`,
      );
    });
    return recorder;
  }

  add(entry: HarEntry): void {
    if (this.#problem !== undefined) return;
    if (this.#writer.waiting > mostWaiting) {
      this.#left += 1;
      return;
    }
    const copied = this.#copy(entry);
    if (copied) this.#writer.write(copied).catch(this.#failed);
  }

  /** Ends the file. Returns what is wrong with it, or undefined. */
  async close(): Promise<string | undefined> {
    await this.#writer.close().catch(this.#failed);
    if (this.#problem !== undefined || this.#left === 0) return this.#problem;
    return `--record ${this.place}: lacks ${this.#left} exchanges, for the disk was slower than the traffic`;
  }

  readonly #failed = ({ code, message }: NodeJS.ErrnoException): void => {
    this.#problem ??= `--record ${this.place}: could not be written to its end (${code ?? message}); make room there`;
  };
}
