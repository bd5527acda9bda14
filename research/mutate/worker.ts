import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Lets some processes work off a queue: each runs `module`, which calls `answering`. `askedOf` is called when one of them
 * is free, and `done` with its answer.
 */
export async function workOff<Task, Asked, Answer>(
  module: string,
  queue: Task[],
  jobs: number,
  askedOf: (task: Task) => Asked,
  done: (task: Task, answer: Answer, left: number) => void | Promise<void>,
): Promise<void> {
  await Promise.all(Array.from({ length: Math.min(jobs, queue.length) }, () => work(module, queue, askedOf, done)));
}

async function work<Task, Asked, Answer>(
  module: string,
  queue: Task[],
  askedOf: (task: Task) => Asked,
  done: (task: Task, answer: Answer, left: number) => void | Promise<void>,
): Promise<void> {
  const worker = fork(fileURLToPath(module), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const died = new Promise<never>((_, reject) => {
    worker.once('exit', (code) => reject(new Error(`a process that tries mutants ended with exit code ${code}`)));
  });
  died.catch(() => {});
  for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
    const answered = new Promise<Answer>((answer) => worker.once('message', answer));
    worker.send(askedOf(task) as object);
    await done(task, await Promise.race([answered, died]), queue.length);
  }
  worker.kill();
}

/** Carries out what such a process is told, one order after the other: the answers may set variables of its process. */
export function answering<Asked>(module: string, answer: (asked: Asked) => Promise<unknown>): void {
  if (process.argv[1] !== fileURLToPath(module) || !process.send) return;
  process.on('message', (asked: Asked) => void answer(asked).then((found) => process.send!(found)));
  process.on('disconnect', () => process.exit());
}
