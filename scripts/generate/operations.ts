import type { Document, Operation, Parameter, Schema } from './document.js';
import { operationsOf, resolve } from './document.js';

export interface ParameterRow {
  name: string;
  in: 'path' | 'query';
  type: 'string' | 'integer' | 'boolean';
  required: boolean;
  default?: string | number | boolean;
}

export interface OperationRow {
  id: string;
  logical: string;
  method: 'GET' | 'POST';
  path: string;
  server: 'data' | 'authorization';
  tag: string;
  /** The scope that the operation needs. */
  scope?: string;
  /** Realm of a literal path segment. */
  realm?: string;
  game?: 'g1' | 'g2';
  flag?: string;
  wrapper?: string;
  parameters: ParameterRow[];
  body?: string;
  statuses: number[];
}

const game: Record<string, 'g1' | 'g2'> = { game2: 'g2', xbox: 'g1', sony: 'g1' };

/** One row an OpenAPI operation: what a server routes by and a suite iterates over. */
export function operationRows(document: Document): OperationRow[] {
  return [...operationsOf(document)].map(({ method, path, item, operation }) => {
    const realm = operation['x-realm'];
    const body = operation.requestBody && Object.keys(operation.requestBody.content)[0];
    return {
      id: operation.operationId,
      logical: operation['x-logical-operation'],
      method,
      path,
      server: item.servers ? 'authorization' : 'data',
      tag: operation.tags?.[0] ?? '',
      scope: scopeOf(operation),
      realm,
      game: operation['x-game'] ?? (realm ? game[realm] : undefined),
      flag: operation['x-edition']?.flag,
      wrapper: operation['x-wrapper'],
      parameters: parametersOf(document, operation).map(parameterRow),
      body,
      statuses: Object.keys(operation.responses).map(Number),
    };
  });
}

function scopeOf(operation: Operation): string | undefined {
  return operation.security?.flatMap((requirement) => requirement.oauth ?? [])[0];
}

function parametersOf(document: Document, operation: Operation): Parameter[] {
  return (operation.parameters ?? [])
    .map((parameter) => resolve<Parameter>(document, parameter))
    .map((parameter) => ({ ...parameter, schema: resolve(document, parameter.schema) }));
}

function parameterRow({ name, in: place, required, schema }: Parameter): ParameterRow {
  const type = schema.type;
  if (type !== 'string' && type !== 'integer' && type !== 'boolean') {
    throw new Error(`parameter ${name}: the generator reads string, integer and boolean, not ${JSON.stringify(type)}`);
  }
  return {
    name,
    in: place,
    type,
    required: required ?? false,
    ...(schema.default !== undefined && { default: schema.default as string | number | boolean }),
  };
}

/**
 * The parameters of a logical operation as one object schema: path and query together, over all its realm forms.
 * A literal realm segment and the absent one (`pc`, interface 4) become the parameter `realm`.
 */
export function logicalParameters(document: Document): Map<string, Schema> {
  const forms = new Map<string, Operation[]>();
  for (const { operation } of operationsOf(document)) {
    const name = operation['x-logical-operation'];
    forms.set(name, [...(forms.get(name) ?? []), operation]);
  }
  return new Map([...forms].map(([name, operations]) => [name, mergeForms(document, operations)]));
}

function mergeForms(document: Document, forms: Operation[]): Schema {
  const properties: Record<string, Schema> = {};
  const required: string[] = [];
  const realms = new Set<string>();
  for (const form of forms) {
    if (form['x-realm']) realms.add(form['x-realm']);
    for (const parameter of parametersOf(document, form)) {
      if (parameter.name === 'realm' && parameter.in === 'path') {
        for (const realm of parameter.schema.enum ?? []) realms.add(String(realm));
        continue;
      }
      const { description: _, ...schema } = parameter.schema;
      properties[parameter.name] = schema;
      const everywhere = forms.every((other) =>
        parametersOf(document, other).some(({ name }) => name === parameter.name),
      );
      const given = parameter.required || schema.default !== undefined;
      if (given && everywhere && !required.includes(parameter.name)) required.push(parameter.name);
    }
  }
  if (realms.size > 0) {
    properties.realm = { type: 'string', enum: ['pc', ...realms], default: 'pc' };
    required.push('realm');
  }
  return { type: 'object', properties, required };
}

/** TypeScript of one logical operation's parameters. */
export function parametersType(schema: Schema): string {
  const members = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const optional = schema.required?.includes(name) ? '' : '?';
    return `    ${name}${optional}: ${valueType(property)};`;
  });
  return members.length === 0 ? '{}' : `{\n${members.join('\n')}\n  }`;
}

function valueType(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  return schema.type === 'integer' ? 'number' : String(schema.type);
}
