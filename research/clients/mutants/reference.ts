/** The reference client of the audit's proof as a program: its mutants are audited as those of any other client are. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Reference } from '../../../conformance/audit/proof/reference.js';

const { env } = process;
const file = join(env['GAMEDATA_STATE'] ?? '.', 'stored.json');

/** What outlives a start: a file that only its owner may read. */
class Stored extends Map<string, string> {
  override set(name: string, text: string): this {
    super.set(name, text);
    this.#write();
    return this;
  }

  override delete(name: string): boolean {
    const had = super.delete(name);
    this.#write();
    return had;
  }

  #write(): void {
    writeFileSync(file, JSON.stringify([...this]), { mode: 0o600 });
  }
}

const stored = new Stored();
if (existsSync(file)) {
  for (const [name, text] of JSON.parse(readFileSync(file, 'utf8')) as [string, string][]) stored.set(name, text);
}
const environment = Object.fromEntries(Object.entries(env).filter((pair): pair is [string, string] => !!pair[1]));
const open = async (url: string): Promise<void> => void execFile(env['BROWSER']!, [url]);
await new Reference({ environment, open, stored }).run();
