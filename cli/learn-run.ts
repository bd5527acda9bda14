import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { mermaidOf, svgOf } from '../conformance/machine/draw.js';
import { readMachine } from '../conformance/machine/file.js';
import { learn } from '../conformance/machine/learn.js';
import type { LearnedMachine } from '../conformance/machine/learn.js';
import { readingText } from '../conformance/report/certificate.js';
import { makeFolder, tryFolder } from '../conformance/report/folder.js';
import type { Role } from '../conformance/target/target.js';
import { count, jsonText, line } from '../conformance/text.js';
import { interruption } from './interruption.js';
import { goOnWithoutOutput } from './output.js';
import { textFile } from '../src/input/file.js';
import { targetFrom } from './target-options.js';
import { UsageError } from './usage-error.js';

/** The flags of `gamedata learn` beside those of the target. */
export interface LearnFlags {
  readonly client?: string;
  readonly time?: true;
  readonly compare?: string;
  readonly extraStates?: number;
  readonly maxStates: number;
  readonly budget: number;
  readonly timeLimit: number;
  readonly report?: string;
  readonly json?: boolean;
}

const files = { json: 'machine.json', mermaid: 'machine.mmd', svg: 'machine.svg', scripts: 'differences' } as const;

/**
 * Runs `gamedata learn`: progress while it learns, what was learned, the differences, the files.
 *
 * @returns the exit code
 * @throws SetupError, UsageError where the command line, the target or a file is wrong
 */
export async function learnAndTell(flags: LearnFlags): Promise<number> {
  const { client, time = false, compare, extraStates, maxStates, budget, timeLimit, report: out, json = false } = flags;
  const target = await targetFrom(flags as unknown as Readonly<Record<string, unknown>>);
  const other =
    compare === undefined ? undefined : readMachine(textFile(compare, 'a machine.json', { most: 16 }), compare);
  if (out !== undefined) {
    const problem = await tryFolder(out, { files: [files.json, files.mermaid, files.svg], folders: [files.scripts] });
    if (problem !== undefined) throw new UsageError(`--report ${problem}`);
    goOnWithoutOutput();
  }
  const interrupted = interruption();
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(`it took longer than ${timeLimit} seconds`), timeLimit * 1000);
  let told = 0;
  try {
    const learned = await learn({
      target,
      ...(client !== undefined && { client: client as Role }),
      ...(other && { compare: other }),
      time,
      ...(extraStates !== undefined && { extraStates }),
      maxStates,
      budget,
      signal: AbortSignal.any([interrupted.signal, late.signal]),
      onProgress: ({ states, words, requests }) => {
        if (json || Date.now() - told < 2000) return;
        told = Date.now();
        process.stdout.write(`${count(states, 'state')}, ${count(words, 'sequence')}, ${count(requests, 'request')}\n`);
      },
    });
    if (out !== undefined) await writeAll(learned, out);
    process.stdout.write(json ? `${jsonText(learned)}\n` : summaryOf(learned, out));
    return learned.complete ? (learned.differences.length > 0 ? 1 : 0) : 3;
  } finally {
    clearTimeout(timer);
    interrupted.ignore();
  }
}

async function writeAll(learned: LearnedMachine, out: string): Promise<void> {
  await writeFile(join(out, files.json), `${jsonText(learned)}\n`);
  await writeFile(join(out, files.mermaid), mermaidOf(learned.machine));
  await writeFile(join(out, files.svg), svgOf(learned.machine, `The token lifecycle of ${learned.target.name}`));
  const scripts = learned.differences.flatMap(({ script }) => script ?? []);
  if (scripts.length > 0) await makeFolder(join(out, files.scripts));
  for (const [index, script] of scripts.entries())
    await writeFile(join(out, files.scripts, `${index + 1}.sh`), script, { mode: 0o755 });
}

function summaryOf(learned: LearnedMachine, out: string | undefined): string {
  const { states, inputs, words, steps, requests, seconds, readings, differences, compared, verdict, client } = learned;
  const from = compared === 'the contract' ? 'violations of the contract' : 'differences from the other machine';
  return `${[
    `${count(states, 'state')}, ${count(inputs, 'input')} of client ${client}: ${count(words, 'sequence')} of ${count(steps, 'step')}, ${count(requests, 'request')}, ${seconds} s`,
    ...readings.map((one) => `  ${line(readingText(one), 120)}`),
    `${differences.length === 0 ? 'No' : differences.length} ${from}`,
    ...differences.flatMap(({ text, expected, got, concerns }, index) => [
      `  ${index + 1}. ${line(text, 400)}`,
      `     expected ${line(expected, 200)}; got ${line(got, 200)} (${concerns})`,
    ]),
    verdict,
    ...(out === undefined ? [] : [`Written to ${out}`]),
  ].join('\n')}\n`;
}
