import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import standalone from 'ajv/dist/standalone/index.js';

import type { Document, Schema } from './document.js';
import { operationsOf, resolve } from './document.js';
import { logicalParameters } from './operations.js';

/** How schemas are compiled. `verbose`: an error has the schema that it violates. */
export interface CompileOptions {
  readonly allErrors?: boolean;
  readonly verbose?: boolean;
}

/** Compiles schemas to code that needs no Ajv to start: name of the export -> schema. */
export function compile(schemas: Map<string, Schema>, document: Document, options: CompileOptions): string {
  const ajv = new Ajv2020({
    ...options,
    strict: false,
    code: { source: true, esm: true, lines: true },
    validateFormats: true,
  });
  addFormats.default(ajv);
  ajv.addSchema({ ...document }, 'contract');
  const exports: Record<string, string> = {};
  for (const [name, schema] of schemas) {
    ajv.addSchema(absolute(schema), name);
    exports[name] = name;
  }
  const code = standalone.default(ajv, exports);
  return ['// @ts-nocheck', ...withImports(code.replace(/^"use strict";/, ''))].join('\n');
}

/** Ajv writes `require` for its few run-time parts even in an ES module. Imports work in bundles too. */
function withImports(code: string): string[] {
  const modules: string[] = [];
  const body = code.replaceAll(/require\("([^"]+)"\)\.(\w+)/g, (_, module: string, member: string) => {
    if (!modules.includes(module)) modules.push(module);
    return `memberOf(module${modules.indexOf(module)}, "${member}")`;
  });
  return [
    ...modules.map((module, index) => `import * as module${index} from ${JSON.stringify(`${module}.js`)};`),
    // What a CommonJS module exports is a namespace here and its default there.
    'const memberOf = (module, name) => module.default?.[name] ?? module[name];',
    body,
  ];
}

function absolute(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"contract#/')) as Schema;
}

/** What a running server needs: a parameter set per logical operation, and the JSON bodies. */
export function requestSchemas(document: Document): Map<string, Schema> {
  const schemas = new Map<string, Schema>();
  for (const [name, schema] of logicalParameters(document)) schemas.set(`${name}Parameters`, schema);
  for (const { operation } of operationsOf(document)) {
    const body = operation.requestBody?.content['application/json']?.schema;
    if (body) schemas.set(`${operation['x-logical-operation']}Body`, body);
  }
  return schemas;
}

/** What a judge needs: every JSON reply by operation and status, and every named schema. */
export function replySchemas(document: Document): Map<string, Schema> {
  const schemas = new Map<string, Schema>();
  for (const name of Object.keys(document.components.schemas)) {
    schemas.set(`schema${name}`, { $ref: `#/components/schemas/${name}` });
  }
  for (const { operation } of operationsOf(document)) {
    if (operation.operationId !== operation['x-logical-operation']) continue;
    for (const [status, response] of Object.entries(operation.responses)) {
      const schema = resolve(document, response).content?.['application/json']?.schema;
      if (schema) schemas.set(`${operation.operationId}${status}`, schema);
    }
  }
  return schemas;
}

/** The bodies of the control protocol, by schema name. */
export function controlSchemas(): Map<string, Schema> {
  const names = [
    'ClockChange',
    'ConsentDecision',
    'UserRevocation',
    'ApplicationRevocation',
    'StashEvent',
    'TokenMint',
    'TokenRevocation',
    'JournalChange',
    'FaultRuleList',
    'FaultClearing',
    'Limits',
    'LimitsChange',
    'SnapshotName',
    'SnapshotFork',
    'SnapshotImport',
    'SnapshotFile',
    'NamespaceOrder',
  ];
  const schemas = new Map<string, Schema>(names.map((name) => [name, { $ref: `#/components/schemas/${name}` }]));
  // Rules are read by FaultRuleList, from a file and from a call alike, so that an error names the rule.
  return schemas.set('FaultRules', {
    type: 'object',
    required: ['rules'],
    properties: { rules: { type: 'array', minItems: 1 } },
    additionalProperties: false,
  });
}
