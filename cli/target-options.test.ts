import { Readable } from 'node:stream';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';

import { targetFrom, typedAgain, withTargetOptions } from './target-options.js';

/** The target that a command makes of arguments, environment and standard input. */
async function read(args: readonly string[], env: Record<string, string> = {}, stdin = '') {
  const command = withTargetOptions(new Command('x')).exitOverride();
  command.parse(args, { from: 'user' });
  return targetFrom(command.opts(), { env, stdin: Readable.from([stdin]) });
}

describe('the flags of a target', () => {
  it('stand in a line that is typed again, secrets by the variable that gives them', () => {
    const given = {
      baseUrl: 'http://127.0.0.1:1',
      serviceClientId: 'd',
      serviceClientSecret: 'hush',
      not: 'a setting',
    };
    expect(typedAgain(given)).toBe(
      ' --base-url http://127.0.0.1:1 --service-client-id d --service-client-secret "$GAMEDATA_SERVICE_CLIENT_SECRET"',
    );
  });

  it('say all of it for a first run', async () => {
    const words = `--base-url http://127.0.0.1:1 --auth-url http://127.0.0.1:2 --consent form
      --client-id c --client-secret s --redirect-uri https://app.example/ --refresh
      --scopes account:profile,account:characters --flag F-CX=on --flag F-FRAME-12=off
      --service-client-id d --service-client-secret t --service-scopes service:leagues`;
    const target = await read(words.split(/\s+/));
    expect(target).toMatchObject({
      base_url: 'http://127.0.0.1:1',
      auth_url: 'http://127.0.0.1:2',
      consent: 'form',
      edition: { 'F-CX': 'on', 'F-FRAME-12': 'off' },
      clients: {
        confidential: { client_id: 'c', scopes: ['account:profile', 'account:characters'], refresh: true },
        service: { client_id: 'd', scopes: ['service:leagues'], refresh: false },
      },
    });
  });

  it('go over a file, which the environment may name or standard input be', async () => {
    const text = 'base_url: http://127.0.0.1:1\nname: a\n';
    expect(await read(['--target', '-', '--base-url', 'http://127.0.0.1:2'], {}, text)).toMatchObject({
      name: 'a',
      base_url: 'http://127.0.0.1:2',
    });
    await expect(read([], { GAMEDATA_TARGET: '/nowhere.yaml' })).rejects.toThrow('/nowhere.yaml: no such file');
    expect((await read(['--target', '-'], { GAMEDATA_TARGET: '/nowhere.yaml' }, text)).name).toBe('a');
  });

  it('are asked for where nothing names a server', async () => {
    await expect(read(['--client-id', 'c'])).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(/^name the server to test with --target <file> or --base-url <url>/) as string,
    });
    expect((await read([], { GAMEDATA_BASE_URL: 'http://127.0.0.1:1' })).base_url).toBe('http://127.0.0.1:1');
  });
});
