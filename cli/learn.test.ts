import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { LearnedMachine } from '../conformance/machine/learn.js';
import { gamedata, tampering } from './verify.fixture.js';
import type { Ending, Reply } from './verify.fixture.js';
import { workshop } from './workshop.fixture.js';

const { at, open, close, stage, serving } = workshop();
beforeAll(open);
afterAll(close);

const isValid = new Ajv2020({ strict: false }).compile(
  JSON.parse(readFileSync('conformance/machine/machine.schema.json', 'utf8')) as object,
);

const learn = (target: string, folder: string, ...more: readonly string[]): Promise<Ending> =>
  gamedata(['learn', '--target', target, '--report', at(folder), '--extra-states', '0', ...more]);

/** What was written: it has the form of its schema, always. */
function written(folder: string): LearnedMachine {
  const machine = JSON.parse(readFileSync(join(at(folder), 'machine.json'), 'utf8')) as LearnedMachine;
  expect(isValid(machine), JSON.stringify(isValid.errors)).toBe(true);
  return machine;
}

/** The target of the mock behind a server that changes its replies; `count` is the number of the reply. */
async function changed(
  name: string,
  change: (reply: Reply, path: string, count: number) => Reply | Promise<Reply>,
  more: object = {},
): Promise<string> {
  const { mock, targetFile } = await stage();
  let count = 0;
  const url = await serving(tampering(mock.url, (path, reply) => change(reply, path, (count += 1))));
  return targetFile(name, { base_url: url, auth_url: url, ...more });
}

const answered = (_: Reply, status: number, body: object = {}): Reply => ({
  status,
  headers: { 'content-type': 'application/json', 'retry-after': '0' },
  body: JSON.stringify(body),
});

// Each starts a process or more, which take their time on a busy machine.
describe('gamedata learn', { timeout: 300_000 }, () => {
  it('writes the machine in three forms, and compares with one that it wrote', async () => {
    // Without revocations there are fewer states.
    const fewer = { not_offered: ['revokeToken'] };
    const { targetFile } = await stage();
    const first = await learn(targetFile('right', fewer), 'right');
    expect([first.code, first.stderr], first.stdout).toEqual([0, '']);
    const machine = written('right');
    expect(machine).toMatchObject({ complete: true, extra: 0, compared: 'the contract', differences: [] });
    expect(machine.states).toBeGreaterThan(3);
    expect(readFileSync(join(at('right'), 'machine.mmd'), 'utf8')).toContain('stateDiagram-v2');
    expect(readFileSync(join(at('right'), 'machine.svg'), 'utf8').match(/<rect/g)).toHaveLength(machine.states);

    const active = (reply: Reply): Reply => ({ ...reply, body: reply.body.replace('"active":false', '"active":true') });
    const other = await changed('deaf', (reply, path) => (path.endsWith('/introspect') ? active(reply) : reply), fewer);
    const compared = await learn(other, 'compared', '--compare', join(at('right'), 'machine.json'));
    expect(compared.code, compared.stdout).toBe(1);
    const { complete, compared: against, differences } = written('compared');
    expect([complete, against]).toEqual([true, 'another machine']);
    expect(differences.find(({ concerns }) => concerns === 'INTRO-017')).toMatchObject({
      word: ['exchange', 'refresh', 'introspect old'],
      expected: 'inactive',
      got: 'active',
    });
    expect(readFileSync(join(at('compared'), 'differences', '1.sh'), 'utf8')).toContain('curl');
  });

  it('lets time pass where the clock of the server can be moved, and says so where it cannot', async () => {
    const { targetFile } = await stage();
    // Without them there is less to try at each moment.
    const fewer = { not_offered: ['revokeToken', 'introspectToken'] };
    const ended = await learn(targetFile('timed', fewer), 'timed', '--time', '--client', 'confidential');
    expect([ended.code, ended.stderr], ended.stdout).toEqual([0, '']);
    const machine = written('timed');
    expect(machine).toMatchObject({ complete: true, differences: [] });
    expect(machine.machine.inputs).toContain('access nearly ends');
    expect(machine.readings).toContainEqual(expect.objectContaining({ gap: 'K-088', answer: 'no' }));

    const still = await learn(targetFile('still', { control_url: undefined, consent: 'auto' }), 'still', '--time');
    expect(still.code).toBe(2);
    expect(still.stderr).toContain(
      'learn --time needs a server whose clock can be moved: set control_url in the target',
    );
  });

  const bad: readonly {
    readonly what: string;
    readonly change: Parameters<typeof changed>[1];
    readonly flags?: readonly string[];
    readonly verdict: RegExp;
    /** Nothing at all could be asked. */
    readonly nothing?: boolean;
  }[] = [
    {
      what: 'answers the same sequence in two ways',
      change: (reply, path, count) => (count % 90 === 89 && path === '/oauth/token' ? answered(reply, 400) : reply),
      verdict:
        /^Not complete: the server is not deterministic here: exchange the code.* was answered .*, and another time/,
    },
    {
      what: 'forgets',
      change: (reply, path, count) => (count > 400 && path === '/profile' ? answered(reply, 401) : reply),
      verdict: /^Not complete: the server is not deterministic here: .*/,
    },
    {
      what: 'is slow',
      change: (reply, _, count) => (count > 300 ? new Promise(() => {}) : reply),
      flags: ['--time-limit', '3'],
      verdict: /^Not complete: .*it took longer than 3 seconds/,
    },
    {
      what: 'limits rates without an end',
      change: (reply, _, count) => (count > 300 ? answered(reply, 429) : reply),
      verdict: /^Not complete: .* returned 429 12 times/,
    },
    {
      what: 'limits rates from the first token on',
      change: (reply, path) => (path === '/oauth/token' ? answered(reply, 429) : reply),
      verdict: /^Not complete: .* returned 429 12 times/,
      nothing: true,
    },
    {
      what: 'is gone midway',
      change: (reply, _, count) => {
        if (count > 300) throw new Error('gone');
        return reply;
      },
      verdict: /^Not complete: the server could not be asked to the end: /,
    },
    {
      what: 'answers with 503 from some time on',
      change: (reply, path, count) => (count > 300 && path.startsWith('/oauth/token') ? answered(reply, 503) : reply),
      verdict: /^Not complete: /,
    },
    {
      what: 'has more states than may be learned',
      change: (reply) => reply,
      flags: ['--max-states', '3'],
      verdict: /^Not complete: the server showed more than 3 states/,
    },
  ];
  it.each(bad)(
    'is not complete, and says why, where a server $what',
    async ({ what, change, flags = [], verdict, nothing }) => {
      const folder = what.replaceAll(/\W/g, '-');
      const ended = await learn(await changed(folder, change), folder, ...flags);
      expect([ended.code, ended.stderr], ended.stdout).toEqual([3, '']);
      const machine = written(folder);
      expect(machine).toMatchObject({
        complete: false,
        verdict: expect.stringMatching(verdict) as string,
        differences: [],
      });
      expect(machine).not.toHaveProperty('extra');
      expect(ended.stdout).toContain('What was learned up to then is kept.');
      expect(ended.stdout).not.toContain('The whole machine');
      expect(readFileSync(join(at(folder), 'machine.svg'), 'utf8')).toContain('<rect');
      if (!nothing) expect(machine.machine.inputs.length).toBeGreaterThan(5);
      if (!nothing) expect(machine.words).toBeGreaterThan(10);
    },
  );
});
