import type { FaultRule } from '../../client/index.js';
import type { Calls } from '../calls.js';
import { answer, empty, read } from '../control-calls.js';
import { Refusal } from '../refusal.js';
import type { Service } from '../service.js';

/** The control calls of faults, below `/faults`. */
export function faultCalls(service: Service): Calls {
  const { faults } = service;
  return {
    'GET /': (req, res) => answer(req, res, 200, { rules: faults.list() }),
    'POST /': async (req, res) => {
      const { rules } = await read<{ rules: FaultRule[] }>('FaultRules', req, res);
      answer(req, res, 201, { rules: faults.add(rules, service.authority, 'rules') });
    },
    'POST /clear': async (req, res) => {
      const { id } = await read<{ id?: string }>('FaultClearing', req, res);
      if (id === undefined) faults.clear();
      else if (!faults.remove(id)) {
        const ids = faults.list().map((rule) => rule.id);
        throw new Refusal(400, `id: there is no ${JSON.stringify(id)}; there are ${ids.join(', ') || 'none'}`);
      }
      empty(res);
    },
  };
}
