import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

import { sha256 } from './run.js';

/** Files as they are somewhere: in a commit, or in the working tree. */
export interface Tree {
  /** The text of a file; undefined where there is none. */
  read(path: string): string | undefined;
}

const answers = new Map<string, string>();

/** What git says; of commits it always says the same. */
function git(...args: readonly string[]): string {
  const key = args.join('\0');
  const known = answers.get(key);
  if (known !== undefined) return known;
  const answer = execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'pipe'] });
  answers.set(key, answer);
  return answer;
}

export const workingTree: Tree = { read: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined) };

export const treeAt = (commit: string): Tree => ({
  read(path) {
    try {
      return git('show', `${commit}:${path}`);
    } catch {
      return undefined;
    }
  },
});

/** Tests, examples and prose decide nothing. */
const decides = (path: string): boolean =>
  !/[.](?:test|fixture)[.]ts$|[.]md$|(?:^|[/])(?:results|machine)[.]json$/.test(path);

/** SHA-256 of the names and contents of the files of a commit that lie in folders, or of one file. */
export function digestOf(commit: string, paths: readonly string[]): string {
  const lines = paths.flatMap((path) =>
    git('ls-tree', '-r', commit, '--', path)
      .split('\n')
      .filter(Boolean)
      .flatMap((line) => {
        const [about = '', name = ''] = line.split('\t');
        return decides(name) ? [`${about.split(' ')[2]} ${name.slice(path.lastIndexOf('/') + 1)}`] : [];
      }),
  );
  return sha256(lines.toSorted().join('\n'));
}

export interface Version {
  readonly commit: string;
  /** ISO 8601, UTC. */
  readonly date: string;
  /** Where the file was. */
  readonly path: string;
  readonly text: string;
}

/** The versions of a file through its names, the newest first. A version that only moved counts as of its first commit. */
export function versionsOf(file: string): readonly Version[] {
  const entries = git('log', '--follow', '--format=>%H %ct', '--name-only', '--', file)
    .split('>')
    .filter(Boolean)
    .map((entry) => entry.trim().split(/\s+/))
    .map(([commit = '', time = '', path = '']) => ({
      commit,
      date: new Date(Number(time) * 1000).toISOString(),
      path,
      text: treeAt(commit).read(path) ?? '',
    }));
  return entries.filter(({ text }, index) => text !== '' && text !== entries[index + 1]?.text);
}

export const headCommit = (): string => git('rev-parse', 'HEAD').trim();
