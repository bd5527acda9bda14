import { groupsOf } from './groups.js';
import type { Variant } from './mutant.js';
import type { Done, Task } from './task.js';

const membersOf = ({ id, seed }: Task): readonly Variant[] =>
  groupsOf(seed).find((group) => group.id === id)?.members ?? [];

/** Where a group was not accepted, its members have to be tried alone. */
export const split = (done: readonly Done[]): readonly Task[] =>
  done
    .filter(({ kind, result }) => kind === 'group' && result.status !== 'accepted')
    .flatMap((one) => membersOf(one).map(({ id }): Task => ({ kind: 'variant', id, seed: one.seed })));

/**
 * Results with a variant of its own in the place of each group. A group that fails though each of its members is accepted
 * alone stays: servers that conform may not fail together either.
 */
export function ungrouped(done: readonly Done[]): readonly Done[] {
  const alone = new Map(done.map((one) => [`${one.id} ${one.seed}`, one.result.status]));
  return done.flatMap((one): readonly Done[] => {
    const { kind, seed, result } = one;
    if (kind !== 'group' || result.kind !== 'variant') return [one];
    const ids = membersOf(one).map(({ id }) => id);
    if (result.status !== 'accepted')
      return ids.every((id) => alone.get(`${id} ${seed}`) === 'accepted') && result.status !== 'error' ? [one] : [];
    return ids.map((id): Done => {
      const beside = ids.filter((other) => other !== id);
      return { kind: 'variant', id, seed, result: { ...result, id, with: beside } };
    });
  });
}
