import type { Transport } from '../target/hooks.js';
import type { Target } from '../target/target.js';
import type { Wire } from '../wire/wire.js';

/** How hooks send their requests: over the run's wire, so that they are counted and part of a failure's trace. */
export const transportOf =
  (wire: Wire, target: Target): Transport =>
  async ({ method, url, headers = {}, body }) => {
    const control = target.control_url !== undefined && url.startsWith(target.control_url);
    return wire.send(
      { method, url, headers, ...(body !== undefined && { body }) },
      { server: control ? 'control' : 'authorization', args: {} },
    );
  };
