import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';

import { objectOf } from '../json.js';
import type { JsonObject } from '../json.js';
import { PrerequisiteFailed } from '../verdict.js';
import { shown } from './control.js';

interface Waiting {
  readonly done: (answer: JsonObject) => void;
  readonly fail: (error: PrerequisiteFailed) => void;
  readonly late: NodeJS.Timeout;
}

/** Milliseconds that a process has to go by itself once its input has ended. */
const farewell = 500;

/**
 * One process that answers JSON lines by `id` (control protocol, section 3). It fails as a whole: when it dies, writes
 * what is no answer, or takes too long, all that wait hear why, and it is killed with everything that it started.
 */
export class PipeProcess {
  /** Why the process is of no more use; undefined while it is. */
  failure: string | undefined;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #exited: Promise<void>;
  readonly #waiting = new Map<unknown, Waiting>();
  readonly #decoder = new StringDecoder('utf8');
  #begun = '';
  #complaints = '';

  constructor(
    command: string,
    private readonly limits: { readonly timeout: number; readonly line: number },
  ) {
    // A process group of its own, so that what the shell started ends with it.
    const child = spawn(command, { shell: true, detached: process.platform !== 'win32', stdio: 'pipe' });
    this.#child = child;
    child.stdout.on('data', (chunk: Buffer) => this.#read(this.#decoder.write(chunk)));
    child.stderr.on('data', (chunk: Buffer) => {
      this.#complaints = (this.#complaints + chunk.toString()).slice(-2000);
    });
    child.stdin.on('error', () => {}); // its end is told by `close`
    child.on('error', (error) => this.#fail(`cannot be started (${error.message})`));
    this.#exited = new Promise((done) => {
      child.on('close', (code, signal) => {
        this.#fail(`ended (${signal ?? `exit code ${code ?? 'unknown'}`})${this.#lastWords()}`);
        done();
      });
    });
  }

  /** @throws PrerequisiteFailed where there is no answer, with why. */
  ask(message: JsonObject): Promise<JsonObject> {
    if (this.failure !== undefined) return Promise.reject(new PrerequisiteFailed(this.failure));
    return new Promise((done, fail) => {
      const late = setTimeout(
        () => this.#fail(`no response to ${shown(message)} within ${this.limits.timeout / 1000} s${this.#lastWords()}`),
        this.limits.timeout,
      );
      this.#waiting.set(message.id, { done, fail, late });
      this.#child.stdin.write(`${JSON.stringify(message)}\n`);
    });
  }

  /** Ends its input, and then the process where it stays. */
  async end(): Promise<void> {
    this.#child.stdin.end();
    const late = setTimeout(() => this.#kill(), farewell);
    await this.#exited;
    clearTimeout(late);
    this.#kill(); // what it started may have stayed behind
  }

  #read(text: string): void {
    const lines = (this.#begun + text).split('\n');
    this.#begun = lines.pop() ?? '';
    if (this.#begun.length > this.limits.line)
      return this.#fail(`wrote a line of more than ${this.limits.line} characters`);
    for (const line of lines) {
      if (this.failure !== undefined) return;
      if (line.trim() !== '') this.#answer(line);
    }
  }

  #answer(line: string): void {
    let answer: unknown;
    try {
      answer = JSON.parse(line);
    } catch {
      return this.#fail(
        `wrote ${shown(line)}, which is not a line of JSON; write one response per line, and everything else to standard error`,
      );
    }
    const message = objectOf(answer);
    const waiting = this.#waiting.get(message['id']);
    if (!waiting) return this.#fail(`wrote ${shown(line)}, whose id matches no request`);
    this.#waiting.delete(message['id']);
    clearTimeout(waiting.late);
    waiting.done(message);
  }

  #fail(why: string): void {
    if (this.failure !== undefined) return;
    this.failure = `tree_codec: ${why}`;
    for (const { fail, late } of this.#waiting.values()) {
      clearTimeout(late);
      fail(new PrerequisiteFailed(this.failure));
    }
    this.#waiting.clear();
    this.#kill();
  }

  #lastWords(): string {
    const words = this.#complaints.trim().split('\n').at(-1)?.trim() ?? '';
    return words === '' ? '' : `; standard error: ${shown(words)}`;
  }

  #kill(): void {
    const { pid } = this.#child;
    try {
      if (pid === undefined || process.platform === 'win32') this.#child.kill('SIGKILL');
      else process.kill(-pid, 'SIGKILL');
    } catch {
      // It is gone already.
    }
  }
}
