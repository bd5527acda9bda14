import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import type { ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

import { flags, scopes } from '../../src/contract/index.js';
import type { KeyPath } from './document.js';
import { nearest } from '../../src/input/nearest.js';
import { settings } from './settings.js';
import frame from './schema-frame.json' with { type: 'json' };
import { factLines, roleLines, readingLines } from './table.js';

const { properties, $defs } = frame;

function each<Key extends string, Line>(lines: Readonly<Record<Key, Line>>, schemaOf: (line: Line) => object): object {
  return Object.fromEntries(Object.entries<Line>(lines).map(([key, line]) => [key, schemaOf(line)]));
}

const defined = (name: string, description?: string): object => ({
  $ref: `#/$defs/${name}`,
  ...(description !== undefined && { description }),
});

const readings = {
  ...properties.readings,
  properties: each(readingLines, ({ values, about }) => ({ enum: values, description: about })),
};

/** The published JSON Schema of the target file: its frame, with the lines of the tables. */
export const targetSchema = {
  ...frame,
  properties: {
    ...properties,
    edition: {
      ...properties.edition,
      properties: Object.fromEntries(flags.map(({ flag }) => [flag, defined('flag')])),
    },
    clients: { ...properties.clients, properties: each(roleLines, ({ entry, about }) => defined(entry, about)) },
    readings,
    variants: { ...readings, description: 'The earlier name of readings.', deprecated: true },
    known: { ...properties.known, properties: each(factLines, ({ type, about }) => defined(type, about)) },
  },
  $defs: { ...$defs, scopes: { ...$defs.scopes, items: { enum: Object.keys(scopes) } } },
};

/** Something wrong with a value, at its place in the target. */
export interface Problem {
  readonly path: KeyPath;
  /** The problem and the remedy. */
  readonly words: string;
}

const ajv = new Ajv({ strict: false, allErrors: true, verbose: true });
addFormats.default(ajv);
const judge = ajv.compile(targetSchema);

/** The violations of the schema, as text. */
export function schemaProblems(value: unknown): Problem[] {
  return judge(value) ? [] : (judge.errors ?? []).map((error) => faultOf(error));
}

function faultOf(error: ErrorObject): Problem {
  const path = steps(error.instancePath);
  const params = error.params as Readonly<Record<string, unknown>>;
  switch (error.keyword) {
    case 'additionalProperties':
      return unknownKey(path, String(params.additionalProperty), error);
    case 'required':
      return missingProblem([...path, String(params.missingProperty)]);
    case 'enum':
      return {
        path,
        words: `is ${shown(error.data)}${choice(error.data, params.allowedValues as readonly unknown[])}`,
      };
    case 'type':
      return { path, words: wrongType(String(params.type), error.data, isSecret(path)) };
    case 'minLength':
      return {
        path,
        words: `is empty; ${examples[String(path.at(-1))] ?? 'write the value, or remove the key'}${orNone(path)}`,
      };
    case 'minItems':
    case 'minProperties':
      return { path, words: 'is empty; name at least one, or remove the key' };
    case 'uniqueItems':
      return { path: [...path, Number(params.i)], words: 'is a duplicate; remove it' };
    case 'multipleOf':
      return { path, words: `${shown(error.data)} is not a whole hour; write the timestamp of a whole hour` };
    case 'minimum':
      return { path, words: `is ${shown(error.data)}; the minimum is ${String(params.limit)}` };
    case 'format':
      return { path, words: `${shown(error.data)} is not a date; write it as 2027-01-31` };
    default:
      return { path, words: `${error.message ?? error.keyword}; see gamedata target schema` };
  }
}

const steps = (pointer: string): KeyPath =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));

/** What the keys of these mappings are called. */
const kinds: Readonly<Record<string, string>> = {
  clients: 'client role',
  edition: 'edition flag',
  known: 'known fact',
  paths: 'endpoint',
  readings: 'reading',
  variants: 'reading',
};

function unknownKey(path: KeyPath, key: string, { parentSchema }: ErrorObject): Problem {
  const here = [...path, key];
  if (path[0] === 'clients' && path[1] === 'public' && key === 'client_secret')
    return { path: here, words: 'a public client has no secret; remove it, or make the client confidential' };
  const names = Object.keys((parentSchema as { properties?: object } | undefined)?.properties ?? {});
  const near = nearest(key, names);
  const kind = (path.length === 1 && kinds[String(path[0])]) || 'setting';
  const remedy = near === undefined ? `valid: ${names.join(', ')}` : `did you mean ${near}?`;
  return { path: here, words: `no such ${kind}; ${remedy}` };
}

/** What is missing, and where it may be given. */
function missingProblem(path: KeyPath): Problem {
  const example = examples[String(path.at(-1))] ?? 'add it';
  const setting = settings.find((candidate) => candidate.path.join('.') === path.join('.'));
  if (!setting) return { path, words: `is missing; ${example}` };
  const flag = setting.flag === undefined ? '' : `--${setting.flag} or `;
  return { path, words: `is missing; ${example}, in the file or with ${flag}${setting.env}` };
}

/** A template has the client that most servers know, and not each server knows it. */
const orNone = (path: KeyPath): string =>
  path[0] === 'clients' && path[2] === 'client_id'
    ? `, or remove clients.${path[1]} if there is no such application`
    : '';

const examples: Readonly<Record<string, string>> = {
  base_url: 'write the base address of the data API',
  client_id: 'write the client id of the registered application',
  client_secret: 'write the secret of the application',
  redirect_uri: 'write a registered redirect URI',
  scopes: 'list the scopes of the application, such as account:profile',
  token: 'write the token',
  reason: 'say why the server deviates',
};

function choice(got: unknown, allowed: readonly unknown[]): string {
  const names = allowed.map(String);
  const near = typeof got === 'string' ? nearest(got, names) : undefined;
  if (near !== undefined) return `; did you mean ${near}?`;
  return `; valid: ${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping of keys to values',
};

const isSecret = (path: KeyPath): boolean =>
  ['client_secret', 'control_token', 'password', 'token'].includes(String(path.at(-1)));

function wrongType(wanted: string, got: unknown, secret: boolean): string {
  const remedy =
    wanted === 'string' && (typeof got === 'number' || typeof got === 'boolean')
      ? 'put it in quotes'
      : wanted === 'array' && typeof got === 'string'
        ? `write [${got.length > 60 ? '…' : got}]`
        : `write ${typeWords[wanted] ?? wanted}`;
  return `must be ${typeWords[wanted] ?? wanted}${secret ? '' : `, not ${kindOf(got)}`}; ${remedy}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  return typeof value === 'string'
    ? 'a string'
    : `${typeof value === 'number' ? 'the number' : 'the word'} ${String(value)}`;
}

/** A value in a sentence, short. */
export const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
};
