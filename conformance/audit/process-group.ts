import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where the kernel's control groups are mounted. */
const root = '/sys/fs/cgroup';

/**
 * A control group of the kernel (cgroups 1 and 2) for a command: whatever it starts is in it, with whatever session and
 * environment. Where there is none that we may write to, which is usual for a user without delegation, it holds nobody,
 * and a process that leaves its session and cleans its environment outlives the run.
 */
export class ProcessGroup {
  readonly #folder: string | undefined;

  constructor(id: string, pid: number) {
    this.#folder = folders()
      .map((folder) => join(folder, `gamedata-audit-${id}`))
      .find((folder) => holds(folder, pid));
  }

  /** Whether there is a group. */
  get holds(): boolean {
    return this.#folder !== undefined;
  }

  /** Ends all that are in it, also what they start meanwhile. */
  async end(): Promise<void> {
    if (this.#folder === undefined) return;
    for (let tries = 0; tries < 50; tries += 1) {
      const pids = pidsOf(this.#folder);
      for (const pid of pids) kill(pid);
      if (pids.length === 0 && removed(this.#folder)) return;
      await sleep(20);
    }
  }
}

/** The groups that this process is in, of the hierarchies that count processes. */
function folders(): string[] {
  if (!existsSync('/proc/self/cgroup')) return [];
  return readFileSync('/proc/self/cgroup', 'utf8')
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, names, path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
      if (path === undefined || (names !== '' && names !== 'pids')) return [];
      return [join(root, names ?? '', path)];
    });
}

/** Makes the group and puts the process into it. */
function holds(folder: string, pid: number): boolean {
  try {
    mkdirSync(folder);
    // Where nothing is mounted this is an ordinary folder, without the kernel's files.
    if (existsSync(join(folder, 'cgroup.procs'))) {
      writeFileSync(join(folder, 'cgroup.procs'), String(pid));
      return true;
    }
  } catch {
    // Not ours to write to.
  }
  removed(folder);
  return false;
}

function pidsOf(folder: string): number[] {
  try {
    return readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function removed(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return !existsSync(folder);
  }
}
