import { branches, deref, described, replySchemas, schemas } from '../../../src/contract/index.js';
import type { SchemaNode } from '../../../src/contract/index.js';
import type { Json } from '../interceptor/interceptor.js';
import { operator, variantsOf } from '../mutant.js';

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type IsLeftOut = (schema: string, member: string) => boolean;

/** Whether the description lets a member be left out, in whichever game. */
const isOptional = (name: string, { properties, required }: SchemaNode): boolean => {
  const property = properties?.[name];
  if (!property || required?.includes(name)) return false;
  return property['x-game-required'] === undefined && property['x-edition']?.effect !== 'optional';
};

/** Leaves optional members out of a value, in place, wherever it is described by a schema of a name. */
function strip(value: unknown, written: SchemaNode, leftOut: IsLeftOut): void {
  const { name, schema } = deref(written);
  const whole = described(schema);
  const forms = branches(whole);
  if (forms.length > 1 || forms[0] !== whole) {
    const form = forms.find((one) => !deref(one).schema.properties || fits(value, deref(one).schema));
    if (form) strip(value, form, leftOut);
    return;
  }
  if (Array.isArray(value)) {
    for (const one of value) if (whole.items) strip(one, whole.items, leftOut);
  } else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      const inner = whole.properties?.[key] ?? whole.additionalProperties;
      if (name !== undefined && isOptional(key, whole) && leftOut(name, key)) delete value[key];
      else if (typeof inner === 'object') strip(member, inner, leftOut);
    }
  }
}

/** Whether an object is of the form that its constant members say. */
const fits = (value: unknown, { properties = {}, required = [] }: SchemaNode): boolean =>
  isObject(value) &&
  required.every((name) => properties[name]?.const === undefined || value[name] === properties[name].const);

/** Replies of the data API without the optional members that are left out. */
const without = operator('without', (at, leftOut: IsLeftOut) =>
  at.data('all', (body, { request, reply }) => {
    const forms = replySchemas[request.operation ?? ''];
    const schema = forms?.[String(reply.status)] ?? forms?.['200'];
    if (schema) strip(body, schema, leftOut);
    return body;
  }),
);

/** Members with a question mark that another sentence of the interface asks for all the same. */
const demanded: Readonly<Record<string, string>> = {
  'Specialisations.set1': 'a key of a dictionary, which has set1, set2 and either of two (2)',
  'Specialisations.set2': 'the same',
  'Specialisations.set3': 'the same',
  'Specialisations.shapeshift': 'the same',
  'ItemFilter.filter': 'absent when listing all filters (2), so not where one is fetched',
  'ItemFilter.validation': 'absent when listing all filters (2), so not where one is validated',
  'ItemFilter.public': 'a filter that is public cannot be made private again (3), so that one can tell',
  'ItemFilterSummary.public': 'the same filter in a list',
  'Profile.livestream': 'present if the account is linked (4.2)',
  'StashTab.children': 'a list of tabs includes sub-tabs and tabs in folders (4.2)',
  'StashTab.items': 'a tab comes with items where applicable (4.2)',
  'Character.equipment': 'a character comes with equipment, inventory and passive information (4.2)',
  'Character.inventory': 'the same',
  'Character.passives': 'the same',
};

/** Every optional member of the contract that may be left out, with its number. */
const numbers: ReadonlyMap<string, number> = new Map(
  Object.entries(schemas)
    .flatMap(([name, schema]) =>
      Object.keys(schema.properties ?? {})
        .filter((member) => isOptional(member, schema))
        .map((member) => `${name}.${member}`),
    )
    .filter((place) => !(place in demanded))
    .map((place, index) => [place, index]),
);

const numbered = (schema: string, member: string, is: (number: number) => boolean): boolean => {
  const number = numbers.get(`${schema}.${member}`);
  return number !== undefined && is(number);
};

const ones = (mask: number): number => (mask === 0 ? 0 : (mask & 1) + ones(mask >>> 1));

/** As many sets of `of` servers as there are with half of them in each: none of these is within another one (Sperner). */
const halves = (of: number): readonly number[] =>
  Array.from({ length: 1 << of }, (_, mask) => mask).filter((mask) => ones(mask) === of >> 1);

/** Of each member, by its number, the servers that leave it out, one a bit. */
const sets = Array.from({ length: 16 }, (_, of) => halves(of)).find(({ length }) => length >= numbers.size)!;
const leavers = Array.from({ length: numbers.size }, (_, at) => sets[Math.floor((at * sets.length) / numbers.size)]!);
const servers = Math.max(...sets).toString(2).length;

/**
 * Servers that leave out optional members: all of them, and about half of them each. Of any two members, wherever they
 * are, some server lacks the one and has the other, so that a row that joins the two shows itself.
 */
export const omissions = variantsOf({
  'O-all: every optional member is left out': { mutation: without((...place) => numbered(...place, () => true)) },
  ...Object.fromEntries(
    Array.from({ length: servers }, (_, server) => {
      const isLeftOut: IsLeftOut = (...place) =>
        numbered(...place, (number) => ((leavers[number]! >> server) & 1) === 1);
      return [
        `O-${server + 1}: about half of the optional members are left out, by choice ${server + 1} of ${servers}`,
        { mutation: without(isLeftOut) },
      ];
    }),
  ),
});
