import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

import type { Hook } from '../../src/server/hook.js';
import type { Service } from '../../src/server/service.js';
import { endUserAccess, revokeUsers } from './events.js';
import { copyMark, ownerOf } from './owner.js';
import type { Owner } from './owner.js';
import type { Recording } from './recording.js';
import type { Copies } from './scenario.js';

/** Copies of a plan that does not say how many. */
const usualCopies = 8;

/** The starts of a world with copies: the first logs in, then all copies at once, then one that shows what is stored. */
export const copyStarts = { login: 1, together: 2, last: 3 } as const;

/** How many copies a world starts. */
export const countOf = ({ count }: Copies, most = usualCopies): number => Math.min(count ?? most, most);

/** How long requests are held until all copies have sent one, ms. */
const held = 2500;
/** Bytes that a process may write to a file before it is killed. */
const torn = 48;
/** What it may take to write them, ms. */
const writing = 250;

/** What befalls the copies of a world while they run. */
export class CopyEvents {
  /** Copies that were killed. */
  readonly killed: number[] = [];
  readonly #owners = new WeakMap<Socket, Owner>();
  #waiting = 0;
  #release: (() => void) | undefined;
  readonly #gate = new Promise<void>((done) => (this.#release = done));

  constructor(
    private readonly copies: Copies,
    private readonly count: number,
    private readonly service: Service,
    private readonly recording: Recording,
  ) {}

  /** Time passes between two starts; copies that are woken together begin with a good access token. */
  begin(start: number): void {
    if (start === copyStarts.last || (start === copyStarts.together && !this.copies.woken)) endUserAccess(this.service);
  }

  /** Says which copy sent a request, and does what is due. */
  hook(inner: Hook): Hook {
    return async (req, serve) => {
      if (this.recording.start !== copyStarts.together) return inner(req, serve);
      const owner = this.#ownerOf(req);
      if (owner) req.rawHeaders.unshift(copyMark, String(owner.copy));
      const isToken = req.url?.startsWith('/oauth/token') === true;
      if (this.copies.meet && req.headers.authorization !== undefined && !isToken) await this.#meet();
      const wire = await inner(req, serve);
      if (isToken && wire.status === 200 && owner && this.killed.length === 0 && this.#hasRefreshed())
        await this.#befall(owner);
      return wire;
    };
  }

  /** The first token reply is that of a refresh, where nobody has been asked yet. */
  #hasRefreshed = (): boolean =>
    !this.recording.calls.some(({ start, operation }) => start === copyStarts.together && operation === 'authorize');

  #ownerOf({ socket }: IncomingMessage): Owner | undefined {
    const owner = this.#owners.get(socket) ?? ownerOf(socket);
    if (owner) this.#owners.set(socket, owner);
    return owner;
  }

  /** Resolves when each copy has sent a request, or time is over; woken copies have lost their access then. */
  async #meet(): Promise<void> {
    this.#waiting += 1;
    const timer = this.#waiting === 1 ? setTimeout(() => this.#open(), held) : undefined;
    if (this.#waiting >= this.count) this.#open();
    await this.#gate;
    clearTimeout(timer);
  }

  #open(): void {
    if (this.#release === undefined) return;
    if (this.copies.loss === 'revoked') revokeUsers(this.service);
    else if (this.copies.woken) endUserAccess(this.service);
    this.#release();
    this.#release = undefined;
  }

  async #befall({ pid, copy }: Owner): Promise<void> {
    const { loss } = this.copies;
    if (loss !== 'killed' && loss !== 'torn') return;
    if (loss === 'torn' && !(await limitFiles(pid, torn))) return;
    this.killed.push(copy);
    if (loss === 'killed') kill(pid);
    else setTimeout(() => kill(pid), writing);
  }
}

/** Whether the system has limited what a process may write to a file (util-linux has `prlimit`). */
async function limitFiles(pid: number, bytes: number): Promise<boolean> {
  const child = spawn('prlimit', ['--pid', String(pid), `--fsize=${bytes}`], { stdio: 'ignore' });
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0;
  } catch {
    return false; // There is no such program.
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** A meeting of several: each that comes waits for all. */
export function meeting(count: number): () => Promise<void> {
  let left = count;
  let open = (): void => {};
  const all = new Promise<void>((done) => (open = done));
  return () => {
    left -= 1;
    if (left <= 0) open();
    return all;
  };
}
