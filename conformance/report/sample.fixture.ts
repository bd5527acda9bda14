import type { Verdict } from '../verdict.js';
import type { Failure, Level, RowResult, RunReport, TraceStep } from '../result.js';
import { reportSchema } from '../result.js';
import { tally } from '../standing.js';

/** Text that breaks out of what is not escaped, in one format or another. */
const hostile = [
  '<script>document.title="owned"</script><img src=x onerror=alert(1)>',
  '"\'><b>bold</b> &amp; ]]> <!-- --> </style></script>',
  '\x1b[31mred\x1b[0m \x1b]8;;https://evil.example\x07link\x1b]8;;\x07 \x00\x01\x08\x0b\x7f\x9b',
  '\ud800 lone \udc00 \uffff \ufffe \u202egnp.exe \u2028',
  '| a | `b` *c* _d_ [e](javascript:alert(1)) @everyone #1 ::error::boom %0A',
  'Zoë 東京 🜂 العربية\r\nsecond line\ttab',
] as const;

/** All of it at once, and long. */
const hostileText = `${hostile.join(' ')} ${'very long '.repeat(600)}`;

const interfaceLink = (section: string): string => `https://docs.example/interface#${section}`;

function row(id: string, level: Level, statement: string, verdict: Verdict, more: Partial<RowResult> = {}): RowResult {
  const section = more.section ?? '4.1';
  return {
    id,
    level,
    title: `[${id} ${level}] ${statement.replace(/[.]$/, '')}`,
    statement,
    section,
    link: interfaceLink(section),
    group: id.includes('-FIELD-') ? id.split('-FIELD-')[0]! : id.replace(/-\d+$/, ''),
    how: id.includes('-FIELD-') ? 'monitor' : 'check',
    verdict,
    exercised: verdict === 'pass' || verdict === 'fail' || verdict === 'warn' ? 3 : 0,
    notes: [],
    ms: 42,
    ...more,
  };
}

const step = (more: Partial<TraceStep> = {}): TraceStep => ({
  method: 'POST',
  url: 'http://127.0.0.1:4010/oauth/token',
  headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
  body: 'grant_type=refresh_token&refresh_token=${REFRESH_TOKEN}&client_id=example-web&client_secret=${CLIENT_SECRET}',
  status: 200,
  responseHeaders: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  responseBody: '{"access_token":"${ACCESS_TOKEN_2}","token_type":"bearer","expires_in":2592000}',
  ...more,
});

const failure = (expected: string, got: string, more: Partial<Failure> = {}): Failure => ({
  expected,
  got,
  trace: [step(), step()],
  script: `#!/bin/sh\nset -eu\ncurl -sS -X POST 'http://127.0.0.1:4010/oauth/token' \\\n  --data-urlencode 'grant_type=refresh_token' \\\n  --data-urlencode "refresh_token=$REFRESH_TOKEN"\n`,
  seed: 7,
  paths: { '1': '12:0:1' },
  replay: 'gamedata replay out/repro/TOK-REFRESH-004.json',
  ...more,
});

/** Every verdict, in the words of real requirements. */
const told: readonly RowResult[] = [
  row(
    'TOK-REFRESH-004',
    'MUST',
    'The used refresh token is expired immediately: second use is invalid_grant.',
    'fail',
    {
      section: '3',
      pointer: '/paths/~1oauth~1token/post',
      ms: 812,
      failure: failure('status 400, error invalid_grant', 'status 200 with a new access token', {
        request: 'POST /oauth/token',
        smallest: 'issue, refresh(r0), refresh(r0)',
        history: {
          calls: [
            { caller: 0, verb: 'exchange', token: 'code', sent: 0, ended: 8, reply: { issued: ['a1', 'r1'] } },
            { caller: 0, verb: 'refresh', token: 'r1', sent: 9, ended: 16, reply: { issued: ['a2', 'r2'] } },
            { caller: 1, verb: 'refresh', token: 'r1', sent: 9.2, ended: 17, reply: { issued: ['a3', 'r3'] } },
            { caller: 0, verb: 'use', token: 'a2', sent: 5020, ended: 5024, reply: 'works', settled: true },
          ],
          culprit: 2,
        },
      }),
    },
  ),
  row('TOK-RESP-004', 'MUST', 'A token response carries Cache-Control: no-store.', 'fail', {
    pointer: '/paths/~1oauth~1token/post/responses/200',
    failure: failure('header cache-control: no-store', 'no header cache-control', { trace: [step()] }),
  }),
  row('LADDER-SORT-003', 'MUST', 'Entries are sorted by level, then by experience.', 'fail', {
    section: '4.2,7',
    pointer: '/paths/~1league~1{league}~1ladder/get',
    failure: failure('entries by falling level', 'entry 17 has level 93 after entry 16 with level 92', {
      smallest: 'limit 2, offset 15',
      trace: [
        step({
          method: 'GET',
          url: 'http://127.0.0.1:4010/league/Standard/ladder?limit=2&offset=15',
          body: undefined,
          headers: { authorization: 'Bearer ${ACCESS_TOKEN}' },
        }),
      ],
    }),
  }),
  row('ITEM-FIELD-id', 'MUST', 'Item.id is 64 hexadecimal digits where present.', 'fail', {
    section: '7',
    pointer: '/components/schemas/Item/properties/id',
    exercised: 4811,
    failure: failure('64 hexadecimal digits', '"item-1" at /stash/items/0/id'),
  }),
  row('LEAGUE-GET-006', 'INFER', 'The status of a null lookup is 200.', 'fail', {
    section: '7',
    failure: failure('status 200', 'status 404'),
    waived: { reason: 'Our gateway answers 404; agreed with the clients.', issue: 'https://example.org/issues/12' },
  }),
  row('AUTH-WARN-001', 'SHOULD-RFC', 'A denied consent is told to the client at once.', 'warn', {
    reason: 'The page asks twice before it redirects.',
  }),
  row('LIFE-003', 'MUST', 'An access token of a public client works until 10 hours have passed.', 'could not run', {
    reason: 'needs a way to move the clock',
    missing: [{ need: 'clock', remedy: 'Offer POST /clock on control_url, or export clock() from the adapter.' }],
  }),
  row('LIFE-004', 'MUST', 'A refresh token of a public client works until 7 days have passed.', 'could not run', {
    reason: 'needs a way to move the clock',
    missing: [{ need: 'clock', remedy: 'Offer POST /clock on control_url, or export clock() from the adapter.' }],
  }),
  row('GUILD-LIST-001', 'MUST', 'A member sees the tabs of the guild.', 'could not run', {
    reason: 'the token request for scope account:guild:stashes failed with status 400; see TOK-RESP-001',
  }),
  row('PVP-STATE-002', 'MUST', 'A match in progress has no end.', 'not exercised', {
    reason: 'no match was in progress',
  }),
  row('GEN-002', 'MUST', 'The service is offered over HTTPS.', 'not applicable', { reason: 'the host is loopback' }),
  row('REV-011', 'MUST', 'Revocation of an unknown token answers 200.', 'suite error', {
    reason: 'TypeError: revoke is not a function',
  }),
  row('XF-009', 'UNSPEC', 'Unknown parameters are ignored.', 'not applicable', {
    how: 'excluded',
    reason: 'The interface leaves it open, and nothing can be asserted.',
  }),
];

const groups = ['GEN', 'BEAR', 'AUTH-CODE', 'TOK-CC', 'REV', 'INTRO', 'SCOPE-OP', 'FILTER-CREATE', 'STASH-GET', 'CX'];
const schemas = ['ITEM', 'LEAGUE', 'CHARACTER', 'TAB', 'PSC', 'PVPMATCH'];

/** Rows that pass, as many as the ledger has beside those that are told one by one. */
const passing = (rows: number): RowResult[] =>
  Array.from({ length: Math.max(0, rows) }, (_, index) => {
    const number = String(100 + Math.floor(index / 10)).padStart(3, '0');
    const field = index % 5 < 2;
    const id = field
      ? `${schemas[index % schemas.length]}-FIELD-field${index}`
      : `${groups[index % groups.length]}-${number}${index % 10}`;
    return row(
      id,
      index % 4 === 3 ? 'INFER' : 'MUST',
      `Requirement number ${index} of the sample holds, whatever the request before it was.`,
      'pass',
    );
  });

/** A run with every verdict. `rows` is the size of the ledger. */
export function sampleReport(rows = 40, more: Partial<RunReport> = {}): RunReport {
  return withRows([...told, ...passing(rows - told.length)], more);
}

/** The report of these rows. */
export function withRows(rows: readonly RowResult[], more: Partial<RunReport> = {}): RunReport {
  return {
    $schema: reportSchema,
    suite: { version: '0.1.0', ledger: 'b1946ac92492d234', contract: '591785b794601e21' },
    target: {
      name: 'my-server',
      base_url: 'http://127.0.0.1:4010',
      auth_url: 'http://127.0.0.1:4011',
      consent: 'form',
      settings: {
        consent: 'form',
        clients: { confidential: { client_id: 'example-web', client_secret: '(redacted)', refresh: true } },
        budget: { requests: 50_000, per_second: 0, concurrency: 16 },
      },
    },
    seed: 7,
    runs: 100,
    command: 'gamedata verify --target target.yaml --seed 7 --report out/',
    started: '2026-01-31T12:00:00.000Z',
    seconds: 48.2,
    exitCode: 1,
    outcome: 'not conformant',
    summary: 'Not conformant: 4 of 35 applicable requirements failed; 3 could not run.',
    counts: tally(rows),
    requests: { announced: 24_310, sent: 18_204 },
    capabilities: [
      { name: 'consent', offered: true, rows: 210 },
      {
        name: 'clock',
        offered: false,
        rows: 2,
        remedy: 'Offer POST /clock on control_url, or export clock() from the adapter.',
      },
    ],
    edition: {
      'F-CX': { declared: 'on', seen: 'on' },
      'F-ITEM-MUTATED': { declared: 'any', seen: 'not seen' },
      'F-LEAGUE-NAME': { declared: 'off', seen: 'on' },
    },
    rows,
    lifecycle: {
      words: 258,
      states: ['LIVE', 'DEAD', 'FREE'],
      transitions: { 'LIVE refresh': 86, 'LIVE revoke': 41, 'DEAD refresh': 44, 'FREE introspect': 12 },
      races: { 'refresh x 4: 1 succeeded': 5, 'exchange x 4: 1 succeeded': 5 },
      certificate: {
        client: 'confidential',
        states: 2,
        inputs: 2,
        extra: 0,
        words: 4,
        steps: 9,
        readings: [
          { reading: 'a replay ends the grant', gap: 'K-077', answer: 'yes', words: [['exchange', 'exchange']] },
          {
            reading: 'reuse of a used refresh token ends the grant',
            gap: 'K-076',
            answer: 'depends',
            words: [['exchange', 'refresh', 'refresh old'], ['exchange']],
          },
        ],
        sentence:
          'Any server with at most 2 states that answers these 4 sequences as this one did keeps to the states of section 3, as far as these inputs show them.',
        assumption: 'The server is deterministic.',
        machine: {
          inputs: ['exchange', 'refresh'],
          states: [
            {
              name: 'code good',
              access: [],
              steps: { exchange: { output: 'tokens', next: 1 }, refresh: { output: 'nothing', next: 0 } },
            },
            {
              name: 'access works, refresh works',
              access: ['exchange'],
              steps: { exchange: { output: 'refused', next: 1 }, refresh: { output: 'tokens', next: 1 } },
            },
          ],
        },
      },
    },
    copies: [
      {
        world: 'two-at-once',
        title: 'Two copies start at once',
        blamed: ['COPY-CONSENT-001'],
        lanes: [
          { name: 'copy 1', end: 'code 0' },
          { name: 'copy 2', end: 'killed' },
        ],
        calls: [
          { lane: 0, from: 100, to: 500, text: 'refresh 200', isWrong: false },
          { lane: 1, from: 120, to: 900, text: 'refresh 400', isWrong: true },
          { lane: 1, from: 950, text: 'authorize unanswered', isWrong: true },
        ],
      },
    ],
    observations: ['Item has a field that the contract does not: "flavour".'],
    problems: ['known.yaml:4: XYZ-001 is no requirement of the ledger.'],
    ...more,
  };
}

/** A server that answers 500 to everything: hundreds of failures with one cause. */
export const canaryReport = (rows = 980): RunReport =>
  withRows(
    passing(rows).map((each, index) =>
      index % 3 === 0
        ? { ...each, verdict: 'could not run', exercised: 0, reason: 'no token: the token request answered 500' }
        : {
            ...each,
            verdict: 'fail',
            failure: failure(
              `status ${[200, 200, 400, 401][index % 4]}`,
              `status 500 Internal Server Error, request ${(index + 1).toString(16).padStart(24, '0')}`,
              {
                trace: Array.from({ length: 3 }, () => step({ status: 500, responseBody: 'x'.repeat(3000) })),
                replay: `gamedata replay out/repro/${each.id}.json`,
              },
            ),
          },
    ),
    { summary: 'Not conformant: 653 of 980 applicable requirements failed; 327 could not run.' },
  );

/** Every text of the sample, hostile. Names that are picked from a fixed set stay. */
export function hostileReport(text: string = hostileText): RunReport {
  const fixed = new Set([
    '$schema',
    'id',
    'level',
    'how',
    'verdict',
    'outcome',
    'started',
    'missing',
    'answer',
    'verb',
    'reply',
  ]);
  const spoil = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string') return fixed.has(key) ? value : `${value} ${text}`;
    if (Array.isArray(value)) return value.map((each) => spoil(each));
    if (typeof value !== 'object' || value === null) return value;
    const open = ['settings', 'headers', 'responseHeaders', 'edition', 'transitions', 'races', 'paths'].includes(key);
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [open ? `${name} ${text}` : name, spoil(each, name)]),
    );
  };
  return spoil(sampleReport()) as RunReport;
}
