import type { SnapshotFile } from '../../client/index.js';
import { flags as flagTable } from '../../contract/index.js';
import type { Switches } from '../../contract/index.js';
import type { Authority } from '../../oauth/index.js';
import type { Store, StoreContent, StoreImage } from '../../store/store.js';
import type { World } from '../../world/world.js';
import type { Clock } from '../clock.js';
import { instantIn, instantRule } from '../clock.js';
import { Refusal } from '../refusal.js';
import { complaintOf, SettingProblem } from '../setting.js';
import { SetupError } from '../../input/setup-error.js';

/** How many a mock keeps: each may hold as much as the store. */
const most = 20;

interface Snapshot {
  readonly image: StoreImage;
  readonly clock: { readonly now: number; readonly frozen: boolean };
}

/** A snapshot as plain data. */
export interface SnapshotState {
  readonly name: string;
  readonly clock: Snapshot['clock'];
  readonly content: StoreContent;
}

/** The mock that is snapshot: its state, and the settings that give it its meaning. */
interface Subject {
  readonly store: Store;
  readonly clock: Clock;
  readonly world: Pick<World, 'epoch'>;
  readonly authority: Pick<Authority, 'accounts' | 'clients'>;
  readonly flags: ReadonlySet<string>;
  readonly switches: Switches;
  readonly options: { readonly seed: number; readonly edition: SnapshotFile['settings']['edition'] };
}

/** The named snapshots of a mock: tokens, codes, grants, filters, stash events, and the clock. Restoring one keeps it. */
export class Snapshots {
  readonly #service: Subject;
  readonly #byName = new Map<string, Snapshot>();
  #start: Snapshot | undefined;

  constructor(service: Subject) {
    this.#service = service;
  }

  /** Names and times of the clock, oldest name first. */
  list(): { name: string; clock: string }[] {
    return [...this.#byName].map(([name, snapshot]) => infoOf(name, snapshot));
  }

  get state(): readonly SnapshotState[] {
    return [...this.#byName].map(([name, { image, clock }]) => ({ name, clock, content: image.content() }));
  }

  /** Has the snapshots that are given, and no others. What is now does not change. */
  set state(states: readonly SnapshotState[]) {
    this.#byName.clear();
    const { store } = this.#service;
    const before = store.image();
    for (const { name, clock, content } of states) {
      store.restore(content);
      this.#byName.set(name, { image: store.image(), clock });
    }
    store.restore(before);
  }

  /** Saves what is now, in place of a snapshot of the same name. */
  save(name: string): object {
    const { store, clock } = this.#service;
    return this.#keep(name, { image: store.image(), clock: { now: clock.now(), frozen: clock.frozen } });
  }

  /** @throws Refusal 404 where there is no such snapshot, as all of these */
  restore(name: string): void {
    const { image, clock } = this.#find(name);
    this.#service.store.restore(image);
    this.#service.clock.restore(clock);
  }

  /**
   * Begins with a snapshot: a reset comes back to it.
   * @throws SettingProblem where it is none, or does not fit the options that the mock was started with
   */
  begin(file: SnapshotFile): void {
    const complaint = complaintOf('SnapshotFile', file);
    if (complaint) throw new SettingProblem('snapshot', complaint.pointer, complaint.rule);
    try {
      this.import('start', file);
    } catch (error) {
      throw error instanceof Refusal ? new SetupError(error.message) : error;
    }
    this.#start = this.#find('start');
    this.restore('start');
  }

  /** Goes back to where the mock began, if that was a snapshot. */
  restart(): void {
    if (!this.#start) return;
    this.#service.store.restore(this.#start.image);
    this.#service.clock.restore(this.#start.clock);
  }

  /** Keeps a snapshot under a second name. */
  fork(from: string, name: string): object {
    return this.#keep(name, this.#find(from));
  }

  remove(name: string): void {
    this.#byName.delete(name);
  }

  /** A snapshot for a file, with the settings that it holds for. */
  export(name: string): SnapshotFile {
    const { image, clock } = this.#find(name);
    return {
      snapshot: 1,
      settings: settingsOf(this.#service),
      clock: { now: new Date(clock.now).toISOString(), frozen: clock.frozen },
      ...image.content(),
    } as SnapshotFile;
  }

  /**
   * Keeps a snapshot from a file. What is now does not change.
   * @throws Refusal 400 where it was made with other settings than this mock has, or names what is not in its world
   */
  import(name: string, file: SnapshotFile): object {
    const problem = this.#misfit(file);
    if (problem !== undefined) throw new Refusal(400, `snapshot: ${problem}`);
    const now = instantIn(file.clock.now);
    if (now === undefined) throw new Refusal(400, `snapshot/clock/now ${file.clock.now}: ${instantRule}`);
    const { store } = this.#service;
    const before = store.image();
    store.restore(file as unknown as StoreContent);
    const image = store.image();
    store.restore(before);
    return this.#keep(name, { image, clock: { now, frozen: file.clock.frozen } });
  }

  /** Why a file does not fit this mock, or undefined where it does. */
  #misfit({ settings, tokens, codes, filters }: SnapshotFile): string | undefined {
    const own = settingsOf(this.#service);
    const other = (['seed', 'epoch', 'flags', 'switches'] as const).filter(
      (key) => JSON.stringify(settings[key]) !== JSON.stringify(own[key]),
    );
    if (other.length > 0)
      return `was made with another ${other.join(' and ')}; start a mock with --snapshot <file>, which takes them from the file`;
    const { accounts, clients } = this.#service.authority;
    for (const { grant } of [...tokens, ...codes] as unknown as StoreContent['tokens']) {
      if (!accounts.has(grant.account)) return `names the account ${grant.account}, which the fixtures do not have`;
      if (!clients.has(grant.clientId)) return `names the client ${grant.clientId}, which the fixtures do not have`;
    }
    const stray = filters.find(({ account }) => !accounts.has(account));
    return stray && `names the account ${stray.account}, which the fixtures do not have`;
  }

  #find(name: string): Snapshot {
    const found = this.#byName.get(name);
    if (found) return found;
    const known = [...this.#byName.keys()].join(', ') || 'none';
    throw new Refusal(404, `name: there is no snapshot ${JSON.stringify(name)}; there are ${known}`);
  }

  #keep(name: string, snapshot: Snapshot): object {
    if (!this.#byName.has(name) && this.#byName.size >= most)
      throw new Refusal(409, `there are ${most} snapshots; remove one, or save over one`);
    this.#byName.set(name, snapshot);
    return infoOf(name, snapshot);
  }
}

const infoOf = (name: string, { clock }: Snapshot): { name: string; clock: string } => ({
  name,
  clock: new Date(clock.now).toISOString(),
});

/** What a snapshot holds for: with other settings its tokens and filters would mean something else. */
const settingsOf = ({ world, flags, switches, options }: Subject): SnapshotFile['settings'] => ({
  seed: options.seed,
  epoch: new Date(world.epoch).toISOString(),
  edition: options.edition,
  flags: Object.fromEntries(flagTable.map(({ flag }) => [flag, flags.has(flag)])),
  switches: { ...switches } as unknown as SnapshotFile['settings']['switches'],
});
