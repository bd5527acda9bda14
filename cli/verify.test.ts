import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';

import { planOf } from '../conformance/plan.js';
import { formats } from '../conformance/report/write.js';
import type { RunReport } from '../conformance/result.js';
import { run } from './run.js';
import { always, gamedata, nobody, tampering } from './verify.fixture.js';
import type { Ending } from './verify.fixture.js';
import { workshop } from './workshop.fixture.js';

const { at, open, close, stage, serving } = workshop();
beforeAll(open);
afterAll(close);

/** Every report is whole, whatever happened. */
function reportIn(name: string, only: readonly string[] = []): RunReport {
  expect(readdirSync(at(name))).toEqual(expect.arrayContaining(Object.keys(formats)));
  const report = JSON.parse(readFileSync(join(at(name), 'report.json'), 'utf8')) as RunReport;
  expect(report.rows.map(({ id }) => id)).toEqual(planOf(only).map(({ row }) => row.id));
  return report;
}

const clean = ({ stdout, stderr }: Ending): string => {
  expect(`${stdout}${stderr}`).not.toMatch(/\n\s+at |UnhandledPromise|Error:/);
  expect(stderr).toBe('');
  return stdout;
};

describe('the command line of verify', () => {
  beforeAll(async () => {
    (await stage()).targetFile('parsed', {});
  });

  async function told(...args: string[]): Promise<Omit<Ending, 'signal'>> {
    const text = { stdout: '', stderr: '' };
    const spies = (['stdout', 'stderr'] as const).map((name) =>
      vi.spyOn(process[name], 'write').mockImplementation((part) => {
        text[name] += String(part);
        return true;
      }),
    );
    try {
      return { code: await run(args), ...text };
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  }

  it.each([
    [
      ['--only', 'TOK-NONE-1'],
      'gamedata: --only TOK-NONE-1: no requirement or group of that name; see gamedata verify list\n',
    ],
    [
      ['--sead', '1'],
      "gamedata verify: unknown option '--sead' (did you mean --seed?); gamedata verify --help lists what there is\n",
    ],
    [
      ['other.yaml'],
      'gamedata verify: unexpected argument other.yaml; a target file goes after --target: --target other.yaml\n',
    ],
    [['again'], 'gamedata verify: unexpected argument again; gamedata verify --help lists what there is\n'],
    [['lst'], 'gamedata verify: unexpected argument lst; did you mean gamedata verify list?\n'],
    [
      ['--seed', 'x'],
      "gamedata verify: option '--seed <number>' argument 'x' is invalid. It takes a whole number from -2147483648 to 2147483647; gamedata verify --help lists what there is\n",
    ],
    [
      ['--runs', '0'],
      "gamedata verify: option '--runs <number>' argument '0' is invalid. It takes a whole number from 1 to 100000; gamedata verify --help lists what there is\n",
    ],
  ])('%j is told in a line', async (args, stderr) => {
    expect(await told('verify', '--target', at('parsed.yaml'), ...args)).toEqual({ code: 2, stdout: '', stderr });
  });

  it('has a line for each problem of a target', async () => {
    writeFileSync(at('broken.yaml'), 'base_url: nonsense\nconsent: maybe\n');
    const { code, stderr } = await told('verify', '--target', at('broken.yaml'));
    expect(code).toBe(2);
    const lines = stderr.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line).toMatch(/^gamedata: .*broken\.yaml:\d+: /);
  });

  it('wants a baseline, a repro and a server that there are', async () => {
    const file = at('none.yaml');
    for (const args of [
      ['verify', '--target', at('parsed.yaml'), '--baseline', file],
      ['replay', file],
      ['verify', '--target', file],
    ]) {
      const { code, stdout, stderr } = await told(...args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^gamedata: .*none\.yaml.*\n$/);
    }
  });

  it('lists what would be judged, and needs no target for that', async () => {
    const { code, stdout } = await told('verify', 'list', '--only', 'PROFILE,GEN-001');
    expect(code).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(planOf(['PROFILE', 'GEN-001']).map(({ row }) => row.id));
  });
});

// Each starts a process or more, which take their time on a busy machine.
describe.concurrent('a run', { timeout: 300_000 }, () => {
  it('on a server that keeps the contract', async () => {
    const { targetFile } = await stage();
    const target = targetFile('clean', {});
    const summary = at('step-summary.md');
    const ended = await gamedata(
      ['verify', '--target', target, '--only', 'PROFILE-001,PROFILE-006', '--report', at('clean'), '--seed', '7'],
      { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary },
    );
    const stdout = clean(ended);
    expect(ended.code, stdout).toBe(0);
    expect(stdout).toContain('Conformant: 2 of 2 judged requirements passed.');
    expect(stdout).toMatch(/Requests +at most [\d,]+ for 2 requirements/);
    const report = reportIn('clean', ['PROFILE-001', 'PROFILE-006']);
    expect(report).toMatchObject({
      exitCode: 0,
      seed: 7,
      command: expect.stringContaining(` verify --target ${target} --seed 7 --only PROFILE-001,PROFILE-006`) as string,
      rows: [{ verdict: 'pass' }, { verdict: 'pass' }],
    });
    expect(readFileSync(summary, 'utf8')).toContain('Conformant');
    expect(existsSync(join(at('clean'), 'repro'))).toBe(false);
    expect(JSON.stringify(report)).not.toMatch(/-secret"/);
  });

  it('that flags gave over the target file is kept for the replay, and for the command that runs it again', async () => {
    const { targetFile } = await stage();
    const flags = ['--name', 'livestream=stream', '--only', 'PROFILE-005', '--seed', '3'];
    const found = await gamedata(['verify', '--target', targetFile('named', {}), ...flags, '--report', at('named')]);
    expect(found.code).toBe(1);
    expect(reportIn('named', ['PROFILE-005']).command).toContain(' --name livestream=stream ');
    const still = await gamedata(['replay', join(at('named'), 'repro', 'PROFILE-005.json')]);
    expect([still.code, clean(still)]).toEqual([1, expect.stringContaining('still fails')]);
  });

  it('that was strict is replayed as strictly', async () => {
    const { mock, targetFile } = await stage();
    const url = await serving(
      tampering(mock.url, (path, reply) => {
        if (!path.includes('/ladder') || reply.status !== 200) return reply;
        return { ...reply, body: reply.body.replaceAll(/"rank":(\d+)/g, (_, rank) => `"rank":${Number(rank) + 1}`) };
      }),
    );
    const args = ['--target', targetFile('ranks', { base_url: url }), '--only', 'LADDER-RANK-002', '--seed', '3'];
    const ended = await gamedata(['verify', ...args, '--strict', '--report', at('ranks')]);
    expect(ended.code, clean(ended)).toBe(1);
    const still = await gamedata(['replay', join(at('ranks'), 'repro', 'LADDER-RANK-002.json')]);
    expect([still.code, clean(still)]).toEqual([1, expect.stringContaining('still fails')]);
  });

  it('on a planted bug: baseline, replay, annotations', async () => {
    const { mock, targetFile } = await stage();
    let bug: 'nameless' | 'listed' = 'nameless';
    const url = await serving(
      tampering(mock.url, (path, reply) => {
        if (path !== '/profile' || reply.status !== 200) return reply;
        const { name: _, ...rest } = JSON.parse(reply.body) as Record<string, unknown>;
        return { ...reply, body: JSON.stringify(bug === 'nameless' ? rest : [rest]) };
      }),
    );
    const target = targetFile('bug', { base_url: url });
    const args = ['verify', '--target', target, '--only', 'PROFILE-001,PROFILE-007', '--seed', '3'];
    const summary = at('bug-summary.md');
    const found = await gamedata([...args, '--report', at('bug')], {
      GITHUB_ACTIONS: 'true',
      GITHUB_STEP_SUMMARY: summary,
    });
    expect(found.code).toBe(1);
    expect(clean(found)).toMatch(/::error.*PROFILE-001/);
    expect(readFileSync(summary, 'utf8')).toContain('PROFILE-001');
    const report = reportIn('bug', ['PROFILE-001', 'PROFILE-007']);
    const row = report.rows.find(({ id }) => id === 'PROFILE-001')!;
    expect(row).toMatchObject({
      verdict: 'fail',
      failure: {
        seed: 3,
        replay: expect.stringContaining(` replay ${join(at('bug'), 'repro')}/PROFILE-001.json`) as string,
      },
    });
    expect(readFileSync(join(at('bug'), 'repro', 'PROFILE-001.sh'), 'utf8')).toBe(row.failure!.script);

    const printed = await gamedata([...args, '--write-baseline', '-']);
    expect(printed.code).toBe(1);
    const list = parse(clean(printed)) as { id: string }[];
    expect(list.map(({ id }) => id)).toContain('PROFILE-001');
    const baseline = at('written.yaml');
    const written = await gamedata([...args, '--write-baseline', baseline]);
    expect(written.code).toBe(1);
    expect(clean(written)).toContain(baseline);
    expect(clean(written)).toContain('PROFILE-001');
    expect(readFileSync(baseline, 'utf8')).toBe(printed.stdout);
    writeFileSync(at('known.yaml'), printed.stdout.replaceAll("reason: ''", 'reason: agreed'));

    const file = join(at('bug'), 'repro', 'PROFILE-001.json');
    const waived = await gamedata([...args, '--baseline', at('known.yaml')]);
    const still = await gamedata(['replay', file]);
    const fixed = await gamedata(['replay', file, '--target', targetFile('mended', {})]);
    expect([waived.code, still.code, fixed.code]).toEqual([0, 1, 0]);
    expect(clean(waived)).toMatch(/Conformant with \d known deviations?: /);
    expect(clean(still)).toMatch(/^\[PROFILE-001 MUST\].*\nstill fails\n {2}expected {2}/);
    expect(clean(fixed)).toMatch(/\nfixed\n$/);
    bug = 'listed';
    const changed = await gamedata(['replay', file]);
    expect(changed.code).toBe(1);
    expect(clean(changed)).toMatch(/\nchanged: fails differently\n[^]*\n {2}before {4}/);
  });

  it('on nothing at all', async () => {
    const { targetFile } = await stage();
    const target = targetFile('down', { base_url: nobody, auth_url: nobody, control_url: undefined, consent: 'none' });
    const ended = await gamedata(['verify', '--target', target, '--report', at('down')]);
    expect(ended.code).toBe(2);
    expect(clean(ended)).toContain(`base_url ${nobody}: connection refused; start the server`);
    const report = reportIn('down');
    expect(report.problems).toEqual([expect.stringMatching(/^base_url /) as string]);
    expect(report.counts.pass).toBe(0);
  });

  it('on a web page', async () => {
    const url = await serving(
      always((_, reply) => void reply.setHeader('content-type', 'text/html').end('<h1>Hello</h1>')),
    );
    const { targetFile } = await stage();
    const target = targetFile('page', { base_url: url, auth_url: url, control_url: undefined, consent: 'auto' });
    const ended = await gamedata(['verify', '--target', target, '--only', 'PROFILE,TOK-RESP,GEN']);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('an HTML page; correct base_url');
    expect(ended.stderr).toContain('nothing was tested');
  });

  it('on a server that dies after the first words', async () => {
    let count = 0;
    const url = await serving(
      always((_, reply) => {
        count += 1;
        // The logins of the target's clients, and the look whether it is there.
        if (count <= 12) reply.end('{}');
        else reply.destroy();
      }),
    );
    const { targetFile } = await stage();
    const target = targetFile('dying', { base_url: url, auth_url: url, control_url: undefined, consent: 'none' });
    const ended = await gamedata(['verify', '--target', target, '--report', at('dying')]);
    clean(ended);
    const report = reportIn('dying');
    expect([1, 3]).toContain(ended.code);
    expect(report.exitCode).toBe(ended.code);
    expect(report.counts['suite error']).toBe(0);
    // Those that are under way at once, 32, and the few before and after.
    expect(report.requests.sent).toBeLessThan(64);
  });

  it('on floods and broken JSON', async () => {
    const megabyte = 'x'.repeat(1024 * 1024);
    const flood = await serving(
      always((path, reply) => {
        if (path !== '/profile') return void reply.end('{}');
        let left = 100;
        const pour = (): void => {
          while (left > 0 && !reply.destroyed) {
            left -= 1;
            if (!reply.write(megabyte)) return;
          }
          reply.end();
        };
        reply.on('drain', pour);
        pour();
      }),
    );
    const [flooding, cutting] = await Promise.all([stage(), stage()]);
    const broken = await serving(
      tampering(cutting.mock.url, (path, reply) =>
        path === '/profile' ? { ...reply, body: reply.body.slice(0, -2) } : reply,
      ),
    );
    const only = ['--only', 'PROFILE-001'];
    const runs = await Promise.all([
      gamedata([
        'verify',
        '--target',
        flooding.targetFile('flood', { base_url: flood }),
        ...only,
        '--report',
        at('flood'),
      ]),
      gamedata(['verify', '--target', cutting.targetFile('cut', { base_url: broken }), ...only, '--report', at('cut')]),
    ]);
    expect(runs.map(({ code }) => code)).toEqual([1, 1]);
    runs.forEach(clean);
    expect(reportIn('flood', ['PROFILE-001']).rows[0]!.reason).toContain('a body of more than 16 MB');
    expect(reportIn('cut', ['PROFILE-001']).rows[0]!.reason).toContain('a body that is not JSON');
  });

  it('on a control that promises what it does not do', async () => {
    const { mock, targetFile } = await stage();
    const control = await serving(
      tampering(mock.url, (path, reply) =>
        /\/(clock|reset)$/.test(path) ? { ...reply, status: 404, body: '{"error":"no such thing"}' } : reply,
      ),
    );
    const target = targetFile('liar', { control_url: mock.controlUrl.replace(mock.url, control) });
    const only = planOf([]).find(({ check, row }) => check?.phase === 'clock' && row.needs.flat().includes('clock'))!
      .row.id;
    const ended = await gamedata(['verify', '--target', target, '--only', only, '--report', at('liar')]);
    expect([ended.code, clean(ended).includes('Incomplete')]).toEqual([3, true]);
    const report = reportIn('liar', [only]);
    expect(report.rows[0]).toMatchObject({
      verdict: 'could not run',
      reason: expect.stringContaining('clock') as string,
    });
    expect(report.observations[0]).toContain('The reset before the run failed');
  });

  it('that met no success gives no verdict', async () => {
    const { mock } = await stage();
    const ended = await gamedata(['verify', '--base-url', mock.url]);
    expect(ended.code).toBe(3);
    expect(clean(ended)).toMatch(/Incomplete: [^]*no\s+operation\s+answered\s+with\s+success/);
  });

  it('that is interrupted tells of what ran', async () => {
    let interrupt: (() => void) | undefined;
    let count = 0;
    const url = await serving(
      always((_, reply) => {
        count += 1;
        if (count <= 2) reply.end('{}');
        else interrupt?.();
      }),
    );
    const { targetFile } = await stage();
    const target = targetFile('hanging', { base_url: url, auth_url: url, control_url: undefined, consent: 'none' });
    const started = performance.now();
    const ended = await gamedata(['verify', '--target', target, '--report', at('hanging')], {}, (child) => {
      interrupt = () => {
        interrupt = undefined;
        child.kill('SIGINT');
      };
    });
    clean(ended);
    expect(ended.code).toBe(3);
    // Less than the requests that hang may take.
    expect(performance.now() - started).toBeLessThan(12_000);
    const report = reportIn('hanging');
    expect(report.outcome).toBe('incomplete');
    expect(report.rows.some(({ reason }) => reason === 'the run was interrupted')).toBe(true);
    expect(ended.stdout + ended.stderr).not.toMatch(/^100%/m);
  });
});
