import type { Operation, SchemaNode, Switches } from '../contract/index.js';
import { branches, deref, described, replySchemas } from '../contract/index.js';
import { thin } from './sparse.js';

/** What a reply looks like on the wire, where the interface leaves the form open. */
export interface Presenter {
  /** The body in the form that the switches ask for. */
  body(operation: Operation, status: number, body: unknown, realm: unknown): unknown;
}

interface Walk {
  readonly switches: Switches;
  readonly flags: ReadonlySet<string>;
  readonly game: 'g1' | 'g2';
  readonly logical: string;
  readonly rank: (key: string) => number;
}

const formSwitches = [
  'flags.falseForm',
  'flags.absentForm',
  'optional.absentForm',
  'optional.presence',
  'realm.game2InPayload',
  'names.game2',
  'names.livestream',
  'passives.emptyForm',
  'dates.form',
  'extra.fields',
  'json.keyOrder',
  'hex.case',
] as const satisfies readonly (keyof Switches)[];

/**
 * A presenter for the switches that ask for another form, or null where every one stands at its default: then replies
 * go out as the operations return them, without being looked at.
 */
export function createPresenter(
  switches: Switches,
  defaults: Switches,
  flags: ReadonlySet<string>,
  random: () => number,
): Presenter | null {
  if (formSwitches.every((name) => switches[name] === defaults[name])) return null;
  return {
    body(operation, status, body, realm) {
      const forms = replySchemas[operation.logical];
      // A status that a switch asks for (201, 404) has the body of the documented one.
      const schema = forms?.[status] ?? forms?.['200'];
      if (!schema) return body;
      const ranks = new Map<string, number>();
      const rank = (key: string): number => {
        const known = ranks.get(key) ?? random();
        ranks.set(key, known);
        return known;
      };
      const game = realm === 'game2' ? 'g2' : 'g1';
      const given = switches['optional.presence'] === 'sparse' ? thin(schema, body, 'absent') : body;
      return present(schema, given, { switches, flags, game, logical: operation.logical, rank });
    },
  };
}

function present(node: SchemaNode, value: unknown, walk: Walk): unknown {
  if (value === null) return null;
  const { name, schema } = choose(node, value);
  if (Array.isArray(value)) return value.map((entry, index) => present(elementSchema(schema, index), entry, walk));
  if (typeof value === 'object') return presentObject(name, schema, value as Record<string, unknown>, walk);
  return typeof value === 'string' ? presentText(schema, value, walk.switches) : value;
}

const elementSchema = (schema: SchemaNode, index: number): SchemaNode =>
  schema.prefixItems?.[index] ?? (schema.items || {});

/** Follows references and picks the alternative whose constants agree with the value. */
function choose(node: SchemaNode, value: unknown): { name: string | undefined; schema: SchemaNode } {
  const outer = deref(node);
  const options = branches(outer.schema);
  if (options.length === 1 && options[0] === outer.schema) return outer;
  // What live data shows stands behind what is described, and says more of a value that it fits.
  const fitting = options.findLast((option) => fits(deref(option).schema, value)) ?? options[0] ?? {};
  return choose(fitting, value);
}

function fits(schema: SchemaNode, value: unknown): boolean {
  if (schema.type === 'string') return typeof value === 'string';
  if (typeof value !== 'object' || value === null) return schema.type !== 'object';
  if (schema['x-observed'] !== undefined && !(schema.required ?? []).every((key) => key in value)) return false;
  return Object.entries(schema.properties ?? {}).every(
    ([key, property]) =>
      property.const === undefined || !(key in value) || (value as Record<string, unknown>)[key] === property.const,
  );
}

function presentObject(
  name: string | undefined,
  schema: SchemaNode,
  value: Record<string, unknown>,
  walk: Walk,
): Record<string, unknown> {
  const { switches } = walk;
  const result: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const property =
      schema.properties?.[key] ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {});
    if (isLeftOut(name, schema, key, property, member, switches)) continue;
    result[key === 'livestream' && schema.properties ? switches['names.livestream'] : key] = present(
      property,
      member,
      walk,
    );
  }
  if (!schema.properties) return ordered(result, walk);
  for (const [key, property] of Object.entries(schema.properties)) {
    if (key in value || schema.required?.includes(key) || !occurs(property, walk) || isTelling(name, key)) continue;
    const isFlag = described(property).const === true;
    const form = switches[isFlag ? 'flags.absentForm' : 'optional.absentForm'];
    if (form === 'null' && (isFlag || isNullable(property)))
      result[key === 'livestream' ? switches['names.livestream'] : key] = null;
  }
  if (switches['extra.fields']) result.x_undocumented = 'the interface does not list this';
  return ordered(result, walk);
}

/** Whether the absence of a member says something: that a stash is unlisted, or that a match has no Glicko ratings. */
const isTelling = (name: string | undefined, key: string): boolean =>
  name === 'UnlistedStash' || (name === 'PvPLadderTeamEntry' && key === 'rating');

function isLeftOut(
  name: string | undefined,
  schema: SchemaNode,
  key: string,
  property: SchemaNode,
  member: unknown,
  switches: Switches,
): boolean {
  const optional = !schema.required?.includes(key);
  if (switches['flags.falseForm'] === 'omit' && member === false && optional && described(property).const === undefined)
    return true;
  if (switches['realm.game2InPayload'] === 'omit' && key === 'realm' && member === 'game2' && optional)
    return name === 'League' || name === 'Account';
  if (switches['passives.emptyForm'] !== 'omit' || name !== 'Passives') return false;
  return typeof member === 'object' && member !== null && Object.keys(member).length === 0;
}

/** Whether the element exists in this edition, game and operation, so that its absence can be sent as null. */
function occurs(property: SchemaNode, { flags, game, logical }: Walk): boolean {
  const mark = property['x-edition'];
  if (mark && !mark.effect && flags.has(mark.flag) === (mark.state === 'off')) return false;
  if (mark?.effect === 'g1' && flags.has(mark.flag) && game === 'g2') return false;
  if (property['x-only'] !== undefined && property['x-only'] !== logical) return false;
  return property['x-game'] === undefined || property['x-game'] === game;
}

const isNullable = (property: SchemaNode): boolean =>
  (Array.isArray(property.type) && property.type.includes('null')) ||
  (property.anyOf?.some((branch) => branch.type === 'null') ?? false);

/** An own order of members for each reply, wrappers first as ever. */
function ordered(value: Record<string, unknown>, { switches, rank }: Walk): Record<string, unknown> {
  if (switches['json.keyOrder'] !== 'shuffled') return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => rank(a) - rank(b)));
}

function presentText(schema: SchemaNode, text: string, switches: Switches): string {
  if (schema.format === 'date-time') return presentDate(text, switches['dates.form']);
  if (switches['hex.case'] === 'upper' && schema.pattern?.startsWith('^[0-9A-Fa-f]')) return text.toUpperCase();
  return text === 'game2' && schema.enum?.includes('game2') ? switches['names.game2'] : text;
}

function presentDate(text: string, form: Switches['dates.form']): string {
  const local = text.replace(/(\.\d+)?(Z|\+00:00)$/, '');
  switch (form) {
    case 'z':
      return text;
    case 'offset':
      return `${local}+00:00`;
    case 'fraction':
      return `${local}.000Z`;
    case 'none':
      return local;
  }
}

/** A body as JSON text in the layout asked for. */
export function writeJson(body: unknown, form: Switches['json.form']): string {
  if (form === 'pretty') return `${JSON.stringify(body, null, 2)}\n`;
  const text = JSON.stringify(body);
  if (form !== 'escaped') return text;
  return text.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
