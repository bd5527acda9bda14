import { schemas } from './schemas.gen.js';

/** A JSON Schema of the contract, with the keywords that the contract uses and its marks. */
export interface SchemaNode {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode | false;
  readonly prefixItems?: readonly SchemaNode[];
  readonly additionalProperties?: SchemaNode | boolean;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly 'x-game'?: 'g1' | 'g2';
  readonly 'x-game-required'?: 'g1' | 'g2';
  readonly 'x-edition'?: { readonly flag: string; readonly state?: 'off'; readonly effect?: 'deprecated' | 'g1' };
  readonly 'x-enum-edition'?: Readonly<Record<string, string>>;
  readonly 'x-only'?: string;
  readonly [keyword: string]: unknown;
}

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
