import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

/** Longer than any trial may take: what is not back by then hangs. Milliseconds. */
const timeout = 420_000;

export interface Pool<Task, Done> {
  readonly jobs: number;
  /** The program that answers `Task` messages with `Done` messages; it is started with the one argument `--worker`. */
  readonly program: string;
  /** Whether there is time for another task. */
  readonly more: () => boolean;
  /**
   * Milliseconds from the start after which tasks that are still under way are dropped, as if they had not begun, once one
   * has ended.
   */
  readonly dropAfter?: number;
  /** Tasks of one kin share their control: a process goes on with the kin of its last task while there is any. */
  readonly kinOf?: (task: Task) => string;
  /** The result of a task that did not come to an end. */
  readonly failed: (task: Task, reason: string) => Done;
}

/** Has tasks carried out by as many processes as `jobs`; a process that dies takes one task with it. */
export async function inPool<Task extends object, Done>(
  tasks: readonly Task[],
  { jobs, program, more, dropAfter, kinOf = () => '', failed }: Pool<Task, Done>,
  done: (one: Done) => void,
): Promise<void> {
  const queue = tasks.map((task) => ({ task, kin: kinOf(task) }));
  const next = (last?: string): Task | undefined => {
    const at = queue.findIndex(({ kin }) => kin === last);
    return queue.splice(Math.max(at, 0), 1)[0]?.task;
  };
  const underWay = new Set<() => void>();
  let [ended, isLate] = [0, false];
  const dropLate = (): void => {
    if (isLate && ended > 0) for (const drop of underWay) drop();
  };
  const late =
    dropAfter === undefined
      ? undefined
      : setTimeout(() => {
          isLate = true;
          dropLate();
        }, dropAfter);
  const lane = async (): Promise<void> => {
    let worker: ChildProcess | undefined;
    for (let task = next(); task; task = more() ? next(kinOf(task)) : undefined) {
      worker ??= fork(program, ['--worker'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      const one = await asked(worker, task, { failed, underWay });
      if (!worker.connected || worker.exitCode !== null) worker = undefined;
      if (!one) continue;
      done(one);
      ended += 1;
      dropLate();
    }
    worker?.kill();
  };
  await Promise.all(Array.from({ length: Math.min(jobs, tasks.length) }, lane));
  clearTimeout(late);
}

/** What came of a task; undefined where it was dropped. */
function asked<Task extends object, Done>(
  worker: ChildProcess,
  task: Task,
  { failed, underWay }: Pick<Pool<Task, Done>, 'failed'> & { readonly underWay: Set<() => void> },
): Promise<Done | undefined> {
  return new Promise((resolve) => {
    const end = (one: Done | undefined): void => {
      clearTimeout(late);
      underWay.delete(drop);
      worker.off('message', heard).off('exit', died);
      resolve(one);
    };
    const heard = (one: unknown): void => end(one as Done);
    const died = (code: number | null): void => end(failed(task, `the worker died (${code ?? 'by a signal'})`));
    const drop = (): void => {
      worker.kill('SIGKILL');
      end(undefined);
    };
    underWay.add(drop);
    const late = setTimeout(() => {
      worker.kill('SIGKILL');
      end(failed(task, `no result within ${timeout / 1000} seconds`));
    }, timeout);
    worker.on('message', heard).on('exit', died);
    worker.send(task);
  });
}
