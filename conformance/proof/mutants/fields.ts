import { editions } from '../../../src/contract/index.js';
import type { SchemaNode } from '../../../src/contract/index.js';
import { ledger } from '../../ledger.gen.js';
import type { RowId } from '../../ledger.gen.js';
import type { OldMutant as Mutant } from '../mutant.js';
import { formsOf, holdersOf, mayHave, membersAt } from '../interceptor/places.js';
import type { Member } from '../interceptor/places.js';

interface Fault {
  readonly name: string;
  /** What is said of the field in the last object of a reply that has it. */
  readonly bug: string;
  /** The value that takes the place of a right one; undefined takes the member away. */
  readonly to: (right: unknown) => unknown;
}

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

/** The ways in which a field can depart from what the contract says of it. */
function faultsOf(place: string): readonly Fault[] {
  const members = membersAt(place);
  const forms = members.flatMap(({ schema }) => formsOf(schema)).filter(({ type }) => type !== 'null');
  const types = typesOf(forms);
  const always = members.every(({ required, schema }) => required || schema['x-game-required'] !== undefined);
  const faults: Fault[] = [{ name: 'type', bug: 'has another type', to: () => stranger(types) }];
  const add = (name: string, bug: string, to: Fault['to']): void => void faults.push({ name, bug, to });
  if (always) add('gone', 'is missing', () => undefined);
  if (always && !members.some(isNull)) add('null', 'is null', () => null);
  const every = (test: (form: SchemaNode) => unknown): boolean => forms.length > 0 && forms.every(test);
  if (every(({ const: only }) => only === true)) add('false', 'is false', () => false);
  if (every(({ minimum }) => minimum === 0)) add('negative', 'is below zero', () => -1);
  if (every(({ type }) => type === 'integer')) add('fraction', 'is no whole number', (right) => Number(right) + 0.5);
  if (every(({ pattern, format }) => pattern ?? format))
    add('form', 'has another form', (right) => `${String(right)}|\u0007`);
  if (every(({ enum: words, type }) => words && type !== 'integer')) add('word', 'is a word of nobody', () => 'Other');
  if (every(({ enum: words, type }) => words && type === 'integer')) add('number', 'is a number of nobody', () => 4711);
  if (every(({ type }) => type === 'array'))
    add('element', 'has an element too many, of another type', (right) => [...(right as unknown[]), true]);
  if (every(({ additionalProperties, properties }) => typeof additionalProperties === 'object' && !properties))
    add('entry', 'has an entry too many, of another type', (right) => ({ ...(right as object), 7: true }));
  return faults;
}

/** What an edition has to be for a field to exist, where our mock's own is otherwise. */
function flagsFor(place: string): Readonly<Record<string, boolean>> | undefined {
  const ours: readonly string[] = editions.extended;
  const other = membersAt(place).flatMap(({ schema }) => {
    const { flag, state, effect } = schema['x-edition'] ?? {};
    const wanted = state !== 'off';
    return flag !== undefined && !effect && ours.includes(flag) !== wanted ? [[flag, wanted] as const] : [];
  });
  return other.length > 0 ? Object.fromEntries(other) : undefined;
}

const fields = ledger.flatMap((row) =>
  row.how === 'monitor' && row.place !== undefined ? { id: row.id, place: row.place } : [],
);

/** A place made wrong in one way, only in the last object of a reply that has it. */
const wrongAt =
  (place: string, to: Fault['to']): Mutant['plant'] =>
  (seam) =>
    seam.reply((reply, { operation }) => {
      if (operation === undefined || reply.status >= 300 || !mayHave(operation, place)) return;
      const name = place.slice(place.lastIndexOf('.') + 1).replace(/(\[\])+$/, '');
      const last = holdersOf(reply.json, operation, place).findLast((holder) => (holder[name] ?? null) !== null);
      if (!last) return;
      const wrong = to(last[name]);
      if (wrong === undefined) delete last[name];
      else last[name] = wrong;
    });

/** What only an application with extra permissions is shown (K-119). */
const privileged = new Set(['PublicStashChange.lastCharacterName']);

/** An answer without its wrapper may be the null of a lookup (K-023): what a known league must have, LADDER-001 says. */
const rowOfAnother: Readonly<Record<string, RowId>> = { 'getLeagueLadder.league gone': 'LADDER-001' };

/**
 * Each field of the contract, made wrong in every way that its description rules out. All of them are judged by the
 * same rows, so that they share one control.
 */
export const wrongFields: readonly Mutant[] = fields.flatMap(({ id, place }) => {
  const flags = flagsFor(place);
  return faultsOf(place).map(({ name, bug, to }): Mutant => ({
    id: `F-${id.replace('-FIELD-', '-')}-${name}`,
    bug: `${place} ${bug}`,
    rows: [rowOfAnother[`${place} ${name}`] ?? id],
    beside: fields.map((field) => field.id),
    ...(flags && { flags }),
    ...(privileged.has(place) && { ground: (seam) => seam.clients(() => ({ lastCharacterName: true })) }),
    plant: wrongAt(place, to),
  }));
});
