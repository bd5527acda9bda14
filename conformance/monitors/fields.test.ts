import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../json.js';
import { deref, isAddition, operationList } from '../../src/contract/index.js';
import type { LogicalOperation, SchemaNode } from '../../src/contract/index.js';
import { ledger } from '../ledger.gen.js';
import type { RowId } from '../ledger.gen.js';
import { aTarget, anAnswer } from './answers.fixture.js';
import { everyFlag, fullDocument, replySchema } from './documents.fixture.js';
import { createMonitors } from './monitors.js';
import { fieldsAt } from './places.js';
import { Shapes } from './shape.js';
import type { Field, Game } from './shape.js';
import { Cursor } from './cursor.js';
import { ShapeWalk } from './walk.js';

const fieldRows = ledger.filter((row) => row.how === 'monitor' && row.place !== undefined).map((row) => row.id);
const isFieldRow = new Set<string>(fieldRows);

/** Every reply that the contract describes, full, in both games where it is of both, listed and unlisted. */
function replies(): { operation: LogicalOperation; game: Game; body: unknown }[] {
  const operations = new Set(operationList.map(({ logical }) => logical));
  return [...operations].flatMap((operation) => {
    if (operation === 'authorize' || operation === 'revokeToken' || operation === 'introspectToken') return [];
    const games: Game[] = ['getCharacter', 'listLeagues', 'getCurrencyExchange'].includes(operation)
      ? ['g1', 'g2']
      : ['g1'];
    return games.flatMap((game) =>
      [everyFlag, () => false].map((on) => ({
        operation,
        game,
        body: fullDocument(replySchema(operation), { operation, game, on }),
      })),
    );
  });
}

const unlisted = {
  next_change_id: '1',
  stashes: [
    {
      id: 'a'.repeat(64),
      public: false,
      accountName: null,
      lastCharacterName: null,
      stash: null,
      stashType: 'x',
      league: null,
      items: [],
    },
  ],
};
const all = [
  ...replies(),
  { operation: 'getPublicStashTabs' as const, game: 'g1' as const, body: unlisted },
  {
    operation: 'getCharacter' as const,
    game: 'g2' as const,
    body: fullDocument(replySchema('getCharacter'), {
      operation: 'getCharacter',
      game: 'g2',
      on: (flag) => flag === 'F-SPEC-SET3',
    }),
  },
];

/** One set of shapes for all documents: the walk keeps nothing but counts. */
const shapes = new Shapes(aTarget().names);
const rowsOf = new Map<Field, string>();
for (const row of ledger) {
  if (row.how !== 'monitor' || row.place === undefined) continue;
  for (const field of fieldsAt(shapes, row.place)) rowsOf.set(field, row.id);
}

/** The field rows to which the walk lays the departures of a reply. */
function blamed({ operation, game, body }: (typeof all)[number]): string[] {
  const rows = new Set<string>();
  const nothing = (): void => {};
  const walk = new ShapeWalk({
    departure: ({ field }) => void rows.add((field && rowsOf.get(field)) ?? 'no row'),
    object: nothing,
    undocumented: nothing,
    unsafe: nothing,
    sign: nothing,
    flag: () => 'any',
  });
  const answer = anAnswer(operation, body);
  const slot = shapes.reply(operation, 200);
  if (slot)
    walk.value(
      body,
      slot,
      new Cursor({ answer, operation, body: body as JsonObject, args: {}, realm: undefined, game }),
    );
  return [...rows];
}

function judge({ operation, game, body }: (typeof all)[number]) {
  const monitors = createMonitors(aTarget());
  const grant =
    operation === 'issueToken' ? { asked: { grant: 'authorization_code', client: 'confidential' as const } } : {};
  monitors.answer(anAnswer(operation, body, { args: game === 'g2' ? { realm: 'game2' } : {}, ...grant }));
  return monitors.results();
}

/** Every property that a document has, with its schema and the way to it. */
function* properties(
  schema: SchemaNode,
  value: unknown,
  way: readonly (string | number)[] = [],
): Generator<{
  way: readonly (string | number)[];
  schema: SchemaNode;
  required: boolean;
}> {
  const node = formOf(schema, value);
  if (Array.isArray(value)) {
    const [first] = value as unknown[];
    const items = node.prefixItems?.[0] ?? (node.items || undefined);
    if (items && first !== undefined) yield* properties(items, first, [...way, 0]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const property = node.properties?.[name];
      if (property && isAddition(property)) continue;
      if (property) yield { way: [...way, name], schema: property, required: node.required?.includes(name) ?? false };
      const next = property ?? (typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined);
      if (next) yield* properties(next, member, [...way, name]);
    }
  }
}

function formOf(schema: SchemaNode, value: unknown): SchemaNode {
  const { schema: node } = deref(schema);
  const forms = node.anyOf ?? node.oneOf;
  if (!forms) return node;
  const listed = (value as { public?: unknown } | null)?.public;
  const form = forms.map((one) => deref(one).schema).filter(({ type }) => type !== 'null');
  return formOf((listed === false ? form[1] : form[0]) ?? {}, value);
}

/** A copy of a document with one member changed, or left out. */
function changed(body: unknown, [step, ...rest]: readonly (string | number)[], to: unknown): unknown {
  if (step === undefined) return to;
  const copy: Record<string | number, unknown> | unknown[] = Array.isArray(body)
    ? [...(body as unknown[])]
    : { ...(body as object) };
  const holder = copy as Record<string | number, unknown>;
  const next = changed(holder[step], rest, to);
  if (next === undefined) delete holder[step];
  else holder[step] = next;
  return copy;
}

const wrong = (value: unknown): unknown =>
  typeof value === 'string' || value === null ? 7 : typeof value === 'boolean' ? 'true' : 'x';

describe('field rows', () => {
  it('accept every full reply, and see every field in them', () => {
    const seen = new Set<RowId>();
    for (const reply of all) {
      for (const [row, result] of judge(reply)) {
        if (!isFieldRow.has(row)) continue;
        expect([reply.operation, row, result.violations.map(({ expected, got }) => `${expected}: ${got}`)]).toEqual([
          reply.operation,
          row,
          [],
        ]);
        if (result.exercised > 0) seen.add(row);
      }
    }
    expect(fieldRows.filter((row) => !seen.has(row))).toEqual([]);
  });

  it('blame a wrong type, a null and an absence on the row of that field, and on no other', () => {
    const caught = { type: new Set<string>(), absent: new Set<string>() };
    const tried = new Set<string>();
    for (const { operation, game, body } of all) {
      for (const { way, schema, required } of properties(replySchema(operation), body)) {
        const key = `${operation} ${game} ${way.join('.')} ${String(body === unlisted)}`;
        if (tried.has(key)) continue;
        tried.add(key);
        const value = way.reduce<unknown>((holder, step) => (holder as Record<string | number, unknown>)[step], body);
        const to = (other: unknown): string[] => blamed({ operation, game, body: changed(body, way, other) });
        const rows = to(wrong(value));
        expect([key, rows.length]).toEqual([key, 1]);
        for (const row of rows) caught.type.add(row);
        if (required) for (const row of to(undefined)) caught.absent.add(row);
        // Only `public` of a stash changes what the rest of the object must be.
        const flag = deref(schema).schema.const === true && !required;
        if (flag) expect([key, to(null), to(false), to(1)]).toEqual([key, rows, rows, rows]);
      }
    }
    expect(fieldRows.filter((row) => !caught.type.has(row))).toEqual([]);
    expect(fieldRows.filter((row) => caught.absent.has(row)).length).toBeGreaterThan(100);
  });
});
