import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const mb = 1024 * 1024;
/**
 * Bytes read, or milliseconds gone by, after which garbage is looked for where there may be much of it: the process is
 * large, and more is in use than this many bytes above the start. `held` bytes may then be in use. Time counts as well,
 * for long tokens make more garbage than they bring bytes.
 */
const limits = { read: 32 * mb, ms: 1000, quiet: 256 * mb, grown: 64 * mb, held: 320 * mb, small: 16 * 1024 };

/** Counts what answers bring in, and keeps the process from growing by garbage: V8 would rather grow than collect. */
export class Memory {
  /** What was in use before, of which nobody here holds anything. */
  readonly #before = inUse();
  #read = 0;
  #looked = performance.now();

  /** Whether what takes so many bytes may be read: false where what is held leaves no room for it. */
  takes(bytes: number): boolean {
    this.#read += bytes;
    if (this.#read < limits.read && performance.now() - this.#looked < limits.ms) return true;
    this.#read = 0;
    this.#looked = performance.now();
    if (process.memoryUsage.rss() < limits.quiet || inUse() < this.#before + limits.grown) return true;
    collect();
    // What fills a run are large answers, of which a server could send as many as it is asked for.
    return bytes < limits.small || inUse() < this.#before + limits.held;
  }
}

function inUse(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

let collector: (() => void) | undefined;

/** Collects garbage now. The flag is set late: whoever starts the process need not know of it. */
function collect(): void {
  if (!collector) {
    setFlagsFromString('--expose-gc');
    collector = runInNewContext('gc') as () => void;
  }
  collector();
}
