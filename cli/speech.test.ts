import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { sampleReport } from '../conformance/report/sample.fixture.js';
import { acting, speech } from '../conformance/speech.fixture.js';
import { closingText, findingText, settingsText } from './doctor-screen.js';
import { execute } from './exec.js';
import type { MockFacts } from '../src/server/facts.js';
import { mockOptions } from './mock-options.js';
import { outcome } from './replay-run.js';
import { run } from './run.js';
import { firstScreen } from './screen.js';

const plain = { strong: String, faint: String };

const shown = (render: (said: string) => string): void =>
  fc.assert(
    fc.property(speech, (said) => {
      expect(acting(render(said))).toEqual([]);
    }),
    { examples: [['::error::boom'], ['\n  ::error::boom\x1b[31m']] },
  );

afterEach(() => vi.restoreAllMocks());

describe('what a server says acts on nobody', () => {
  it('in a finding of the doctor', () => {
    shown((said) => findingText({ about: said, state: 'problem', met: said, remedy: said }, plain));
    expect(acting(findingText({ about: '', state: 'ok', met: `https://a/${'\u{10000}'.repeat(60)}` }, plain))).toEqual(
      [],
    );
    shown((said) => findingText({ about: 'clock', state: 'note', met: said, remedy: said }, plain));
  });

  it('in the settings and the closing lines of the doctor', () => {
    shown((said) =>
      settingsText(
        { name: said, base_url: said, consent: said, accounts: { [said]: {} }, clients: {}, edition: {} },
        plain,
      ),
    );
    shown((said) =>
      closingText(
        {
          ready: false,
          findings: [],
          coverage: { runnable: 1, checks: 2, monitors: 3, unlocks: [{ need: 'clock', rows: 1, remedy: said }] },
        },
        plain,
      ),
    );
  });

  it('in what replay tells', () => {
    const failed = sampleReport().rows.find(({ failure }) => failure)!;
    const before = (said: string) => ({ expected: said, got: said });
    shown((said) => {
      const failure = { ...failed.failure!, expected: said, got: `${said}.` };
      return outcome({ ...failed, title: said, failure }, before(said)).text;
    });
    shown((said) => {
      const failure = { ...failed.failure!, expected: said, got: said };
      return outcome({ ...failed, title: said, failure }, before(said)).text;
    });
    for (const verdict of ['pass', 'warn', 'could not run', 'suite error'] as const)
      shown(
        (said) => outcome({ ...failed, title: said, verdict, reason: said, failure: undefined }, before(said)).text,
      );
  });

  it('on the first screen of a mock with fixtures', () => {
    shown((said) => {
      const token = { account: said, clientId: said, scopes: [], token: 'aaa' };
      return firstScreen(
        {
          version: '1.2.3',
          edition: 'base',
          seed: 7,
          baseUrl: 'http://127.0.0.1:4010',
          authUrl: 'http://127.0.0.1:4010',
          controlUrl: 'http://127.0.0.1:4010/__control',
          docsUrl: 'http://127.0.0.1:4010/docs',
          tryUrl: 'http://127.0.0.1:4010/try',
          applicationsUrl: 'http://127.0.0.1:4010/applications',
          accounts: [{ key: said, username: said, uuid: said }],
          clients: [
            { id: said, type: said, secret: said, redirectUris: [said] } as unknown as MockFacts['clients'][number],
          ],
          tokens: { account: token },
          samples: [],
        },
        plain,
      );
    });
  });

  it('in the log of a mock, and where a command of --exec is none', async () => {
    shown((said) => {
      let text = '';
      mockOptions({ host: '', seed: 1, edition: 'base', flag: {}, set: {} }, (line) => (text += line)).log?.(said);
      return text;
    });
    let stderr = '';
    vi.spyOn(process.stderr, 'write').mockImplementation((part) => ((stderr += String(part)), true));
    expect(await execute(['\x1b[31m\n::error::boom'], {})).toBe(127);
    expect(acting(stderr)).toEqual([]);
    expect(stderr).toContain('there is no such command');
  });

  it('in a refusal on standard error', async () => {
    let stderr = '';
    vi.spyOn(process.stderr, 'write').mockImplementation((part) => ((stderr += String(part)), true));
    await fc.assert(
      fc.asyncProperty(speech, async (said) => {
        stderr = '';
        await run(['tree', 'decode', '--', `AAAA${said}`]);
        expect(process.exitCode).toBe(1);
        process.exitCode = undefined;
        expect(acting(stderr)).toEqual([]);
        stderr = '';
        expect(await run(['tree', 'encode', '--', said])).toBe(2);
        expect(acting(stderr)).toEqual([]);
        stderr = '';
        expect(await run(['tree', 'encode', '--file', `/none/${said.replaceAll('\0', '')}`])).toBe(2);
        expect(acting(stderr)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});
