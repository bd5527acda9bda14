import type { controlCalls } from './control.js';

/** A snapshot that the mock keeps. */
export interface SnapshotInfo {
  readonly name: string;
  /** The time of the mock's clock that it goes back to. */
  readonly clock: string;
}

/** A snapshot as it stands in a file: JSON. It holds live tokens, so keep it as you keep them. */
export interface SnapshotFile {
  readonly snapshot: 1;
  /** A mock takes the snapshot if these are its own. */
  readonly settings: {
    readonly seed: number;
    readonly epoch: string;
    readonly edition: string;
    readonly flags: Readonly<Record<string, boolean>>;
    readonly switches: Readonly<Record<string, string | number | boolean>>;
  };
  readonly clock: { readonly now: string; readonly frozen: boolean };
  readonly codes: readonly object[];
  readonly tokens: readonly object[];
  readonly filters: readonly { readonly account: string; readonly filter: object }[];
  readonly stashEvents: readonly object[];
}

/** Named states of a mock: tokens, codes, what users granted, filters, stash events and the clock. */
export interface MockSnapshots {
  /** Saves what is now, over a snapshot of that name. */
  save(name: string): Promise<SnapshotInfo>;
  /** Goes back; the snapshot stays. Time has stood still in it. */
  restore(name: string): Promise<void>;
  /** Keeps a snapshot under a second name. */
  fork(from: string, name: string): Promise<SnapshotInfo>;
  list(): Promise<readonly SnapshotInfo[]>;
  /** Forgets a snapshot. One that is not there is no error. */
  remove(name: string): Promise<void>;
  /** The snapshot to write to a file; `gamedata mock --snapshot <file>` starts with it. */
  export(name: string): Promise<SnapshotFile>;
  /** Keeps a snapshot from a file under a name; `restore` goes to it. */
  import(name: string, snapshot: SnapshotFile): Promise<SnapshotInfo>;
}

/** The snapshots of the mock that `calls` go to. */
export function snapshotsOf({ get, post }: ReturnType<typeof controlCalls>): MockSnapshots {
  return {
    save: (name) => post<SnapshotInfo>('/snapshots', { name }),
    restore: (name) => post<void>('/snapshots/restorations', { name }),
    fork: (from, name) => post<SnapshotInfo>('/snapshots/forks', { from, name }),
    list: async () => (await get<{ snapshots: SnapshotInfo[] }>('/snapshots')).snapshots,
    remove: (name) => post<void>('/snapshots/removals', { name }),
    export: (name) => post<SnapshotFile>('/snapshots/exports', { name }),
    import: (name, snapshot) => post<SnapshotInfo>('/snapshots/imports', { name, snapshot }),
  };
}
