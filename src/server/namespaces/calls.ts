import { Router } from 'express';

import { answer, empty, read } from '../control-calls.js';
import type { Namespaces } from './namespaces.js';

/** The control calls of namespaces, below `/namespaces`. */
export function namespaceCalls(namespaces: Namespaces): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/', (req, res) => answer(req, res, 200, { namespaces: namespaces.list() }));
  router.post('/', async (req, res) => {
    const { name, snapshot } = await read<{ name: string; snapshot?: string }>('NamespaceOrder', req, res);
    const { made, info } = namespaces.create(name, snapshot);
    answer(req, res, made ? 201 : 200, info);
  });
  router.post('/removals', async (req, res) => {
    namespaces.remove((await read<{ name: string }>('SnapshotName', req, res)).name);
    empty(res);
  });
  return router;
}
