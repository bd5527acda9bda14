import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';

import { meant } from '../../src/input/nearest.js';
import { SetupError } from '../../src/input/setup-error.js';
import { textFile } from '../../src/input/file.js';
import { readYaml } from '../../src/input/yaml.js';
import { line } from '../text.js';
import { nameProblem } from './client.js';

/** What cannot be seen of a client: `client.yaml`. */
export interface ClientPlan {
  /** The command that starts it. */
  readonly start?: readonly string[];
  /** The command that starts it again, with what it stored. */
  readonly again?: readonly string[];
  /** Names of its own for what it is told: `API_URL: base_url`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Folder that it is started in; that of the plan unless told. */
  readonly cwd?: string;
  /** `auto` redirects at once in place of the consent page. */
  readonly consent?: 'form' | 'auto';
  /** Redirect URIs that it is registered with. */
  readonly redirectUris?: readonly string[];
  /** Seconds that a start may take. */
  readonly timeLimit?: number;
  /** It runs until it is stopped: seconds after which it is. */
  readonly stopAfter?: number;
  /** Exit codes that are success; 0 unless told. */
  readonly success?: readonly number[];
  /** Copies of it at once, in worlds of their own; none unless told. */
  readonly copies?: number;
}

/** A key of a plan: what it takes, as a clear message and as JSON Schema, and what is made of a value that fits. */
interface Key {
  readonly takes: string;
  readonly schema: object;
  readonly make: (value: never) => Partial<ClientPlan>;
}

/** A line for the shell, or a list of words. */
const command = {
  takes: 'a line for the shell, or a list of words',
  schema: {
    anyOf: [
      { type: 'string', pattern: '\\S' },
      { type: 'array', items: { type: 'string' }, minItems: 1 },
    ],
  },
};
const seconds = { takes: 'seconds, 1 to 3600', schema: { type: 'number', minimum: 1, maximum: 3600 } };

const keys: Readonly<Record<string, Key>> = {
  start: { ...command, make: (value: string | string[]) => ({ start: words(value) }) },
  again: { ...command, make: (value: string | string[]) => ({ again: words(value) }) },
  env: {
    takes: 'a table of texts',
    schema: { type: 'object', additionalProperties: { type: 'string' } },
    make: (env: Record<string, string>) => ({ env }),
  },
  cwd: { takes: 'a folder', schema: { type: 'string' }, make: (cwd: string) => ({ cwd }) },
  consent: {
    takes: 'form or auto',
    schema: { enum: ['form', 'auto'] },
    make: (consent: 'form' | 'auto') => ({ consent }),
  },
  redirect_uris: {
    takes: 'a list of addresses, such as [http://127.0.0.1:8080/callback]',
    schema: { type: 'array', items: { type: 'string', format: 'uri' } },
    make: (redirectUris: string[]) => ({ redirectUris }),
  },
  copies: {
    takes: 'how many run at once, 2 to 64',
    schema: { type: 'integer', minimum: 2, maximum: 64 },
    make: (copies: number) => ({ copies }),
  },
  time_limit: { ...seconds, make: (timeLimit: number) => ({ timeLimit }) },
  stop_after: { ...seconds, make: (stopAfter: number) => ({ stopAfter }) },
  success: {
    takes: 'a list of exit codes, such as [0, 3]',
    schema: { type: 'array', items: { type: 'integer', minimum: 0, maximum: 255 }, minItems: 1 },
    make: (success: number[]) => ({ success }),
  },
};

/** The published JSON Schema of a client plan. */
export const planSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Client plan of gamedata audit',
  type: ['object', 'null'],
  properties: Object.fromEntries(
    Object.entries(keys).map(([key, { takes, schema }]) => [key, { description: takes, ...schema }]),
  ),
  additionalProperties: false,
};

const ajv = new Ajv({ strict: false });
ajv.addFormat('uri', (value) => URL.canParse(value));

const names = Object.keys(keys).join(', ');
const about = `a client plan: ${names}`;

/** @throws SetupError that names the file, the key and what it takes. */
export function readPlan(file: string): ClientPlan {
  const yaml = readYaml(textFile(file, about), file);
  const value = yaml.value() ?? {};
  if (!isRecord(value)) throw new SetupError(`${file}: a client plan is a table; its keys are ${names}`);
  const problems: string[] = [];
  const parts = Object.entries(value).map(([key, given]) => {
    const place = `${file}:${yaml.lineOf([key]) ?? 1}`;
    const found = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (!found) {
      const near = meant(key.replaceAll('-', '_'), Object.keys(keys));
      problems.push(`${place}: "${line(key, 40)}" is not a key of a client plan${near}; the keys are ${names}`);
    } else if (ajv.validate(found.schema, given)) return found.make(given as never);
    else problems.push(`${place}: ${key} is ${line(JSON.stringify(given), 60)}; write ${found.takes}`);
    return {};
  });
  if (problems.length > 0) throw new SetupError(...problems);
  const plan: ClientPlan = Object.assign({}, ...parts) as ClientPlan;
  const strange = Object.entries(plan.env ?? {}).flatMap(([name, text]) => {
    const problem = nameProblem(name, text);
    return problem === undefined ? [] : [`${file}:${yaml.lineOf(['env', name]) ?? 1}: ${problem}`];
  });
  if (strange.length > 0) throw new SetupError(...strange);
  const cwd = resolve(dirname(file), plan.cwd ?? '.');
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    throw new SetupError(`${file}: cwd: ${line(cwd, 200)} is no folder; name the one that the client is started in`);
  return { ...plan, cwd };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const words = (value: string | string[]): readonly string[] =>
  typeof value === 'string' ? ['/bin/sh', '-c', value] : value;
