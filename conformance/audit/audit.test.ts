import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { newFolder } from '../../src/input/folder.fixture.js';
import type { RowResult } from '../result.js';
import { audit } from './audit.js';
import { commandClient } from './client.js';
import { auditLedger } from './ledger.js';
import { ProcessGroup } from './process-group.js';
import { inside } from './proof/inside.js';
import { mistakes, rightLogin } from './proof/clients.fixture.js';
import { Reference } from './proof/reference.js';
import { clientTrials, tryClient, unproved } from './proof/prove.js';
import { startAudit } from './start.js';
import { worlds } from './worlds.js';

async function auditCommand(words: readonly string[], options: Partial<Parameters<typeof audit>[0]> = {}) {
  const { client, close } = commandClient({ words });
  try {
    return await audit({ client, name: 'a client', worlds: ['calm'], ...options });
  } finally {
    await close();
  }
}

const node = (program: string): string[] => [process.execPath, '-e', program];
const blamed = (rows: readonly RowResult[]): string[] =>
  rows.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
const verdictOf = (rows: readonly RowResult[], id: string) => rows.find((row) => row.id === id)?.verdict;

describe('the ledger of the audit', () => {
  it('has at least 60 sentences, each with an id of its own', () => {
    expect(auditLedger.length).toBeGreaterThanOrEqual(60);
    expect(new Set(auditLedger.map(({ id }) => id)).size).toBe(auditLedger.length);
  });

  it('names for each binding sentence a section of the interface or a clause of an RFC', () => {
    for (const { id, level, source } of auditLedger) {
      if (level === 'MUST') expect(source, id).toMatch(/^\d/);
      // Appendices count by letters.
      if (level.endsWith('-RFC')) expect(source, id).toMatch(/^RFC \d+ (\d|[A-Z][.]\d)/);
    }
  });

  it('judges each sentence in one way', () => {
    for (const { id, judge, across } of auditLedger) expect([judge, across].filter(Boolean), id).toHaveLength(1);
  });

  it('has a mutant for each sentence', () => {
    expect(unproved()).toEqual([]);
  });
});

describe('the worlds', () => {
  it('are at least 25, and name rows of the ledger', () => {
    expect(worlds.length).toBeGreaterThanOrEqual(25);
    const ids = new Set(auditLedger.map(({ id }) => id));
    for (const { id, survival } of worlds) if (survival) expect(ids.has(survival), id).toBe(true);
  });
});

describe('an audit', () => {
  it('passes the reference client', async () => {
    const client = inside((around) => new Reference(around).run());
    const { report } = await audit({
      client,
      name: 'reference',
      worlds: ['access-ends', 'restricted-once', 'odd-names'],
    });
    expect(blamed(report.rows)).toEqual([]);
    expect(report).toMatchObject({ exitCode: 0, outcome: 'conformant', subject: 'client' });
    expect(verdictOf(report.rows, 'PACE-RETRY-001')).toBe('pass');
    expect(verdictOf(report.rows, 'READ-NULL-001')).toBe('not exercised');
  });

  it('passes a login in another process, through a browser that consents', async () => {
    const { report } = await auditCommand(node(rightLogin), { worlds: ['forged-callback', 'stray-connection'] });
    expect(blamed(report.rows)).toEqual([]);
    expect(verdictOf(report.rows, 'AUTH-STATE-003')).toBe('pass');
    expect(verdictOf(report.rows, 'AUTH-STRAY-001')).toBe('pass');
  });

  it.each(mistakes)('blames a client that $name', async ({ program, row, worlds: where }) => {
    const { report } = await auditCommand(node(program), { worlds: ['calm', ...where] });
    expect(['fail', 'warn'], JSON.stringify(report.observations)).toContain(verdictOf(report.rows, row));
    if (auditLedger.find(({ id }) => id === row)?.level !== 'ADVICE') expect(report.exitCode).toBe(1);
  });

  it('has no verdict on a client that works in the calm world and asks nothing in others', async () => {
    const once = `import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
      const { GAMEDATA_BASE_URL: url, GAMEDATA_TOKEN_ACCOUNT: token, SEEN: seen } = process.env;
      if (existsSync(seen)) process.exit(1);
      writeFileSync(seen, '');
      await fetch(url + '/profile', { headers: { authorization: 'Bearer ' + token, 'user-agent': 'once/1.0 (a@example.com)' } });`;
    const seen = join(newFolder(), 'seen');
    const words = ['/usr/bin/env', `SEEN=${seen}`, process.execPath, '--input-type=module', '-e', once];
    const worlds = ['shuffled', 'escaped', 'pretty', 'nulls'];
    const { report } = await auditCommand(words, { worlds: ['calm', ...worlds] });
    expect([report.exitCode, report.summary]).toEqual([3, expect.stringContaining('sent no request to the mock')]);
  });

  it('quotes what a client said before its first request without its secrets, also where it cuts', async () => {
    const tells = `const { GAMEDATA_CLIENT_SECRET: secret, GAMEDATA_TOKEN_ACCOUNT: token } = process.env;
      console.error({ secret, far: 'x'.repeat(130), token });
      process.exit(3);`;
    const { report, runs } = await auditCommand([process.execPath, '-e', tells]);
    expect(report.summary).toContain("printed: { secret: '[redacted]', far: 'xxx");
    const { facts } = runs[0]!;
    for (const secret of [...facts.given, 'web-secret']) expect(report.summary).not.toContain(secret.slice(0, 8));
  });

  it('judges nothing in a world that the client tries to change', async () => {
    const off = `const { GAMEDATA_BASE_URL: url, GAMEDATA_TOKEN_ACCOUNT: token, GAMEDATA_CONTROL_URL } = process.env;
      await fetch(url + '/profile', { headers: { authorization: 'Bearer ' + token } });
      if (GAMEDATA_CONTROL_URL) throw new Error('told where');
      const reply = await fetch(url + '/__control/limits', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"limits":"off"}' });
      process.exitCode = reply.status === 401 ? 0 : 1;`;
    const { report } = await auditCommand([process.execPath, '--input-type=module', '-e', off]);
    expect(report.exitCode).toBe(2);
    expect(report.summary).toMatch(
      /called the control surface \(POST \/__control\/limits\), which is closed in an audit; leave out/,
    );
    expect(new Set(report.rows.map(({ verdict }) => verdict))).toEqual(new Set(['could not run']));
  });

  it.each([
    ['an empty command', [''], /it is empty/],
    ['a null character', ['node', 'a\0b'], /null character/],
    ['a folder', ['/'], /not executable/],
  ])('says why it cannot start %s', async (_, words, why) => {
    const { report } = await auditCommand(words);
    expect(report.exitCode).toBe(2);
    expect(report.summary).toMatch(why);
  });

  it('ends what leaves its session and cleans its environment, where the kernel has a group for it', async ({
    skip,
  }) => {
    const probe = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)']);
    const group = new ProcessGroup('probe', probe.pid!);
    if (!group.holds) probe.kill();
    await group.end();
    if (!group.holds) return skip('there is no control group here that we may write to');
    const left = `const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { detached: true, stdio: 'ignore', env: {} });
      console.log('left ' + child.pid);
      child.unref();
      process.exit();`;
    const { runs } = await auditCommand(node(left));
    const [, pid] = /left (\d+)/.exec(runs[0]!.endings[0]!.output)!;
    // Ended, whether or not somebody has collected it.
    const state = existsSync(`/proc/${pid}`) ? readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]![0] : 'gone';
    expect(['gone', 'Z']).toContain(state);
  });

  it('shows no secret in a report', async () => {
    const { report, runs } = await auditCommand(node(mistakes[0]!.program), { worlds: ['access-ends'] });
    const text = JSON.stringify(report);
    for (const call of runs.flatMap(({ calls }) => calls)) {
      for (const name of ['refresh_token', 'code', 'code_verifier']) {
        const secret = call.form.get(name);
        if (secret) expect(text).not.toContain(secret);
      }
      if (call.bearer) expect(text).not.toContain(call.bearer);
    }
    expect(report.rows.find(({ id }) => id === 'REFRESH-ONCE-001')?.failure?.trace.length).toBeGreaterThan(1);
  });
});

describe('a command that cannot be judged', () => {
  it.each([
    ['that does not exist', ['no-such-command-anywhere'], /there is no command no-such-command-anywhere; check/],
    ['that ends at once', node('process.exit(3)'), /ended with code 3 without a request/],
    ['that never ends', node('setInterval(() => {}, 1000)'), /asked nothing until its time was over/],
    ['that ignores signals', node("process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"), /asked nothing/],
    ['that prints megabytes', node("process.stdout.write('x'.repeat(5e6) + '\\n')"), /without a request/],
    // Many a program writes its output when it ends, behind its errors.
    [
      'that says on standard error why it ends',
      node("console.error('no service'); setTimeout(() => { console.log('a line'); process.exit(1) }, 200)"),
      /printed: no service; fix that first/,
    ],
    ['that wants a terminal', node("console.error('stdin is not a tty'); process.exit(1)"), /wants a terminal/],
  ])('%s could not run, and the report says what to do', async (_, words, reason) => {
    // Those that never end are stopped; the others may take their time on a busy machine.
    const { report, runs } = await auditCommand(words, {
      timeLimit: String(reason).includes('asked nothing') ? 1 : 30,
    });
    expect(report.exitCode).toBe(2);
    expect(report.rows.every(({ verdict }) => verdict === 'could not run')).toBe(true);
    expect(report.summary).toMatch(reason);
    expect(runs[0]!.endings[0]!.output.length).toBeLessThanOrEqual(16_000);
  });

  it('has no verdict where the audit is interrupted, and is not blamed for it', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 100);
    const { report } = await auditCommand(node('setInterval(() => {}, 1000)'), { signal: stop.signal });
    expect(report).toMatchObject({ exitCode: 3, outcome: 'incomplete' });
    expect(report.summary).toContain('No verdict: interrupted');
  });

  it.runIf(process.platform === 'linux')('leaves no process behind, in its group or out of it', async () => {
    const name = `audit-stray-${process.pid}`;
    const stray = `require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '${name}'], { detached: true, stdio: 'ignore' }).unref()`;
    await auditCommand(node(stray));
    const running = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(name));
    expect(running).toEqual([]);
  });
});

function commandOf(pid: string): string {
  try {
    return Number(pid) === process.pid ? '' : readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}

describe('a sample of the proof', () => {
  const sample = [
    'state-unchecked',
    'verifier-static',
    'refresh-old',
    'code-undecoded',
    'form-raw-refresh',
    'retry-at-once',
    'stream-again',
    'name-twice',
    'filter-private',
    'leagues-to-the-end',
  ];
  it.each(clientTrials(sample))('$kind $id', async (trial) => {
    const { good, words } = await tryClient(trial);
    expect(good, words).toBe(true);
  });
});

describe('startAudit', () => {
  it('judges whoever uses it, in the tests of the client itself', async () => {
    const session = await startAudit();
    const state = session.environment.GAMEDATA_STATE!;
    const headers = { authorization: `Bearer ${session.environment.GAMEDATA_TOKEN_ACCOUNT}`, 'user-agent': 'tiny/1.0' };
    await fetch(`${session.url}/profile`, { headers });
    expect(await session.verdict()).toMatchObject({ conformant: true, failures: [] });
    await fetch(`${session.url}/profile?access_token=x`);
    const { conformant, failures } = await session.verdict();
    expect(conformant).toBe(false);
    expect(failures.map(({ id }) => id)).toEqual(['TOK-BEARER-001', 'TOK-BEARER-002']);
    writeFileSync(join(state, 'position'), '1');
    await session.close();
    expect(existsSync(state)).toBe(false);
  });

  it('opens addresses as the browser of a user', async () => {
    await using session = await startAudit();
    await session.open(`${session.url}/oauth/authorize?client_id=example-desktop&response_type=token`);
    expect((await session.verdict()).failures.map(({ id }) => id)).toContain('AUTH-TYPE-001');
  });
});
