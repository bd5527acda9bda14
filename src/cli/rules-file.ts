import { readFileSync, statSync } from 'node:fs';

import { readYaml } from '../../conformance/target/yaml.js';
import type { Yaml } from '../../conformance/target/yaml.js';
import { SettingProblem } from '../server/setting.js';
import { UsageError } from './usage-error.js';

/** A file of fault rules or limits, YAML or JSON. */
export interface RulesFile {
  readonly path: string;
  readonly value: unknown;
  readonly yaml: Yaml;
}

const mostBytes = 1 << 20;

/** @throws UsageError, or SetupError with the line, for a file that cannot be read */
export function readRules(option: string, path: string): RulesFile {
  const yaml = readYaml(textOf(option, path), path);
  const value: unknown = yaml.document?.toJS();
  if (value === undefined || value === null) throw new UsageError(`${path}: is empty; see gamedata mock --help`);
  return { path, value, yaml };
}

function textOf(option: string, path: string): string {
  try {
    if (statSync(path).size > mostBytes)
      throw new UsageError(`${option} ${path}: is larger than 1 MiB; check that it is the right file`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `${option} ${path}: cannot be read (${code ?? message}); name a file that exists${option === '--limits' ? ', or observed, realistic or off' : ''}`,
    );
  }
}

/** Says in which file and line a problem is, where it came from one of `files`. */
export function placed(error: unknown, files: Readonly<Record<string, RulesFile | undefined>>): unknown {
  const file = error instanceof SettingProblem ? files[error.part] : undefined;
  if (!file || !(error instanceof SettingProblem)) return error;
  return new UsageError(`${file.path}:${lineOf(file, error)}: ${error.message}`);
}

/** The line of the value, or of the nearest thing around it. */
function lineOf({ yaml }: RulesFile, { pointer }: SettingProblem): number {
  for (let depth = pointer.length; depth > 0; depth -= 1) {
    const node: unknown = yaml.document?.getIn(pointer.slice(0, depth), true);
    const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : null;
    if (Array.isArray(range)) return yaml.lineAt(Number(range[0]));
  }
  return 1;
}
