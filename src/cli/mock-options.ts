import { visible } from '../../conformance/text.js';
import type { Edition } from '../contract/index.js';
import { editions } from '../contract/index.js';
import type { MockOptions } from '../server/mock.js';
import { UsageError } from './usage-error.js';

/** The flags of `gamedata mock` as they were read. */
export interface MockFlags {
  readonly port?: number;
  readonly host: string;
  readonly allowHost?: readonly string[];
  readonly seed: number;
  readonly epoch?: string;
  readonly edition: string;
  readonly flag?: Readonly<Record<string, boolean>>;
  readonly set?: Readonly<Record<string, string>>;
  readonly fixtures?: string;
  readonly autoApprove?: boolean | string;
  readonly cors?: boolean;
  readonly controlToken?: string;
  readonly stashChanges?: number;
  readonly exchangeHours?: number;
  readonly json?: boolean;
  readonly writeTarget?: boolean | string;
  readonly exec?: boolean;
}

const defaultPort = 4010;

/** The options of the server. A command to run needs no port that anyone knows, so it gets any. */
export function mockOptions(flags: MockFlags, log: (line: string) => void): MockOptions {
  return {
    port: flags.port ?? (flags.exec ? 0 : defaultPort),
    host: flags.host,
    allowHosts: flags.allowHost ?? [],
    seed: flags.seed,
    epoch: flags.epoch ?? null,
    edition: flags.edition,
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
    log: (line) => log(visible(line)),
  };
}

/** The edition flags that are on. The server has refused unknown names by then. */
export function flagsOn({ edition, flag = {} }: MockFlags): ReadonlySet<string> {
  const on = new Set<string>(editions[edition as Edition]);
  for (const [name, state] of Object.entries(flag)) on[state ? 'add' : 'delete'](name);
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
    throw new UsageError(
      `${words[0]} is no option; to run a command against the mock, write --exec -- ${words.join(' ')}`,
    );
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
