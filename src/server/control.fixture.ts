import { readFileSync } from 'node:fs';
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { parse } from 'yaml';

import { send } from './mock.fixture.js';
import type { Got } from './mock.fixture.js';
import type { Mock } from './mock.js';
import { packageFile } from '../input/package.js';

/** The schemas of openapi/control.yaml, by name. */
const { components } = parse(readFileSync(packageFile('dist/openapi/control.yaml'), 'utf8')) as { components: object };
const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'control', components });
const judgeOf = (name: string) => ajv.getSchema(`control#/components/schemas/${name}`);

/** A control call, and its reply held against the document. */
export async function controlCall(
  mock: Mock,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  schema?: string,
  headers: Record<string, string> = {},
): Promise<Got> {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
  const got = await send(mock.url, {
    method,
    path: `/__control${path}`,
    headers: { ...(text !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: text,
  });
  if (got.status === 204) {
    expect(got.text).toBe('');
    return got;
  }
  expect(got.headers['content-type']).toBe('application/json; charset=utf-8');
  const judge = judgeOf(got.status >= 400 ? 'ControlError' : (schema ?? ''));
  if (!judge) throw new Error(`no schema ${schema}`);
  expect([judge(got.json()), judge.errors]).toEqual([true, null]);
  return got;
}

/** The sentence of a refusal. */
export const errorOf = (got: Got): string => got.json<{ error: string }>().error;

/** `controlCall` to the mock at hand. */
export type Call = (
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  schema?: string,
  headers?: Record<string, string>,
) => Promise<Got>;
