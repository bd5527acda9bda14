import type { LogicalOperation, SchemaNode } from '../contract/index.js';
import { branches, deref, described, isAddition, replySchemas } from '../contract/index.js';

/** What becomes of members that may be null or absent: of all, or of those that are neither objects nor lists. */
export type Sparse = 'null' | 'absent' | 'inner null' | 'inner absent';

/**
 * Members of which another sentence says that they are there, by schema: the tabs of a folder and their items, the text of
 * a filter, what validating it found and what a character wears (interface 4.2), the details of a stash that is listed,
 * and the category that tells an active challenge league.
 */
const said: Readonly<Record<string, readonly string[]>> = {
  ItemFilter: ['filter', 'validation'],
  League: ['category'],
  Character: ['equipment', 'inventory', 'passives'],
  StashTab: ['parent', 'folder', 'children', 'items'],
  ListedStash: ['accountName', 'stash', 'league'],
};

/**
 * Whether a member may be null or absent, and nothing else says that it is there. A flag is not such a member: without one
 * the object says something else.
 */
export function isDispensable(name: string, key: string, schema: SchemaNode, form: Sparse): boolean {
  const member = schema.properties?.[key];
  if (member === undefined || schema.required?.includes(key) || said[name]?.includes(key)) return false;
  const { schema: own } = deref(member);
  // Of its game it is there, or wherever live data does not lack it.
  if (member['x-game-required'] !== undefined || member['x-edition']?.effect === 'optional') return false;
  if (isAddition(own) || isFlag(own)) return false;
  return form.endsWith('absent') || typesOf(own).includes('null');
}

/** The text of a reply without what may be missing from it. */
export function sparse(text: string, operation: LogicalOperation, form: Sparse): string {
  const schema = replySchemas[operation]?.['200'];
  return schema ? JSON.stringify(thin(schema, JSON.parse(text), form)) : text;
}

/** A value of a schema without what may be missing from it. */
export function thin(node: SchemaNode, value: unknown, form: Sparse): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { name = '', schema } = formOf(node);
  if (Array.isArray(value)) return value.map((one) => thin(schema.items || {}, one, form));
  const others = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
      const isKept = form.startsWith('inner') && typeof member === 'object' && member !== null;
      if (isKept || !isDispensable(name, key, schema, form))
        return [[key, thin(schema.properties?.[key] ?? others, member, form)]];
      return form.endsWith('null') ? [[key, null]] : [];
    }),
  );
}

/** The schema behind references and the choice of null. */
function formOf(node: SchemaNode): ReturnType<typeof deref> {
  const outer = deref(node);
  const [only = outer.schema] = branches(described(outer.schema));
  return only === outer.schema ? outer : formOf(only);
}

/** The types that a value may have, by the description. */
function typesOf(schema: SchemaNode): readonly unknown[] {
  const own = described(schema);
  const alternatives = own.anyOf ?? own.oneOf ?? [];
  return [own.type ?? [], alternatives.map((one) => typesOf(deref(one).schema))].flat(3);
}

const isFlag = (schema: SchemaNode): boolean => schema.const === true || typesOf(schema).includes('boolean');
