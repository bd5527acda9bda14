import { textFile } from '../src/input/file.js';
import { meant } from '../src/input/nearest.js';
import { readYaml } from '../src/input/yaml.js';
import type { Yaml } from '../src/input/yaml.js';
import { SettingProblem } from '../src/server/setting.js';
import { UsageError } from './usage-error.js';

/** A file of fault rules or limits, YAML or JSON. */
export interface RulesFile {
  readonly path: string;
  readonly value: unknown;
  readonly yaml: Yaml;
}

/** @throws UsageError, or SetupError with the line, for a file that cannot be read */
export function readRules(option: '--limits' | '--faults', path: string): RulesFile {
  const wanted = option === '--limits' ? 'a file of limits, or observed, realistic or off' : 'a file of fault rules';
  const missing = `name ${wanted}${option === '--limits' ? meant(path, ['observed', 'realistic', 'off']) : ''}`;
  const yaml = readYaml(textFile(path, wanted, { missing }), path);
  const value = yaml.value();
  if (value === undefined || value === null) throw new UsageError(`${path}: is empty; see gamedata mock --help`);
  return { path, value, yaml };
}

/** Says in which file and line a problem is, where it came from one of `files`. */
export function placed(error: unknown, files: Readonly<Record<string, RulesFile | undefined>>): unknown {
  const file = error instanceof SettingProblem ? files[error.part] : undefined;
  if (!file || !(error instanceof SettingProblem)) return error;
  return new UsageError(`${file.path}:${file.yaml.lineOf(error.pointer) ?? 1}: ${error.message}`);
}
