/** What `--json` and `--quiet` leave on standard output, and the exit code beside it, for each way in which a run ends. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { RunReport } from '../conformance/result.js';
import { root } from '../scripts/generate/document.js';
import { gamedata, tampering } from './verify.fixture.js';
import type { Ending } from './verify.fixture.js';
import { workshop } from './workshop.fixture.js';

const { at, open, close, stage, serving } = workshop();
beforeAll(open);
afterAll(close);

const ajv = new Ajv2020({ strict: true });
addFormats.default(ajv);
const follows = ajv.compile(
  JSON.parse(readFileSync(join(root, 'conformance', 'report', 'report.schema.json'), 'utf8')) as object,
);

/** Standard output as the one report that it is. */
function reportIn({ stdout, stderr }: Ending): RunReport {
  const report = JSON.parse(stdout) as RunReport;
  expect(follows(report), ajv.errorsText(follows.errors)).toBe(true);
  expect(stderr).not.toMatch(/\n\s+at |UnhandledPromise/);
  return report;
}

/** Members that no body may have so many of: what is not read is not judged. */
const crowd = JSON.stringify(Object.fromEntries(Array.from({ length: 20_001 }, (_, index) => [`name ${index}`, 0])));

/** Judges a server whose profile is right, lacks the name, or has more in it than is read. */
async function verify(kind: 'right' | 'nameless' | 'crowded', ...flags: string[]): Promise<Ending> {
  const { mock, targetFile } = await stage();
  const url = await serving(
    tampering(mock.url, (path, reply) => {
      if (path !== '/profile' || reply.status !== 200 || kind === 'right') return reply;
      if (kind === 'crowded') return { ...reply, body: crowd };
      const { name: _, ...rest } = JSON.parse(reply.body) as Record<string, unknown>;
      return { ...reply, body: JSON.stringify(rest) };
    }),
  );
  const target = targetFile(`${kind}${flags.join('')}`, { base_url: url });
  return gamedata(['verify', '--target', target, '--only', 'PROFILE-001', '--seed', '1', ...flags]);
}

const programs = {
  right: `await fetch(url + '/profile', { headers: { authorization: 'Bearer ' + token, 'user-agent': 'OAuth app/1.0 (contact: me@app.example)' } })`,
  leaky: `await fetch(url + '/profile?access_token=' + token)`,
  lost: `await fetch(url + '/profile', { headers: { authorization: 'Bearer ' + token } }); process.exit(7)`,
};

function audit(kind: keyof typeof programs, ...flags: string[]): Promise<Ending> {
  const source = `const { GAMEDATA_BASE_URL: url, GAMEDATA_TOKEN_ACCOUNT: token } = process.env; ${programs[kind]}; process.exit(0)`;
  const choice = ['--world', 'calm', '--only', 'TOK-BEARER-002', ...flags];
  return gamedata(['audit', ...choice, '--', process.execPath, '--input-type=module', '--eval', source]);
}

// Each starts a process or more, which take their time on a busy machine.
describe.concurrent('standard output', { timeout: 300_000 }, () => {
  it.each([
    ['right', 0, 'conformant'],
    ['nameless', 1, 'not conformant'],
    ['crowded', 3, 'incomplete'],
  ] as const)(
    'of verify --json is the report where the server is %s, and the code is %i',
    async (kind, code, outcome) => {
      const ended = await verify(kind, '--json');
      expect(ended.code, ended.stderr).toBe(code);
      expect(reportIn(ended)).toMatchObject({ outcome, exitCode: code, rows: [{ id: 'PROFILE-001' }] });
    },
  );

  it.each([
    ['right', 0, 'conformant'],
    ['leaky', 1, 'not conformant'],
    ['lost', 3, 'incomplete'],
  ] as const)(
    'of audit --json is the report where the client is %s, and the code is %i',
    async (kind, code, outcome) => {
      const ended = await audit(kind, '--json');
      expect(ended.code, ended.stderr).toBe(code);
      expect(reportIn(ended)).toMatchObject({ subject: 'client', outcome, exitCode: code });
    },
  );

  it('of --json is empty where nothing ran, and the code is 2', async () => {
    const [one, other] = await Promise.all([
      gamedata(['verify', '--json', '--target', at('missing.yaml')]),
      gamedata(['audit', '--json', '--world', 'nowhere', '--', 'true']),
    ]);
    for (const { code, stdout, stderr } of [one, other]) {
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^(.*\n\n)?gamedata: .*\n$/);
    }
  });

  it('of --quiet is the verdict where all is well', async () => {
    for (const { code, stdout, stderr } of await Promise.all([verify('right', '--quiet'), audit('right', '--quiet')])) {
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^Conformant: [^\n]*\n$/);
    }
  });

  it('of --quiet is each failure and the verdict where something fails', async () => {
    const [server, client] = await Promise.all([verify('nameless', '--quiet'), audit('leaky', '--quiet')]);
    for (const [{ code, stdout, stderr }, id] of [
      [server, 'PROFILE-001'],
      [client, 'TOK-BEARER-002'],
    ] as const) {
      expect([code, stderr]).toEqual([1, '']);
      expect(stdout).toContain(id);
      expect(stdout).toMatch(/(^|\n)Not conformant: [^\n]*\n$/);
      expect(stdout).not.toContain('Requests ');
    }
  });
});
