import { existsSync } from 'node:fs';
import { Command, Option } from 'commander';

import { loadTarget } from '../conformance/target/load.js';
import { settings, targetVariable } from '../conformance/target/settings.js';
import type { Target } from '../conformance/target/target.js';
import { quoted } from './quoted.js';
import { UsageError } from './usage-error.js';

/** Gives a command the flags that say which server it is about: a target file, and settings over it, or `only` some of these. */
export function withTargetOptions(command: Command, only?: readonly string[]): Command {
  command
    .optionsGroup('Target:')
    .option('--target <file>', 'target file, YAML or JSON; - is standard input (gamedata target init writes one)');
  for (const { path, flag, value, help, kind } of settings) {
    if (flag === undefined || (only && !only.includes(flag))) continue;
    const option = new Option(value === undefined ? `--${flag}` : `--${flag} ${value}`, help);
    if (kind === 'pairs') option.argParser((text: string, earlier: string[] = []) => [...earlier, text]);
    command.addOption(option.helpGroup(path[0] === 'clients' ? 'Clients of the target:' : 'Target:'));
  }
  return command.addHelpText('after', '\nEnvironment: see gamedata help environment');
}

/** Whether flags or the environment name a server, in a target file or by its address. */
export const namesServer = (
  options: Readonly<Record<string, unknown>>,
  env: Dependencies['env'] = process.env,
): boolean => [options.target, options.baseUrl, env[targetVariable], env.GAMEDATA_BASE_URL].some(Boolean);

/** Requests a second of a safe run where nobody says how many. */
const safeRate = 5;

/** The target with the rate that a run was asked for: by `--rate`, else by the target itself, else that of a safe run. */
export function withRate(
  target: Target,
  { safe, rate }: { readonly safe?: boolean | undefined; readonly rate?: number | undefined },
): Target {
  const { per_second: declared } = target.budget;
  const perSecond = rate ?? (declared > 0 ? declared : safe ? safeRate : 0);
  return { ...target, budget: { ...target.budget, per_second: perSecond } };
}

/** What flags say of the target over its file, by the flag without its dashes. */
export type Overrides = Readonly<Record<string, string | readonly string[] | boolean>>;

const overridesOf = (options: Readonly<Record<string, unknown>>): Overrides =>
  Object.fromEntries(
    settings.flatMap(({ flag }) => {
      const given = flag === undefined ? undefined : options[camelCase(flag)];
      return flag === undefined || given === undefined ? [] : [[flag, given as string | string[] | boolean]];
    }),
  );

/** The flags of a command that another one needs to test the same target. Secrets are not kept. */
export const repeatable = (options: Readonly<Record<string, unknown>>): Overrides =>
  Object.fromEntries(Object.entries(overridesOf(options)).filter(([flag]) => !/secret|token/.test(flag)));

/** The same as options of a command. */
export const optionsOf = (overrides: Overrides): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(overrides).map(([flag, value]) => [camelCase(flag), value]));

/** The same as they are written on a command line, each after a space. */
const written = (overrides: Overrides): string =>
  Object.entries(overrides)
    .flatMap(([flag, value]) =>
      typeof value === 'boolean' ? [`--${flag}`] : [value].flat().map((one) => `--${flag} ${quoted(one)}`),
    )
    .map((text) => ` ${text}`)
    .join('');

/** The settings that were flags, for a line that a shell runs again; a secret as the variable of the environment that gives it. */
export const typedAgain = (options: Readonly<Record<string, unknown>>): string => {
  const given = overridesOf(options);
  const kept = repeatable(options);
  const secrets = settings.flatMap(({ flag, env }) =>
    flag !== undefined && flag in given && !(flag in kept) ? [` --${flag} "$${env}"`] : [],
  );
  return written(kept) + secrets.join('');
};

/** Where settings come from, beside the flags. */
export interface Dependencies {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<string | Uint8Array>;
}

/**
 * The target that a command's flags, the environment and the target file make together.
 *
 * @throws UsageError where nothing names a server; SetupError with every problem of the settings
 */
export async function targetFrom(
  options: Readonly<Record<string, unknown>>,
  { env, stdin }: Dependencies = process,
): Promise<Target> {
  const overrides = overridesOf(options);
  if (options.target === '') throw new UsageError('--target: is empty; name a target file, or - for standard input');
  const file = typeof options.target === 'string' ? options.target : env[targetVariable] || undefined;
  if (file === undefined && overrides['base-url'] === undefined && !env.GAMEDATA_BASE_URL) {
    const here = existsSync('target.yaml') ? '; there is a target.yaml here: --target target.yaml' : '';
    throw new UsageError(
      `name the server to test with --target <file> or --base-url <url>; gamedata target init writes a target file to fill in${here}`,
    );
  }
  return loadTarget({ file, env, overrides, stdin: () => textOf(stdin) });
}

const camelCase = (flag: string): string => flag.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

async function textOf(stdin: AsyncIterable<string | Uint8Array>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
