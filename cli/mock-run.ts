import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';

import { paintFor, terminalOf } from '../conformance/report/terminal.js';
import { jsonText } from '../conformance/text.js';
import type { Mock } from '../src/server/mock.js';
import { readSwitches } from '../src/server/switches.js';
import { execute } from './exec.js';
import { environmentOf, gatherFacts } from '../src/server/facts.js';
import type { MockFlags } from './mock-options.js';
import {
  checkTogether,
  editionOf,
  flagsOn,
  mockOptions,
  rulesOf,
  switchesOf,
  targetPlace,
  withSnapshot,
} from './mock-options.js';
import { placed } from './rules-file.js';
import { writeReadyFile } from './ready-file.js';
import { requestLine } from './request-log.js';
import { firstScreen } from './screen.js';
import { targetText } from '../src/server/target-file.js';
import { untilStopped } from './until-stopped.js';
import { UsageError } from './usage-error.js';
import { packageVersion } from './version.js';

/** Runs `gamedata mock`. Resolves to its exit code. */
export async function runMock(given: MockFlags, words: readonly string[]): Promise<number> {
  checkTogether(given, words);
  const { flags, snapshot } = withSnapshot(given);
  const { startMock } = await import('../src/server/mock.js');
  const rules = rulesOf(flags);
  const mock = await startMock(
    mockOptions(flags, (line) => process.stderr.write(`gamedata: ${line}\n`), rules, snapshot),
  ).catch((error: unknown) => {
    throw placed(error, { ...rules });
  });
  let remove = (): void => {};
  try {
    const on = flagsOn(flags);
    const facts = await gatherFacts(mock, {
      version: packageVersion(),
      edition: editionOf(flags),
      controlToken: flags.controlToken,
      publicUrl: flags.publicUrl,
      flags: on,
    });
    const place = targetPlace(flags);
    // Before anyone can read that the mock is there, and ask it to stop. With --exec, the command gets the signals.
    const stopped = flags.exec ? undefined : untilStopped();
    if (place !== null) await writeTarget(place, mock, flags, on);
    remove = flags.readyFile === undefined ? remove : await writeReadyFile(flags.readyFile, facts);
    if (!stopped) return await execute(words, { ...environmentOf(facts), ...ownEnvironment(flags, place) });
    const paint = paintFor(terminalOf(process.stdout, process.env));
    const bare = flags.json || place === '-';
    if (flags.json) process.stdout.write(`${jsonText(facts)}\n`);
    else if (!bare) process.stdout.write(flags.quiet ? `${facts.baseUrl}\n` : firstScreen(facts, paint));
    // Between replicas, a request that somebody listens to would have to wait for its place in their order.
    if (!bare && !flags.quiet && flags.store === undefined)
      mock.exchanges.subscribe((record) => void process.stdout.write(requestLine(record, paint) ?? ''));
    return await stopped;
  } finally {
    remove();
    await mock.close();
  }
}

const ownEnvironment = ({ controlToken }: MockFlags, place: string | null): Record<string, string> => ({
  ...(controlToken !== undefined && { GAMEDATA_CONTROL_TOKEN: controlToken }),
  ...(place !== null && { GAMEDATA_TARGET: resolve(place) }),
});

/** @throws UsageError if the file cannot be written. */
async function writeTarget(place: string, mock: Mock, given: MockFlags, flags: ReadonlySet<string>): Promise<void> {
  const { url, controlUrl, world } = mock;
  const { controlToken } = given;
  const switches = readSwitches(switchesOf(given));
  const text = targetText({ url, controlUrl, controlToken, flags, switches, world });
  if (place === '-') {
    process.stdout.write(text);
    return;
  }
  await writeOwn(place, text).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(
      error.code === 'EEXIST'
        ? `--write-target ${place}: the file exists and is not one that gamedata mock wrote; name another one, or remove it`
        : `--write-target ${place}: cannot be written (${error.code ?? error.message}); name a file in a folder that exists`,
    );
  });
}

/**
 * Writes a file that nobody else may read, for it holds the secrets of clients and perhaps the control token. Of files
 * that exist it replaces those that begin as its own do: what a person wrote stays.
 */
async function writeOwn(place: string, text: string): Promise<void> {
  const [mark = ''] = text.split('\n');
  const file = await open(place, (await isOwn(place, mark)) ? 'w' : 'wx', 0o600);
  try {
    if ((await file.stat()).isFile()) await file.chmod(0o600); // it may have been there with another mode
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}

/** Whether a file is there that a mock wrote, or one that holds nothing, such as a pipe. */
async function isOwn(place: string, mark: string): Promise<boolean> {
  const found = await stat(place).catch(() => null);
  if (!found?.isFile()) return found !== null;
  if (found.size === 0) return true;
  const file = await open(place, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(mark.length), 0, mark.length, 0);
    return buffer.toString('utf8', 0, bytesRead) === mark;
  } finally {
    await file.close();
  }
}
