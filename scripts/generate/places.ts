import { placePath } from '../../src/contract/place.js';
import type { Document, Schema } from './document.js';
import { operationsOf, resolve } from './document.js';

/** A property of the contract: where its schema stands, and in what object. */
export interface Property {
  /** JSON pointer. */
  pointer: string;
  /** Title of the object that has it, where the place has several forms. */
  form?: string;
  required: boolean;
  schema: Schema;
}

interface Node {
  pointer: string;
  schema: Schema;
}

const escape = (token: string): string => token.replaceAll('~', '~0').replaceAll('/', '~1');

/** JSON pointer of an operation by its id; undefined where there is none. */
export function operationPointer(document: Document, id: string): string | undefined {
  for (const { method, path, operation } of operationsOf(document)) {
    if (operation.operationId === id) return `/paths/${escape(path)}/${method.toLowerCase()}`;
  }
  return undefined;
}

/** The schema of an operation's reply of status 200. */
export function replyNode(document: Document, id: string): Node | undefined {
  for (const { method, path, operation } of operationsOf(document)) {
    const response = operation.responses['200'];
    if (operation.operationId !== id || !response) continue;
    const schema = resolve(document, response).content?.['application/json']?.schema;
    const place = response.$ref?.slice(1) ?? `/paths/${escape(path)}/${method.toLowerCase()}/responses/200`;
    const pointer = `${place}/content/application~1json/schema`;
    return schema && { pointer, schema };
  }
  return undefined;
}

/** The alternatives of a schema that are no references and not null, each where it stands. */
function forms(document: Document, { pointer, schema }: Node): Node[] {
  if (schema.$ref !== undefined) {
    return forms(document, { pointer: schema.$ref.slice(1), schema: resolve(document, { $ref: schema.$ref }) });
  }
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const branches = schema[keyword];
    if (!branches) continue;
    return branches.flatMap((branch, index) =>
      branch.type === 'null' || branch['x-observed'] !== undefined
        ? []
        : forms(document, { pointer: `${pointer}/${keyword}/${index}`, schema: branch }),
    );
  }
  return [{ pointer, schema }];
}

/**
 * The properties that a place such as `Item.logbookMods[].faction.id` stands for: more than one where an object on the
 * way has several forms. It starts at a schema of the contract or at the reply of an operation.
 * @throws Error saying how far the place leads.
 */
export function propertiesAt(document: Document, place: string): Property[] {
  const { head, steps } = placePath(place);
  const schema = document.components.schemas[head];
  const root = schema ? { pointer: `/components/schemas/${head}`, schema } : replyNode(document, head);
  if (!root) throw new Error(`${head} is neither a schema nor an operation of the contract`);
  if (steps.length === 0) throw new Error(`${place} names no property`);
  let nodes: Node[] = [root];
  let found: Property[] = [];
  let way = head;
  for (const { name, depth } of steps) {
    const owners = nodes.flatMap((node) => forms(document, node));
    found = owners.flatMap((owner) => {
      const property = owner.schema.properties?.[name];
      if (!property) return [];
      const form = owners.length > 1 ? String(owner.schema['title'] ?? owner.pointer.split('/').pop()) : undefined;
      const pointer = `${owner.pointer}/properties/${escape(name)}`;
      return [{ pointer, form, required: isRequired(name, owner.schema), schema: property }];
    });
    if (found.length === 0) throw new Error(`${way} has no property ${name}`);
    nodes = found;
    way = `${way}.${name}`;
    for (let left = depth; left > 0; left -= 1) {
      nodes = nodes.flatMap((node) => forms(document, node)).flatMap(itemsOf);
      if (nodes.length === 0) throw new Error(`${way} is no array`);
    }
    way += '[]'.repeat(depth);
  }
  return found;
}

/** Whether the description has a property always there: what only live data lacks is. */
const isRequired = (name: string, { required, properties }: Schema): boolean =>
  (required?.includes(name) ?? false) || properties?.[name]?.['x-edition']?.effect === 'optional';

const itemsOf = ({ pointer, schema }: Node): Node[] =>
  schema.items ? [{ pointer: `${pointer}/items`, schema: schema.items }] : [];

/**
 * Type, values and presence of a place in words: `an unsigned integer, null or absent`. Neither game nor edition, which
 * have rows of their own.
 */
export function describePlace(document: Document, properties: readonly Property[]): string {
  const words = properties.map((property) => ({ form: property.form, text: describeProperty(document, property) }));
  if (new Set(words.map(({ text }) => text)).size === 1) return words[0]?.text ?? '';
  return words.map(({ form, text }) => `${text} (${form ?? ''})`).join('; ');
}

const games = { g1: 'first', g2: 'second' };

function describeProperty(document: Document, { required, schema }: Property): string {
  const what = describe(document, schema);
  const game = schema['x-game-required'] as keyof typeof games | undefined;
  if (game) return `${what}, always there in the ${games[game]} game`;
  const orNull = what !== 'null' && nullable(schema);
  if (required) return `${what}${orNull ? ' or null' : ''}, always there`;
  return what + (orNull ? ', null or absent' : ' or absent');
}

const types = (schema: Schema): string[] => [schema.type ?? []].flat();

const nullable = (schema: Schema): boolean =>
  types(schema).includes('null') || [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some(nullable);

const patterns: Record<string, string> = {
  '^[0-9A-Fa-f]{64}$': 'a string of 64 hexadecimal digits',
  '^[0-9A-Fa-f]{10}$': 'a string of 10 hexadecimal digits',
  '^[0-9A-Fa-f]{6}$': 'a string of 6 hexadecimal digits',
};

function describe(document: Document, schema: Schema): string {
  if (schema.$ref !== undefined) {
    const target = resolve(document, { $ref: schema.$ref }) as Schema;
    const name = schema.$ref.split('/').pop() ?? '';
    return types(target).includes('object') || target.oneOf ? `an object (${name})` : describe(document, target);
  }
  const branches = (schema.anyOf ?? schema.oneOf)?.filter((branch) => branch['x-observed'] === undefined);
  if (branches) {
    const words = branches.filter((branch) => branch.type !== 'null').map((branch) => describe(document, branch));
    return words.join(' or ') || 'null';
  }
  if (schema.const !== undefined) return String(schema.const);
  if (schema.enum) {
    const values = schema.enum.filter((value) => value !== null);
    return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`;
  }
  const [type] = types(schema).filter((name) => name !== 'null');
  switch (type) {
    case 'integer':
      return range(schema, schema.minimum === 0 ? 'an unsigned integer' : 'an integer');
    case 'number':
      return 'a number';
    case 'boolean':
      return 'a boolean';
    case 'string':
      return stringWords(schema);
    case 'array': {
      if (schema.prefixItems) return `[${schema.prefixItems.map((item) => describe(document, item)).join(', ')}]`;
      return schema.items ? `an array, each element ${describe(document, schema.items)}` : 'an array';
    }
    case 'object': {
      const values = schema.additionalProperties;
      return typeof values === 'object' ? `a dictionary, each value ${describe(document, values)}` : 'an object';
    }
    default:
      return types(schema).includes('null') ? 'null' : 'any value';
  }
}

const range = ({ minimum, maximum }: Schema, words: string): string =>
  typeof maximum === 'number' ? `an integer from ${String(minimum ?? 0)} to ${maximum}` : words;

function stringWords({ pattern, format }: Schema): string {
  if (format === 'date-time') return 'a date-time';
  if (format === 'uuid') return 'a UUID';
  return patterns[String(pattern)] ?? 'a string';
}
