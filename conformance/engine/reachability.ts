import { SetupError } from '../../src/input/setup-error.js';
import { endpointUrl } from '../target/endpoints.js';
import type { Target } from '../target/target.js';
import { unreachable } from '../target/unreachable.js';
import { TooMuch } from '../wire/body.js';
import type { Wire } from '../wire/wire.js';
import { Deviation } from '../verdict.js';

/**
 * That there is something at both addresses which answers HTTP; what it answers is the business of checks, and so is a
 * request that it leaves without an answer while it answers another one.
 *
 * @throws SetupError
 */
export async function checkReachability(wire: Wire, target: Target): Promise<void> {
  const { base_url, auth_url } = target;
  const both = base_url === auth_url;
  const authorize = endpointUrl(target, 'authorize');
  const places = [
    ['base_url', base_url, [`${base_url}/profile`, `${base_url}/`, ...(both ? [authorize] : [])], 'data'],
    ['auth_url', auth_url, [authorize, `${auth_url}/`], 'authorization'],
  ] as const;
  const silent = await Promise.all(
    places
      .filter(([name]) => name === 'base_url' || !both)
      .map(async ([name, base, [url, ...others], server]) => {
        const silence = async (asked: string): Promise<Deviation | undefined> => {
          try {
            await wire.send(
              { method: 'GET', url: asked, headers: { accept: 'application/json' } },
              { server, args: {} },
            );
            return undefined;
          } catch (error) {
            if (error instanceof TooMuch) return undefined;
            if (error instanceof Deviation) return error;
            throw error;
          }
        };
        const silent = await silence(url);
        if (!silent || (await Promise.all(others.map(silence))).includes(undefined)) return undefined;
        const { met, remedy } = unreachable(silent.cause ?? new Error(silent.got), url);
        return `${name} ${base}: ${met}; ${remedy.replaceAll('{key}', name)}`;
      }),
  );
  const problems = silent.filter((problem) => problem !== undefined);
  if (problems.length > 0) throw new SetupError(...problems);
}
