import { watch } from 'node:fs';

import type { Service } from './service.js';
import { SetupError } from '../input/setup-error.js';

/** Time for an editor to finish writing, ms. */
const settle = 50;

/** Lays out the world anew when a fixture changes; a broken one is reported and the world stays as it was. */
export function watchFixtures(folder: string, service: Service, log: (line: string) => void): () => void {
  let pending: NodeJS.Timeout | undefined;
  const reload = (): void => {
    try {
      service.loadWorld();
      log(`fixtures reloaded from ${folder}`);
    } catch (error) {
      log(`fixtures not reloaded: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  try {
    const watcher = watch(folder, { recursive: true, persistent: false }, () => {
      clearTimeout(pending);
      pending = setTimeout(reload, settle);
    });
    return () => {
      clearTimeout(pending);
      watcher.close();
    };
  } catch (error) {
    throw new SetupError(`fixtures ${folder}: cannot be watched (${(error as Error).message})`);
  }
}
