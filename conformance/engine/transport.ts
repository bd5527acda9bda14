import type { Transport } from '../target/hooks.js';
import type { Target } from '../target/target.js';
import type { Wire } from '../wire/wire.js';

/** How hooks send their requests: over the run's wire, so that they are counted and part of a failure's trace. */
export const transportOf =
  (wire: Wire, target: Target): Transport =>
  async ({ method, url, headers = {}, body }) => {
    const { control_url: control, auth_url: auth } = target;
    // One may lie below the other; the nearer one is meant.
    const isControl =
      control !== undefined &&
      isBelow(control, url) &&
      !(isBelow(control, auth) && auth !== control && isBelow(auth, url));
    return wire.send(
      { method, url, headers, ...(body !== undefined && { body }) },
      { server: isControl ? 'control' : 'authorization', args: {} },
    );
  };

const isBelow = (base: string, url: string): boolean =>
  url.startsWith(base) && /^(?:[/?#]|$)/.test(url.slice(base.length));
