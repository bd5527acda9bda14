import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { vitestEntry } from '../src/command.fixture.js';
import { cleanEnvironment, nobody, tampering } from './verify.fixture.js';
import { workshop } from './workshop.fixture.js';

const { at, open, close, stage, serving } = workshop();
beforeAll(open);
afterAll(close);

const inPackage = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

interface Results {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Vitest with its default settings in a project of one test file; what it prints, and its results. */
async function project(name: string, options: Record<string, unknown>): Promise<{ printed: string; results: Results }> {
  const root = at(name);
  mkdirSync(root);
  const source = JSON.stringify(vitestEntry);
  writeFileSync(
    join(root, 'vitest.config.mjs'),
    // As what stands in node_modules: Node loads it, and vitest leaves it as it is.
    `export default {
      resolve: { alias: { 'game-data-contract/vitest': ${source} } },
      test: { server: { deps: { external: [/[/]dist[/]/] } } },
    };\n`,
  );
  writeFileSync(
    join(root, 'server.test.ts'),
    `import { conformance } from 'game-data-contract/vitest';\nconformance(${JSON.stringify(options)});\n`,
  );
  const vitest = inPackage('node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=verbose', '--reporter=json', '--outputFile.json=results.json'];
  const child = spawn(process.execPath, [vitest, 'run', ...reporters], {
    cwd: root,
    env: { ...cleanEnvironment(), NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (printed += part.toString()));
  await new Promise((done) => child.on('close', done));
  return { printed, results: JSON.parse(readFileSync(join(root, 'results.json'), 'utf8')) as Results };
}

const statuses = ({ testResults }: Results): Record<string, string> =>
  Object.fromEntries(
    testResults.flatMap(({ assertionResults }) =>
      assertionResults.map(({ title, status }): [string, string] => [title.slice(1, title.indexOf(' ')), status]),
    ),
  );

// Each starts vitest and its worker, which take their time on a busy machine.
describe.concurrent('conformance in the tests of a server', { timeout: 300_000 }, () => {
  it('passes a test for each requirement that the server keeps, and skips the others with the reason', async () => {
    const { targetFile } = await stage();
    const target = targetFile('kept', { control_url: undefined, consent: 'none' });
    const { printed, results } = await project('keeping', {
      target: relative(at('keeping'), target),
      only: ['PROFILE-001', 'LEAGUE-LIST-001', 'TOK-REFRESH-025'],
      seed: 7,
    });
    expect(results.success).toBe(true);
    expect(statuses(results)).toEqual({
      'PROFILE-001': 'skipped',
      'LEAGUE-LIST-001': 'passed',
      'TOK-REFRESH-025': 'skipped',
    });
    expect(printed).toMatch(/\[PROFILE-001 MUST\] GET \/profile [^\n]*\[could not run: needs /);
    expect(printed).toContain('seed 7');
  });

  it('fails as a whole where nothing could be judged', async () => {
    const { targetFile } = await stage();
    const target = targetFile('nothing', { control_url: undefined, consent: 'none' });
    const { printed, results } = await project('judging nothing', { target, only: ['PROFILE-001'], seed: 7 });
    expect(results.success).toBe(false);
    expect(printed).toMatch(/nothing was judged. PROFILE-001 could not run: needs /);
  });

  it('fails as a whole where nothing was served', async () => {
    const { targetFile } = await stage();
    const none = { control_url: undefined, clients: undefined, known: undefined, consent: 'none' };
    const { printed, results } = await project('serving nothing', { target: targetFile('bare', none), seed: 7 });
    expect(results.success).toBe(false);
    expect(printed).toContain('no operation answered with success');
  });

  it('fails the test of the requirement that a bug violates, and no other', async () => {
    const { mock, targetFile } = await stage();
    const url = await serving(
      tampering(mock.url, (path, reply) => {
        if (path !== '/profile' || reply.status !== 200) return reply;
        return { ...reply, body: JSON.stringify({ ...(JSON.parse(reply.body) as object), uuid: 'none' }) };
      }),
    );
    const { results } = await project('broken', {
      target: targetFile('bug', { base_url: url }),
      only: ['PROFILE-002', 'PROFILE-003'],
      seed: 7,
    });
    expect(results.success).toBe(false);
    expect(statuses(results)).toEqual({ 'PROFILE-002': 'failed', 'PROFILE-003': 'passed' });
    const [message = ''] = results.testResults[0]!.assertionResults.flatMap(({ failureMessages }) => failureMessages);
    expect(message).toMatch(
      /expected .*\n\s*got .*none.*\nrequirement: uuid is a UUID[^]*\nsee: [^]*\nreplay: npx gamedata verify --target \S+ --seed 7 --only PROFILE-002/,
    );
    expect(message).not.toMatch(/\n\s+at /);
  });

  it('fails as a whole for a configuration error', async () => {
    const { targetFile } = await stage();
    const { printed, results } = await project('down', {
      target: targetFile('down', { base_url: nobody }),
      only: ['PROFILE-001'],
    });
    expect(results.success).toBe(false);
    expect(printed).toContain(`base_url ${nobody}: connection refused`);
  });
});
