import { execFileSync, spawn } from 'node:child_process';

/** Whether the machine has a program. */
export function onPath(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export interface Ran {
  /** 127 where it did not start, 1 where it was ended. */
  readonly code: number;
  /** Both streams, in the order in which they came. */
  readonly output: string;
  readonly printed: string;
  /** Whether it was ended for the time it took. */
  readonly late: boolean;
}

/** Runs a command of the shell, for at most 15 minutes unless told otherwise. */
export function shell(
  command: string,
  cwd: string,
  env: Readonly<Record<string, string>> = {},
  timeout = 900_000,
): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', command], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout,
      env: { ...process.env, ...env, NO_COLOR: '1' },
    });
    let [output, printed] = ['', ''];
    child.stdout.on('data', (data: Buffer) => ((output += data.toString()), (printed += data.toString())));
    child.stderr.on('data', (data: Buffer) => (output += data.toString()));
    child.on('error', (error) => resolve({ code: 127, output: error.message, printed, late: false }));
    child.on('close', (code) => resolve({ code: code ?? 1, output, printed, late: child.killed }));
  });
}
