import type { Run } from '../engine/run.js';
import type { Core } from '../histories/history.js';

/** Whether a history shows only what several calls could use twice at once, and the row whose sentence it is has said so. */
export function isTold(run: Run, { calls }: Core): boolean {
  const uses = calls.filter(({ verb }) => verb !== 'consent');
  const twice = uses.find(
    (one, at) => uses.findIndex(({ verb, token }) => verb === one.verb && token === one.token) < at,
  );
  const isGiven = ({ verb, reply }: Core['calls'][number]): boolean =>
    (verb === 'exchange' || verb === 'refresh') && typeof reply === 'object';
  return twice !== undefined && run.facts.lifecycle.usedTwice.has(twice.verb) && uses.every(isGiven);
}
