import { setTimeout as sleep } from 'node:timers/promises';

import type { Grant, OAuth } from './run.js';

/**
 * How many of what `make` gives work beside each other, where a later one ends the first: the first is used after each.
 * Undefined where the first works after `most` others, and where one ends all the same that is used as often for as long
 * while nothing is made: that is the server's fault.
 */
export async function workAtOnce(
  { oauth }: { readonly oauth: Pick<OAuth, 'probe'> },
  make: () => Promise<Grant>,
  most: number,
): Promise<number | undefined> {
  const statusOf = async ({ access, scopes }: Grant): Promise<number> => (await oauth.probe(access, scopes)).status;
  const lasts = async (grant: Grant, times: number): Promise<boolean> => {
    for (let use = 0; use < times; use += 1) if ((await statusOf(grant)) >= 300) return false;
    return true;
  };
  const first = await make();
  if (!(await lasts(first, 2))) return undefined;
  const started = performance.now();
  for (let count = 1; count <= most; count += 1) {
    const next = await make();
    if ((await statusOf(first)) !== 401) continue;
    const passed = performance.now() - started;
    if (!(await lasts(next, count + 2))) return undefined;
    await sleep(passed);
    return (await lasts(next, 1)) ? count : undefined;
  }
  return undefined;
}
