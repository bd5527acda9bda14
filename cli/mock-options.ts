import { visible } from '../conformance/text.js';
import type { FaultRule, LimitChoice } from '../src/client/index.js';
import type { Edition } from '../src/contract/index.js';
import { editions } from '../src/contract/index.js';
import type { SnapshotFile } from '../src/client/index.js';
import type { MockOptions } from '../src/server/mock.js';
import { profileOf } from '../src/server/profile.js';
import type { InterfaceFlags } from './interface-options.js';
import type { RulesFile } from './rules-file.js';
import { readRules } from './rules-file.js';
import { jsonFile } from '../src/input/file.js';
import { complaintOf } from '../src/server/setting.js';
import { UsageError } from './usage-error.js';

/** The flags of `gamedata mock` as they were read. */
export interface MockFlags extends InterfaceFlags {
  readonly port?: number;
  readonly host: string;
  readonly allowHost?: readonly string[];
  readonly seed: number;
  readonly epoch?: string;
  readonly fixtures?: string;
  readonly snapshot?: string;
  readonly autoApprove?: boolean | string;
  readonly cors?: boolean;
  readonly controlToken?: string;
  readonly stashChanges?: number;
  readonly exchangeHours?: number;
  readonly limits?: string;
  readonly faults?: string;
  readonly journal?: boolean;
  readonly store?: string;
  readonly publicUrl?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly readyFile?: string;
  readonly writeTarget?: boolean | string;
  readonly exec?: boolean;
}

const defaultPort = 4010;

/** The options of the server. A command to run needs no port that anyone knows, so it gets any. */
export function mockOptions(
  flags: MockFlags,
  log: (line: string) => void,
  rules: Rules = {},
  snapshot?: SnapshotFile,
): MockOptions {
  return {
    port: flags.port ?? (flags.exec ? 0 : defaultPort),
    host: flags.host,
    allowHosts: flags.allowHost ?? [],
    seed: flags.seed,
    epoch: flags.epoch ?? null,
    ...(flags.profile !== undefined && { profile: flags.profile }),
    edition: editionOf(flags),
    ...(snapshot && { snapshot }),
    flags: flags.flag ?? {},
    switches: flags.set ?? {},
    fixtures: flags.fixtures ?? null,
    autoApprove: flags.autoApprove ?? false,
    cors: flags.cors ?? false,
    controlToken: flags.controlToken,
    volume: {
      ...(flags.stashChanges !== undefined && { stashChanges: flags.stashChanges }),
      ...(flags.exchangeHours !== undefined && { exchangeHours: flags.exchangeHours }),
    },
    ...(rules.limits && { limits: rules.limits.value as LimitChoice }),
    ...(flags.limits !== undefined && !rules.limits && { limits: flags.limits as LimitChoice }),
    ...(rules.faults && { faults: rules.faults.value as readonly FaultRule[] }),
    // Where somebody looks on. Programs that start a mock say so, and pay nothing for what nobody reads.
    journal: flags.journal ?? !(flags.quiet || flags.json || flags.store !== undefined),
    ...(flags.store !== undefined && { store: flags.store }),
    ...(flags.publicUrl !== undefined && { publicUrl: flags.publicUrl }),
    log: (line) => log(visible(line)),
  };
}

/** The files that `--limits` and `--faults` name. */
export interface Rules {
  readonly limits?: RulesFile;
  readonly faults?: RulesFile;
}

/** @throws UsageError, or SetupError, for a file that cannot be read */
export function rulesOf({ limits, faults }: MockFlags): Rules {
  return {
    ...(limits !== undefined && !named.includes(limits) && { limits: readRules('--limits', limits) }),
    ...(faults !== undefined && { faults: readRules('--faults', faults) }),
  };
}

/** What `--limits` takes beside a file. */
const named = ['observed', 'realistic', 'off'];

export const editionOf = ({ edition, profile = 'described' }: InterfaceFlags): string =>
  edition ?? profileOf(profile).edition;

/** Every switch that is set: by the profile, and over it by `--set`. */
export const switchesOf = ({ set = {}, profile = 'described' }: InterfaceFlags): Readonly<Record<string, unknown>> => ({
  ...profileOf(profile).switches,
  ...set,
});

/** MiB: what the control call takes too. */
const mostOfSnapshot = 64;

/**
 * The snapshot to begin with, and the flags with the settings that it was made with in place of their own.
 * @throws SetupError, UsageError if there is no snapshot there; the rest of what it says is checked when the mock starts
 */
export function withSnapshot(flags: MockFlags): { readonly flags: MockFlags; readonly snapshot?: SnapshotFile } {
  const { snapshot: file } = flags;
  if (file === undefined) return { flags };
  const snapshot = jsonFile(file, 'a file that mock.snapshots.export gave', { most: mostOfSnapshot }) as SnapshotFile;
  const complaint = complaintOf('SnapshotFile', snapshot);
  if (complaint) {
    const place = complaint.pointer.join('.');
    const rule = `${place === '' ? 'it' : place} ${complaint.rule.replace(/; add it$/, '')}`;
    throw new UsageError(`--snapshot ${file} is not a file that mock.snapshots.export gave: ${rule}`);
  }
  const { seed, epoch, edition, flags: flag, switches } = snapshot.settings;
  const set = Object.fromEntries(Object.entries(switches).map(([name, value]) => [name, String(value)]));
  return { flags: { ...flags, seed, epoch, edition, flag, set }, snapshot };
}

/** The edition flags that are on. The server has refused unknown names by then. */
export function flagsOn(flags: MockFlags): ReadonlySet<string> {
  const on = new Set<string>(editions[editionOf(flags) as Edition]);
  for (const [name, state] of Object.entries(flags.flag ?? {})) on[state ? 'add' : 'delete'](name);
  return on;
}

/** Where the target file goes: a path, `-` for standard output, or null for nowhere. */
export function targetPlace({ writeTarget = false }: MockFlags): string | null {
  if (writeTarget === false) return null;
  return writeTarget === true ? 'target.yaml' : writeTarget;
}

/** @throws UsageError for flags that do not go together. */
export function checkTogether(flags: MockFlags, words: readonly string[]): void {
  if (words.length > 0 && !flags.exec) {
    // npm takes `--port` for itself, and leaves the number.
    if (/^\d+$/.test(words[0]!))
      throw new UsageError(`unexpected argument ${words[0]}; to choose a port, write npm start -- --port ${words[0]}`);
    throw new UsageError(
      `unexpected argument ${words[0]}; to run a command against the mock, write --exec -- ${words.join(' ')}`,
    );
  }
  const own = ['epoch', 'edition', 'profile', 'flag', 'set'].find(
    (name) => flags[name as keyof MockFlags] !== undefined,
  );
  const other = own ?? (flags.seed === 1 ? undefined : 'seed');
  if (flags.snapshot !== undefined && other !== undefined) {
    throw new UsageError(`--snapshot brings a ${other} of its own; leave --${other} out`);
  }
  if (flags.exec && words.length === 0) {
    throw new UsageError('--exec is followed by no command; write --exec -- <command> [arguments]');
  }
  if (flags.exec && flags.json) {
    throw new UsageError(
      '--exec leaves standard output to the command, so leave --json out; the command finds all in its environment',
    );
  }
  if (targetPlace(flags) === '-' && (flags.json || flags.exec)) {
    throw new UsageError(
      `--write-target - and ${flags.json ? '--json' : '--exec'} both write to standard output; give --write-target a file`,
    );
  }
}
