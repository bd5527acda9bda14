import type { SchemaNode } from './schema.js';
import { schemas } from './schemas.gen.js';

const prefix = '#/components/schemas/';

/** The schema behind a reference, with its name; a schema written inline has none. */
export function deref(schema: SchemaNode): { readonly name: string | undefined; readonly schema: SchemaNode } {
  let name: string | undefined;
  let current = schema;
  while (current.$ref !== undefined) {
    name = current.$ref.slice(prefix.length);
    const target = schemas[name];
    if (!target) throw new Error(`${current.$ref}: no such schema`);
    current = target;
  }
  return { name, schema: current };
}

/** The alternatives that a schema offers beside null: itself where it offers none. */
export function branches(schema: SchemaNode): readonly SchemaNode[] {
  const alternatives = schema.anyOf ?? schema.oneOf;
  return alternatives ? alternatives.filter((branch) => branch.type !== 'null') : [schema];
}

/**
 * A schema as the description has it, without the alternatives that only live data shows; one that is left stands for
 * itself. A schema without any comes back as it is.
 */
export function described(schema: SchemaNode): SchemaNode {
  const { anyOf, ...rest } = schema;
  if (!anyOf?.some((branch) => branch['x-observed'] !== undefined)) return schema;
  const [only, ...more] = anyOf.filter((branch) => branch['x-observed'] === undefined);
  return only && more.length === 0 ? { ...only, ...rest } : { ...rest, anyOf: only ? [only, ...more] : [] };
}

/** Whether only live data has a property: one that it lacks, or reads another way, is described. */
export function isAddition({ 'x-observed': observed, 'x-edition': edition }: SchemaNode): boolean {
  return observed !== undefined && edition !== undefined && edition.effect === undefined && edition.state !== 'off';
}
