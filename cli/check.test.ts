import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ending } from '../conformance/report/ending.js';
import { formats } from '../conformance/report/write.js';
import type { RunReport } from '../conformance/result.js';
import { loadTarget } from '../conformance/target/load.js';
import { checkTraffic } from '../conformance/traffic/judge.js';
import { redactTraffic } from '../conformance/traffic/redact.js';
import { startMock } from '../src/server/mock.js';
import { body, harmless, html, withChange, wrong } from './recorded-changes.fixture.js';
import { harOf, recordedFrom } from './recording.fixture.js';
import type { HarEntry } from './recording.fixture.js';

let folder: string;
let entries: HarEntry[];
let url: string;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gamedata-check-'));
  await using mock = await startMock({ autoApprove: true, epoch: '2026-01-01T00:00:00Z' });
  url = mock.url;
  entries = await recordedFrom(mock);
  writeFileSync(at('traffic.har'), harOf(entries));
});
afterAll(() => rmSync(folder, { recursive: true }));

it('refuses a recording without exchanges, by its name', async () => {
  writeFileSync(at('empty.har'), harOf([]));
  await expect(check(at('empty.har'))).rejects.toThrow(`${at('empty.har')}: no exchanges are recorded there; record`);
});

interface Given {
  readonly only?: readonly string[];
  readonly address?: string;
}

async function check(path: string, { only = [], address }: Given = {}): Promise<RunReport> {
  const overrides = { 'base-url': address ?? 'http://recording.invalid' };
  return checkTraffic({
    paths: [path],
    target: await loadTarget({ env: {}, overrides }),
    named: address !== undefined,
    only,
    waivers: [],
    today: '2026-01-01',
    version: '0.0.0',
    command: 'gamedata check',
    replay: 'gamedata check --only {row}',
  });
}

const failed = ({ rows }: RunReport): string[] => rows.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

/** A recording with one of its exchanges changed. */
function changed(name: string, path: string, change: (entry: HarEntry) => void, method?: string): string {
  writeFileSync(at(`${name}.har`), harOf(withChange(entries, path, change, method)));
  return at(`${name}.har`);
}

describe('gamedata check', () => {
  it('finds the traffic of the mock conformant, and lists what is not of the contract', async () => {
    const report = await check(at('traffic.har'));
    expect(failed(report)).toEqual([]);
    expect(report).toMatchObject({ exitCode: 0, outcome: 'conformant', target: { base_url: url } });
    expect(report.recording).toEqual({
      files: [at('traffic.har')],
      exchanges: entries.length,
      judged: entries.length - 1,
    });
    expect(report.counts.pass).toBeGreaterThan(300);
    expect(report.observations[0]).toContain('GET /docs (1)');
  });

  it('reads JSON lines and folders', async () => {
    mkdirSync(at('both'));
    writeFileSync(at('both/a.jsonl'), `${entries.map((entry) => JSON.stringify(entry)).join('\r\n')}\n\n`);
    // The same exchanges again: their tokens are not issued twice for that.
    writeFileSync(at('both/b.har'), `\uFEFF${harOf(entries)}`);
    const report = await check(at('both'));
    expect(failed(report)).toEqual([]);
    expect(report.recording?.exchanges).toBe(2 * entries.length);
  });

  it.each(wrong)('finds %s', async (name, path, change, row, method) => {
    const report = await check(changed(name.replaceAll(' ', '-'), path, change, method));
    expect(report.exitCode).toBe(1);
    expect(failed(report).filter((id) => id.startsWith(row))).not.toEqual([]);
    const found = report.rows.find(({ id, verdict }) => verdict === 'fail' && id.startsWith(row));
    expect([found?.failure?.expected, found?.failure?.got].join()).not.toMatch(/undefined/);
  });

  it.each(harmless)('blames nobody for %s', async (name, change, said = '') => {
    const report = await check(changed(name.replaceAll(' ', '-'), '/league', change));
    expect(failed(report)).toEqual([]);
    expect(report.recording?.judged).toBe(entries.length - (said === '' ? 1 : 2));
    expect(report.observations.join('\n')).toContain(said);
  });

  it('counts HEAD as such where it comes before everything else', async () => {
    const file = changed('first', '/league', ({ request }) => void (request.method = 'HEAD'));
    const copy = (JSON.parse(readFileSync(file, 'utf8')) as { log: { entries: HarEntry[] } }).log.entries;
    writeFileSync(at('head.har'), harOf(copy.toSorted(({ request: { method } }) => (method === 'HEAD' ? -1 : 1))));
    expect((await check(at('head.har'))).observations.join()).toContain('HEAD /league (1)');
  });

  it.each<[status: number, path: string]>([
    [500, '/league'],
    [501, '/profile'],
  ])('blames a server for its own page with status %d', async (status, path) => {
    expect(failed(await check(changed(`own-${status}`, path, html(status))))).toContain('GEN-016');
  });

  it('says where a failure was first seen, and tells none of the credentials in any report', async () => {
    const report = await check(
      changed(
        'secret',
        '/profile',
        body((json) => delete json['name']),
      ),
    );
    const [row] = report.rows.filter(({ verdict }) => verdict === 'fail');
    const number = entries.findIndex(({ request }) => new URL(request.url).pathname === '/profile') + 1;
    expect(row?.notes[0]).toBe(`First seen in ${at('secret.har')}, exchange ${number}.`);
    const terminal = { columns: 120, colour: false, tty: false };
    const all = [...Object.values(formats).map((format) => format(report)), ending(report, [], terminal)].join('\n');
    expect(all).toContain('/profile');
    const authorizations = entries.flatMap(({ request }) =>
      request.headers.filter(({ name }) => name === 'authorization'),
    );
    for (const { value } of authorizations) expect(all).not.toContain(value.replace('Bearer ', ''));
  });

  it('counts each redacted token as one of its own, and judges no body that the recording lacks', async () => {
    const copy = structuredClone(entries);
    for (const { request, response } of copy) {
      if (request.url.endsWith('/oauth/token')) {
        body((json) => {
          for (const name of ['access_token', 'refresh_token'])
            if (name in json) Object.assign(json, { [name]: '[REDACTED]' });
        })({ request, response } as HarEntry);
      }
      request.headers = request.headers.filter(({ name }) => name !== 'authorization');
      if (request.url.endsWith('/profile')) delete response.content.text;
    }
    writeFileSync(at('redacted.har'), harOf(copy));
    const report = await check(at('redacted.har'));
    expect(failed(report)).toEqual([]);
    expect(report.observations.join('\n')).toContain('the body of the response was not recorded');
  });

  it('judges the named server alone, and ends with 3 where there is nothing to judge', async () => {
    const report = await check(at('traffic.har'), { address: 'http://other.example' });
    expect(report).toMatchObject({ exitCode: 3, outcome: 'incomplete', recording: { judged: 0 } });
    expect(report.observations[0]).toContain(`because they are with another host: ${url} (${entries.length})`);
  });

  it('asks which server is meant where two are asked for the same', async () => {
    const copy = structuredClone(entries.filter(({ request }) => request.url.endsWith('/profile')));
    copy[1]!.request.url = 'https://other.example/profile';
    writeFileSync(at('two.har'), harOf(copy));
    await expect(check(at('two.har'))).rejects.toThrow(
      `${url} and https://other.example are both asked for /profile; say which one is meant: --base-url ${url}`,
    );
  });

  it.each([
    [
      'cut.har',
      (text: string) => text.slice(0, 3000),
      /cut\.har:1: ends at byte 3000, in the middle of .*; export the recording again/,
    ],
    [
      'broken.har',
      (text: string) => text.replace('},"response"', '},\n,"response"'),
      /broken\.har:2: is not JSON at byte \d+, in exchange 1 \(Unexpected COMMA \(","\)\); export/,
    ],
    ['other.json', () => '{"entries":[]}', /other\.json:1 has no request\.method; record HAR 1\.2/],
    ['lines.jsonl', (text: string) => `${text.slice(1, 10)}\n`, /lines\.jsonl:1: is not JSON; record HAR/],
    [
      'odd.har',
      () => '{"log":{"entries":[{"request":{"method":"GET","url":"http:/"}}]}}',
      /odd\.har: exchange 1 has no response\.status/,
    ],
  ])('says what is wrong with %s, and where', async (name, make, message) => {
    writeFileSync(at(name), make(harOf(entries)));
    await expect(check(at(name))).rejects.toThrow(message);
  });

  it('names the byte at which the text is no JSON', async () => {
    const text = harOf(entries).replace('},"response"', '},\n,"response"');
    writeFileSync(at('byte.har'), text);
    await expect(check(at('byte.har'))).rejects.toThrow(`at byte ${text.indexOf('\n,') + 1},`);
  });

  it.each(['extended', 'observed'] as const)(
    'finds a redacted copy of the %s edition conformant too',
    async (edition) => {
      await using mock = await startMock({ edition, autoApprove: true, epoch: '2026-01-01T00:00:00Z' });
      writeFileSync(at(`${edition}.har`), harOf(await recordedFrom(mock)));
      const target = await loadTarget({ env: {}, overrides: { 'base-url': mock.url } });
      await redactTraffic({ paths: [at(`${edition}.har`)], out: at('copy.har'), target, named: true });
      const [before, after] = [await check(at(`${edition}.har`)), await check(at('copy.har'))];
      const verdicts = ({ rows }: RunReport) => rows.map(({ id, verdict, exercised }) => [id, verdict, exercised]);
      expect([verdicts(after), failed(after)]).toEqual([verdicts(before), []]);
      // The page of a ladder stands where the edition has it.
      const ladders = readFileSync(at('copy.har'), 'utf8').match(/\\"ladder\\":\{\\"total\\"/g);
      expect(ladders !== null).toBe(edition === 'observed');
    },
  );

  it('reads headers that come 100,000 times, and names of 3,000 lengths, in time in proportion', async () => {
    const [entry] = structuredClone(entries.filter(({ request }) => request.url.endsWith('/character')));
    entry!.request.headers = Array.from({ length: 100_000 }, () => ({ name: 'x-a', value: 'b' }));
    const characters = Array.from({ length: 3000 }, (_, index) => ({ id: 'x', name: 'n'.repeat(index + 3) }));
    entry!.response.content = { size: 0, mimeType: '', text: JSON.stringify({ characters }) };
    writeFileSync(at('many.har'), harOf([entry!]));
    const target = await loadTarget({ env: {}, overrides: { 'base-url': url } });
    const started = process.cpuUsage();
    await check(at('many.har'));
    await redactTraffic({ paths: [at('many.har')], out: at('copy.har'), target, named: true });
    // Microseconds of this process, however busy the machine is.
    expect(process.cpuUsage(started).user).toBeLessThan(10_000_000);
  });

  it('gives a redacted copy the same verdicts as the recording', async () => {
    const file = changed(
      'rank',
      '/profile',
      body((json) => delete json['locale']),
    );
    const target = await loadTarget({ env: {}, overrides: { 'base-url': url } });
    for (const path of [at('traffic.har'), file]) {
      await redactTraffic({ paths: [path], out: at('copy.har'), target, named: true });
      const [before, after] = [await check(path), await check(at('copy.har'))];
      const verdicts = ({ rows }: RunReport) => rows.map(({ id, verdict, exercised }) => [id, verdict, exercised]);
      expect(verdicts(after)).toEqual(verdicts(before));
    }
    const copy = readFileSync(at('copy.har'), 'utf8');
    expect(copy).not.toContain('alice');
    for (const { request } of entries)
      for (const { name, value } of request.headers)
        if (name === 'authorization') expect(copy).not.toContain(value.replace('Bearer ', ''));
  });
});
