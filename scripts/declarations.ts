import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** The declaration files that `entries` lead to, themselves among them. */
export function reachedFrom(entries: readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles)
      if (fileName.startsWith('.')) waiting.push(join(dirname(file), fileName.replace(/[.]js$/, '.d.ts')));
  }
  return reached;
}

/** Removes the declaration files of a folder that none of `entries` leads to: nobody can import from them. */
export function prune(folder: string, entries: readonly string[]): void {
  const reached = reachedFrom(entries);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name);
    if (name.endsWith('.d.ts') && !reached.has(file)) rmSync(file);
  }
}
