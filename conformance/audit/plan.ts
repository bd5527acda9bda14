import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { SetupError } from '../../src/input/setup-error.js';
import { textFile } from '../../src/input/file.js';
import { readYaml } from '../../src/input/yaml.js';
import { line } from '../text.js';

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

/** A key of a plan: what it takes, in words, and how that is read. */
interface Key {
  readonly takes: string;
  readonly read: (value: unknown) => Partial<ClientPlan> | undefined;
}

const command = 'a line for the shell, or a list of words';
const seconds = 'seconds, 1 to 3600';

const keys: Readonly<Record<string, Key>> = {
  start: { takes: command, read: (value) => withWords(value, (start) => ({ start })) },
  again: { takes: command, read: (value) => withWords(value, (again) => ({ again })) },
  env: {
    takes: 'a table of texts',
    read: (value) =>
      isRecord(value) && Object.values(value).every((one) => typeof one === 'string')
        ? { env: value as Record<string, string> }
        : undefined,
  },
  cwd: { takes: 'a folder', read: (value) => (typeof value === 'string' ? { cwd: value } : undefined) },
  consent: {
    takes: 'form or auto',
    read: (value) => (value === 'form' || value === 'auto' ? { consent: value } : undefined),
  },
  redirect_uris: {
    takes: 'a list of addresses, such as [http://127.0.0.1:8080/callback]',
    read: (value) =>
      Array.isArray(value) && value.every((one) => typeof one === 'string' && URL.canParse(one))
        ? { redirectUris: value as string[] }
        : undefined,
  },
  copies: {
    takes: 'how many run at once, 2 to 64',
    read: (value) =>
      Number.isInteger(value) && Number(value) >= 2 && Number(value) <= 64 ? { copies: Number(value) } : undefined,
  },
  time_limit: { takes: seconds, read: (value) => (isSeconds(value) ? { timeLimit: value } : undefined) },
  stop_after: { takes: seconds, read: (value) => (isSeconds(value) ? { stopAfter: value } : undefined) },
  success: {
    takes: 'a list of exit codes, such as [0, 3]',
    read: (value) => (Array.isArray(value) && value.length > 0 && value.every(isCode) ? { success: value } : undefined),
  },
};

const names = Object.keys(keys).join(', ');
const about = `a client plan: ${names}`;

/** @throws SetupError that names the file, the key and what it takes. */
export function readPlan(file: string): ClientPlan {
  const yaml = readYaml(textFile(file, about), file);
  const value = yaml.value() ?? {};
  if (!isRecord(value)) throw new SetupError(`${file}: a client plan is a table; its keys are ${names}`);
  const parts = Object.entries(value).map(([key, given]) => {
    const place = `${file}:${yaml.lineOf([key]) ?? 1}`;
    const found = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (!found) throw new SetupError(`${place}: "${line(key, 40)}" is no key of a client plan; the keys are ${names}`);
    const part = found.read(given);
    if (!part)
      throw new SetupError(`${place}: ${key} cannot be ${line(JSON.stringify(given), 60)}; it takes ${found.takes}`);
    return part;
  });
  const plan: ClientPlan = Object.assign({}, ...parts) as ClientPlan;
  const cwd = resolve(dirname(file), plan.cwd ?? '.');
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    throw new SetupError(`${file}: cwd: ${line(cwd, 200)} is no folder; name the one that the client is started in`);
  return { ...plan, cwd };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isSeconds = (value: unknown): value is number => typeof value === 'number' && value >= 1 && value <= 3600;

const isCode = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < 256;

/** A list of words, or a line for the shell. */
function withWords(
  value: unknown,
  make: (words: readonly string[]) => Partial<ClientPlan>,
): Partial<ClientPlan> | undefined {
  if (typeof value === 'string' && value.trim() !== '') return make(['/bin/sh', '-c', value]);
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')
    ? make(value as string[])
    : undefined;
}
