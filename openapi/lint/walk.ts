import type { Document, Operation, Schema } from '../../scripts/generate/document.js';
import { operationsOf } from '../../scripts/generate/document.js';

/** What the rules may look at beside the bundled contract. */
export interface RuleContext {
  readonly flags: ReadonlySet<string>;
  readonly gaps: ReadonlySet<string>;
}

export interface Rule {
  readonly name: string;
  /** Why the contract has to be so. */
  readonly because: string;
  /** The problems found, each naming its place. */
  check(document: Document, context: RuleContext): string[];
  /** Breaks a good document, so that the rule is seen to fail. */
  offend(document: Document): void;
}

/** What a rule finds in the operations. */
export function each(
  document: Document,
  visit: (operation: Operation, path: string, document: Document) => string[],
): string[] {
  return [...operationsOf(document)].flatMap(({ operation: entry, path }) => visit(entry, path, document));
}

/** What a rule finds in the named schemas and all within. */
export function schemas(document: Document, visit: (schema: Schema, place: string) => string[]): string[] {
  const walk = (schema: Schema, place: string): string[] => [
    ...visit(schema, place),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, child]) => walk(child, `${place}.${name}`)),
    ...[schema.items, schema.additionalProperties].flatMap((child) =>
      typeof child === 'object' ? walk(child, `${place}[]`) : [],
    ),
    ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((child) => walk(child, place)),
  ];
  return Object.entries(document.components.schemas).flatMap(([name, schema]) => walk(schema, name));
}

/** What a rule finds in the properties of all schemas. */
export function properties(
  document: Document,
  visit: (schema: Schema, name: string, owner: Schema, place: string) => string[],
): string[] {
  return schemas(document, (owner, place) =>
    Object.entries(owner.properties ?? {}).flatMap(([name, schema]) =>
      visit(schema, name, owner, `${place}.${name}`).map((problem) => `${place}.${name}: ${problem}`),
    ),
  );
}

/** An operation, to be broken. */
export function operation(document: Document, path: string, method: 'get' | 'post' = 'get'): Operation {
  const found = document.paths[path]?.[method];
  if (!found) throw new Error(`${method} ${path}: not in the document`);
  return found;
}

/** Replaces a property of a named schema. */
export function property(document: Document, schema: string, name: string, replacement: Schema): void {
  const owner = document.components.schemas[schema];
  if (!owner?.properties?.[name]) throw new Error(`${schema}.${name}: not in the document`);
  owner.properties[name] = { ...replacement, ...(owner.properties[name].const === true && { const: true }) };
}
