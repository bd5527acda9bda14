import { Ajv2020 } from 'ajv/dist/2020.js';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import schema from './run.schema.json' with { type: 'json' };

/** What is run: a server against the suite, its machine, a client under the audit, a library with its language's compiler. */
export const kinds = ['server', 'machine', 'client', 'library'] as const;
export type Kind = (typeof kinds)[number];

/** What one column says of a subject. Lists are of requirements; of machines and libraries there is a text alone. */
export interface Cell {
  /** Where there are no lists: `5`, `yes`. */
  readonly text?: string;
  /** Undefined where the run kept the red rows alone. */
  readonly passed?: readonly string[];
  readonly failed?: readonly string[];
  readonly warned?: readonly string[];
  /** Not run, not exercised. */
  readonly unjudged?: readonly string[];
}

/** Why requirements were violated: what is known of it in the subject's source. */
export interface RunCause {
  readonly rows: readonly string[];
  /** `deviation` or `defect` of a server; `library` or `example`. */
  readonly class: string;
  readonly why: string;
  /** A race or a rounding: another run may differ. */
  readonly varies?: true;
}

/** One run of one subject, as it was published. */
export interface Run {
  readonly kind: Kind;
  readonly subject: {
    readonly id: string;
    readonly name: string;
    readonly version: string;
    readonly language: string;
  };
  /** When it was published, ISO 8601, and the commit that did. */
  readonly date: string;
  readonly commit: string;
  /** Of this package. */
  readonly version: string;
  /** SHA-256 of what it depends on: the code that judged, the contract, and the subject's programs and manifest. */
  readonly digests: Readonly<Record<'suite' | 'contract' | 'target', string>>;
  readonly seconds: number;
  readonly requests?: number;
  readonly cells: Readonly<Record<string, Cell>>;
  readonly causes: readonly RunCause[];
  /** SHA-256 of all of the above. */
  readonly digest: string;
}

export const folder = 'research/results/runs';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A run with its digest. */
export const sealed = (run: Omit<Run, 'digest'>): Run => ({ ...run, digest: sha256(JSON.stringify(run)) });

/** Whether a run is other than it was written. */
export function isEdited({ digest, ...run }: Run): boolean {
  return sha256(JSON.stringify(run)) !== digest;
}

/** Days for which a run is believed. */
export const believed = 90;

export const isOld = ({ date }: Pick<Run, 'date'>, now: Date): boolean =>
  now.getTime() - Date.parse(date) > believed * 86_400_000;

export const nameOf = ({ kind, subject, date }: Pick<Run, 'kind' | 'subject' | 'date'>): string =>
  `${kind}-${subject.id}.${date.slice(0, 16).replaceAll(/[-:]/g, '')}.json`;

const isRun = new Ajv2020({ strict: false }).compile<Run>(schema);

/** A run from its file. @throws Error that names the place where it is none. */
export function readRun(text: string, name: string): Run {
  const run: unknown = JSON.parse(text);
  if (isRun(run)) return run;
  const [problem] = isRun.errors ?? [];
  throw new Error(`${name}${problem?.instancePath ?? ''}: ${problem?.message ?? 'is no run'} (run.schema.json)`);
}

/** Every run, the newest of each subject first. */
export const storedRuns = (): readonly Run[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => readRun(readFileSync(join(folder, name), 'utf8'), name))
    .toSorted((one, other) => other.date.localeCompare(one.date));

/** The newest run of a subject, and the one before. */
export interface Latest {
  readonly run: Run;
  readonly before: Run | undefined;
}

/** Items by a key, in their order. */
export function grouped<T>(items: readonly T[], key: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const item of items) found.set(key(item), [...(found.get(key(item)) ?? []), item]);
  return found;
}

/** The newest run of every subject, in the order of kinds and names. */
export function latest(runs: readonly Run[]): readonly Latest[] {
  const found = grouped(runs, ({ kind, subject }) => `${kind} ${subject.id}`);
  return [...found.values()]
    .map(([run, before]): Latest => ({ run: run!, before }))
    .toSorted(({ run: one }, { run: other }) => rank(one).localeCompare(rank(other)));
}

const rank = ({ kind, subject }: Run): string => `${kinds.indexOf(kind)} ${subject.name.toLowerCase()} ${subject.id}`;

/** What is worth knowing before a run is believed. */
export function doubts(run: Run, now: { readonly date: Date; readonly digests: Run['digests'] }): readonly string[] {
  const changed = (['suite', 'contract', 'target'] as const).filter((of) => run.digests[of] !== now.digests[of]);
  return [
    ...(isEdited(run) ? ['edited: the file is not as the run wrote it'] : []),
    ...(isOld(run, now.date) ? [`older than ${believed} days`] : []),
    ...(changed.length > 0 ? [`out of date: ${changed.join(', ').replace(/, (\w+)$/, ' and $1')} changed since`] : []),
  ];
}
