import type { FaultRule, JournalSettings, LimitChoice, SnapshotFile } from '../client/index.js';

/** Options of every mock, wherever it runs. */
export interface CommonOptions {
  readonly seed?: number;
  /** The instant that the world is laid out around and the clock starts at; without it, now. */
  readonly epoch?: string | number | Date | null;
  /** `described` (default), or `observed`: edition, switches and limits as live services have them. */
  readonly profile?: string;
  /** `extended`, `base` or `observed`; the default is that of the profile. */
  readonly edition?: string;
  /** Single edition flags over the edition's. */
  readonly flags?: Readonly<Record<string, boolean>>;
  /** Readings of what the interface leaves open, by name; `gamedata mock switches` lists them. */
  readonly switches?: Readonly<Record<string, unknown>>;
  /** A snapshot to begin with. Seed, epoch, edition, flags and switches are its own. */
  readonly snapshot?: SnapshotFile;
  /** Approve authorization requests at once: as `alice`, or as the account named. */
  readonly autoApprove?: boolean | string;
  /** Let pages of other origins call the data API and the token endpoints. */
  readonly cors?: boolean;
  /** Opens the control surface to whoever shows it, from other machines too. */
  readonly controlToken?: string;
  readonly volume?: { readonly stashChanges?: number; readonly exchangeHours?: number };
  /** Faults from the first request on. */
  readonly faults?: readonly FaultRule[];
  /** Rate limits from the first request on: `observed` of a live service, `realistic` with the mock's own numbers, or your own. */
  readonly limits?: LimitChoice;
  /** Record requests and decisions, from the first request on; `true` for the usual bounds. */
  readonly journal?: boolean | JournalSettings;
  /** Told of dropped tokens, internal errors and whatever else a developer would look for in vain, a line each. Silent by default. */
  readonly log?: (line: string) => void;
}
