import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';

import { endWith, runRedocly } from '../../scripts/generate/document.js';
import { bySpectral, bySwaggerParser } from './linters.js';

const license = { name: 'MIT', url: 'https://game.example/license' };
const info = { title: 'Small', version: '1.0.0', description: 'Small.', contact: { name: 'Nobody' }, license };
const responses = { 200: { description: 'Good.' } };
const small = (operation: object = {}): object => ({
  openapi: '3.1.0',
  info,
  servers: [{ url: 'https://game.example' }],
  tags: [{ name: 'One', description: 'One.' }],
  paths: { '/one': { get: { operationId: 'one', description: 'One.', tags: ['One'], responses, ...operation } } },
});
const excused = [{ rule: 'contact-properties', documents: /^small$/, because: 'there is nobody to write to' }];

describe('linters of the contract', () => {
  it('accept a sound document, its exceptions aside', async () => {
    expect(await bySpectral('small', small(), excused)).toEqual([]);
    expect(await bySwaggerParser(small())).toEqual([]);
  });

  it('by Spectral, find a tag that is not defined', async () => {
    const found = await bySpectral('small', small({ tags: ['Two'] }), excused);
    expect(found).toEqual([
      'operation-tag-defined: Operation tags must be defined in global tags. at paths//one/get/tags/0',
    ]);
  });

  it('by Spectral, ask of other documents what one is excused from', async () => {
    const found = await bySpectral('other', small(), excused);
    expect(found).toEqual([expect.stringMatching(/^contact-properties: .* at info\/contact$/)]);
  });

  it('by Spectral, find an exception that excuses nothing', async () => {
    const idle = { rule: 'info-description', documents: /./, because: 'it has none' };
    expect(await bySpectral('small', small(), [...excused, idle])).toEqual([
      'info-description: passes, so that its exception in openapi/lint/exceptions.ts can go',
    ]);
  });

  it('by swagger-parser, find what the schema of OpenAPI refuses, and a reference to nothing', async () => {
    expect(await bySwaggerParser(small({ responses: { 200: {} } }))).not.toEqual([]);
    const lost = { 200: { $ref: '#/components/responses/Lost' } };
    expect(await bySwaggerParser(small({ responses: lost }))).toEqual([expect.stringContaining('Lost')]);
  });

  it('by Redocly, end a script plainly where its configuration cannot be read', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'redocly-'));
    const config = join(folder, 'redocly.yaml');
    await writeFile(config, 'rules: [broken\n');
    const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
      throw new Error(`exit ${code}`);
    });
    const shown = vi.spyOn(console, 'error').mockImplementation(() => {});
    try {
      const run = runRedocly('lint', 'openapi/control.yaml', '--config', config, '--format', 'json');
      await expect(run.catch(endWith)).rejects.toThrow('exit 2');
      expect(shown.mock.calls).toEqual([
        [expect.stringMatching(/^redocly lint .* failed:\nFailed to load the configuration file:\n\n {2}- [^\n║]*$/)],
      ]);
    } finally {
      exit.mockRestore();
      shown.mockRestore();
      await rm(folder, { recursive: true });
    }
    expect(() => endWith(new Error('ours'))).toThrow('ours');
  });
});
