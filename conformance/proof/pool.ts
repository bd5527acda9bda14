import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

import { failed } from './task.js';
import type { Done, Task } from './task.js';

/** Longer than any trial may take: what is not back by then hangs. Milliseconds. */
const timeout = 420_000;

export interface Pool {
  readonly jobs: number;
  /** The program that answers `Task` messages with `Done` messages; it is started with the one argument `--worker`. */
  readonly program: string;
  /** Whether there is time for another task. */
  readonly more: () => boolean;
  /** Tasks of one kin share their control: a process goes on with the kin of its last task while there is any. */
  readonly kinOf: (task: Task) => string;
}

/** Has tasks carried out by as many processes as `jobs`; a process that dies takes one task with it. */
export async function inPool(tasks: readonly Task[], pool: Pool, done: (one: Done) => void): Promise<void> {
  const queue = tasks.map((task) => ({ task, kin: pool.kinOf(task) }));
  const next = (last?: string): Task | undefined => {
    const at = queue.findIndex(({ kin }) => kin === last);
    return queue.splice(Math.max(at, 0), 1)[0]?.task;
  };
  const lane = async (): Promise<void> => {
    let worker: ChildProcess | undefined;
    for (let task = next(); task; task = pool.more() ? next(pool.kinOf(task)) : undefined) {
      worker ??= fork(pool.program, ['--worker'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      const one = await asked(worker, task);
      if (!worker.connected || worker.exitCode !== null) worker = undefined;
      done(one);
    }
    worker?.kill();
  };
  await Promise.all(Array.from({ length: Math.min(pool.jobs, tasks.length) }, lane));
}

function asked(worker: ChildProcess, task: Task): Promise<Done> {
  return new Promise((resolve) => {
    const end = (one: Done): void => {
      clearTimeout(late);
      worker.off('message', heard).off('exit', died);
      resolve(one);
    };
    const heard = (one: unknown): void => end(one as Done);
    const died = (code: number | null): void => end(failed(task, `the worker died (${code ?? 'by a signal'})`));
    const late = setTimeout(() => {
      worker.kill('SIGKILL');
      end(failed(task, `no result within ${timeout / 1000} seconds`));
    }, timeout);
    worker.on('message', heard).on('exit', died);
    worker.send(task);
  });
}
