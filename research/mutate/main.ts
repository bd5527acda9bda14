/**
 * `npm run mutate`: mutants that nobody chose. The standard operators of Stryker change the rules of the mock, the mock
 * runs with one of the changes at a time, and the suite runs against it until a binding row fails. `results.jsonl` keeps
 * each result, so that an interrupted run goes on where it stopped, and one after a change tries what the change may alter.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';

import { written } from '../../scripts/formatted.js';
import { wholeNumber } from '../../cli/whole-number.js';
import { fileOf, keyOf } from './mutant.js';
import { countsOf, pageOf, publishedOf } from './page.js';
import { readSurvivors } from './reasons.js';
import { root } from '../../scripts/generate/document.js';
import { digestsOf, instrumented, manifest, replies, rules } from './instrument.js';
import type { Reached } from './instrument.js';
import { profiles } from './judge.js';
import { Log } from './log.js';
import { sampleOf } from './sample.js';
import { showing, worlds } from './world.js';
import { judgeAll } from './process.js';

const here = join(root, 'research', 'mutate');
/** Of the order: those tried so far are a sample of all. */
const seed = 1;
/** So few parts are run at once. */
const few = 40;

interface Flags {
  readonly in: readonly string[];
  readonly jobs: number;
  readonly mutant?: readonly string[];
  readonly again?: boolean;
  readonly page?: boolean;
}

async function mutate({ in: places, jobs, mutant: only, again, page }: Flags): Promise<void> {
  const { mutants } = await instrumented(jobs);
  const log = new Log(join(here, 'results.jsonl'), digestsOf(mutants));
  if (only) {
    const named = mutants.filter((one) => only.some((name) => keyOf(one).startsWith(name)));
    if (named.length === 0) throw new Error(`--mutant ${only.join(',')}: no mutant has a name that begins so`);
    return tryAll(named, jobs, log, () => []);
  }
  const wanted = mutants.filter(({ place }) => places.some((one) => place.startsWith(one)));
  if (wanted.length === 0)
    throw new Error(`--in ${places.join(',')}: no mutant is in these folders or files; name some such as ${rules[0]}`);
  const triedWith = (one: Reached): readonly string[] => {
    const before = log.result(one);
    if (before && ['killed', 'no start', 'same'].includes(before.end)) return Object.keys(profiles);
    return again ? [] : (before?.profiles ?? []);
  };
  if (!page) {
    const judging = await compareWorlds(wanted, log, mutants);
    await tryAll(sampleOf(judging, seed, judging.length), jobs, log, triedWith);
  }
  for (const one of wanted.filter(({ parts }) => Object.keys(parts).length === 0)) {
    if (!log.result(one)) log.add(one, [], { end: 'not reached' });
  }
  await publish(log, mutants);
}

/**
 * Finds those of the world that were not tried with which it is the same: there is nothing to try. Gives all others to try:
 * those of the world as the interface describes it, with the parts of the suite that see what differs.
 */
async function compareWorlds(
  mutants: readonly Reached[],
  log: Log,
  all: readonly Reached[],
): Promise<readonly Reached[]> {
  const open = new Set(mutants.filter((one) => one.place.startsWith('src/world/') && !log.result(one)));
  const asDescribed = mutants.map((one) => {
    const { described } = one.parts;
    return one.place.startsWith('src/world/') ? { ...one, parts: described ? { described } : {} } : one;
  });
  if (open.size === 0) return asDescribed;
  const { compared, ids, changes } = await worlds();
  let same = 0;
  const changed = asDescribed.flatMap((one, at) => {
    if (!open.has(mutants[at]!)) return one;
    const views = changes(ids.get(keyOf(one))!);
    if (views.length > 0) return { ...one, parts: { described: partsThatSee(views, one, all) } };
    log.add(one, [], { end: 'same', why: String(compared) });
    same += 1;
    return [];
  });
  console.log(`${open.size} mutants of the world; with ${same} it is the same.`);
  return changed;
}

/** The parts of the suite that run code of the files that show what differs. What runs when a module is loaded is none. */
function partsThatSee(views: readonly string[], mutant: Reached, all: readonly Reached[]): readonly string[] {
  const files = showing(views);
  const reaching = mutant.parts['described'] ?? [];
  if (!files) return reaching;
  const most = Math.max(...all.map(({ parts }) => parts['described']?.length ?? 0));
  const seen = new Set(
    all
      .filter(({ place, parts }) => files.includes(fileOf(place)) && (parts['described']?.length ?? 0) < most / 2)
      .flatMap(({ parts }) => parts['described'] ?? []),
  );
  return reaching.filter((part) => seen.has(part));
}

/** Tries mutants in each profile that reaches them: all in one, then those in the next that no row has killed. */
async function tryAll(
  mutants: readonly Reached[],
  jobs: number,
  log: Log,
  triedWith: (mutant: Reached) => readonly string[],
): Promise<void> {
  const tried = new Map(mutants.map((mutant) => [mutant, triedWith(mutant)]));
  const killed = new Set<Reached>();
  for (const profile of Object.keys(profiles)) {
    const queue = mutants.filter(
      (mutant) => mutant.parts[profile] && !killed.has(mutant) && !tried.get(mutant)!.includes(profile),
    );
    console.log(`${mutants.length} mutants; ${queue.length} are to be tried, ${profile}.`);
    await judgeAll(
      queue,
      jobs,
      (mutant) => {
        const parts = mutant.parts[profile]!;
        const first = parts.length < few ? [] : log.killersBeside(mutant, parts);
        return { id: mutant.id, profile, first, parts };
      },
      (mutant, { seconds, ...ending }, left) => {
        tried.set(mutant, [...tried.get(mutant)!, profile]);
        if (ending.end === 'killed') killed.add(mutant);
        log.add(mutant, tried.get(mutant)!, ending);
        console.log(
          `${String(left).padStart(4)} left; ${ending.end.padEnd(8)} ${String(seconds).padStart(5)} s ${keyOf(mutant)} ${ending.row ?? ''}`,
        );
      },
    );
  }
}

const toolOf = (): string =>
  Object.entries((JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies: Record<string, string> }).dependencies)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');

/** Writes README.md of the folder. */
async function publish(log: Log, mutants: readonly Reached[]): Promise<void> {
  const results = log.compact(mutants);
  const published = publishedOf(toolOf(), countsOf(mutants), results, readSurvivors(join(here, 'survivors.yaml')));
  const file = join(here, 'README.md');
  await written(file, pageOf(published));
  console.log('research/mutate: README.md is written.');
}

const list = (text: string): readonly string[] => text.split(',');

const command = new Command('mutate')
  .description('Runs the suite against the mock with single changes by standard operators of mutation testing.')
  .option('--in <places>', 'mutants of these folders or files alone', list, [...rules, ...replies])
  .option('--jobs <number>', 'processes', wholeNumber(1), 2)
  .option('--mutant <names>', 'those whose name in survivors.yaml begins so; publishes nothing', list)
  .option('--again', 'those again that were not killed')
  .option('--page', 'publish the results that there are, and try nothing')
  .action(mutate);
await command.parseAsync().catch((error: unknown) => {
  console.error(`mutate: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
