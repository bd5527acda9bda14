import type { SnapshotFile } from '../../client/index.js';
import type { Calls } from '../calls.js';
import { answer, empty, read } from '../control-calls.js';
import type { Request, Response } from '../http.js';
import type { Service } from '../service.js';

const nameIn = async (req: Request, res: Response): Promise<string> =>
  (await read<{ name: string }>('SnapshotName', req, res)).name;

/** The control calls of snapshots, below `/snapshots`. */
export const snapshotCalls = ({ snapshots }: Service): Calls => ({
  'GET /': (req, res) => answer(req, res, 200, { snapshots: snapshots.list() }),
  'POST /': async (req, res) => answer(req, res, 201, snapshots.save(await nameIn(req, res))),
  'POST /restorations': async (req, res) => {
    snapshots.restore(await nameIn(req, res));
    empty(res);
  },
  'POST /forks': async (req, res) => {
    const { from, name } = await read<{ from: string; name: string }>('SnapshotFork', req, res);
    answer(req, res, 201, snapshots.fork(from, name));
  },
  'POST /removals': async (req, res) => {
    snapshots.remove(await nameIn(req, res));
    empty(res);
  },
  'POST /exports': async (req, res) => answer(req, res, 200, snapshots.export(await nameIn(req, res))),
  'POST /imports': async (req, res) => {
    const { name, snapshot } = await read<{ name: string; snapshot: SnapshotFile }>(
      'SnapshotImport',
      req,
      res,
      'snapshot',
    );
    answer(req, res, 201, snapshots.import(name, snapshot));
  },
});
