import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';

import type { Document, MediaType, Response, Schema } from './document.js';
import { operationsOf, resolve } from './document.js';
import { toOpenApi30 } from './openapi30.js';

const whole = JSON.parse(readFileSync('dist/openapi/openapi.json', 'utf8')) as Document;
const { document, losses } = toOpenApi30(whole);

/** Every schema of a document, with its place. */
function* schemasIn(node: unknown, place = '#', within = false): Generator<[string, Schema]> {
  if (typeof node !== 'object' || node === null) return;
  if (within && !Array.isArray(node)) yield [place, node as Schema];
  for (const [key, value] of Object.entries(node) as [string, unknown][]) {
    if (key === 'examples' || key === 'example' || key.startsWith('x-')) continue;
    const named = within && key === 'properties';
    const inside = within
      ? ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'].includes(key)
      : key === 'schema';
    if (named || (!within && key === 'schemas')) {
      for (const [name, child] of Object.entries(value as object))
        yield* schemasIn(child, `${place}/${key}/${name}`, true);
    } else if (inside || !within || Array.isArray(node)) yield* schemasIn(value, `${place}/${key}`, inside || within);
  }
}

/** The document as validators of 2020-12 read it, `nullable` taken as it is meant. */
function readable(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(readable);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...rest } = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, readable(value)]));
  return nullable === true ? { anyOf: [rest, { type: 'null' }] } : rest;
}

describe('the 3.0 form', () => {
  it('accepts every example of the contract', () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema(readable(document) as object, 'contract');
    const content = (of: { content?: Record<string, MediaType> }): MediaType[] => Object.values(of.content ?? {});
    let examples = 0;
    for (const { operation } of operationsOf(document)) {
      const media = Object.values(operation.responses).flatMap((one) => content(resolve<Response>(document, one)));
      for (const { schema, examples: stories = {} } of [...media, ...content(operation.requestBody ?? {})]) {
        const absolute = JSON.stringify(readable(schema)).replaceAll('"$ref":"#/', '"$ref":"contract#/');
        const judge = ajv.compile(JSON.parse(absolute) as object);
        for (const story of Object.values(stories)) {
          const { value } = resolve<{ value: unknown }>(document, story);
          expect(judge(value), `${operation.operationId}: ${JSON.stringify(judge.errors)}`).toBe(true);
          examples++;
        }
      }
    }
    expect(examples).toBeGreaterThan(60);
  });

  it('has nothing that 3.0 lacks', () => {
    const newer = [
      'const',
      'prefixItems',
      'not',
      'propertyNames',
      'unevaluatedProperties',
      'examples',
      '$defs',
      '$schema',
    ];
    const found = [...schemasIn(document)].flatMap(([place, schema]) => {
      const wrong = newer.filter((keyword) => keyword in schema);
      if (Array.isArray(schema.type) || schema.type === 'null') wrong.push('type');
      if (schema.enum?.includes(null)) wrong.push('null in enum');
      if (schema.$ref !== undefined && Object.keys(schema).length > 1) wrong.push('beside $ref');
      if (schema.type === 'array' && !schema.items) wrong.push('no items');
      return wrong.map((keyword) => `${place}: ${keyword}`);
    });
    expect([...schemasIn(document)].length).toBeGreaterThan(500);
    expect(found).toEqual([]);
  });

  it('closes no value of a reply, and leaves those of a request closed', () => {
    const closed = Object.entries(document.components.schemas)
      .filter(([, schema]) => JSON.stringify(schema).includes('"enum"'))
      .map(([name]) => name);
    expect(closed).toEqual(['TokenRequest', 'ItemFilterCreate', 'ItemFilterUpdate']);
  });

  it('gives each operation one schema of an error: a generator of Rust refuses two', () => {
    const schemas = [...operationsOf(document)].map(({ operation }) => {
      const errors = Object.entries(operation.responses).filter(([status]) => status.startsWith('4'));
      const bodies = errors.map(([, response]) => {
        const { content } = resolve<Response>(document, response);
        return JSON.stringify(content?.['application/json']?.schema);
      });
      return { id: operation.operationId, bodies: [...new Set(bodies)] };
    });
    expect(schemas.length).toBeGreaterThan(50);
    expect(schemas.filter(({ bodies }) => bodies.length > 1)).toEqual([]);
  });

  it('names every place where it says less', () => {
    const places = (rule: string): readonly string[] => losses.find((loss) => loss.rule === rule)?.places ?? [];
    const holding = (keyword: string): string[] =>
      [...schemasIn(whole)].filter(([, schema]) => keyword in schema).map(([place]) => place);
    for (const keyword of ['prefixItems', 'not', 'propertyNames', 'unevaluatedProperties']) {
      expect(places(keyword), keyword).toHaveLength(holding(keyword).length);
    }
    expect(places('alternatives')).toContain('PublicStashChange');
    expect(places('values')).toContain('Item.rarity');
    expect(places('booleans')).toContain('Item.corrupted');
    expect(document.info.description).toContain(`(${places('values').length})`);
  });
});
