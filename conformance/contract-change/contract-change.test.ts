import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { changesMarkdown, changesText, isBreaking, summaryOfChanges } from '../report/contract-changes.js';
import type { Direction } from './change.js';
import { readContract } from './document.js';
import { contractChanges } from './operations.js';
import { schemaComparison } from './schemas.js';

/** A contract of one operation. */
const contract = (operation: object, components: object = {}) =>
  readContract(JSON.stringify({ openapi: '3.1.0', paths: { '/a/{id}': { get: operation } }, components }), 'test');

const reply = (schema: unknown) => ({ responses: { 200: { content: { 'application/json': { schema } } } } });
const body = (schema: unknown) => ({ requestBody: { content: { 'application/json': { schema } } } });
const query = (name: string, rest: object = {}) => ({ parameters: [{ in: 'query', name, schema: {}, ...rest }] });

const changed = (before: object, after: object): string[] =>
  contractChanges(contract(before), contract(after)).map(
    ({ place, what, breaks }) => `${place} ${what}: ${breaks.join(' and ') || 'nobody'}`,
  );

const object = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest });
const text = { type: 'string' };

describe('a schema', () => {
  it.each<[string, unknown, unknown, string[], string[]]>([
    ['that is as it was', object({ a: text }), object({ a: text }), [], []],
    ['with other words', { ...text, description: 'a' }, { ...text, description: 'b' }, [], []],
    ['without a member', object({ a: text }), object({}), ['.a is gone: clients'], ['.a is gone: clients']],
    [
      'with an optional member',
      object({}),
      object({ a: text }),
      ['.a is new, and optional: servers'],
      ['.a is new, and optional: nobody'],
    ],
    [
      'with a required member',
      object({}),
      object({ a: text }, { required: ['a'] }),
      ['.a is new, and required: clients'],
      ['.a is new, and required: servers'],
    ],
    [
      'with a member that is required',
      object({ a: text }),
      object({ a: text }, { required: ['a'] }),
      ['.a is required: clients'],
      ['.a is required: servers'],
    ],
    [
      'with a value',
      { enum: ['a'] },
      { enum: ['a', 'b'] },
      [' has the value "b": servers'],
      [' has the value "b": clients'],
    ],
    [
      'without a value',
      { enum: ['a', 'b'] },
      { const: 'a' },
      [' no longer has the value "b": clients'],
      [' no longer has the value "b": servers'],
    ],
    ['that may be null', text, { type: ['string', 'null'] }, [' may be null: servers'], [' may be null: clients']],
    [
      'that may be null, as OpenAPI 3.0 has it',
      text,
      { ...text, nullable: true },
      [' may be null: servers'],
      [' may be null: clients'],
    ],
    [
      'with a member called constructor',
      object({}),
      object({ constructor: text }),
      ['.constructor is new, and optional: servers'],
      ['.constructor is new, and optional: nobody'],
    ],
    ['that may be null, written otherwise', { type: ['string', 'null'] }, { anyOf: [text, { type: 'null' }] }, [], []],
    [
      'of a narrower type',
      { type: 'number' },
      { type: 'integer' },
      [' type was number, and is integer: clients'],
      [' type was number, and is integer: servers'],
    ],
    [
      'of another type',
      text,
      { type: 'boolean' },
      [' no longer may be string: clients', ' may be boolean: servers'],
      [' no longer may be string: servers', ' may be boolean: clients'],
    ],
    [
      'with a higher bound',
      { maximum: 5 },
      { maximum: 9 },
      [' maximum was 5, and is 9: servers'],
      [' maximum was 5, and is 9: clients'],
    ],
    [
      'with a pattern',
      text,
      { ...text, pattern: 'a' },
      [' pattern was unset, and is a: clients'],
      [' pattern was unset, and is a: servers'],
    ],
    [
      'that is closed',
      object({}),
      object({}, { additionalProperties: false }),
      [' has no members but those listed: clients'],
      [' has no members but those listed: servers'],
    ],
    [
      'with other items',
      { type: 'array', items: text },
      { type: 'array', items: { type: ['string', 'null'] } },
      ['[] may be null: servers'],
      ['[] may be null: clients'],
    ],
  ])('%s', (_, before, after, inRequest, inReply) => {
    const at = (place: string, changes: string[]): string[] => changes.map((change) => `${place}${change}`);
    expect(changed(body(before), body(after))).toEqual(at('GET /a/{id}, request body', inRequest));
    expect(changed(reply(before), reply(after))).toEqual(at('GET /a/{id}, response 200', inReply));
  });

  it('that another one contains with allOf is followed', () => {
    const of = (kind: object) =>
      contract(reply({ allOf: [{ $ref: '#/components/schemas/Base' }, object({ a: text })] }), {
        schemas: { Base: object({ kind }) },
      });
    expect(contractChanges(of({ enum: ['a'] }), of({ enum: ['a', 'b'] }))).toEqual([
      { place: 'Base.kind', what: 'has the value "b"', breaks: ['clients'] },
    ]);
  });

  it('that has a name is compared once, under its name, with everybody whom it breaks', () => {
    const of = (kind: object) =>
      contract(
        {
          ...reply({ $ref: '#/components/schemas/Node' }),
          ...body({ type: 'array', items: { $ref: '#/components/schemas/Node' } }),
        },
        {
          schemas: {
            Node: object({ kind, next: { anyOf: [{ $ref: '#/components/schemas/Node' }, { type: 'null' }] } }),
          },
        },
      );
    expect(contractChanges(of({ enum: ['a'] }), of({ enum: ['a', 'b'] }))).toEqual([
      { place: 'Node.kind', what: 'has the value "b"', breaks: ['clients', 'servers'] },
    ]);
  });
});

describe('an operation', () => {
  it.each<[string, object, object, string[]]>([
    ['with an optional parameter', {}, query('b'), ['GET /a/{id}, query parameter b is new, and optional: servers']],
    [
      'with a required parameter',
      {},
      query('b', { required: true }),
      ['GET /a/{id}, query parameter b is new, and required: clients and servers'],
    ],
    ['without a parameter', query('b'), {}, ['GET /a/{id}, query parameter b is gone: clients']],
    [
      'with a parameter that is required',
      query('b'),
      query('b', { required: true }),
      ['GET /a/{id}, query parameter b is required: clients'],
    ],
    [
      'that answers otherwise too',
      reply(text),
      { responses: { ...reply(text).responses, 202: {} } },
      ['GET /a/{id}, response 202 is new: clients'],
    ],
    [
      'that asks for another scope',
      { security: [{ o: ['a'] }] },
      { security: [{ o: ['b'] }] },
      ['GET /a/{id} no longer is open to o with a: clients', 'GET /a/{id} is open to o with b: servers'],
    ],
    [
      'that generators call otherwise',
      { operationId: 'a' },
      { operationId: 'b' },
      ['GET /a/{id} operationId was a, and is b: generated names change: clients'],
    ],
    [
      'that no longer promises a header',
      { responses: { 200: { headers: { Age: { required: true } } } } },
      { responses: { 200: { headers: { age: {} } } } },
      ['GET /a/{id}, response 200, header age is optional: clients'],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(changed(before, after)).toEqual(expected);
  });

  it('is the same one where a parameter of its path has another name', () => {
    const at = (path: string, name: string) =>
      readContract(
        JSON.stringify({ openapi: '3.1.0', paths: { [path]: { get: { parameters: [{ in: 'path', name }] } } } }),
        'test',
      );
    expect(contractChanges(at('/a/{id}', 'id'), at('/a/{name}', 'name'))).toEqual([]);
  });

  it('that goes breaks clients, and one that comes breaks servers', () => {
    const paths = (...names: string[]) =>
      readContract(
        JSON.stringify({ openapi: '3.1.0', paths: Object.fromEntries(names.map((name) => [name, { get: {} }])) }),
        'test',
      );
    expect(contractChanges(paths('/a'), paths('/b'))).toEqual([
      { place: 'GET /a', what: 'is gone', breaks: ['clients'] },
      { place: 'GET /b', what: 'is new', breaks: ['servers'] },
    ]);
  });
});

describe('two random schemas', () => {
  const leaf = fc.oneof(
    fc.constantFrom<object>(
      { type: 'string' },
      { type: 'integer' },
      { type: 'number' },
      { type: 'null' },
      { type: 'boolean' },
    ),
    fc.record({ enum: fc.uniqueArray(fc.constantFrom('a', 'b', 1), { minLength: 1 }) }),
    fc.record({ type: fc.constant('integer'), minimum: fc.integer({ min: 0, max: 3 }) }),
    fc.record({ type: fc.constant(['string', 'null']), maxLength: fc.integer({ min: 0, max: 2 }) }),
  );
  const schema = fc.letrec<{ any: object }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 2 },
      leaf,
      fc.record({ anyOf: fc.array(tie('any'), { minLength: 1, maxLength: 2 }) }),
      fc.record({ allOf: fc.array(tie('any'), { minLength: 1, maxLength: 2 }) }),
      fc.record({ type: fc.constant('array'), items: tie('any') }),
      fc.record(
        {
          type: fc.constant('object'),
          properties: fc.dictionary(fc.constantFrom('p', 'q'), tie('any')),
          required: fc.uniqueArray(fc.constantFrom('p', 'q')),
          // Where unknown members may be anything, a new one narrows them, which breaks nobody who sends what is listed.
          additionalProperties: fc.oneof(fc.constant(false), leaf),
        },
        { requiredKeys: ['type', 'properties', 'additionalProperties'] },
      ),
    ),
  })).any;
  const value = fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 2 },
      fc.constantFrom<unknown>('a', 'b', 'abc', '', null, true, 0, 1, 2.5, 5),
      fc.array(tie('any'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('p', 'q', 'r'), tie('any')),
    ),
  })).any;

  const document = contract({});
  const breaking = (before: object, after: object, direction: Direction): ReadonlySet<string> => {
    const comparison = schemaComparison(document, document);
    comparison.compare(before, after, 'it', direction);
    return new Set(comparison.changes.flatMap(({ breaks }) => breaks));
  };

  it('break those who send what is no longer allowed', () => {
    const ajv = new Ajv2020({ strict: false });
    fc.assert(
      fc.property(schema, schema, fc.array(value, { minLength: 30, maxLength: 60 }), (before, after, values) => {
        const [was, is] = [ajv.compile(before), ajv.compile(after)];
        const lost = values.find((one) => was(one) && !is(one));
        if (lost === undefined) return;
        expect(breaking(before, after, 'request'), JSON.stringify(lost)).toContain('clients');
      }),
      { numRuns: 100 },
    );
  });

  it('break nobody where they are the same', () => {
    fc.assert(
      fc.property(schema, (one) => {
        expect([...breaking(one, structuredClone(one), 'response')]).toEqual([]);
      }),
    );
  });
});

describe('a file', () => {
  it.each([
    ['{}', 'x.yaml: is no OpenAPI 3 description (openapi: 3.x); name one, such as dist/openapi/openapi.yaml'],
    ['swagger: "2.0"', 'x.yaml: is no OpenAPI 3 description'],
    ['openapi: 3.1.0', 'x.yaml: has no paths; name the whole description'],
  ])('that is none is refused: %s', (content, message) => {
    expect(() => readContract(content, 'x.yaml')).toThrow(message);
  });

  it.each([
    '#/components/schemas/None',
    'other.yaml#/A',
    '#/paths/~1a~1{id}/get/responses/200/content/application~1json/schema',
  ])('whose reference leads nowhere is refused: %s', (reference) => {
    const broken = contract(reply({ $ref: reference }));
    expect(() => contractChanges(broken, broken)).toThrow(
      'leads to nothing in this file; bundle the description into one file',
    );
  });
});

describe('the editions of this contract', () => {
  const edition = (name: string) => readContract(readFileSync(`dist/openapi/openapi.${name}.yaml`, 'utf8'), name);

  it('differ in what the extended one adds', () => {
    const changes = contractChanges(edition('base'), edition('extended'));
    expect(changes).toContainEqual({ place: 'GET /currency-exchange', what: 'is new', breaks: ['servers'] });
    expect(changes).toContainEqual({ place: 'LeagueCategory.current', what: 'is gone', breaks: ['clients'] });
    expect(changesText(changes, { colour: false })).toContain(`\n\n${summaryOfChanges(changes)}\n`);
    expect(changesMarkdown(changes)).toContain('### Breaks servers');
  });

  it('do not differ from themselves', () => {
    expect(isBreaking(contractChanges(edition('extended'), edition('extended')))).toBe(false);
  });
});
