import { SetupError } from '../../src/input/setup-error.js';
import type { Target } from '../target/target.js';
import { TooMuch } from '../wire/body.js';
import type { Wire } from '../wire/wire.js';
import { Deviation } from '../verdict.js';

/**
 * That there is something at both addresses which answers HTTP; what it answers is the business of checks.
 *
 * @throws SetupError
 */
export async function checkReachability(wire: Wire, { base_url, auth_url }: Target): Promise<void> {
  const both = base_url === auth_url;
  const places = [
    ['base_url', base_url, '/profile', 'data'],
    ['auth_url', auth_url, '/oauth/authorize', 'authorization'],
  ] as const;
  const silent = await Promise.all(
    places
      .filter(([name]) => name === 'base_url' || !both)
      .map(async ([name, url, path, server]) => {
        try {
          await wire.send(
            { method: 'GET', url: url + path, headers: { accept: 'application/json' } },
            { server, args: {} },
          );
          return undefined;
        } catch (error) {
          if (error instanceof TooMuch) return undefined;
          if (!(error instanceof Deviation)) throw error;
          return `${name} ${url}: ${error.got} instead of a response; start the server, or correct the address`;
        }
      }),
  );
  const problems = silent.filter((problem) => problem !== undefined);
  if (problems.length > 0) throw new SetupError(...problems);
}
