import { Router } from 'express';

import type { SnapshotFile } from '../../client/index.js';
import { answer, empty, read } from '../control-calls.js';
import type { Service } from '../service.js';

/** The control calls of snapshots, below `/snapshots`. */
export function snapshotCalls({ snapshots }: Service): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/', (req, res) => answer(req, res, 200, { snapshots: snapshots.list() }));
  router.post('/', async (req, res) => {
    const { name } = await read<{ name: string }>('SnapshotName', req, res);
    answer(req, res, 201, snapshots.save(name));
  });
  router.post('/restorations', async (req, res) => {
    snapshots.restore((await read<{ name: string }>('SnapshotName', req, res)).name);
    empty(res);
  });
  router.post('/forks', async (req, res) => {
    const { from, name } = await read<{ from: string; name: string }>('SnapshotFork', req, res);
    answer(req, res, 201, snapshots.fork(from, name));
  });
  router.post('/removals', async (req, res) => {
    snapshots.remove((await read<{ name: string }>('SnapshotName', req, res)).name);
    empty(res);
  });
  router.post('/exports', async (req, res) => {
    answer(req, res, 200, snapshots.export((await read<{ name: string }>('SnapshotName', req, res)).name));
  });
  router.post('/imports', async (req, res) => {
    const { name, snapshot } = await read<{ name: string; snapshot: SnapshotFile }>(
      'SnapshotImport',
      req,
      res,
      'snapshot',
    );
    answer(req, res, 201, snapshots.import(name, snapshot));
  });
  return router;
}
