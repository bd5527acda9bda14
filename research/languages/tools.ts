import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../scripts/generate/document.js';

/** A generator or an OAuth library in one folder of research/languages, as its tool.json says. */
export interface Tool {
  /** The folder's name. */
  readonly id: string;
  readonly kind: 'client' | 'oauth';
  readonly name: string;
  readonly version: string;
  readonly language: string;
  /** The form of the contract that it reads. */
  readonly reads?: '3.1' | '3.0';
  /** Commands that a machine must have, each with the argument that makes it say its version. */
  readonly needs: Readonly<Record<string, string>>;
  /** What is run in the folder, in this order. */
  readonly commands: Readonly<Partial<Record<Step, string>>>;
  /** The program of all steps. */
  readonly program: string;
  /** Of the generator to take for its language: the short program that readers copy, and what compiles and runs it. */
  readonly example?: { readonly program: string; readonly run: string };
  /** What has to be set for it to work, in words. */
  readonly notes?: readonly string[];
}

/** The commands of a tool. `compile` and `run` are all that an OAuth library has after `install`. */
export const steps = ['install', 'generate', 'compile', 'run'] as const;
export type Step = (typeof steps)[number];

/** What a program prints, a line each, begins with these. */
export const prints = {
  client: ['client credentials', 'refresh', 'character', 'ladder', 'stream'],
  oauth: ['code', 'refresh', 'client credentials', 'revocation'],
} as const;

/** Where each tool is tried, and where its downloads stay. */
export const workshop = join(root, 'dist', 'languages');
export const folder = join(root, 'research', 'languages');

/**
 * Every tool, generators first, in the order of their languages.
 * @throws Error for a version that neither its manifest nor its commands pin.
 */
export function readTools(): Tool[] {
  const tools = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name: id }) => {
      const files = readdirSync(join(folder, id), { recursive: true, withFileTypes: true })
        .filter((file) => file.isFile())
        .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'));
      const tool = { id, ...(JSON.parse(readFileSync(join(folder, id, 'tool.json'), 'utf8')) as Omit<Tool, 'id'>) };
      const pinned = files.join('\n').split(tool.version).length > 2;
      if (!pinned) throw new Error(`research/languages/${id}: nothing in the folder pins version ${tool.version}`);
      return tool;
    });
  const rank = ({ kind, language, name }: Tool): string => `${kind} ${language} ${name}`;
  return tools.sort((one, other) => rank(one).localeCompare(rank(other)));
}

/** The lines of a program that say what it does: imports, blank lines and lone brackets are not counted. */
export function statementsOf(source: string): string[] {
  // Go groups its imports.
  const rest = source.replace(/^import \($[^)]*^\)$/m, '');
  const idle = /^\s*([)}\]];?)*\s*$|^(import|from|use|package)\b/;
  return rest.split('\n').filter((line) => !idle.test(line));
}
