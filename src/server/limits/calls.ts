import type { Calls } from '../calls.js';
import { answer, read } from '../control-calls.js';
import type { Service } from '../service.js';

/** The control calls of limits, below `/limits`. */
export const limitCalls = ({ limits }: Service): Calls => ({
  'GET /': (req, res) => answer(req, res, 200, { limits: limits.settings }),
  'POST /': async (req, res) => {
    limits.set((await read<{ limits: unknown }>('LimitsChange', req, res)).limits);
    answer(req, res, 200, { limits: limits.settings });
  },
});
