import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

import { branches, deref, flags, replySchemas } from '../../src/contract/index.js';
import type { LogicalOperation, SchemaNode } from '../../src/contract/index.js';
import type { Game } from './shape.js';

/** What a document is of: its operation, game and edition. */
export interface Kind {
  readonly operation: LogicalOperation;
  readonly game: Game;
  readonly on: (flag: string) => boolean;
  /** The property that the document is in, with its schema. */
  readonly within?: string;
}

/** The schema of an operation's reply of success. */
export const replySchema = (operation: string): SchemaNode =>
  (replySchemas as Readonly<Record<string, Readonly<Record<string, SchemaNode>>>>)[operation]?.['200'] ?? {};

/** Every flag on, but of two that exclude each other the first, and not the one that leaves a group without its mark. */
export const everyFlag = (flag: string): boolean => !['F-SPEC-SET3', 'F-TREE-61', 'F-OBS-PROXY'].includes(flag);

/** Any state of the flags. */
export const editions: Arbitrary<(flag: string) => boolean> = fc
  .subarray(flags.map(({ flag }) => flag as string))
  .map((on) => {
    const shown = new Set(on);
    if (shown.has('F-SPEC-SHAPESHIFT')) shown.delete('F-SPEC-SET3');
    return (flag) => shown.has(flag);
  });

/** Whether a property may occur in a document of a kind. */
function mayOccur(schema: SchemaNode, { game, operation, on }: Kind): boolean {
  if (schema['x-game'] && schema['x-game'] !== game) return false;
  if (schema['x-only'] && schema['x-only'] !== operation) return false;
  const edition = schema['x-edition'];
  if (!edition || ['deprecated', 'optional', 'meaning'].includes(edition.effect ?? '')) return true;
  if (edition.effect === 'g1') return game === 'g1' || !on(edition.flag);
  return on(edition.flag) === (edition.state !== 'off');
}

/** Properties of which a document has at most one. */
const apart = (schema: SchemaNode): readonly string[] =>
  (schema['not'] as { required?: readonly string[] } | undefined)?.required ?? [];

const texts: Readonly<Record<string, Arbitrary<string>>> = {
  '^[0-9A-Fa-f]{64}$': fc.stringMatching(/^[0-9A-Fa-f]{64}$/),
  '^[0-9A-Fa-f]{10}$': fc.stringMatching(/^[0-9A-Fa-f]{10}$/),
  '^[0-9A-Fa-f]{6}$': fc.stringMatching(/^[0-9A-Fa-f]{6}$/),
};

/** Date-times of every form that is right (K-095); `strict` those of RFC 3339 only. */
const dates = (strict: boolean): Arbitrary<string> =>
  fc
    .tuple(
      fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }),
      fc.constantFrom('Z', '+00:00', '-05:30', ''),
    )
    .map(([date, zone]) => `${date.toISOString().slice(0, 19)}${strict && zone === '' ? 'Z' : zone}`);

function texted(schema: SchemaNode, strict: boolean): Arbitrary<string> {
  if (schema.format === 'date-time') return dates(strict);
  if (schema.pattern?.startsWith('^[0-9a-f]{8}')) return fc.uuid({ version: 4 });
  if (schema.format === 'uuid') return fc.uuid();
  if (schema.pattern !== undefined) return texts[schema.pattern] ?? fc.stringMatching(new RegExp(schema.pattern));
  return fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('', '__proto__', 'é', '\u{1F600}'));
}

/** Documents that the contract allows for a kind: optional members there, null or absent. */
export function documents(schema: SchemaNode, kind: Kind, strict = false, depth = 0): Arbitrary<unknown> {
  const { schema: node } = deref(schema);
  if (node.anyOf || node.oneOf) {
    const allowed = branches(node).filter((branch) => mayOccur(branch, kind));
    const nullable = (node.anyOf ?? node.oneOf ?? []).some(({ type }) => type === 'null');
    return fc.oneof(
      ...allowed.map((branch) => documents(branch, kind, strict, depth)),
      ...(nullable ? [fc.constant(null)] : []),
    );
  }
  if (node.const !== undefined) return fc.constant(node.const);
  if (node.enum) {
    const gates = node['x-enum-edition'] ?? {};
    return fc.constantFrom(
      ...node.enum.filter((value) => kind.on(gates[String(value)] ?? '') || !(String(value) in gates)),
    );
  }
  const types = typeof node.type === 'string' ? [node.type] : (node.type ?? []);
  if (types.length === 0) return fc.constantFrom(1, 'text', true);
  return fc.oneof(...types.map((type) => ofType(type, node, kind, strict, depth)));
}

function ofType(type: string, node: SchemaNode, kind: Kind, strict: boolean, depth: number): Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({
        min: (node['minimum'] as number | undefined) ?? -1000,
        max: (node['maximum'] as number | undefined) ?? 2 ** 31,
      });
    case 'number':
      return fc.integer({ min: -100_000, max: 100_000 }).map((value) => value / 100);
    case 'string':
      return texted(node, strict);
    case 'array': {
      if (node.prefixItems)
        return fc.tuple(...node.prefixItems.map((item) => documents(item, kind, strict, depth + 1)));
      const most = Math.min((node['maxItems'] as number | undefined) ?? 3, depth > 4 ? 0 : 3);
      return fc.array(node.items ? documents(node.items, kind, strict, depth + 1) : fc.constant(1), {
        maxLength: most,
      });
    }
    default:
      return objectOf(node, kind, strict, depth);
  }
}

function isNeeded(name: string, node: SchemaNode, { game, on, within }: Kind): boolean {
  const property = node.properties?.[name];
  const edition = property?.['x-edition'];
  if (edition?.effect === 'optional') return !on(edition.flag) || edition.within !== within;
  return (node.required?.includes(name) ?? false) || property?.['x-game-required'] === game;
}

function objectOf(node: SchemaNode, kind: Kind, strict: boolean, depth: number): Arbitrary<unknown> {
  // Made when they are chosen: most are not, and each is a tree of its own.
  const optional: [string, () => Arbitrary<unknown>][] = [];
  const required: [string, () => Arbitrary<unknown>][] = [];
  for (const [name, property] of Object.entries(node.properties ?? {})) {
    if (!mayOccur(property, kind)) continue;
    const needed = isNeeded(name, node, kind);
    if (!needed && depth > 5) continue;
    const inside = { ...kind, within: `${String(node['title'])}.${name}` };
    (needed ? required : optional).push([name, () => documents(property, inside, strict, depth + 1)]);
  }
  const extra = node.additionalProperties;
  const keys = ((node as { propertyNames?: SchemaNode }).propertyNames?.pattern ?? '').includes('0-9')
    ? fc.nat().map(String)
    : fc.string({ minLength: 1, maxLength: 6 });
  const entries =
    typeof extra === 'object' && !node.properties
      ? fc.array(fc.tuple(keys, documents(extra, kind, strict, depth + 1)), { maxLength: depth > 4 ? 0 : 2 })
      : fc.constant([]);
  // Absent most of the time, so that documents stay small.
  const some = fc.subarray(optional, { maxLength: Math.min(optional.length, 8) });
  const known = new Set(Object.keys(node.properties ?? {}));
  return some.chain((chosen) =>
    fc
      .tuple(
        fc.tuple(...[...required, ...chosen].map(([name, value]) => value().map((one) => [name, one] as const))),
        entries,
      )
      .map(([own, more]) => {
        const members = [...own, ...more.filter(([name]) => !known.has(name))];
        const [, second] = apart(node);
        const both = apart(node).every((name) => members.some(([member]) => member === name));
        return Object.fromEntries(members.filter(([name]) => !(both && name === second)));
      }),
  );
}

/** A document that has every member that a kind may have, arrays with one element, and no null. */
export function fullDocument(schema: SchemaNode, kind: Kind, within: readonly string[] = []): unknown {
  const { name, schema: node } = deref(schema);
  if (node.anyOf || node.oneOf)
    return fullDocument(branches(node).find((branch) => mayOccur(branch, kind)) ?? {}, kind, within);
  if (node.const !== undefined) return node.const;
  if (node.enum) return node.enum[0];
  const type = typeof node.type === 'string' ? node.type : node.type?.find((one) => one !== 'null');
  const inside = name === undefined ? within : [...within, name];
  const again = (next: SchemaNode): boolean => inside.includes(deref(branches(next)[0] ?? next).name ?? '-');
  switch (type) {
    case 'boolean':
      return true;
    case 'integer':
      return 1;
    case 'number':
      return 0.25;
    case 'string':
      return fc.sample(texted(node, true), { numRuns: 1, seed: 7 })[0];
    case 'array':
      if (node.prefixItems) return node.prefixItems.map((item) => fullDocument(item, kind, inside));
      return node.items && !again(node.items) && node['maxItems'] !== 0 ? [fullDocument(node.items, kind, inside)] : [];
    case 'object': {
      const members = Object.entries(node.properties ?? {}).filter(
        ([, property]) => mayOccur(property, kind) && !again(property),
      );
      const [, second] = apart(node);
      const own = members.filter(
        ([member]) => member !== second || !members.some(([other]) => other === apart(node)[0]),
      );
      const extra = node.additionalProperties;
      const entries = typeof extra === 'object' && members.length === 0 ? [['1', extra] as const] : [];
      return Object.fromEntries(
        [...own, ...entries].map(([member, property]) => [member, fullDocument(property, kind, inside)]),
      );
    }
    default:
      return null;
  }
}
