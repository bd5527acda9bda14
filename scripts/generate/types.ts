import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import type { Document } from './document.js';

const openapiTypescript = join(
  dirname(createRequire(import.meta.url).resolve('openapi-typescript/package.json')),
  'bin',
  'cli.js',
);

/** The contract as TypeScript types, by openapi-typescript. */
export async function typesOf(document: Document): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'contract-'));
  try {
    const input = join(folder, 'contract.json');
    const output = join(folder, 'types.ts');
    // Left to itself it would read our redocly.yaml and stop at rules that it does not know.
    const config = join(folder, 'redocly.yaml');
    await writeFile(input, JSON.stringify(document));
    await writeFile(config, 'extends: []\n');
    await promisify(execFile)(process.execPath, [openapiTypescript, input, '--output', output, '--redocly', config]);
    return await readFile(output, 'utf8');
  } finally {
    await rm(folder, { recursive: true });
  }
}
