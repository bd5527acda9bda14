import { Router } from 'express';

import { answer, read } from '../control-calls.js';
import type { Service } from '../service.js';

/** The control calls of limits, below `/limits`. */
export function limitCalls({ limits }: Service): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/', (req, res) => answer(req, res, 200, { limits: limits.settings }));
  router.post('/', async (req, res) => {
    limits.set((await read<{ limits: unknown }>('LimitsChange', req, res)).limits);
    answer(req, res, 200, { limits: limits.settings });
  });
  return router;
}
