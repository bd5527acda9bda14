import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';

import { UsageError } from './usage-error.js';

/** A file that an option names, to be written. */
export interface NewFile {
  /** The option as it is called: `--write-baseline`, `target init --out`. */
  readonly option: string;
  readonly file: string;
  /** Whether a file that exists is overwritten. */
  readonly force?: boolean | undefined;
}

/** The baseline that a run is to write. */
export const baselineOf = (flags: { readonly writeBaseline?: string; readonly force?: boolean }): NewFile | undefined =>
  flags.writeBaseline === undefined
    ? undefined
    : { option: '--write-baseline', file: flags.writeBaseline, force: flags.force };

/** @throws UsageError where the file exists, for it is somebody's work, or cannot be written */
export async function writeNew({ option, file, force = false }: NewFile, text: string): Promise<void> {
  await writeFile(file, text, { flag: force ? 'w' : 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw refusal(option, file, error);
  });
}

/** Tries it before a run, and leaves everything as it was. @throws UsageError as `writeNew` */
export async function tryNew({ option, file, force = false }: NewFile): Promise<void> {
  const isThere = existsSync(file);
  await writeFile(file, '', { flag: force ? 'a' : 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw refusal(option, file, error);
  });
  if (!isThere) await rm(file); // a run that ends early leaves no empty file
}

const refusal = (option: string, file: string, { code, message }: NodeJS.ErrnoException): UsageError =>
  new UsageError(
    code === 'EEXIST'
      ? `${option} ${file}: the file exists; name another one, or add --force to overwrite it`
      : `${option} ${file}: cannot be written (${code ?? message}); name a file in a folder that exists`,
  );
