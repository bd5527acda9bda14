import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema | false;
  prefixItems?: Schema[];
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  not?: Schema;
  'x-game'?: 'g1' | 'g2';
  'x-edition'?: EditionMark;
  'x-enum-edition'?: Record<string, string>;
  'x-observed'?: string;
  [keyword: string]: unknown;
}

export interface EditionMark {
  flag: string;
  state?: 'off';
  /**
   * `optional`: with the flag on the property may be left out, `within` one other property only. `meaning`: the flag changes
   * when the property is there or what its value stands for, not what the value may be.
   */
  effect?: 'deprecated' | 'g1' | 'optional' | 'meaning';
  within?: string;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  required?: boolean;
  schema: Schema;
  'x-edition'?: EditionMark;
  [extension: string]: unknown;
}

export interface MediaType {
  schema?: Schema;
  examples?: Record<string, { summary?: string; value: unknown }>;
}

export interface Response {
  $ref?: string;
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, MediaType>;
  'x-edition'?: EditionMark;
}

export interface Operation {
  operationId: string;
  tags?: string[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, Response>;
  security?: Record<string, string[]>[];
  'x-logical-operation': string;
  'x-realm'?: string;
  'x-game'?: 'g1' | 'g2';
  'x-edition'?: EditionMark;
  'x-wrapper'?: string;
  [extension: string]: unknown;
}

export type PathItem = { get?: Operation; post?: Operation; servers?: unknown[] };

/** The bundled contract: one document, every reference local. */
export interface Document {
  info: { title: string; version: string; description: string };
  tags?: { name: string; description?: string; 'x-edition'?: EditionMark }[];
  paths: Record<string, PathItem>;
  components: {
    schemas: Record<string, Schema>;
    parameters?: Record<string, Parameter>;
    responses?: Record<string, Response>;
    examples?: Record<string, { summary?: string; value: unknown; 'x-edition'?: EditionMark }>;
    securitySchemes: Record<string, { flows?: Record<string, { scopes: Record<string, string> }> }>;
  };
  'x-lifetimes': Record<string, unknown>;
  'x-limits': Record<string, number>;
  [extension: string]: unknown;
}

/** The root of the project. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Path of a Redocly command line that neither reports home nor looks for updates. */
const redocly = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin', 'cli.js');

/** Runs the Redocly command line; its output is thrown with the error when it fails. */
export async function runRedocly(...args: string[]): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [redocly, ...args], {
      cwd: root,
      env,
      maxBuffer: 1 << 26,
    });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    if (stdout.startsWith('{')) return stdout; // a lint report with findings
    // Without the box about versions of Node.
    const said = `${stdout}${stderr}`.replaceAll(/^\s*[╔║╚].*\n/gm, '').trim();
    throw new ToolFailure(`redocly ${args.join(' ')} failed:\n${said}`, { cause: error });
  }
}

/** A tool that a script runs could not do its work, and has said why. */
class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}

/** Ends a script with what the tool has said, which is all that there is to know: the stack would be that of the script. */
export function endWith(error: unknown): never {
  if (!(error instanceof ToolFailure)) throw error;
  console.error(error.message);
  process.exit(2);
}

/** Bundles the hand-authored files into one document. */
export async function bundle(entry: string): Promise<Document> {
  const folder = await mkdtemp(join(tmpdir(), 'contract-'));
  try {
    const file = join(folder, 'bundled.json');
    await runRedocly('bundle', entry, '--output', file);
    return JSON.parse(await readFile(file, 'utf8')) as Document;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Follows a local reference, however long the chain. */
export function resolve<T extends object>(document: Document, node: T | { $ref: string }): T {
  let current: unknown = node;
  while (typeof current === 'object' && current !== null && '$ref' in current && typeof current.$ref === 'string') {
    const pointer = current.$ref;
    if (!pointer.startsWith('#/')) throw new Error(`${pointer}: not a local reference`);
    current = pointer
      .slice(2)
      .split('/')
      .map((token) => decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((parent, token) => (parent as Record<string, unknown> | undefined)?.[token], document);
    if (current === undefined) throw new Error(`${pointer}: the reference leads nowhere`);
  }
  return current as T;
}

const methods = ['get', 'post'] as const;

/** Every operation of the document with its place, in the order of the index. */
export function* operationsOf(document: Document): Generator<{
  method: 'GET' | 'POST';
  path: string;
  item: PathItem;
  operation: Operation;
}> {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods) {
      const operation = item[method];
      if (operation) yield { method: method.toUpperCase() as 'GET' | 'POST', path, item, operation };
    }
  }
}
