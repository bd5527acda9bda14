import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';

import { canaryReport, hostileReport, sampleReport } from './sample.fixture.js';
import { sarif } from './sarif.js';

const text = {
  type: 'object',
  required: ['text'],
  additionalProperties: false,
  properties: { text: { type: 'string', minLength: 1 } },
};
const level = { enum: ['none', 'note', 'warning', 'error'] };
const bag = { type: 'object', properties: { tags: { type: 'array', uniqueItems: true, items: { type: 'string' } } } };
const closed = (required: string, properties: Readonly<Record<string, object>>): object => ({
  type: 'object',
  required: required.split(' ').filter(Boolean),
  additionalProperties: false,
  properties,
});
const list = (items: object): object => ({ type: 'array', items });
const word = { type: 'string' };
const uri = { type: 'string', format: 'uri' };
const place = closed('uri', {
  uri: { type: 'string', format: 'uri-reference' },
  index: { type: 'integer', minimum: 0 },
});
const notifications = list(closed('message', { level, message: text }));

/** The part of SARIF 2.1.0 that the log uses, member by member, in our own words; nothing else is allowed. */
const schema = closed('version runs', {
  $schema: uri,
  version: { const: '2.1.0' },
  runs: list(
    closed('tool', {
      tool: closed('driver', {
        driver: closed('name', {
          name: word,
          version: word,
          properties: bag,
          rules: list(
            closed('id', {
              id: word,
              shortDescription: text,
              fullDescription: text,
              help: closed('text', { text: word, markdown: word }),
              helpUri: uri,
              defaultConfiguration: closed('', { level }),
              properties: bag,
            }),
          ),
        }),
      }),
      automationDetails: closed('', { id: word }),
      invocations: list(
        closed('executionSuccessful', {
          executionSuccessful: { type: 'boolean' },
          exitCode: { type: 'integer' },
          commandLine: word,
          startTimeUtc: { type: 'string', format: 'date-time' },
          endTimeUtc: { type: 'string', format: 'date-time' },
          toolExecutionNotifications: notifications,
          toolConfigurationNotifications: notifications,
        }),
      ),
      artifacts: list(closed('', { location: place })),
      columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
      results: list(
        closed('message', {
          ruleId: word,
          ruleIndex: { type: 'integer', minimum: 0 },
          kind: { const: 'fail' },
          level,
          message: text,
          locations: list(
            closed('', {
              physicalLocation: closed('artifactLocation', {
                artifactLocation: place,
                region: closed('', { startLine: { type: 'integer', minimum: 1 } }),
              }),
              logicalLocations: list(closed('', { fullyQualifiedName: word, name: word, kind: word })),
            }),
          ),
          partialFingerprints: { type: 'object', additionalProperties: word },
          suppressions: list(
            closed('kind', {
              kind: { enum: ['inSource', 'external'] },
              status: { const: 'accepted' },
              justification: word,
            }),
          ),
          properties: bag,
        }),
      ),
      properties: bag,
    }),
  ),
});

interface Log {
  readonly runs: readonly [
    {
      readonly tool: {
        readonly driver: {
          readonly name: string;
          readonly rules: readonly { readonly id: string; readonly helpUri?: string }[];
        };
      };
      readonly invocations: readonly [{ readonly toolExecutionNotifications: readonly object[] }];
      readonly results: readonly {
        readonly ruleId: string;
        readonly ruleIndex: number;
        readonly level: string;
        readonly message: { readonly text: string };
        readonly suppressions?: readonly object[];
        readonly locations: readonly [
          {
            readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } };
            readonly logicalLocations?: readonly [{ readonly fullyQualifiedName: string }];
          },
        ];
      }[];
    },
  ];
}

const ajv = new Ajv2020({ allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(schema);
const log = (report = sampleReport()): Log => JSON.parse(sarif(report)) as Log;

describe('report.sarif', () => {
  it.each([
    ['a sample', sampleReport()],
    ['a server that answers 500 to everything', canaryReport()],
    ['hostile text everywhere', hostileReport()],
  ])('is SARIF 2.1.0: %s', (_, report) => {
    expect(validate(log(report)), ajv.errorsText(validate.errors)).toBe(true);
  });

  it('has a rule and a result for each requirement that failed or warned', () => {
    const [{ tool, results }] = log().runs;
    expect(results.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ['TOK-REFRESH-004', 'error'],
      ['TOK-RESP-004', 'error'],
      ['LADDER-SORT-003', 'error'],
      ['ITEM-FIELD-id', 'error'],
      ['LEAGUE-GET-006', 'error'],
      ['AUTH-WARN-001', 'warning'],
    ]);
    expect(results.map(({ ruleIndex }) => tool.driver.rules[ruleIndex]?.id)).toEqual(
      results.map(({ ruleId }) => ruleId),
    );
    expect(tool.driver.rules[0]?.helpUri).toBe('https://docs.example/interface#3');
  });

  it('points into the contract', () => {
    const [place] = log().runs[0].results[0]!.locations;
    expect(place.physicalLocation.artifactLocation.uri).toBe('openapi/openapi.yaml');
    expect(place.logicalLocations?.[0].fullyQualifiedName).toBe('/paths/~1oauth~1token/post');
  });

  it('suppresses what is waived, and tells what could not be judged without calling it a result', () => {
    const [{ results, invocations }] = log().runs;
    expect(results.filter(({ suppressions }) => suppressions).map(({ ruleId }) => ruleId)).toEqual(['LEAGUE-GET-006']);
    expect(invocations[0].toolExecutionNotifications).toHaveLength(5);
  });

  it.each([
    ['gamedata verify --target target.yaml', undefined, 'gamedata verify'],
    ['npx gamedata audit -- ./verify', 'client', 'gamedata audit'],
    ['node dist/cli/main.js check traffic.har', undefined, 'gamedata check'],
    ['gamedata proxy --target target.yaml', 'server', 'gamedata proxy'],
    ['npm test', 'client', 'gamedata audit'],
  ] as const)('names the command that judged: %s', (command, subject, name) => {
    const { subject: _, ...report } = sampleReport();
    expect(log({ ...report, command, ...(subject && { subject }) }).runs[0].tool.driver.name).toBe(name);
  });

  it('ends each message with one period', () => {
    const { rows, ...report } = sampleReport();
    const failing = rows.flatMap((row) =>
      row.failure ? [{ ...row, failure: { ...row.failure, expected: 'a pause.', got: 'none (RFC 6585 4).' } }] : [],
    );
    const [{ results }] = log({ ...report, rows: failing }).runs;
    expect(results[0]!.message.text).toContain('Expected a pause; got none (RFC 6585 4).');
    for (const { message } of results) expect(message.text).not.toContain('..');
  });
});
