import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { command as usual } from '../../command.fixture.js';

/** A mock in a process of its own, that can be killed and paused. */
export interface MockProcess {
  readonly url: string;
  readonly port: number;
  readonly process: ChildProcess;
  /** What it has said on standard error. */
  readonly said: () => string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** Runs `gamedata mock`, or that of `command`. @throws Error with what it said if it ends before it serves */
export async function startProcess(
  options: readonly string[],
  command: readonly string[] = usual,
): Promise<MockProcess> {
  const child = spawn(process.execPath, [...command, 'mock', '--json', ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (part: Buffer) => (said += part.toString()));
  let text = '';
  for await (const line of createInterface({ input: child.stdout })) {
    text += line;
    const facts = parsed(text);
    if (!facts) continue;
    return {
      url: facts.baseUrl,
      port: Number(new URL(facts.baseUrl).port),
      process: child,
      said: () => said,
      kill: async (signal) => {
        const ended = once(child, 'exit');
        child.kill(signal);
        await ended;
      },
    };
  }
  throw new Error(`gamedata mock ended: ${said}`);
}

function parsed(text: string): { baseUrl: string } | null {
  try {
    return JSON.parse(text) as { baseUrl: string };
  } catch {
    return null; // more lines to come
  }
}
