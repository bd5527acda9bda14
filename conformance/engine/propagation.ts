import type { Hooks, Revocation } from '../target/hooks.js';
import type { Target } from '../target/target.js';

/** Waits until a revocation is known everywhere, as the target declares (RFC 7009 2.2). */
export async function knownEverywhere({ propagation_ms: lag = 0 }: Pick<Target, 'propagation_ms'>): Promise<void> {
  if (lag > 0) await new Promise((done) => setTimeout(done, lag));
}

/** The same hooks; a revocation by user or application is known everywhere when it is over. */
export function settledHooks(hooks: Hooks, target: Target, revoked: (revocation: Revocation) => void): Hooks {
  const { revoke } = hooks;
  if (!revoke) return hooks;
  return {
    ...hooks,
    revoke: async (revocation) => {
      await revoke.call(hooks, revocation);
      revoked(revocation);
      await knownEverywhere(target);
    },
  };
}
