import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

import { readPlan } from '../conformance/audit/plan.js';
import { targetTemplate } from '../conformance/target/init.js';
import { parseBaseline } from '../conformance/waivers.js';
import { printBaseline } from '../conformance/report/baseline.js';
import { sampleReport } from '../conformance/report/sample.fixture.js';
import { defaultSwitches } from '../src/server/switches.js';
import { targetText } from '../src/server/target-file.js';
import { readLimits } from '../src/server/limits/settings.js';
import { complaintOf } from '../src/server/setting.js';
import { loadFixtures } from '../src/world/fixtures/folder.js';
import { schemas } from './schemas.js';

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);
const compiled = Object.fromEntries(Object.entries(schemas()).map(([name, schema]) => [name, ajv.compile(schema)]));

/** What a schema has against a value; nothing where it fits. */
function complaints(name: string, value: unknown): string[] {
  const validate = compiled[name];
  if (!validate) throw new Error(`no schema ${name}`);
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const folder = mkdtempSync(join(tmpdir(), 'gamedata-schemas-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const listed = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', ...patterns], { encoding: 'utf8' })
    .trim()
    .split('\n');

/** The schema of a fixture file. trees.yaml holds vectors of the codec, which are no part of a world. */
const fixtureSchema = (file: string): string =>
  `fixtures.${dirname(file).endsWith('characters') ? 'characters' : basename(file, '.yaml')}`;

describe('the schemas accept what the repository has', () => {
  it.each(listed('fixtures/*.yaml').filter((file) => file !== 'fixtures/trees.yaml'))('%s', (file) => {
    expect(complaints(fixtureSchema(file), parse(readFileSync(file, 'utf8')))).toEqual([]);
  });

  /** The YAML blocks of the chapters, by a key that only one kind of file has. */
  const kinds: readonly (readonly [string, RegExp])[] = [
    ['target', /^(?:base_url|consent|readings|accounts|known): /m],
    ['client-plan', /^start: /m],
    ['baseline', /^- id: /m],
    ['limits', /^policies:/m],
    ['faults', /^- (?:\{ )?kind: /m],
  ];
  const blocks = listed('*.md').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^```yaml\n([^]*?)^```/gm)].map(([, text = '']) => ({ file, text })),
  );
  it('a sample of a file in a chapter', () => {
    const found = blocks.flatMap(({ file, text }) => {
      const kind = kinds.find(([, pattern]) => pattern.test(text))?.[0];
      return kind === undefined ? [] : [[file, kind, complaints(kind, parse(text))] as const];
    });
    expect(found.length).toBeGreaterThanOrEqual(2);
    // A sample shows a part of a target, so that base_url may be missing from it.
    const wrong = found.filter(([, , all]) => all.some((one) => !one.includes("required property 'base_url'")));
    expect(wrong).toEqual([]);
  });

  it('the target file that target init writes, once the empty values are filled in', () => {
    const value = parse(targetTemplate().replaceAll("''", "'http://127.0.0.1:8080'")) as unknown;
    expect(complaints('target', value)).toEqual([]);
  });
});

const written = {
  url: 'http://127.0.0.1:4010',
  controlUrl: 'http://127.0.0.1:4010/__control',
  controlToken: undefined,
  flags: new Set<string>(),
  switches: defaultSwitches,
  world: { accounts: [], clients: [], known: {} },
};

it.each([
  ['target', targetTemplate()],
  ['target', targetText(written)],
  ['baseline', printBaseline(sampleReport())],
])('a %s file that is written names its schema for editors', (name, text) => {
  const [, named] = /^# yaml-language-server: [$]schema=\S+[/](\S+)[.]schema[.]json$/m.exec(text) ?? [];
  expect(named).toBe(name);
  expect(Object.keys(compiled)).toContain(named);
});

describe('the schemas refuse what the readers refuse', () => {
  const plan = (value: unknown) => {
    const file = join(folder, 'client.yaml');
    writeFileSync(file, JSON.stringify(value));
    return readPlan(file);
  };
  const baseline = (value: unknown) => parseBaseline(JSON.stringify(value), 'known.yaml');
  const faults = (value: unknown) => {
    const complaint = complaintOf('FaultRuleList', value);
    if (complaint) throw new Error(complaint.rule);
  };
  const fixture = (name: string) => (value: unknown) => {
    const over = mkdtempSync(join(folder, 'over-'));
    writeFileSync(join(over, `${name}.yaml`), JSON.stringify(value));
    return loadFixtures(over);
  };

  it.each<[string, (value: unknown) => unknown, unknown, unknown]>([
    ['client-plan', plan, { start: 'true', time_limit: 5 }, { start: [] }],
    ['client-plan', plan, { consent: 'auto', success: [0, 3] }, { success: [256] }],
    ['client-plan', plan, { redirect_uris: ['http://127.0.0.1/cb'] }, { redirect_uris: ['no address'] }],
    ['client-plan', plan, { env: { API: 'base_url' } }, { surprise: 1 }],
    ['baseline', baseline, [{ id: 'A-1', reason: 'x', expires: '2027-01-31' }], [{ reason: 'x' }]],
    ['baseline', baseline, [], [{ id: 'A-1', because: 'x' }]],
    ['baseline', baseline, null, { id: 'A-1' }],
    ['faults', faults, [{ kind: 'status', status: 503 }], [{ kind: 'flood' }]],
    ['faults', faults, [{ kind: 'reset', times: 1 }], [{ kind: 'reset', surprise: 1 }]],
    ['limits', readLimits, { policies: [] }, { policies: [{ name: 'x' }] }],
    ['limits', readLimits, { headers: 'ietf', policies: [] }, { headers: 'own', policies: [] }],
    ['fixtures.accounts', fixture('accounts'), { alice: { locale: 'de_DE' } }, { alice: { locale: 1 } }],
    ['fixtures.accounts', fixture('accounts'), {}, { alice: { colour: 'red' } }],
    ['fixtures.clients', fixture('clients'), {}, { 'example-web': { redirectUris: ['no address'] } }],
    ['fixtures.clients', fixture('clients'), {}, { 'example-web': { scopes: ['account:none'] } }],
    ['fixtures.words', fixture('words'), {}, { people: 'alice' }],
    ['fixtures.pvp', fixture('pvp'), {}, { pc: { x: { startAt: 'tomorrow' } } }],
  ])('%s', (name, read, right, wrong) => {
    expect(complaints(name, right)).toEqual([]);
    expect(() => read(right)).not.toThrow();
    expect(complaints(name, wrong)).not.toEqual([]);
    expect(() => read(wrong)).toThrow(/\S/);
  });
});
