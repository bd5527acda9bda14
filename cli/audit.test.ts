import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readReport } from '../conformance/report-file.js';
import { gamedata } from './verify.fixture.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'audit-cli-'));
  const program = (name: string, body: string): void => writeFileSync(join(folder, name), body);
  // Sends a token in the address; ends with 4, as its plan or its flags say; wants its own name of the address.
  program(
    'leaky.mjs',
    `const answer = await fetch(process.env.API + '/profile?access_token=' + process.env.GAMEDATA_TOKEN_ACCOUNT, {
  headers: { authorization: 'Bearer ' + process.env.GAMEDATA_TOKEN_ACCOUNT, 'user-agent': process.argv[2] ?? 'leaky app' },
});
process.exit(answer.ok ? 4 : 1);`,
  );
  // Polls until it is stopped.
  program(
    'poller.mjs',
    `for (;;) {
  await fetch(process.env.GAMEDATA_BASE_URL + '/profile', { headers: { authorization: 'Bearer ' + process.env.GAMEDATA_TOKEN_ACCOUNT, 'user-agent': 'poller app' } });
  await new Promise((done) => setTimeout(done, 400));
}`,
  );
  // Logs in, or refreshes with what it stored the first time, which is always the first refresh token.
  program(
    'stale.mjs',
    `import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
const { env } = process;
const file = env.GAMEDATA_STATE + '/token';
const id = env.GAMEDATA_PUBLIC_CLIENT_ID;
const redirect_uri = env.GAMEDATA_PUBLIC_REDIRECT_URI;
const post = async (form) => (await fetch(env.GAMEDATA_AUTH_URL + '/oauth/token', { method: 'POST', body: new URLSearchParams({ client_id: id, ...form }) })).json();
const get = async (token) => fetch(env.GAMEDATA_BASE_URL + '/profile', { headers: { authorization: 'Bearer ' + token, 'user-agent': 'stale app' } });
const refresh = () => post({ grant_type: 'refresh_token', refresh_token: readFileSync(file, 'utf8') });
if (existsSync(file)) await refresh();
else {
  const code_verifier = randomBytes(32).toString('base64url');
  const answer = await fetch(env.GAMEDATA_AUTH_URL + '/oauth/authorize?' + new URLSearchParams({ client_id: id, response_type: 'code', scope: 'account:profile', state: randomBytes(16).toString('hex'), redirect_uri, code_challenge: createHash('sha256').update(code_verifier).digest('base64url'), code_challenge_method: 'S256' }), { redirect: 'manual' });
  const code = new URL(answer.headers.get('location')).searchParams.get('code');
  const tokens = await post({ grant_type: 'authorization_code', code, redirect_uri, code_verifier });
  writeFileSync(file, tokens.refresh_token);
  await get(tokens.access_token);
  if ((await get(tokens.access_token)).status === 401) await get((await refresh()).access_token);
}`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The words of a line that is meant for a shell. */
const wordsOf = (text: string): string[] =>
  [...text.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

const node = (file: string): string[] => [process.execPath, join(folder, file)];
const output = (name: string): string => join(folder, name);

describe('gamedata audit', () => {
  it('names a world that does not exist before it says anything else', async () => {
    const { code, stdout, stderr } = await gamedata(['audit', '--world', 'access-end', '--', ...node('leaky.mjs')]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('world access-end: no such world (did you mean access-ends?)');
  });

  it('shows with a failure the command that has it again, with all that the client needs', async () => {
    const args = [
      '--env',
      'API={base_url}',
      '--success',
      '4,5',
      '--time-limit',
      '30',
      '--world',
      'nulls',
      '--only',
      'TOK-BEARER',
    ];
    const first = await gamedata([
      'audit',
      ...args,
      '--report',
      output('leaky'),
      '--',
      ...node('leaky.mjs'),
      "it's an app",
    ]);
    expect(first.code, first.stderr).toBe(1);
    const { failure } = readReport(join(output('leaky'), 'report.json')).rows.find(
      ({ id }) => id === 'TOK-BEARER-002',
    )!;
    const { replay } = failure!;
    expect(replay).toContain(String.raw`'it'\''s an app'`);
    expect(replay).toMatch(/--success 4,5 --time-limit 30 --world calm --only TOK-BEARER-002 -- /);
    const again = wordsOf(replay.replace(String.raw`'it'\''s an app'`, 'again'));
    const second = await gamedata(again.slice(again.indexOf('audit')));
    expect(second.code, second.stderr).toBe(1);
    expect(second.stdout).toContain('TOK-BEARER-002');
    const other = [...args.slice(0, -1), 'PACE-AGENT', '--', ...node('leaky.mjs'), 'leaky/1.0'];
    const told = await gamedata(['audit', ...other]);
    expect(told.stdout, told.stderr).not.toContain('violates');
  });

  it('writes a report after its schema, called an audit, and takes known failures from a baseline', async () => {
    const args = ['audit', '--world', 'calm', '--env', 'API=base_url', '--success', '4'];
    const known = output('known.yaml');
    const first = await gamedata([
      ...args,
      '--report',
      output('first'),
      '--write-baseline',
      known,
      '--',
      ...node('leaky.mjs'),
    ]);
    expect(first.code, first.stderr).toBe(1);
    const report = readReport(join(output('first'), 'report.json'));
    expect(report).toMatchObject({ subject: 'client', outcome: 'not conformant' });
    for (const file of ['report.html', 'junit.xml']) {
      const text = readFileSync(join(output('first'), file), 'utf8');
      expect(text).toContain('Game Data audit of');
      expect(text).not.toContain('conformance of');
    }
    writeFileSync(known, readFileSync(known, 'utf8').replaceAll(/reason: .*/g, 'reason: to be mended'));
    const second = await gamedata([...args, '--baseline', known, '--', ...node('leaky.mjs')]);
    expect(second.code, second.stdout + second.stderr).toBe(0);
    expect(second.stdout).toContain('known deviation');
  });

  it('reads a plan: how the client is started, with what, and how it ends', async () => {
    const plan = output('client.yaml');
    writeFileSync(plan, 'start: node leaky.mjs\nenv: { API: base_url }\nsuccess: [4]\ntime_limit: 30\n');
    const { code, stdout, stderr } = await gamedata([
      'audit',
      '--plan',
      plan,
      '--world',
      'calm',
      '--report',
      output('plan'),
    ]);
    expect(code, stderr).toBe(1);
    expect(stdout).toContain('ended with success');
    const { rows } = readReport(join(output('plan'), 'report.json'));
    const { replay } = rows.find(({ id }) => id === 'TOK-BEARER-002')!.failure!;
    const again = wordsOf(replay);
    const second = await gamedata(again.slice(again.indexOf('audit')));
    expect(second.code, second.stderr).toBe(1);
  });

  it('is incomplete where the client does not get through the calm world', async () => {
    const args = [
      'audit',
      '--world',
      'calm',
      '--env',
      'API=base_url',
      '--only',
      'PACE-AGENT',
      '--',
      ...node('leaky.mjs'),
    ];
    const { code, stdout } = await gamedata(args);
    expect(code).toBe(3);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'No verdict. Fix what stopped the client, or name its exit code if that is success (--success 4): in the calm world, exit code 4',
    );
  });

  it('serves the interface that the client is written for, in every world', async () => {
    const body = `const reply = await fetch(process.env.GAMEDATA_BASE_URL + '/character/Nobody', {
  headers: { authorization: 'Bearer ' + process.env.GAMEDATA_TOKEN_ACCOUNT, 'user-agent': 'lookup app' },
});
process.exit(reply.status === 404 ? 0 : 1);`;
    writeFileSync(join(folder, 'lookup.mjs'), body);
    const args = ['--profile', 'observed', '--set', 'lookup.nullStatus=404', '--world', 'pretty'];
    const { code, stdout, stderr } = await gamedata(['audit', ...args, '--', ...node('lookup.mjs')]);
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/pretty .*ended with success|pretty .*not reached/);
    const wrong = await gamedata(['audit', '--edition', 'next', '--', ...node('lookup.mjs')]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/edition/);
  });

  it('stops a client that runs on, and takes that for its success', async () => {
    const args = ['audit', '--world', 'nulls', '--only', 'TOK-BEARER,READ-NULL', '--report', output('stopped')];
    const { code, stdout, stderr } = await gamedata([...args, '--stop-after', '6', '--', ...node('poller.mjs')]);
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/calm .*ended with success/);
    const { observations } = readReport(join(output('stopped'), 'report.json'));
    expect(observations[0]).toMatch(/^calm: .*stopped after [67][.]\d s$/);
  });

  it('starts the client again with what it stored', async () => {
    const again = `${process.execPath} ${join(folder, 'stale.mjs')}`;
    const args = ['audit', '--auto-approve', '--world', 'rotation', '--only', 'REFRESH', '--report', output('again')];
    const { code, stderr } = await gamedata([...args, '--again', again, '--', ...node('stale.mjs')]);
    expect(code, stderr).toBe(1);
    const { rows } = readReport(join(output('again'), 'report.json'));
    const row = rows.find(({ id }) => id === 'REFRESH-RESTART-001')!;
    expect(row.verdict).toBe('fail');
    expect(row.failure!.replay).toContain(`--again '${again}' --auto-approve --world rotation`);
  });

  it('serves a world that judges who uses it, until it is interrupted', async () => {
    const { code, stdout } = await gamedata(['audit', 'watch', '--port', '0'], {}, (child) => {
      let text = '';
      child.stdout!.on('data', (part: Buffer) => {
        text += part.toString();
        const [, token] = /GAMEDATA_TOKEN_ACCOUNT=(\S+)\n/.exec(text) ?? [];
        const [, url] = /GAMEDATA_BASE_URL=(\S+)\n/.exec(text) ?? [];
        if (token === undefined || !/GAMEDATA_PUBLIC_REDIRECT_URI=\S+\n/.test(text)) return;
        child.stdout!.removeAllListeners('data').on('data', () => {});
        void fetch(`${url}/profile?access_token=${token}`).then(() => child.kill('SIGINT'));
      });
    });
    expect(code).toBe(1);
    expect(stdout).toBeDefined();
  });
});
