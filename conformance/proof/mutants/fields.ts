import { editions } from '../../../src/contract/index.js';
import type { SchemaNode } from '../../../src/contract/index.js';
import { ledger } from '../../ledger.gen.js';
import type { RowId } from '../../ledger.gen.js';
import { operator } from '../mutant.js';
import type { Mutant } from '../mutant.js';
import { formsOf, holdersOf, mayHave, membersAt } from '../interceptor/places.js';
import type { Member } from '../interceptor/places.js';

const isNull = ({ schema }: Member): boolean =>
  schema.type === 'null' ||
  [schema.type ?? []].flat().includes('null') ||
  (schema.anyOf ?? []).some((one) => one.type === 'null');

const typesOf = (forms: readonly SchemaNode[]): ReadonlySet<string> =>
  new Set(
    forms.flatMap(({ type, const: only, enum: words }) => type ?? [only ?? words?.[0]].map((value) => typeof value)),
  );

/** A value of another type than any that the contract allows. */
function stranger(types: ReadonlySet<string>): unknown {
  if (!types.has('string')) return '7';
  if (!types.has('integer') && !types.has('number')) return 7;
  return [];
}

/** What the contract says of a place: whether it is always there, and the forms of its value but null. */
function described(place: string) {
  const members = membersAt(place);
  return {
    always: members.every(({ required, schema }) => required || schema['x-game-required'] !== undefined),
    nullable: members.some(isNull),
    forms: members.flatMap(({ schema }) => formsOf(schema)).filter(({ type }) => type !== 'null'),
  };
}

type Described = ReturnType<typeof described>;

/** Whether each form of a value is so. */
const every =
  (test: (form: SchemaNode) => unknown) =>
  ({ forms }: Described): boolean =>
    forms.length > 0 && forms.every(test);

/** The value that takes the place of a right one, undefined for none, and the places where that is wrong. */
type FieldMutation = readonly [to: (right: unknown, of: Described) => unknown, isWrong: (of: Described) => boolean];

/** The ways in which a field can depart from what the contract says of it. */
const departures: Readonly<Record<string, FieldMutation>> = {
  'type: has another type': [(_, { forms }) => stranger(typesOf(forms)), () => true],
  'gone: is missing': [() => undefined, ({ always }) => always],
  'null: is null': [() => null, ({ always, nullable }) => always && !nullable],
  'false: is false': [() => false, every(({ const: only }) => only === true)],
  'negative: is below zero': [() => -1, every(({ minimum }) => minimum === 0)],
  'fraction: is no whole number': [(right) => Number(right) + 0.5, every(({ type }) => type === 'integer')],
  'form: has another form': [(right) => `${String(right)}|\u0007`, every(({ pattern, format }) => pattern ?? format)],
  'word: is a word of nobody': [() => 'Other', every(({ enum: words, type }) => words && type !== 'integer')],
  'number: is a number of nobody': [() => 4711, every(({ enum: words, type }) => words && type === 'integer')],
  'element: has an element too many, of another type': [
    (right) => [...(right as unknown[]), true],
    every(({ type }) => type === 'array'),
  ],
  'entry: has an entry too many, of another type': [
    (right) => ({ ...(right as object), 7: true }),
    every(({ additionalProperties, properties }) => typeof additionalProperties === 'object' && !properties),
  ],
};

/** What an edition has to be for a field to exist, where our mock's own is otherwise. */
function flagsFor(place: string): Pick<Mutant, 'flags'> {
  const ours: readonly string[] = editions.extended;
  const other = membersAt(place).flatMap(({ schema }) => {
    const { flag, state, effect } = schema['x-edition'] ?? {};
    const wanted = state !== 'off';
    return flag !== undefined && !effect && ours.includes(flag) !== wanted ? [[flag, wanted] as const] : [];
  });
  return other.length > 0 ? { flags: Object.fromEntries(other) } : {};
}

const fields = ledger.flatMap((row) =>
  row.how === 'monitor' && row.place !== undefined ? { id: row.id, place: row.place } : [],
);

/** A place made wrong in one way, only in the last object of a reply that has it. */
const wrongAt = operator('wrongAt', (at, place: string, to: FieldMutation[0], of: Described) =>
  at.reply((reply, { operation }) => {
    if (operation === undefined || reply.status >= 300 || !mayHave(operation, place)) return;
    const name = place.slice(place.lastIndexOf('.') + 1).replace(/(\[\])+$/, '');
    const last = holdersOf(reply.json, operation, place).findLast((holder) => (holder[name] ?? null) !== null);
    if (!last) return;
    const wrong = to(last[name], of);
    if (wrong === undefined) delete last[name];
    else last[name] = wrong;
  }),
);

/** What only an application with extra permissions is shown (K-119). */
const privileged = new Set(['PublicStashChange.lastCharacterName']);
const permitted = operator('permitted', (at) => at.clients(() => ({ lastCharacterName: true })));

/** An answer without its wrapper may be the null of a lookup (K-023): what a known league must have, LADDER-001 says. */
const rowOfAnother: Readonly<Record<string, RowId>> = { 'getLeagueLadder.league is missing': 'LADDER-001' };

/**
 * Each field of the contract, made wrong in every way that its description rules out. All of them are judged by the
 * same rows, so that they share one control.
 */
export const wrongFields: readonly Mutant[] = fields.flatMap(({ id, place }) => {
  const of = described(place);
  const possible = Object.entries(departures).filter(([, [, isWrong]]) => isWrong(of));
  return possible.map(([text, [to]]): Mutant => {
    const [name, what] = text.split(': ');
    return {
      id: `F-${id.replace('-FIELD-', '-')}-${name}`,
      what: `${place} ${what}`,
      rows: [rowOfAnother[`${place} ${what}`] ?? id],
      exercise: fields.map((field) => field.id),
      ...flagsFor(place),
      ...(privileged.has(place) && { precondition: permitted() }),
      mutation: wrongAt(place, to, of),
    };
  });
});
