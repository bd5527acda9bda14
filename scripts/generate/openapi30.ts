import type { Document, Schema } from './document.js';
import { operationsOf, resolve } from './document.js';
import { Losses } from './losses.js';
import type { Loss } from './losses.js';

type Json = Record<string, unknown>;

/**
 * The contract as OpenAPI 3.0.3, for generators that read no 3.1, and what it cannot say there. Whatever the contract
 * accepts, the 3.0 form accepts.
 */
export function toOpenApi30(document: Document): { document: Document; losses: Loss[] } {
  const conversion = new Conversion(document);
  const converted = conversion.document();
  const losses = conversion.losses.list();
  const lost = losses.map(({ about, places }) => `- ${about} (${places.length})`).join('\n');
  // Generators copy the description into every file that they write: the chapters stay in the 3.1 form.
  const [opening = ''] = document.info.description.split(/^# /m);
  converted.info.description = `${opening.trim()}\n\n${preface}\n\n${lost}`;
  return { document: converted, losses };
}

const preface = `# The 3.0 form

This is OpenAPI 3.0, made from the 3.1 document by a script, for generators that read no 3.1. The 3.1 document has the
chapters, and every open point that is cited as K-001 and so on. Whatever it accepts, this one accepts. What is said
otherwise here, with the number of places:`;

/** Where a schema stands: its place in words, whether clients send it, and whether it is the whole of a body. */
interface Place {
  readonly at: string;
  readonly sent: boolean;
  readonly body?: boolean;
}

const below = ({ at, sent }: Place, step: string): Place => ({ at: at === '' ? step : `${at}${step}`, sent });

class Conversion {
  readonly losses = new Losses();
  /** Named objects that took in others, by name. */
  private readonly widened = new Map<string, Schema>();
  private readonly sent: ReadonlySet<string>;

  constructor(private readonly whole: Document) {
    this.sent = sentNames(whole);
  }

  document(): Document {
    const { jsonSchemaDialect: _, ...whole } = this.whole;
    const { summary, license, ...info } = whole.info as Json & Document['info'];
    if (summary !== undefined) this.losses.note('info', 'info.summary');
    const { identifier, ...named } = license as Json;
    const { schemas, ...components } = whole.components;
    const named30 = Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => {
        const place = { at: name, sent: this.sent.has(name) };
        return [name, this.schema(schema, place)];
      }),
    );
    const everywhere = { at: '', sent: false };
    const converted = {
      ...whole,
      openapi: '3.0.3',
      info: { ...info, license: { ...named, url: `https://spdx.org/licenses/${String(identifier)}.html` } },
      paths: this.holders(whole.paths, everywhere),
      components: { ...this.holders(components, everywhere), schemas: named30 },
    };
    for (const [name, wider] of this.widened) Object.assign(named30[name] ?? {}, wider);
    // The objects that became one are named by nothing any more.
    const used = namesWithin(converted, converted.paths);
    converted.components.schemas = Object.fromEntries(Object.entries(named30).filter(([name]) => used.has(name)));
    return converted;
  }

  /** A part of the document that is no schema: what stands under `schema` within it is one. */
  private holders<T>(node: T, place: Place): T {
    if (Array.isArray(node)) return node.map((entry) => this.holders<unknown>(entry, place)) as T;
    if (typeof node !== 'object' || node === null) return node;
    const entries = Object.entries(node).map(([key, value]: [string, unknown]) => {
      if (key === 'examples' || key === 'example' || key.startsWith('x-')) return [key, value];
      const sent = place.sent || key === 'requestBody' || key === 'parameters';
      const at = { at: titleOf(node, key, place.at), sent, body: key === 'schema' };
      return [key, key === 'schema' ? this.schema(value as Schema, at) : this.holders(value, at)];
    });
    return Object.fromEntries(entries) as T;
  }

  private schema(schema: Schema, place: Place): Schema {
    const { $ref, ...beside } = schema;
    if ($ref !== undefined) return this.reference($ref, beside, place);
    const alternatives = schema.anyOf ?? schema.oneOf;
    if (alternatives) return this.alternatives(schema, alternatives, place);
    return this.plain(schema, place);
  }

  private reference($ref: string, beside: Schema, place: Place): Schema {
    const target = resolve<Schema>(this.whole, { $ref });
    const name = $ref.split('/').at(-1) ?? '';
    // What is sent keeps its values closed where the same schema is open in replies.
    if (place.sent && target.enum && !this.sent.has(name)) return { ...this.untitled(target, place), ...beside };
    return Object.keys(beside).length === 0 ? { $ref } : { ...beside, allOf: [{ $ref }] };
  }

  /** A named schema in the place of its name. */
  private untitled(schema: Schema, place: Place): Schema {
    const { title: _, ...rest } = this.schema(schema, place);
    return rest;
  }

  /** Null becomes `nullable`, objects become one object; of other alternatives those that differ stay. */
  private alternatives(schema: Schema, alternatives: readonly Schema[], place: Place): Schema {
    const { anyOf: _, oneOf: __, ...beside } = schema;
    const rest = alternatives.filter((one) => one.type !== 'null');
    const nullable = rest.length < alternatives.length && { nullable: true };
    const [only] = rest;
    const resolved = rest.map((one) => resolve<Schema>(this.whole, one as Schema & { $ref: string }));
    if (only && rest.length === 1) {
      const object = only.$ref !== undefined && resolved[0]?.type === 'object';
      if (!object) return { ...this.untitled(resolved[0] ?? only, place), ...beside, ...nullable };
      this.losses.note('nullable', place.at);
      return { ...beside, ...nullable, allOf: [only] };
    }
    if (resolved.every(({ type }) => type === 'object')) {
      this.losses.note('alternatives', place.at);
      const merged = this.plain(mergeObjects(resolved), place);
      if (!place.body || only?.$ref === undefined) return { ...merged, ...beside, ...nullable };
      // The first of several bodies that have names takes in the others, so that an operation has one error.
      const name = only.$ref.split('/').at(-1) ?? '';
      this.widened.set(name, { ...merged, ...descriptionOf([resolved[0] ?? {}]) });
      return { $ref: only.$ref };
    }
    const distinct = mergeAlike(
      rest.map((one) => this.schema(one, place)),
      () => this.losses.note('patterns', place.at),
    );
    const [alone, ...more] = distinct;
    if (more.length > 0 && nullable) this.losses.note('nullable', place.at);
    return more.length === 0 ? { ...alone, ...beside, ...nullable } : { ...beside, ...nullable, oneOf: distinct };
  }

  private plain(schema: Schema, place: Place): Schema {
    const { type, const: only, enum: values, properties, items, additionalProperties, ...rest } = schema;
    const { prefixItems, not, propertyNames, unevaluatedProperties, ...kept } = rest;
    for (const [keyword, value] of Object.entries({ prefixItems, not, propertyNames, unevaluatedProperties })) {
      if (value !== undefined) this.losses.note(keyword, place.at);
    }
    const types = [type ?? []].flat().filter((one) => one !== 'null');
    const nullable = [type ?? []].flat().includes('null');
    const { examples, ...others } = kept as Schema & { examples?: unknown[] };
    const result: Schema = { ...(types.length > 0 && { type: types[0] }), ...others };
    if (examples) result['example'] = examples[0];
    if (nullable) result['nullable'] = true;
    if (types[0] === 'integer' && !place.sent) {
      result['format'] = 'int64';
      this.losses.note('int64', place.at);
    }
    Object.assign(result, this.values(only === undefined ? values : [only], types[0], nullable, place));
    if (properties) {
      result.properties = Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [name, this.schema(member, below(place, `.${name}`))]),
      );
    }
    if (items !== undefined) result.items = items && this.schema(items, below(place, '[]'));
    if (additionalProperties !== undefined) {
      result.additionalProperties =
        typeof additionalProperties === 'object'
          ? this.schema(additionalProperties, below(place, '{}'))
          : additionalProperties;
    }
    return result;
  }

  /** A list of values: closed in what is sent, a hint in what is received, where new ones must not stop a reader. */
  private values(
    values: readonly unknown[] | undefined,
    type: string | undefined,
    nullable: boolean,
    place: Place,
  ): Json {
    if (!values) return {};
    const known = values.filter((value) => value !== null);
    if (type === 'boolean') {
      this.losses.note('booleans', place.at);
      return {};
    }
    if (place.sent) {
      if (nullable) this.losses.note('nulls', place.at);
      return { enum: known, ...(nullable && { nullable: undefined }) };
    }
    this.losses.note('values', place.at);
    return { 'x-extensible-enum': known };
  }
}

/** Names of the schemas that a part of the document leads to. */
function namesWithin(document: Document, part: unknown, names = new Set<string>()): Set<string> {
  if (typeof part !== 'object' || part === null) return names;
  for (const [key, value] of Object.entries(part)) {
    if (key !== '$ref' || typeof value !== 'string') {
      namesWithin(document, value, names);
      continue;
    }
    const [, name] = /^#[/]components[/]schemas[/](.*)$/.exec(value) ?? [];
    if (name !== undefined && names.has(name)) continue;
    if (name !== undefined) names.add(name);
    namesWithin(document, resolve(document, { $ref: value }), names);
  }
  return names;
}

/** Names of the schemas that clients send and no server sends. */
function sentNames(document: Document): Set<string> {
  const sent = new Set<string>();
  const received = new Set<string>();
  for (const { operation } of operationsOf(document)) {
    namesWithin(document, [operation.requestBody, operation.parameters], sent);
    namesWithin(document, operation.responses, received);
  }
  return new Set([...sent].filter((name) => !received.has(name)));
}

/** One object that is any of several: all their members, required where all require it. */
function mergeObjects(objects: readonly Schema[]): Schema {
  const names = [...new Set(objects.flatMap(({ properties = {} }) => Object.keys(properties)))];
  const properties = names.map((name) => {
    const members = objects.flatMap(({ properties }): Schema[] => (properties?.[name] ? [properties[name]] : []));
    const distinct = [...new Map(members.map((member) => [JSON.stringify(bare(member)), member])).values()];
    const [only] = distinct;
    return [name, distinct.length === 1 ? only : { ...descriptionOf(distinct), anyOf: distinct.flatMap(flat) }];
  });
  const required = names.filter((name) => objects.every((object) => object.required?.includes(name)));
  return { type: 'object', ...(required.length > 0 && { required }), properties: Object.fromEntries(properties) };
}

const bare = ({ description: _, title: __, ...schema }: Schema): Schema => schema;

function descriptionOf(schemas: readonly Schema[]): Schema {
  const all = new Set(schemas.flatMap(({ description }) => (typeof description === 'string' ? [description] : [])));
  return all.size === 0 ? {} : { description: [...all].join(' ') };
}

/** The alternatives that a schema consists of, with null as one of them. */
function flat(schema: Schema): Schema[] {
  if (schema.anyOf) return schema.anyOf;
  const types = [schema.type ?? []].flat();
  if (types.length < 2) return [schema];
  return [{ ...schema, type: types.find((type) => type !== 'null') }, { type: 'null' }];
}

/** Alternatives of one type are one; keywords in which they differ are left out. */
function mergeAlike(schemas: readonly Schema[], lost: () => void): Schema[] {
  const merged = new Map<unknown, Schema>();
  for (const { description: _, 'x-edition': __, 'x-observed': ___, ...schema } of schemas) {
    const key = schema.$ref ?? schema.type;
    const other = merged.get(key);
    if (!other) {
      merged.set(key, schema);
      continue;
    }
    const same = (name: string): boolean => JSON.stringify(other[name]) === JSON.stringify(schema[name]);
    const names = [...new Set([...Object.keys(other), ...Object.keys(schema)])];
    const both = [other.enum, schema.enum];
    const values = both.every((one) => one !== undefined) && { enum: [...new Set(both.flat())] };
    if (!names.every((name) => same(name) || (values && name === 'enum'))) lost();
    merged.set(key, { ...Object.fromEntries(names.filter(same).map((name) => [name, other[name]])), ...values });
  }
  return [...merged.values()];
}

/** The place of a part of the document in words: an operation by its id. */
function titleOf(node: object, key: string, at: string): string {
  const id = (node as { operationId?: string }).operationId ?? at;
  return /^\d{3}$/.test(key) ? `${id} ${key}` : id;
}
