import type { ContractChange, Direction, Effect } from './change.js';
import { brokenBy } from './change.js';
import type { Json, OpenApi } from './document.js';
import { isObject } from './document.js';
import { schemaComparison } from './schemas.js';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

interface Operation {
  /** `GET /profile`. */
  readonly name: string;
  readonly operation: Json;
  readonly parameters: ReadonlyMap<string, Json>;
}

/**
 * What differs between two contracts, and whom it breaks: operations, parameters, bodies, replies, scopes, and every schema
 * that they reach, each once.
 */
export function contractChanges(old: OpenApi, now: OpenApi): readonly ContractChange[] {
  const changes: ContractChange[] = [];
  const schemas = schemaComparison(old, now);
  const note = (place: string, what: string, breaks: ContractChange['breaks']): void =>
    void changes.push({ place, what, breaks });
  const noteEffect = (place: string, what: string, effect: Effect, direction: Direction): void =>
    note(place, what, brokenBy(effect, direction));

  function compareOperations(before: Operation, after: Operation): void {
    const { name } = after;
    const [was, is] = [before.operation['operationId'], after.operation['operationId']];
    if (was !== is)
      note(name, `operationId was ${String(was)}, and is ${String(is)}: generated names change`, ['clients']);
    compareSecurity(name, before.operation, after.operation);
    compareParameters(name, before.parameters, after.parameters);
    compareBodies(
      name,
      old.resolve(before.operation['requestBody']).value,
      now.resolve(after.operation['requestBody']).value,
    );
    compareReplies(name, before.operation, after.operation);
  }

  function compareSecurity(name: string, before: Json, after: Json): void {
    const [was, is] = [securityOf(before, old), securityOf(after, now)];
    for (const way of was) if (!is.includes(way)) note(name, `no longer is open to ${way}`, ['clients']);
    for (const way of is) if (!was.includes(way)) note(name, `is open to ${way}`, ['servers']);
  }

  function compareParameters(name: string, before: Operation['parameters'], after: Operation['parameters']): void {
    for (const [key, parameter] of before) {
      const other = after.get(key);
      const place = `${name}, ${String(parameter['in'])} parameter ${String(parameter['name'])}`;
      if (!other) {
        note(place, 'is gone', ['clients']);
        continue;
      }
      const [was, is] = [parameter['required'] === true, other['required'] === true];
      if (was !== is) noteEffect(place, is ? 'is required' : 'is optional', is ? 'narrower' : 'wider', 'request');
      schemas.compare(parameter['schema'], other['schema'], place, 'request');
    }
    for (const [key, parameter] of after) {
      if (before.has(key)) continue;
      const isRequired = parameter['required'] === true;
      const place = `${name}, ${String(parameter['in'])} parameter ${String(parameter['name'])}`;
      note(
        place,
        `is new, and ${isRequired ? 'required' : 'optional'}`,
        isRequired ? ['clients', 'servers'] : ['servers'],
      );
    }
  }

  function compareBodies(name: string, before: Json, after: Json): void {
    const place = `${name}, request body`;
    const [was, is] = [before['required'] === true, after['required'] === true];
    if (was !== is) noteEffect(place, is ? 'is required' : 'is optional', is ? 'narrower' : 'wider', 'request');
    compareContent(place, before, after, 'request');
  }

  function compareReplies(name: string, before: Json, after: Json): void {
    const [was, is] = [repliesOf(before), repliesOf(after)];
    for (const status of Object.keys(was))
      if (!Object.hasOwn(is, status)) noteEffect(`${name}, response ${status}`, 'is gone', 'narrower', 'response');
    for (const [status, given] of Object.entries(is)) {
      const place = `${name}, response ${status}`;
      if (!Object.hasOwn(was, status)) noteEffect(place, 'is new', 'wider', 'response');
      else {
        const [reply, other] = [old.resolve(was[status]).value, now.resolve(given).value];
        compareHeaders(place, reply, other);
        compareContent(place, reply, other, 'response');
      }
    }
  }

  function compareHeaders(place: string, before: Json, after: Json): void {
    const [was, is] = [headersOf(before, old), headersOf(after, now)];
    for (const [name, header] of was) {
      const other = is.get(name);
      const at = `${place}, header ${name}`;
      if (!other) note(at, 'is gone', ['clients']);
      else {
        const [required, requires] = [header['required'] === true, other['required'] === true];
        if (required !== requires)
          noteEffect(at, requires ? 'is required' : 'is optional', requires ? 'narrower' : 'wider', 'response');
        schemas.compare(header['schema'], other['schema'], at, 'response');
      }
    }
    for (const [name, header] of is)
      if (!was.has(name)) {
        const isRequired = header['required'] === true;
        note(
          `${place}, header ${name}`,
          `is new, and ${isRequired ? 'required' : 'optional'}`,
          isRequired ? ['servers'] : [],
        );
      }
  }

  function compareContent(place: string, before: Json, after: Json, direction: Direction): void {
    const [was, is] = [contentOf(before), contentOf(after)];
    for (const type of Object.keys(was))
      if (!Object.hasOwn(is, type)) noteEffect(place, `no longer may be ${type}`, 'narrower', direction);
    for (const [type, content] of Object.entries(is))
      if (!Object.hasOwn(was, type)) noteEffect(place, `may be ${type}`, 'wider', direction);
      else schemas.compare(was[type]?.['schema'] ?? true, content['schema'] ?? true, place, direction);
  }

  const [before, after] = [operationsOf(old), operationsOf(now)];
  for (const [key, operation] of before) {
    const other = after.get(key);
    if (other) compareOperations(operation, other);
    else note(operation.name, 'is gone', ['clients']);
  }
  for (const [key, { name }] of after) if (!before.has(key)) note(name, 'is new', ['servers']);
  return merged([...changes, ...schemas.changes]);
}

/** A schema that requests and replies share is found in both directions: each change once, with everybody whom it breaks. */
function merged(changes: readonly ContractChange[]): readonly ContractChange[] {
  const found = new Map<string, ContractChange>();
  for (const change of changes) {
    const key = `${change.place} ${change.what}`;
    const sides = new Set([...(found.get(key)?.breaks ?? []), ...change.breaks]);
    found.set(key, { ...change, breaks: [...sides].toSorted() });
  }
  return [...found.values()];
}

/** By method and path, whatever the parameters of the path are called. */
function operationsOf(document: OpenApi): ReadonlyMap<string, Operation> {
  const found = new Map<string, Operation>();
  for (const [path, given] of Object.entries(document.paths)) {
    const item = document.resolve(given).value;
    const order = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
    for (const method of methods) {
      const operation = item[method];
      if (!isObject(operation)) continue;
      const parameters = [...listOf(item['parameters']), ...listOf(operation['parameters'])].map(
        (parameter) => document.resolve(parameter).value,
      );
      const keyed = parameters.map((parameter): [string, Json] => {
        const { in: place, name } = parameter;
        return [`${String(place)} ${place === 'path' ? order.indexOf(String(name)) : String(name)}`, parameter];
      });
      const name = `${method.toUpperCase()} ${path}`;
      found.set(name.replaceAll(/\{[^{}]*\}/g, '{}'), { name, operation, parameters: new Map(keyed) });
    }
  }
  return found;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const repliesOf = ({ responses }: Json): Json => (isObject(responses) ? responses : {});

const contentOf = ({ content }: Json): Readonly<Record<string, Json>> =>
  isObject(content)
    ? Object.fromEntries(Object.entries(content).filter((entry): entry is [string, Json] => isObject(entry[1])))
    : {};

/** Names of headers have no case. */
const headersOf = ({ headers }: Json, document: OpenApi): ReadonlyMap<string, Json> =>
  new Map(
    Object.entries(isObject(headers) ? headers : {}).map(([name, header]) => [
      name.toLowerCase(),
      document.resolve(header).value,
    ]),
  );

/** Who may call an operation: the alternatives, each with its schemes and scopes. */
function securityOf({ security }: Json, document: OpenApi): readonly string[] {
  const ways = listOf(security ?? document.security).map((way) =>
    Object.entries(isObject(way) ? way : {})
      .map(([scheme, scopes]) => {
        const named = listOf(scopes).toSorted().join(' and ');
        return named === '' ? scheme : `${scheme} with ${named}`;
      })
      .toSorted()
      .join(', '),
  );
  return (ways.length === 0 ? [''] : ways).map((way) => (way === '' ? 'everybody' : way));
}
