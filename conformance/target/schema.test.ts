import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { describe, expect, it } from 'vitest';

import { targetTemplate } from './init.js';
import { loadTarget } from './load.js';
import { nearest } from '../../src/input/nearest.js';
import { targetSchema } from './schema.js';
import { environmentHelp, settings } from './settings.js';
import { roles } from './table.js';

const { properties } = targetSchema;
const read = (text: string, env = {}) => loadTarget({ file: '-', env, stdin: async () => text });

describe('the schema of the target file', () => {
  it('is one', () => {
    const ajv = new Ajv({ strict: true });
    addFormats.default(ajv);
    expect(() => ajv.compile(targetSchema)).not.toThrow();
  });

  it('has every setting that a flag or a variable gives', () => {
    for (const { path } of settings) {
      const [top = '', role, key] = path;
      expect(Object.keys(properties)).toContain(top);
      if (top === 'clients' && role !== undefined)
        expect([roles, key]).toEqual([expect.arrayContaining([role]), expect.any(String)]);
    }
    expect(new Set(settings.map(({ env }) => env)).size).toBe(settings.length);
  });

  it('is told in the help with all that the environment can say', () => {
    for (const { env, role } of settings) if (!role) expect(environmentHelp()).toContain(`  ${env} `);
  });
});

describe('the template of a target file', () => {
  const template = targetTemplate();
  const filled = (text: string): string =>
    ['http://127.0.0.1:4010', 'id', 'secret'].reduce((before, value) => before.replace(": ''", `: ${value}`), text);
  /** Every setting switched on. */
  const complete = filled(template.replaceAll(/^( *)#(?! )/gm, '$1'));
  const env = Object.fromEntries([...complete.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => [name, 'x']));

  it('loads after three values', async () => {
    expect(template.match(/: ''/g)).toHaveLength(3);
    expect(await read(filled(template))).toMatchObject({
      base_url: 'http://127.0.0.1:4010',
      clients: { service: { client_id: 'id', client_secret: 'secret' } },
    });
    await expect(read(template)).rejects.toMatchObject({ problems: { length: 3 } });
  });

  it('loads with every setting switched on', async () => {
    const target = await read(complete, { ...env, NAME: 'x' });
    expect(Object.keys(target.clients)).toEqual(roles);
    expect(target.waivers).toHaveLength(1);
  });

  it('has every key of the schema', () => {
    const written = keysOf(parse(complete.replaceAll(/\$\{\w+\}/g, 'x')));
    const keys = [...schemaKeys(targetSchema)].filter((key) => key !== '$schema');
    expect(keys.filter((key) => !written.has(key))).toEqual([]);
  });
});

/** All names of properties anywhere in a schema. */
function* schemaKeys(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [name, inner] of Object.entries(schema)) {
    if (name === 'properties') yield* Object.keys(inner as object).filter((key) => key !== 'variants');
    yield* schemaKeys(inner);
  }
}

function keysOf(value: unknown): Set<string> {
  if (typeof value !== 'object' || value === null) return new Set();
  return new Set(Object.entries(value).flatMap(([key, inner]) => [key, ...keysOf(inner)]));
}

describe('the nearest name', () => {
  it.each([
    ['confidental', 'confidential'],
    ['refersh', 'refresh'],
    ['Refresh', 'refresh'],
    ['secret', undefined],
    ['', undefined],
  ])('to %j is %s', (word, name) => {
    expect(nearest(word, ['refresh', 'confidential', 'guild'])).toBe(name);
  });
});
