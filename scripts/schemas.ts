import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

import { planSchema } from '../conformance/audit/plan.js';
import { targetSchema } from '../conformance/target/schema.js';
import { baselineSchema } from '../conformance/waivers.js';
import { fixtureSchemas } from '../src/world/fixtures/schema.js';
import { root } from './generate/document.js';

/** The schemas of what people write and read, each made of what reads it, by the name `<name>.schema.json`. */
export function schemas(): Readonly<Record<string, object>> {
  return {
    target: targetSchema,
    'client-plan': planSchema,
    baseline: baselineSchema,
    faults: ofControl('FaultRuleList', 'Fault rules of gamedata mock --faults'),
    limits: ofControl('Limits', 'Rate limits of gamedata mock --limits'),
    machine: readJson('conformance/machine/machine.schema.json'),
    report: readJson('conformance/report/report.schema.json'),
    ...Object.fromEntries(Object.entries(fixtureSchemas()).map(([name, schema]) => [`fixtures.${name}`, schema])),
  };
}

export function writeSchemas(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, schema] of Object.entries(schemas()))
    writeFileSync(join(folder, `${name}.schema.json`), JSON.stringify(schema));
}

const readJson = (file: string): object => JSON.parse(readFileSync(join(root, file), 'utf8')) as object;

/** A schema of the control protocol as a document of its own, with those that it refers to. */
function ofControl(name: string, title: string): object {
  const { components } = parse(readFileSync(join(root, 'openapi', 'control.yaml'), 'utf8'), { merge: true }) as {
    readonly components: { readonly schemas: Readonly<Record<string, object>> };
  };
  const needed: Record<string, object> = {};
  const collect = (schema: object): object => {
    const text = JSON.stringify(schema);
    for (const [, other = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (Object.hasOwn(needed, other)) continue;
      needed[other] = {};
      needed[other] = collect(components.schemas[other] ?? {});
    }
    return JSON.parse(text.replaceAll('"#/components/schemas/', '"#/$defs/')) as object;
  };
  const whole = collect(components.schemas[name] ?? {});
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...whole, $defs: needed };
}
