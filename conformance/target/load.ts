import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { clip, count } from '../text.js';
import { readText } from './document.js';
import type { KeyPath, Text } from './document.js';
import { problemsBetween } from './problems.js';
import { overlaid } from './overlay.js';
import type { Origins, Overrides } from './overlay.js';
import { schemaProblems } from './schema.js';
import type { Problem } from './schema.js';
import { SetupError } from '../../src/input/setup-error.js';
import { textFile, textOfBytes } from '../../src/input/file.js';
import { completed } from './completed.js';
import type { Target } from './target.js';

export interface TargetSource {
  /** A YAML or JSON file; `-` is standard input. Left out: flags and environment say everything. */
  readonly file?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly overrides?: Overrides;
  /** The text of standard input; only asked for where `file` is `-`. */
  readonly stdin?: () => Promise<string>;
}

/** The most problems reported at once, and the most characters of each. */
const mostProblems = 20;
const mostWords = 600;

/**
 * The target of a run (control protocol, section 1): flags over the environment over the file, checked against the
 * schema, with defaults.
 *
 * @throws SetupError with every problem at once, each with its place (`target.yaml:12`, `--base-url`,
 *   `GAMEDATA_AUTH_URL`), the key, what is wrong and the remedy
 */
export async function loadTarget(source: TargetSource): Promise<Target> {
  const { file, env, overrides = {} } = source;
  const label = file === '-' ? 'standard input' : file;
  const text = label === undefined ? undefined : readText(await textOf(source), label, env);
  const { value, origins, problems: own } = overlaid(text?.value, env, overrides);

  const unfilled = (text?.unfilled ?? []).filter(({ path }) => originOf(path, origins) === undefined);
  const open = new Set(unfilled.map(({ path }) => keyText(path)));
  const judged = [...schemaProblems(value), ...problemsBetween(value)].filter(({ path }) => !open.has(keyText(path)));
  const all = [
    ...own.map((words) => ({ words, line: 0 })),
    ...[...unfilled, ...judged].map((problem) => problemOf(problem, label, text, origins)),
  ];
  const problems = [...new Set(all.toSorted(byLine).map(({ words }) => clip(words, mostWords)))];
  if (problems.length > mostProblems)
    throw new SetupError(
      ...problems.slice(0, mostProblems),
      `and ${count(problems.length - mostProblems, 'more problem')}`,
    );
  if (problems.length > 0) throw new SetupError(...problems);
  const folder = file === undefined || file === '-' ? '.' : dirname(file);
  return completed(value, (path, key) =>
    path.startsWith('file:') ? fileURLToPath(path) : resolve(origins.has(key) ? '.' : folder, path),
  );
}

async function textOf({ file = '', stdin }: TargetSource): Promise<string> {
  const wanted = 'a target file';
  if (file === '-') return textOfBytes(Buffer.from((await stdin?.()) ?? ''), 'standard input', wanted);
  return textFile(file, wanted, { missing: `gamedata target init --out ${file} writes one to fill in` });
}

interface PlacedProblem {
  readonly words: string;
  readonly line: number;
}

const byLine = (a: PlacedProblem, b: PlacedProblem): number => a.line - b.line;

function problemOf(
  { path, words }: Problem,
  label: string | undefined,
  text: Text | undefined,
  origins: Origins,
): PlacedProblem {
  const key = keyText(path);
  const origin = originOf(path, origins);
  if (origin !== undefined) {
    const own = origins.get(path.join('.')) === origin;
    return { words: own ? `${origin}: ${words}` : `${origin}: ${key}: ${words}`, line: 0 };
  }
  if (!text || label === undefined) return { words: path.length > 0 ? `${key}: ${words}` : words, line: 0 };
  const line = text.line(path);
  return { words: `${label}:${line}: ${path.length > 0 ? `${key}: ` : ''}${words}`, line };
}

/** The flag or variable that a value comes from, or its nearest neighbour where the value is missing. */
function originOf(path: KeyPath, origins: Origins): string | undefined {
  for (let length = path.length; length > 0; length -= 1) {
    const origin = origins.get(path.slice(0, length).join('.'));
    if (origin !== undefined) return origin;
  }
  return undefined;
}

const keyText = (path: KeyPath): string =>
  path.map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${step}`)).join('');
