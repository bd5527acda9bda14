/** A process that carries out what it is told, one order after the other: `run` sets variables of its process. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { judged, reachedBy } from './judge.js';
import type { Order, Part } from './judge.js';

/** What a worker is asked: the verdict on a mutant, or the mutants that a part of the suite reaches. */
type Asked = { readonly judge: Order } | { readonly reach: Part };

/** Lets some processes work off a queue. `askedOf` is called when one of them is free, and `done` with its answer. */
export async function workOff<Task, Answer>(
  queue: Task[],
  jobs: number,
  askedOf: (task: Task) => Asked,
  done: (task: Task, answer: Answer, left: number) => void,
): Promise<void> {
  await Promise.all(Array.from({ length: Math.min(jobs, queue.length) }, () => work(queue, askedOf, done)));
}

async function work<Task, Answer>(
  queue: Task[],
  askedOf: (task: Task) => Asked,
  done: (task: Task, answer: Answer, left: number) => void,
): Promise<void> {
  const worker = fork(fileURLToPath(import.meta.url), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const died = new Promise<never>((_, reject) => {
    worker.once('exit', (code) => reject(new Error(`a process that tries mutants ended with exit code ${code}`)));
  });
  died.catch(() => {});
  for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
    const answered = new Promise<Answer>((answer) => worker.once('message', answer));
    worker.send(askedOf(task));
    done(task, await Promise.race([answered, died]), queue.length);
  }
  worker.kill();
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.send) {
  process.on('message', (asked: Asked) => {
    void ('judge' in asked ? judged(asked.judge) : reachedBy(asked.reach)).then((answer) => process.send!(answer));
  });
  process.on('disconnect', () => process.exit());
}
