import { isObject } from '../../json.js';
import { branches, deref, described, placePath, replySchemas, schemas } from '../../../src/contract/index.js';
import type { SchemaNode } from '../../../src/contract/index.js';
import type { Json } from './interceptor.js';

/** What the contract says of a member. */
export interface Member {
  readonly schema: SchemaNode;
  readonly required: boolean;
}

const replyOf = (operation: string): SchemaNode | undefined => replySchemas[operation]?.['200'];

/** The forms that the description offers for a schema beside null, none of them a reference. */
export const formsOf = (schema: SchemaNode): readonly SchemaNode[] =>
  branches(described(deref(schema).schema)).flatMap((branch) => (branch.$ref === undefined ? branch : formsOf(branch)));

/**
 * What the contract says of a place such as `Item.logbookMods[].faction.id`, which starts at a schema or an operation's
 * reply; more than one member where an object on the way has several forms.
 */
export function membersAt(place: string): readonly Member[] {
  const { head, steps } = placePath(place);
  let nodes: readonly SchemaNode[] = [schemas[head] ?? replyOf(head) ?? {}];
  let members: readonly Member[] = [];
  for (const { name, depth } of steps) {
    members = nodes.flatMap(formsOf).flatMap(({ properties = {}, required = [] }) => {
      const schema = properties[name];
      const always = schema?.['x-edition']?.effect === 'optional' || required.includes(name);
      return schema ? { schema: described(schema), required: always } : [];
    });
    nodes = members.map(({ schema }) => schema);
    for (let left = depth; left > 0; left -= 1)
      nodes = nodes.flatMap(formsOf).flatMap(({ items }): readonly SchemaNode[] => (items ? [items] : []));
  }
  return members;
}

const within = new Map<string, ReadonlySet<string>>();

/** Names of all schemas that a reply of an operation may have in it. */
function namesWithin(operation: string): ReadonlySet<string> {
  const known = within.get(operation);
  if (known) return known;
  const names = new Set<string>();
  const visit = (schema: SchemaNode): void => {
    const { name, schema: found } = deref(schema);
    if (name !== undefined && names.has(name)) return;
    if (name !== undefined) names.add(name);
    const { properties = {}, additionalProperties, items, anyOf = [], oneOf = [] } = found;
    for (const inner of [...Object.values(properties), additionalProperties, items, ...anyOf, ...oneOf])
      if (typeof inner === 'object') visit(inner);
  };
  visit(replyOf(operation) ?? {});
  within.set(operation, names);
  return names;
}

/** Whether a reply of an operation may have the place in it. */
export function mayHave(operation: string, place: string): boolean {
  const { head } = placePath(place);
  return head === operation || namesWithin(operation).has(head);
}

/** Every object within a value that the contract has this name for. */
function* named(value: unknown, schema: SchemaNode, name: string): Generator<Json> {
  const found = deref(schema);
  if (found.name === name && isObject(value)) yield value;
  const whole = described(found.schema);
  for (const branch of branches(whole)) {
    if (branch !== whole) yield* named(value, branch, name);
  }
  const { properties = {}, additionalProperties, items } = whole;
  if (Array.isArray(value)) {
    if (items) for (const element of value) yield* named(element, items, name);
  } else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      const inner = properties[key] ?? additionalProperties;
      if (typeof inner === 'object') yield* named(member, inner, name);
    }
  }
}

/** The objects of a reply that have, or could have, the member at the end of a place, in the order of the reply. */
export function holdersOf(reply: unknown, operation: string, place: string): readonly Json[] {
  const { head, steps } = placePath(place);
  const schema = replyOf(operation);
  if (!schema) return [];
  let holders: readonly unknown[] = head === operation ? [reply] : [...named(reply, schema, head)];
  for (const { name, depth } of steps.slice(0, -1)) {
    holders = holders.filter(isObject).map((holder) => holder[name]);
    for (let left = depth; left > 0; left -= 1) holders = holders.flat();
  }
  return holders.filter(isObject);
}
