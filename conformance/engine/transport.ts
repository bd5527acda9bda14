import { objectOf } from '../json.js';
import { shown } from '../target/control.js';
import type { AdapterCall, Transport } from '../target/hooks.js';
import type { Target } from '../target/target.js';
import type { Answer, Asked } from '../wire/answer.js';
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

/** What an adapter does, as the trace shows it: a consent by its URL and outcome, other hooks by what they take and give. */
export const adapterTrace =
  (wire: Wire) =>
  ({ hook, input, output, error }: AdapterCall): void => {
    const { url, advance } = objectOf(input);
    // To ask for the time is to do nothing.
    if (advance === 0) return;
    const asked = {
      args: {},
      hook: { name: hook, input, by: 'adapter' as const, ...(error !== undefined && { failed: true as const }) },
    };
    if (hook !== 'consent' || typeof url !== 'string' || error !== undefined) {
      wire.note({
        asked: {
          ...asked,
          server: 'control',
        },
        request: {
          method: 'CALL',
          url: `adapter:${hook}`,
          headers: {},
          ...(input !== undefined && { body: JSON.stringify(input) }),
        },
        status: 0,
        headers: {},
        text: error ?? (output === undefined ? '' : shown(output)),
        number: 0,
        json: undefined,
        ms: 0,
      });
      return;
    }
    const { status, location, body } = objectOf(output);
    wire.note(consentAnswer(url, { status, location, body }, asked.hook));
  };

/** A consent as an exchange: the authorization URL, and what a browser came to from there. */
export function consentAnswer(
  url: string,
  { status, location, body }: { readonly status?: unknown; readonly location?: unknown; readonly body?: unknown },
  hook: NonNullable<Asked['hook']>,
): Answer {
  return {
    asked: {
      server: 'authorization',
      args: {},
      hook,
    },
    request: {
      method: 'GET',
      url,
      headers: {},
    },
    status: typeof status === 'number' ? status : 0,
    headers: typeof location === 'string' ? { location } : {},
    text: typeof body === 'string' ? body : '',
    number: 0,
    json: undefined,
    ms: 0,
  };
}
