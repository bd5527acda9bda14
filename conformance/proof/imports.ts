import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** Reads a source file; a test hands in another version of one. */
export type Read = (file: string) => string;

export const fromDisk: Read = (file) => readFileSync(file, 'utf8');

/** All that a source file imports from files beside it, near and far, itself included, as far as they count; sorted. */
export function importer(read: Read, counts: (file: string) => boolean): (file: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  const importsOf = (file: string): readonly string[] => {
    const before = known.get(file);
    if (before) return before;
    const found = ts
      .preProcessFile(read(file))
      .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
      .map(({ fileName }) => join(dirname(file), fileName.replace(/[.]js$/, '.ts')))
      .filter(counts);
    known.set(file, found);
    return found;
  };
  return (first) => {
    const files = new Set([first]);
    for (const file of files) for (const inner of importsOf(file)) files.add(inner);
    return [...files].toSorted();
  };
}
