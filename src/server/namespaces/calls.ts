import type { Calls } from '../calls.js';
import { answer, empty, read } from '../control-calls.js';
import type { Namespaces } from './namespaces.js';

/** The control calls of namespaces, below `/namespaces`. */
export const namespaceCalls = (namespaces: Namespaces): Calls => ({
  'GET /': (req, res) => answer(req, res, 200, { namespaces: namespaces.list() }),
  'POST /': async (req, res) => {
    const { name, snapshot } = await read<{ name: string; snapshot?: string }>('NamespaceOrder', req, res);
    const { made, info } = namespaces.create(name, snapshot);
    answer(req, res, made ? 201 : 200, info);
  },
  'POST /removals': async (req, res) => {
    namespaces.remove((await read<{ name: string }>('SnapshotName', req, res)).name);
    empty(res);
  },
});
