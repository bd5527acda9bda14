import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../../scripts/generate/document.js';
import { written } from '../../../scripts/formatted.js';
import { keyOf } from '../../mutate/mutant.js';
import type { Ending, Mutant } from '../../mutate/mutant.js';
import { sampleOf } from '../../mutate/sample.js';
import { folder as clientsFolder } from '../client.js';
import type { Client } from '../client.js';
import { judgeAll } from './judge.js';
import type { Judgement, Order } from './judge.js';
import { prepared, preparedReference, reference } from './prepare.js';

/** A mutant that was audited. */
export interface Tried extends Mutant, Ending {
  readonly world?: string;
}

/** What is stored of a client's mutants. */
interface Stored {
  /** Of the files that are mutated: the results stand as long as these stay. */
  readonly digest: string;
  readonly all: number;
  readonly reached: number;
  readonly results: readonly Tried[];
}

/** The same, with the client's name. */
export interface Mutated extends Stored {
  readonly name: string;
}

/** Of the sample. */
export const seed = 1;
const folder = join(clientsFolder, 'mutants', 'results');
const fileOf = (name: string): string => join(folder, `${name}.json`);

interface MutateOptions {
  /** So many of each client. */
  readonly size: number;
  readonly jobs: number;
  /** Tries those again that survived. */
  readonly again: boolean;
}

/**
 * Audits a sample of the mutants that standard operators make of a client and its library, `client`, or of the reference
 * client where there is none. Each result is stored at once, so that an interrupted run goes on where it stopped.
 */
export async function mutate(name: string, client: Client | undefined, options: MutateOptions): Promise<void> {
  const { size, jobs, again } = options;
  const { mutants, digest, ...started } = client ? await prepared(name, client) : await preparedReference();
  const whole: Order = { ...started, id: '', known: [], coverage: join(root, 'dist', 'clients', 'mutants', 'covered') };
  // A row that is near its limit may blame it now and then: it is asked twice.
  const asIs: Judgement[] = [];
  await judgeAll(
    [whole, { ...whole, coverage: undefined }],
    1,
    (order) => order,
    (_, found) => void asIs.push(found),
  );
  const [first] = asIs as [Judgement];
  if (first.end === 'no start') throw new Error(`${name} without a mutant: ${first.why}`);
  const known = [...new Set(asIs.flatMap(({ found }) => found))];
  const reached = mutants.filter(({ id }) => first.reached.includes(id));
  const before = existsSync(fileOf(name)) ? read(name) : undefined;
  const kept = before?.digest === digest ? before.results : [];
  const results = new Map(kept.filter(({ end }) => !again || end !== 'survived').map((one) => [keyOf(one), one]));
  const sample = sampleOf(reached, seed, size);
  const queue = sample.filter((one) => !results.has(keyOf(one)));
  console.log(
    `  ${mutants.length} mutants, ${reached.length} reached, ${sample.length} drawn, ${queue.length} to be tried`,
  );
  const store = (): Promise<void> => {
    const drawn = sample.flatMap((one) => results.get(keyOf(one)) ?? []);
    const stored: Stored = { digest, all: mutants.length, reached: reached.length, results: drawn };
    return written(fileOf(name), JSON.stringify(stored));
  };
  mkdirSync(folder, { recursive: true });
  await judgeAll(
    [...queue],
    jobs,
    ({ id }) => ({ ...started, id, known }),
    async ({ id: _, ...mutant }, { end, row, world, seconds }, left) => {
      results.set(keyOf(mutant), {
        ...mutant,
        end,
        ...(row !== undefined && { row, ...(world !== undefined && { world }) }),
      });
      console.log(`  ${left} left; ${end} ${row ?? ''} ${world ?? ''} ${seconds} s ${keyOf(mutant)}`);
      await store();
    },
  );
  await store();
}

const read = (name: string): Stored => JSON.parse(readFileSync(fileOf(name), 'utf8')) as Stored;

/** What is stored, the reference client first. */
export const scores = (): readonly Mutated[] =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .map((file) => file.replace(/[.]json$/, ''))
    .toSorted((one, other) => Number(other === reference) - Number(one === reference))
    .map((name) => ({ name, ...read(name) }));
