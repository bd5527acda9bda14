import { SetupError } from '../../src/input/setup-error.js';
import { isObject } from '../json.js';
import type { MachineDescription } from '../result.js';

/**
 * The machine in the text of a file that `gamedata learn` wrote.
 *
 * @throws SetupError where it holds none
 */
export function readMachine(text: string, file: string): MachineDescription {
  const problem = (what: string): SetupError =>
    new SetupError(`${file}: ${what}; name a machine.json that gamedata learn --report wrote`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw problem('is not JSON');
  }
  const machine = isObject(value) ? value['machine'] : undefined;
  const wrong = isObject(machine) ? placeOf(machine) : 'machine';
  if (wrong !== undefined) throw problem(`holds no machine (${wrong})`);
  return machine as unknown as MachineDescription;
}

/** Where a value is no machine: each state has a step for each input, and leads to a state that there is. */
function placeOf({ inputs, states }: Readonly<Record<string, unknown>>): string | undefined {
  if (!Array.isArray(inputs) || !inputs.every((input) => typeof input === 'string')) return 'machine.inputs';
  if (!Array.isArray(states) || states.length === 0) return 'machine.states';
  for (const [index, state] of (states as unknown[]).entries()) {
    const place = `machine.states[${index}]`;
    if (!isObject(state) || !Array.isArray(state['access']) || !isObject(state['steps'])) return place;
    for (const input of inputs as string[]) {
      const step = state['steps'][input];
      const next = isObject(step) ? step['next'] : undefined;
      const isKnown = typeof next === 'number' && Number.isInteger(next) && next >= 0 && next < states.length;
      if (!isObject(step) || typeof step['output'] !== 'string' || !isKnown) return `${place}.steps.${input}`;
    }
  }
  return undefined;
}
