import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A new folder, which goes with the test that asked for it. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gamedata-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
