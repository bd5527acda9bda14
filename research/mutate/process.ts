/** A process that tries mutants of the mock, and tells which the suite reaches. */
import { judged, reachedBy } from './judge.js';
import type { Judgement, Order, Part } from './judge.js';
import { answering, workOff } from './worker.js';

/** What it is asked: the verdict on a mutant, or the mutants that a part of the suite reaches. */
type Asked = { readonly judge: Order } | { readonly reach: Part };

/** Judges mutants in some processes. */
export const judgeAll = <Task>(
  queue: Task[],
  jobs: number,
  orderOf: (task: Task) => Order,
  done: (task: Task, judgement: Judgement, left: number) => void,
): Promise<void> => workOff(import.meta.url, queue, jobs, (task): Asked => ({ judge: orderOf(task) }), done);

/** Finds what parts of the suite reach, in some processes. */
export const reachAll = (
  queue: Part[],
  jobs: number,
  done: (part: Part, ids: readonly string[], left: number) => void,
): Promise<void> => workOff(import.meta.url, queue, jobs, (part): Asked => ({ reach: part }), done);

answering(import.meta.url, (asked: Asked) => ('judge' in asked ? judged(asked.judge) : reachedBy(asked.reach)));
