import { describe, expect, it } from 'vitest';

import { header, liveConsole, progressLine, verdictLine } from './console.js';
import { brief, ending } from './ending.js';
import { markdown } from './markdown.js';
import { standing } from '../standing.js';
import type { RunReport } from '../result.js';
import { canaryReport, hostileReport, sampleReport, withRows } from './sample.fixture.js';
import { paintFor, terminalOf } from './terminal.js';
import type { Terminal } from './terminal.js';

const plain: Terminal = { tty: false, colour: false, columns: 100 };
const screen: Terminal = { tty: true, colour: true, columns: 80 };
const start = (report: RunReport = sampleReport()) => ({ ...report, requirements: 812, announced: 24_310 });

const bare = (text: string): string => text.replaceAll(/\x1b\[\d*[mK]/g, '');

describe('a terminal', () => {
  it.each([
    [{ isTTY: true, columns: 120 }, {}, { tty: true, colour: true, columns: 120 }],
    [{ isTTY: true, columns: 120 }, { NO_COLOR: '1' }, { tty: true, colour: false, columns: 120 }],
    [{ isTTY: true, columns: 120 }, { NO_COLOR: '' }, { tty: true, colour: true, columns: 120 }],
    [{ isTTY: true, columns: 9 }, { TERM: 'dumb' }, { tty: false, colour: false, columns: 40 }],
    [{}, {}, { tty: false, colour: false, columns: 100 }],
    [{}, { FORCE_COLOR: '1', NO_COLOR: '1' }, { tty: false, colour: true, columns: 100 }],
    [{ isTTY: true, columns: 120 }, { FORCE_COLOR: '0' }, { tty: true, colour: false, columns: 120 }],
  ])('%j with %j', (stream, env, expected) => {
    expect(terminalOf(stream, env)).toEqual(expected);
  });

  it('is painted where it has colour', () => {
    expect(paintFor(terminalOf({ isTTY: true }, {})).strong('x')).toBe('\x1b[1mx\x1b[22m');
    for (const plain of [
      terminalOf({}, {}),
      terminalOf({ isTTY: true }, { NO_COLOR: '1' }),
      terminalOf({ isTTY: true }, { TERM: 'dumb' }),
    ]) {
      const { strong, faint } = paintFor(plain);
      expect(strong('x') + faint('y')).toBe('xy');
    }
  });
});

describe('before the run', () => {
  it('says what is judged, with what, and how many requests it takes', () => {
    const text = header(start(), plain);
    for (const part of [
      'my-server',
      '4011',
      'client_secret (redacted)',
      'Seed      7',
      'at most 24,310 for 812 requirements',
    ]) {
      expect(text).toContain(part);
    }
  });
});

describe('progress', () => {
  const progress = { done: 312, total: 812, requests: 8412, secondsLeft: 20.4, failed: 2 };

  it('tells what is judged, requests, time left and failures', () => {
    expect(bare(progressLine(progress, screen))).toBe(
      '━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌  312 of 812 judged, 8,412 requests, 21 s left, 2 failed',
    );
    expect(progressLine(progress, plain)).toBe('38% 312 of 812 judged, 8,412 requests, 21 s left, 2 failed');
  });

  it('counts what could not run apart from what is judged', () => {
    expect(progressLine({ done: 7, total: 7, requests: 0, unjudged: { 'could not run': 7 } }, plain)).toBe(
      '100% 0 of 7 judged, 0 requests, 7 could not run',
    );
    const unjudged = { 'not exercised': 3, 'not applicable': 2, excluded: 1, 'could not run': 7 };
    expect(progressLine({ ...progress, unjudged }, plain)).toBe(
      '38% 299 of 812 judged, 8,412 requests, 21 s left, 7 could not run, 3 not exercised, 2 not applicable, 1 excluded, 2 failed',
    );
  });

  it('never needs a second line', () => {
    for (const columns of [40, 50, 80, 140]) {
      expect(bare(progressLine(progress, { ...screen, columns })).length).toBeLessThan(columns);
    }
  });

  it('rewrites one line of a terminal, below the failures that come', () => {
    let written = '';
    const live = liveConsole({ ...screen, colour: false }, (text) => (written += text));
    live.progress({ ...progress, done: 1 });
    live.verdict(sampleReport().rows[0]!);
    live.progress({ ...progress, done: 2 });
    live.stop();
    const lines = written.split('\n').map((each) => each.split('\r\x1b[K').at(-1));
    expect(lines[0]).toContain('FAIL TOK-REFRESH-004 MUST');
    expect(lines[1]).toContain('expected status 400');
    expect(lines).toHaveLength(3);
    expect(lines[2]).toBe('');
  });

  it('writes ten lines to a log, however many requirements there are', () => {
    const lines: string[] = [];
    const live = liveConsole(plain, (text) => lines.push(text));
    for (let done = 0; done <= 812; done += 1) live.progress({ ...progress, done });
    live.stop();
    expect(lines).toHaveLength(10);
    expect(lines.at(-1)).toContain('100% 812 of 812 judged');
  });

  it('counts failures only, when there are very many', () => {
    const lines: string[] = [];
    const live = liveConsole(plain, (text) => lines.push(text));
    for (const row of canaryReport().rows) live.verdict(row);
    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toContain('listed at the end');
  });
});

describe('the end', () => {
  const end = (report: RunReport, terminal = plain): string => ending(report, ['out/report.html'], terminal);

  it('shows a failure with all that belongs to it', () => {
    const text = end(sampleReport());
    expect(text).toContain(
      [
        '  TOK-REFRESH-004 MUST The used refresh token is expired immediately: second use is invalid_grant',
        '  expected  status 400, error invalid_grant',
        '  got       status 200 with a new access token',
        '  request   POST /oauth/token',
        '  caller 1  ├──┤                      exchange code → a1, r1',
        '  caller 1        ├──────┤            refresh r1 → a2, r2',
        '  caller 2           ├──────┤         refresh r1 → a3, r3  ← no order explains this',
        '  caller 1                     ├──┤   use a2 → works',
        '  see       https://docs.example/interface#3',
        '  minimal   issue, refresh(r0), refresh(r0)',
        '  replay    gamedata replay out/repro/TOK-REFRESH-004.json',
      ].join('\n'),
    );
  });

  it('has what else is not pass, each with its reason', () => {
    const text = end(sampleReport(), { ...plain, columns: 140 });
    for (const part of [
      'Warnings: 1',
      'Could not run: 3 requirements',
      '     2  clock (LIFE-003, LIFE-004)',
      '→ Offer POST /clock on control_url',
      'no match was in progress (PVP-STATE-002)',
      'agreed with the clients.; https://example.org/issues/12',
      'TypeError: revoke is not a function',
      'known.yaml:4',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('tells how much of the token lifecycle was seen, and how races ended', () => {
    const text = end(sampleReport());
    expect(text).toContain('Token lifecycle: 258 sequences, 3 states, 4 transitions covered');
    expect(text).toContain('exchange x 4: 1 succeeded (5 times)');
  });

  it('ends with the sentence, the numbers, and the files', () => {
    const lines = end(sampleReport()).trimEnd().split('\n');
    expect(lines.at(-1)).toBe('Written: out/report.html');
    expect(lines.at(-6)).toMatch(/^Not conformant: /);
  });

  it('has the sentence alone when all is well', () => {
    const rows = sampleReport().rows.filter(({ verdict }) => verdict === 'pass');
    const summary = 'Conformant in 27 of 27 applicable requirements.';
    const text = ending(
      withRows(rows, {
        summary,
        outcome: 'conformant',
        exitCode: 0,
        problems: [],
        lifecycle: undefined,
        copies: undefined,
      }),
      [],
      plain,
    );
    expect(text).toBe(`${summary}\n27 passed\n48 s, 18,204 requests, seed 7\n`);
  });

  it('tells hundreds of equal failures in a few lines', () => {
    const text = end(canaryReport());
    expect(text.split('\n').length).toBeLessThan(80);
    expect(text).toContain('327 requirements: expected status 200; got status 500 Internal Server Error');
    expect(text).toContain('and 314 more');
  });

  it('counts messages where it groups by them, and says so', () => {
    expect(end(canaryReport())).toMatch(/^Failed: \d+ requirements, 3 different messages$/m);
  });

  it('shows advice to its end', () => {
    const advice = `If the server does not offer them, write ${'listSomething, '.repeat(60)}and they will not be tested.`;
    for (const text of [
      end({ ...sampleReport(), advice: [advice] }),
      markdown({ ...sampleReport(), advice: [advice] }),
    ])
      expect(text.replaceAll(/\s+/g, ' ')).toContain('listSomething, and they will not be tested.');
  });

  it('tells at most ten failures whole', () => {
    const [row] = sampleReport().rows;
    const rows = Array.from({ length: 30 }, (_, index) => ({
      ...row!,
      id: `X-${index}`,
      failure: { ...row!.failure!, got: `status ${index}` },
    }));
    const text = end(withRows(rows));
    expect(text.match(/^ {2}expected/gm)).toHaveLength(10);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      '20 more failures: X-10, X-11, X-12, X-13, X-14, X-15, X-16, X-17, X-18, X-19, X-20, X-21 and 8 more. report.html shows each',
    );
  });

  it('has colour on a terminal only', () => {
    expect(end(sampleReport(), plain)).not.toContain('\x1b');
    expect(end(sampleReport(), screen)).toContain('\x1b[31m');
    expect(bare(end(sampleReport(), { ...screen, columns: 100 }))).toBe(end(sampleReport(), plain));
  });

  it('lets no text of the server act on the terminal', () => {
    const report = hostileReport();
    const text = header(start(report), screen) + verdictLine(report.rows[0]!, screen) + end(report, screen);
    expect(bare(text)).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202e]|\p{Surrogate}/u);
    expect(text.length).toBeLessThan(40_000);
  });
});

describe('what a reader sees of prose', () => {
  const rows = canaryReport().rows.map((row) => ({ ...row, statement: 'A field `name` is `?string`.' }));

  it('has no backticks', () => {
    expect(ending(withRows(rows), [], plain)).toContain('A field name is ?string.');
    expect(ending(withRows(rows), [], plain)).not.toContain('`');
  });

  it('is failures and the verdict alone where it is brief', () => {
    const report = canaryReport();
    const text = brief(report, plain);
    expect(text).toMatch(/^Failed: /);
    expect(text.trimEnd().endsWith(report.summary.slice(-20))).toBe(true);
    expect(text).not.toMatch(/Group  |Not exercised:|requests, seed/);
  });

  it('names the warnings that the verdict counts where it is brief', () => {
    const report = sampleReport();
    const warned = report.rows.filter((row) => standing(row) === 'warn').map(({ id }) => id);
    expect(warned.length).toBeGreaterThan(0);
    expect(brief(report, plain)).toContain(`\nWarnings: ${warned.join(', ')}\n`);
  });
});
