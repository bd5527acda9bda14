import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { gamedata } from './verify.fixture.js';

let folder: string;
const at = (name: string): string => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gamedata-compare-'));
  writeFileSync(at('one.yaml'), 'openapi: 3.1.0\npaths:\n  /a: { get: {} }\n');
  writeFileSync(at('two.json'), '{ "openapi": "3.1.0", "paths": { "/a": { "get": {} }, "/b": { "get": {} } } }');
  writeFileSync(at('report.json'), '{}');
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('gamedata compare --contract', () => {
  it('ends with 0 where nothing has to be changed', async () => {
    const { code, stdout } = await gamedata(['compare', '--contract', at('one.yaml'), at('one.yaml')]);
    expect([code, stdout]).toEqual([0, 'No change.\n']);
  });

  it('ends with 1 and says whom the change breaks', async () => {
    const { code, stdout } = await gamedata(['compare', '--contract', at('one.yaml'), at('two.json'), '--markdown']);
    expect(code).toBe(1);
    expect(stdout).toContain('### Breaks servers (1)');
    expect(stdout).toContain('| GET /b | is new |');
  });

  it.each([
    [
      'report.json',
      'report.json: is no OpenAPI 3 description (openapi: 3.x); name one, such as dist/openapi/openapi.yaml',
    ],
    ['none.yaml', 'none.yaml: no such file; name an OpenAPI description'],
  ])('ends with 2 where a file is none: %s', async (name, message) => {
    const { code, stdout, stderr } = await gamedata(['compare', '--contract', at('one.yaml'), at(name)]);
    expect([code, stdout, stderr]).toEqual([2, '', `gamedata: ${at(message)}\n`]);
  });
});
