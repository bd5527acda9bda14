import { meant } from '../../src/input/nearest.js';
import type { Matrix } from './matrix.js';
import { areas, mutants } from './mutants/index.js';
import { digests } from './digest.js';
import { groupsOf } from './groups.js';
import { rankBy } from './rank.js';
import { nameOf } from './task.js';
import type { Task } from './task.js';
import { variants } from './variants/index.js';

/** What a proof is to try: nothing means everything. Words are ids, beginnings of ids up to a dash, or `all`. */
export interface Wanted {
  readonly mutant?: readonly string[];
  readonly variant?: readonly string[];
  readonly area?: readonly string[];
  /** Each conforming variant in a run of its own, also where everything is tried. */
  readonly alone?: boolean;
}

type Subject = Omit<Task, 'seed'>;

/** What shows that the proof itself can be believed: a right server that passes, a useless one that does not. */
const clean: Subject = { kind: 'clean', id: 'clean' };
const canary: Subject = { kind: 'canary', id: 'canary' };
const controls: readonly Subject[] = [clean, canary];

const everything: readonly Subject[] = [
  ...controls,
  ...variants.map(({ id }): Subject => ({ kind: 'variant', id })),
  ...mutants.map(({ id }): Subject => ({ kind: 'mutant', id })),
];

/** Everything with one seed; variants that can stand together are tried in groups. */
function grouped(seed: number): readonly Subject[] {
  const groups = groupsOf(seed);
  const members = new Set(groups.flatMap((group) => group.members.map(({ id }) => id)));
  const rest = everything.filter(({ kind, id }) => kind !== 'variant' || !members.has(id));
  const together = groups.map(({ id }): Subject => ({ kind: 'group', id }));
  return [...controls, ...together, ...rest.filter((one) => !controls.includes(one))];
}

/**
 * What is to be tried, with each of the seeds; the long trials first, so that the processes end together. Variants that
 * are named are tried alone.
 * @throws Error naming a word that stands for nothing.
 */
export function tasksOf({ mutant, variant, area, alone }: Wanted, seeds: readonly number[]): readonly Task[] {
  const strange = (area ?? []).find((name) => !Object.hasOwn(areas, name));
  if (strange !== undefined)
    throw new Error(
      `--area ${strange}: there is no such area${meant(strange, Object.keys(areas))}; the areas are ${Object.keys(areas).join(', ')}`,
    );
  const ofAreas = new Set((area ?? []).flatMap((name) => areas[name]!.map(({ id }) => id)));
  const chosen = new Set<Subject>();
  const pick = (flag: string, word: string, of: readonly Subject[]): void => {
    const found = of.filter(({ id }) => word === 'all' || id === word || id.startsWith(`${word}-`));
    if (found.length === 0) {
      const what = flag.slice(2);
      throw new Error(
        `${flag} ${word}: no ${what} has this id, and none begins with it and a dash${meant(
          word,
          of.map(({ id }) => id),
        )}; conformance/proof/matrix.json has the ids, and ${flag} all tries every ${what}`,
      );
    }
    for (const one of found) chosen.add(one);
  };
  const of = (kind: Task['kind']): readonly Subject[] => everything.filter((one) => one.kind === kind);
  for (const one of of('mutant')) if (ofAreas.has(one.id)) chosen.add(one);
  for (const word of mutant ?? []) pick('--mutant', word, of('mutant'));
  for (const word of variant ?? []) pick('--variant', word, of('variant'));
  const all = !mutant && !variant && !area;
  const subjects = (seed: number): readonly Subject[] => {
    if (all) return alone ? everything : grouped(seed);
    return everything.filter((one) => chosen.has(one));
  };
  return seeds.flatMap((seed) => subjects(seed).map((one) => ({ ...one, seed })));
}

/**
 * Every nth task: long ones stand together, so each shard gets its share of them.
 * @throws Error where none is left for the shard, which would prove nothing
 */
export function partOf(
  tasks: readonly Task[],
  { index, count }: { readonly index: number; readonly count: number },
): readonly Task[] {
  const part = tasks.filter((_, at) => at % count === index - 1);
  if (part.length === 0)
    throw new Error(
      `--shard ${index}/${count}: nothing is left for this part of ${tasks.length}; use fewer parts, or name more mutants and variants`,
    );
  return part;
}

/** Into how many parts a sample takes the suite, so that a variant takes a few seconds. */
const parts = 8;

/**
 * Everything in the order of its urgency: the canary, what has changed since the matrix was published, then the rest in
 * the order of the seed. A variant that the matrix knows gets the part of the suite that is the seed's turn. The right
 * server comes last, for it takes longest, and `npm run released` tries it as well.
 */
export function rotation(
  published: Matrix,
  seed: number,
  digestOf = digests(),
): { readonly tasks: readonly Task[]; readonly changed: ReadonlySet<string> } {
  const before = new Map(published.mutants.map(({ id, digest }) => [id, digest]));
  const known = new Set([...before.keys(), ...published.variants.map(({ id }) => id)]);
  const isNew = new Set([
    ...variants.map(({ id }) => id).filter((id) => !known.has(id)),
    ...Object.entries(areas).flatMap(([area, own]) =>
      own.filter((mutant) => before.get(mutant.id) !== digestOf(area, mutant)).map(({ id }) => id),
    ),
  ]);
  const rank = rankBy(seed);
  const rest = everything
    .filter((one) => !controls.includes(one))
    .map((one, index) => ({ one, urgent: isNew.has(one.id) ? 0 : 1, rank: rank(index) }))
    .toSorted((a, b) => a.urgent - b.urgent || a.rank - b.rank)
    .map(({ one }) => one);
  const part = { index: (seed % parts) + 1, count: parts };
  const tasks = [canary, ...rest, clean].map((one): Task => {
    return { ...one, seed, ...(one.kind === 'variant' && known.has(one.id) && { part }) };
  });
  return { tasks, changed: isNew };
}

/** What mutants have in common whose control is the same; every other task is its own kin. */
export function kinOf(task: Task): string {
  const mutant = task.kind === 'mutant' ? mutants.find(({ id }) => id === task.id) : undefined;
  if (!mutant) return nameOf(task);
  const { rows, exercise = [], switches, flags } = mutant;
  return JSON.stringify([task.seed, rows, exercise, switches, flags]);
}
