/**
 * The world with a mutant beside the world without it. Most mutants of `src/world` change data or nothing at all, and
 * the mock shows nothing of `src/world` but what `createWorld` gives it: where that is the same, so is every reply.
 */
import { createHash } from 'node:crypto';
import { Script } from 'node:vm';
import { build } from 'esbuild';

import { root } from '../../scripts/generate/document.js';
import type * as made from '../../src/world/index.js';
import type { builtInFixtures } from '../../src/world/fixtures/built-in.js';
import type { editions } from '../../src/contract/index.js';
import type { LadderOrder, Listing, World } from '../../src/world/world.js';
import type { CLASSES } from '../../src/world/ladders.js';
import { distinct, keyOf } from './mutant.js';
import { mutantOf, sourcesOf, replies, withContents, withMutants } from './instrument.js';

/** What the bundle of the world gives. */
export interface Code {
  readonly createWorld: typeof made.createWorld;
  readonly builtInFixtures: typeof builtInFixtures;
  readonly editions: typeof editions;
  readonly CLASSES: typeof CLASSES;
}

/** A part of what a world shows, in turn. */
type View = (world: World, code: Code) => Iterable<unknown>;

const realms = ['pc', 'xbox', 'sony', 'game2'] as const;
const orders: readonly Exclude<LadderOrder, 'class'>[] = ['xp', 'depth', 'depthsolo', 'ancestor', 'time', 'score'];

/** All that a world shows, by the lists of the world without a mutant: what is long is a sample. */
export const viewsOf = (world: World, { CLASSES }: Code): ReadonlyMap<string, View> => {
  const all = new Map<string, View>();
  all.set('people', ({ accounts, clients, gameVersion }) => [
    accounts,
    clients,
    realms.map((realm) => gameVersion(realm)),
  ]);
  all.set('known', ({ known }) => [known]);
  all.set('filters', ({ accounts, itemFilters }) => accounts.map(({ key }) => itemFilters(key)));
  all.set('classes', ({ baseClass }) => [...CLASSES, 'Nobody'].map((name) => baseClass(name)));
  for (const realm of realms) {
    const leagues = [...world.leagues(realm).map(({ league }) => league.id), 'No Such League'];
    const keys = world.accounts.map(({ key }) => key);
    all.set(`${realm} leagues`, (one) => one.leagues(realm));
    all.set(`${realm} league accounts`, (one) =>
      leagues.flatMap((league) => keys.map((key) => one.leagueAccount(key, realm, league))),
    );
    all.set(`${realm} matches`, (one) => one.pvpMatches(realm));
    all.set(`${realm} match ladders`, function* (one) {
      for (const { match } of world.pvpMatches(realm)) yield* sample(one.pvpLadder(realm, match.id));
    });
    all.set(`${realm} event ladders`, function* (one) {
      for (const league of leagues) yield* sample(one.eventLadder(realm, league));
    });
    for (const league of leagues) {
      all.set(`${realm} ladder ${league}`, function* (one) {
        const ladder = one.ladder(realm, league);
        yield [ladder?.cachedSince, ladder?.defaultOrder];
        for (const order of orders) yield* sample(ladder?.by(order));
        for (const name of [...CLASSES, 'nobody']) yield* sample(ladder?.by('class', name));
      });
    }
    for (const key of keys) {
      all.set(`${realm} characters of ${key}`, (one) => one.characters(key, realm));
      all.set(`${realm} tabs of ${key}`, function* (one) {
        for (const league of leagues) yield* [one.stashes(key, realm, league), one.guildStashes(key, realm, league)];
      });
    }
    if (realm !== 'game2')
      all.set(`${realm} stream`, function* (one) {
        const { changes, last } = one.publicStashes(realm);
        const listed = Array.from({ length: changes.length }, (_, index) => changes.at(index));
        yield [...listed, ...listed.map(({ stash }) => last(stash)), last('0'.repeat(64)), last('none')];
      });
    const hundreds = realm === 'game2' ? [] : [0, 100, 200, 300, 400, 500, 600];
    for (const from of hundreds) {
      all.set(`${realm} stashes ${from}`, function* (one) {
        const { changes, snapshot } = one.publicStashes(realm);
        for (let index = from; index < Math.min(from + 100, changes.length); index += 1) {
          const { stash, revision } = changes.at(index);
          yield snapshot(stash, revision);
        }
      });
    }
    all.set(`${realm} exchange`, function* (one) {
      const { firstHour, markets } = one.exchange(realm);
      yield firstHour;
      for (let hour = firstHour - 3600; hour * 1000 < one.epoch + 86_400_000; hour += 3600) yield markets(hour);
    });
  }
  return all;
};

/** The first of a listing, the last, and some between. */
function* sample<T>(listing: Listing<T> | undefined): Iterable<T | number | undefined> {
  yield listing?.length;
  const length = listing?.length ?? 0;
  for (let index = 0; index < length; index += index < 100 || index >= length - 20 ? 1 : Math.ceil(length / 100))
    yield listing!.at(index);
}

/** Worlds as the mock makes them: of its own seed, and of another; around two days. */
const given = [
  { seed: 1, epoch: Date.UTC(2026, 0, 1) },
  { seed: 2, epoch: Date.UTC(2031, 6, 15) },
];

/** The rules that show a view, by how its name begins. What is not named may be shown by any. */
const shownBy: Readonly<Record<string, readonly string[]>> = {
  filters: ['src/game/filters.ts'],
  leagues: ['src/game/leagues.ts', 'src/game/account-leagues.ts', 'src/game/ladders.ts'],
  'league accounts': ['src/game/league-accounts.ts'],
  matches: ['src/game/pvp.ts'],
  'match ladders': ['src/game/pvp.ts'],
  'event ladders': ['src/game/ladders.ts'],
  ladder: ['src/game/ladders.ts'],
  characters: ['src/game/characters.ts'],
  tabs: ['src/game/stashes.ts', 'src/game/guild.ts'],
  stream: ['src/game/public-stashes.ts'],
  stashes: ['src/game/public-stashes.ts'],
  exchange: ['src/game/exchange.ts'],
};
const kinds = Object.keys(shownBy).toSorted((one, other) => other.length - one.length);

/**
 * The files of rules that show these views; undefined where any may. What the target is told changes with the data that it
 * speaks of, and is shown where these are.
 */
export function showing(views: readonly string[]): readonly string[] | undefined {
  const data = views.filter((view) => view !== 'known');
  const files = data.map((view) => {
    const kind = view.replace(/^(?:pc|xbox|sony|game2) /, '');
    return shownBy[kinds.find((one) => kind.startsWith(one)) ?? ''];
  });
  return data.length === 0 || files.includes(undefined) ? undefined : [...new Set(files.flatMap((one) => one ?? []))];
}

/** Seconds that a view may take: an endless loop of a mutant ends there. */
const timeLimit = 10;

/** Where the instrumenter's code keeps its own in the global object, and what. */
const space = '__stryker__';
interface Space {
  activeMutant: string;
  mutantCoverage?: { readonly static: Readonly<Record<string, number>> };
}

/** Worlds with mutants, each made anew from code that is run anew. */
export interface Worlds {
  /** Lists and objects that are compared. */
  readonly compared: number;
  /** The number that a mutant has in this code, by its key. */
  readonly ids: ReadonlyMap<string, string>;
  /** The views that a mutant changes, up to one that it breaks; none where the worlds are the same. */
  changes(id: string): readonly string[];
}

/** Builds the world with all mutants of `src/world` in it. */
export async function worlds(): Promise<Worlds> {
  const { files, mutants } = await withMutants(
    replies.filter((part) => part.startsWith('src/world/')).flatMap(sourcesOf),
  );
  const { outputFiles } = await build({
    stdin: {
      resolveDir: root,
      contents: `export { createWorld } from './src/world/index.ts';
export { builtInFixtures } from './src/world/fixtures/built-in.ts';
export { editions } from './src/contract/index.ts';
export { CLASSES } from './src/world/ladders.ts';`,
    },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'worldCode',
    platform: 'node',
    logLevel: 'error',
    plugins: [withContents(new Map(files.map(({ name, content }) => [name, content])))],
  });
  const script = new Script(`${outputFiles[0]!.text};worldCode`);
  const ids = new Map(distinct(mutants.map(mutantOf)).map((one) => [keyOf(one), one.id]));
  const codeWith = (id: string): Code => {
    Object.assign(globalThis, { [space]: { activeMutant: id } satisfies Space });
    return timed(() => script.runInThisContext() as Code);
  };
  return { ids, ...comparing(codeWith, viewsOf(worldOf(codeWith(''), given[0]!), codeWith(''))) };
}

/** Looks at the world without a mutant, and learns by that which views reach each mutant. */
export function comparing(
  codeWith: (id: string) => Code,
  views: ReadonlyMap<string, View>,
): Pick<Worlds, 'compared' | 'changes'> {
  const expected = new Map<string, readonly string[]>();
  const reaching = new Map<string, Set<string>>();
  for (const [at, one] of given.entries()) {
    for (const [name, view] of views) {
      const code = codeWith('');
      expected.set(`${at} ${name}`, [...view(worldOf(code, one), code)].map(digestOf));
      for (const id of reached()) reaching.set(id, (reaching.get(id) ?? new Set()).add(name));
    }
  }
  const isChanged = (at: number, name: string, world: World, code: Code): boolean => {
    const before = expected.get(`${at} ${name}`)!;
    let index = 0;
    for (const value of views.get(name)!(world, code)) {
      if (digestOf(value) !== before[index]) return true;
      index += 1;
    }
    return index !== before.length;
  };
  const changes = (id: string): readonly string[] => {
    const changed = new Set<string>();
    for (const [at, one] of given.entries()) {
      let name = 'start';
      try {
        const code = codeWith(id);
        const world = timed(() => worldOf(code, one));
        for (name of reaching.get(id) ?? []) if (timed(() => isChanged(at, name, world, code))) changed.add(name);
      } catch {
        return [...changed, name];
      }
    }
    return [...changed];
  };
  return { compared: [...expected.values()].flat().length, changes };
}

export const worldOf = ({ createWorld, builtInFixtures, editions }: Code, one: (typeof given)[number]): World =>
  createWorld({
    ...one,
    flags: Object.fromEntries(editions.extended.map((flag) => [flag, true])),
    fixtures: builtInFixtures(),
    volume: { stashChanges: 600, exchangeHours: 72 },
  });

/** The mutants that were reached since the code was run. */
const reached = (): readonly string[] =>
  Object.keys((globalThis as unknown as { readonly [space]?: Space })[space]?.mutantCoverage?.static ?? {});

const digestOf = (value: unknown): string =>
  createHash('sha1')
    .update(JSON.stringify(value) ?? 'undefined')
    .digest('base64');

const call = new Script('mutantCall()');

/** Calls what may not end. */
function timed<T>(make: () => T): T {
  Object.assign(globalThis, { mutantCall: make });
  return call.runInThisContext({ timeout: timeLimit * 1000 }) as T;
}
