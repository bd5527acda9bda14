import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

import type { Mock } from '../src/server/mock.js';
import { startMock } from '../src/server/mock.js';
import { defaultSwitches } from '../src/server/switches.js';
import { flagsOn } from './mock-options.js';
import { targetText } from '../src/server/target-file.js';
import type { Server } from './verify.fixture.js';

/** The target of a mock in a file, with something else in it. */
type TargetFile = (name: string, changes: Record<string, unknown>) => string;

export interface Workshop {
  /** The path of a file of the folder. */
  at(name: string): string;
  open(): void;
  close(): Promise<void>;
  /** A mock for one run alone: a run resets its server and moves its clock, and so disturbs another. */
  stage(): Promise<{ mock: Mock; targetFile: TargetFile }>;
  /** The address of a server that ends with the workshop. */
  serving(server: Promise<Server>): Promise<string>;
}

/** A folder with target files, and the servers that they name, for the tests of one file. */
export function workshop(): Workshop {
  let folder: string;
  const servers: Pick<Server, 'close'>[] = [];
  const at = (name: string): string => join(folder, name);
  return {
    at,
    open: () => void (folder = mkdtempSync(join(tmpdir(), 'gamedata-'))),
    close: async () => {
      await Promise.all(servers.map((server) => server.close()));
      rmSync(folder, { recursive: true });
    },
    stage: async () => {
      const mock = await startMock({});
      servers.push(mock);
      const { url, controlUrl, world } = mock;
      const flags = flagsOn({ host: '', seed: 1, edition: 'extended', flag: {}, set: {} });
      const { tree_codec: _, ...given } = parse(
        targetText({ url, controlUrl, controlToken: undefined, flags, switches: defaultSwitches, world }),
      ) as Record<string, unknown>;
      const targetFile: TargetFile = (name, changes) => {
        writeFileSync(at(`${name}.yaml`), stringify({ ...given, ...changes }));
        return at(`${name}.yaml`);
      };
      return { mock, targetFile };
    },
    serving: async (server) => {
      const started = await server;
      servers.push(started);
      return started.url;
    },
  };
}
