import type { Document } from './document.js';
import { operationsOf, resolve } from './document.js';
import type { Flags, Mark } from './editions.js';
import { flagsOf } from './editions.js';
import type { OperationRow } from './operations.js';
import { parametersType } from './operations.js';
import type { Schema } from './document.js';
import type { Gap, Switch } from './prose.js';

const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** The operation table and the parameter types. */
export function operationsModule(rows: OperationRow[], parameters: Map<string, Schema>): string {
  const logical = [...parameters].map(([name, schema]) => `  ${name}: ${parametersType(schema)};`);
  const sets = [...parameters].map(([name, schema]) => `  ${name}: ${JSON.stringify(parameterSet(schema))},`);
  const forms = [...parameters.keys()].map((name) => {
    const ids = rows.filter((row) => row.logical === name).map((row) => JSON.stringify(row.id));
    return `  ${name}: ${ids.join(' | ')};`;
  });
  return [
    'export const operationTable = ' + json(rows) + ' as const;',
    '/** Parameters of each logical operation: path and query in one record, defaults filled in. */',
    `export interface Params {\n${logical.join('\n')}\n}`,
    '/** The OpenAPI operations that a logical operation stands for: one a realm form. */',
    `export interface Forms {\n${forms.join('\n')}\n}`,
    '/** What each parameter of a logical operation is read as, and its default. */',
    `export const parameterSets = {\n${sets.join('\n')}\n} as const;`,
  ].join('\n');
}

function parameterSet(schema: Schema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, { type, default: value, maximum }]) => [
      name,
      { type, ...(value !== undefined && { default: value }), ...(maximum !== undefined && { maximum }) },
    ]),
  );
}

/** Scopes, numbers, editions and readings. */
export function factsModule(document: Document, editions: Flags, marks: Mark[], gaps: Gap[]): string {
  const scopes = scopesOf(document);
  const switches = gaps.flatMap((gap) =>
    (gap.switches ?? []).map((entry) => ({ ...entry, gap: gap.id, says: gap.says })),
  );
  const on = Object.fromEntries(Object.keys(editions.editions).map((name) => [name, flagsOf(name, editions)]));
  return [
    "import type { EditionMark, SwitchRow } from './schema.js';",
    `export const scopes = ${json(scopes)} as const;`,
    `export const lifetimes = ${json(document['x-lifetimes'])} as const;`,
    `export const limits = ${json(document['x-limits'])} as const;`,
    `export const flags = ${json(editions.flags)} as const;`,
    `export const editions = ${json(on)} as const;`,
    `export const editionMarks: readonly ({ readonly schema?: string; readonly property?: string; readonly value?: string; readonly operationId?: string; readonly target: string } & EditionMark)[] = ${json(marks.map(({ alone: _, ...mark }) => mark))};`,
    `export interface Switches {\n${switches.map((entry) => `  ${json(entry.name)}: ${switchType(entry)};`).join('\n')}\n}`,
    `export const switchTable: readonly SwitchRow<keyof Switches>[] = ${json(switches.map(switchRow))};`,
  ].join('\n');
}

function switchType({ values, type }: Switch): string {
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  return type === 'integer' ? 'number' : (type ?? 'string');
}

const switchRow = ({ type, values, source = 'description', ...rest }: Switch): object => ({
  ...rest,
  source,
  type: values ? 'choice' : (type ?? 'string'),
  ...(values && { values }),
});

/** Scope -> what it grants, from the security scheme. */
function scopesOf(document: Document): Record<string, string> {
  const flows = document.components.securitySchemes.oauth?.flows ?? {};
  return Object.assign({}, ...Object.values(flows).map((flow) => flow.scopes)) as Record<string, string>;
}

/** The schemas as data, for whoever walks a value beside its schema. */
export function schemasModule(document: Document): string {
  const replies: Record<string, Record<string, Schema>> = {};
  for (const { operation } of operationsOf(document)) {
    if (operation.operationId !== operation['x-logical-operation']) continue;
    for (const [status, response] of Object.entries(operation.responses)) {
      const schema = resolve(document, response).content?.['application/json']?.schema;
      if (schema) (replies[operation.operationId] ??= {})[status] = schema;
    }
  }
  return [
    "import type { SchemaNode } from './schema.js';",
    `export const schemas: Readonly<Record<string, SchemaNode>> = ${JSON.stringify(document.components.schemas)};`,
    '/** Schema of each JSON reply: logical operation -> status. */',
    `export const replySchemas: Readonly<Record<string, Readonly<Record<string, SchemaNode>>>> = ${JSON.stringify(replies)};`,
  ].join('\n');
}
