import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';

import { root } from '../../../scripts/generate/document.js';
import { digestOf, mutantOf, withContents, withMutants } from '../../mutate/instrument.js';
import { distinct } from '../../mutate/mutant.js';
import type { Numbered } from '../../mutate/mutant.js';
import type { Client } from '../client.js';

/** A client with all its mutants in it. */
export interface Prepared {
  /** The command that starts it, for the shell. */
  readonly start: string;
  readonly restarts: boolean;
  readonly mutants: readonly Numbered[];
  /** Of the files that are mutated. */
  readonly digest: string;
}

const folder = join(root, 'dist', 'clients', 'mutants');
/** The client that the audit's own proof changes by hand. */
export const reference = 'reference';
/** Its files: what it does, and the functions of the package that it logs in with. */
const files = [
  'conformance/audit/proof/reference.ts',
  ...['login', 'requests', 'token-endpoint'].map((name) => `conformance/audit/proof/reference/${name}.ts`),
  'src/client/authorization.ts',
  'src/client/pkce.ts',
].map((file) => join(root, file));

/** The reference client as a program, with its mutants. */
export async function preparedReference(): Promise<Prepared> {
  const digest = digestOf(files);
  const { files: changed, mutants } = await withMutants(files);
  const program = join(folder, 'reference.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['research/clients/mutants/reference.ts'],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'error',
    plugins: [withContents(new Map(changed.map(({ name, content }) => [name, content])))],
  });
  return { start: `exec node ${program}`, restarts: true, mutants: distinct(mutants.map(mutantOf)), digest };
}

/** A copy of the program around a library, with the mutants of both. */
export async function prepared(name: string, { folder: language, start, mutated = [] }: Client): Promise<Prepared> {
  const place = join(folder, name);
  rmSync(place, { recursive: true, force: true });
  cpSync(join(root, 'dist', 'clients', language), place, { recursive: true });
  const own = mutated.flatMap((path) => scripts(place, path));
  const digest = digestOf(own);
  const { files: changed, mutants: all } = await withMutants(own);
  // What a mutant replaces is read from the files as they are.
  const mutants = all.map(mutantOf).map(({ within: _, ...one }) => ({ ...one, place: placed(one.place, place) }));
  for (const { name: file, content } of changed) writeFileSync(file, content);
  return { start: `cd '${place}' && exec ${start}`, restarts: false, mutants, digest };
}

/** A place as it is told: from the folder of the language, a library by its name. */
const placed = (at: string, place: string): string => relative(relative(root, place), at).replace('node_modules/', '');

/** A script, or all scripts below a folder whose path ends with a slash. */
const scripts = (place: string, path: string): readonly string[] =>
  path.endsWith('/')
    ? readdirSync(join(place, path), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.js'))
        .toSorted()
        .map((file) => join(place, path, file))
    : [join(place, path)];
