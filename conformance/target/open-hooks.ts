import { adapterHooks } from './adapter.js';
import { autoConsent } from './consent-auto.js';
import { formConsent } from './consent-form.js';
import { controlHooks } from './control.js';
import type { AdapterCall, Hooks, Transport } from './hooks.js';
import type { Target } from './target.js';

/**
 * What the target lets the suite do beside the interface: by its control surface, by its adapter, whose hooks win, and
 * by consent as the target says it is given. `told` is told of every call of the adapter's hooks.
 *
 * @throws SetupError where the control or the adapter is not what it should be. The hooks throw PrerequisiteFailed for calls
 *   that fail, MissingCapability for what this way of consent cannot do.
 */
export async function openHooks(
  target: Target,
  transport: Transport,
  told?: (call: AdapterCall) => void,
): Promise<Hooks> {
  const control = target.control_url === undefined ? {} : await controlHooks(target, transport);
  const adapter = target.adapter === undefined ? {} : await adapterHooks(target.adapter, told);
  const { consent, ...hooks } = { ...control, ...adapter };
  switch (target.consent) {
    case 'control':
    case 'adapter': {
      const chosen = target.consent === 'adapter' ? adapter.consent : consent;
      return { ...hooks, ...(chosen && { consent: chosen }) };
    }
    case 'form':
      return { ...hooks, ...formConsent(target, transport) };
    case 'auto':
      return { ...hooks, consent: autoConsent(transport) };
    case 'none':
      return hooks;
  }
}
