import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';

import { json } from './json.js';
import { reportSchema } from '../result.js';
import { canaryReport, hostileReport, sampleReport } from './sample.fixture.js';

interface Schema {
  readonly $id?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
}

const schema = JSON.parse(readFileSync(new URL('report.schema.json', import.meta.url), 'utf8')) as Schema;
const ajv = new Ajv2020({ strict: true, allErrors: false });
addFormats.default(ajv);
const validate = ajv.compile(schema);
const sample = (): Record<string, unknown> => JSON.parse(json(sampleReport())) as Record<string, unknown>;

interface Place {
  readonly where: string;
  readonly holder: Record<string, unknown>;
  readonly name: string;
  readonly required: boolean;
}

/** Every member of the value that the schema names, with whether it must be there. */
function places(value: unknown, at: Schema, where = ''): Place[] {
  const here = at.$ref ? (schema.$defs?.[at.$ref.replace('#/$defs/', '')] ?? {}) : at;
  if (Array.isArray(value)) return value.flatMap((each, index) => places(each, here.items ?? {}, `${where}/${index}`));
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.entries(holder).flatMap(([name, each]) => {
    const open = typeof here.additionalProperties === 'object' ? here.additionalProperties : undefined;
    const inner = here.properties?.[name] ?? open;
    if (!inner) return [];
    const required = here.required?.includes(name) ?? false;
    return [{ where: `${where}/${name}`, holder, name, required }, ...places(each, inner, `${where}/${name}`)];
  });
}

describe('report.json', () => {
  it.each([
    ['a sample', sampleReport()],
    ['a full ledger', sampleReport(980)],
    ['a server that answers 500 to everything', canaryReport()],
    ['hostile text everywhere', hostileReport()],
  ])('follows the schema: %s', (_, report) => {
    expect(validate(JSON.parse(json(report))), ajv.errorsText(validate.errors)).toBe(true);
  });

  it('names the schema that it follows', () => {
    expect(schema.$id).toBe(reportSchema);
    expect(sample().$schema).toBe(reportSchema);
  });

  it('is refused without any one of its required members', () => {
    const report = sample();
    const required = places(report, schema).filter((place) => place.required);
    expect(required.length).toBeGreaterThan(400);
    const accepted = required.filter(({ holder, name }) => {
      const kept = holder[name];
      delete holder[name];
      const valid = validate(report);
      holder[name] = kept;
      return valid;
    });
    expect(accepted.map(({ where }) => where)).toEqual([]);
  });

  it('is refused with a value of another type in any place', () => {
    const report = sample();
    const accepted = places(report, schema).filter(({ holder, name }) => {
      const kept = holder[name];
      holder[name] = typeof kept === 'string' ? 5 : 'other';
      const valid = validate(report);
      holder[name] = kept;
      return valid;
    });
    expect(accepted.map(({ where }) => where)).toEqual([]);
  });

  it('is told of every member that the sample has', () => {
    const unknown = { ...sample(), $comment: '' };
    const named = new Set(places(unknown, schema).map(({ where }) => where));
    expect(Object.keys(unknown).filter((name) => !named.has(`/${name}`))).toEqual(['$comment']);
  });

  it('has no half of a character, and what was escaped before stays', () => {
    const report = sampleReport(20, { summary: 'a\ud800b \\ud800 \ud83d\ude00', edition: { '\udc00': on } });
    const text = json(report);
    const read = JSON.parse(text) as typeof report;
    expect(read.summary).toBe('a\ufffdb \\ud800 \ud83d\ude00');
    expect(Object.keys(read.edition)).toEqual(['\ufffd']);
  });
});

const on = { declared: 'on', seen: 'on' };
