import { isObject } from '../json.js';
import type { LogicalOperation } from '../../src/contract/index.js';
import { Shapes } from '../monitors/shape.js';
import type { ObjectShape, Slot } from '../monitors/shape.js';
import type { Target } from '../target/target.js';
import { bodyOf, TooMuch } from '../wire/body.js';
import type { Pseudonyms } from './pseudonyms.js';

/** Where the contract has credentials, names of people and ids, by the object and its member. */
const personal: ReadonlySet<string> = new Set(
  Object.entries({
    TokenResponse: ['access_token', 'refresh_token', 'username', 'sub'],
    IntrospectionResponse: ['username', 'sub', 'client_id'],
    Profile: ['uuid', 'name'],
    'Profile.livestream': ['name'],
    Account: ['name'],
    'Account.livestream': ['name'],
    'Account.livestream.stream': ['name'],
    Guild: ['id', 'name', 'tag'],
    Character: ['id', 'name'],
    LadderCharacter: ['id', 'name'],
    'PvPLadderTeamMember.character': ['id', 'name'],
    ItemFilter: ['id'],
    ItemFilterSummary: ['id'],
    'EventLadderEntry.private_league': ['name', 'url'],
    StashTab: ['id', 'parent', 'folder'],
    ListedStash: ['id', 'accountName', 'lastCharacterName'],
    UnlistedStash: ['id', 'accountName', 'lastCharacterName'],
    Item: ['id'],
  }).flatMap(([schema, members]) => members.map((member) => `${schema}.${member}`)),
);

/** Members of errors, of which the interface does not show the form. */
const ofErrors: ReadonlySet<string> = new Set(['error', 'code', 'message', 'error_description', 'error_uri']);

/** What a private league is called by: its name, and its number in brackets. */
const privateLeague = /\(PL\d+\)/;

/** Bodies of JSON without anything that tells of a person: what the contract does not know is replaced altogether. */
export class Bodies {
  readonly #shapes: Shapes;

  constructor(
    { names }: Target,
    private readonly book: Pseudonyms,
  ) {
    this.#shapes = new Shapes(names);
  }

  /** A response's body; a text in place of one that is no JSON. */
  response(bytes: Buffer, operation: LogicalOperation, status: number): string {
    const slot = status >= 200 && status < 300 ? this.#shapes.reply(operation, status) : undefined;
    return this.#written(bytes, (json) => (slot ? this.#value(json, slot) : this.#error(json)));
  }

  /** A request's body. */
  request(bytes: Buffer, operation: LogicalOperation): string {
    const schema = { createItemFilter: 'ItemFilterCreate', updateItemFilter: 'ItemFilterUpdate' }[operation as string];
    return this.#written(bytes, (json) =>
      schema ? this.#value(json, this.#shapes.schema(schema)) : this.#blank(json),
    );
  }

  #written(bytes: Buffer, change: (json: unknown) => unknown): string {
    if (bytes.length === 0) return '';
    try {
      const { json } = bodyOf(bytes);
      return json === undefined ? '(redacted)' : JSON.stringify(change(json));
    } catch (error) {
      if (error instanceof TooMuch) return '(redacted)';
      throw error;
    }
  }

  #value(value: unknown, { shape }: Slot): unknown {
    if (shape.choice) return this.#chosen(value, shape.choice);
    if (typeof value === 'string')
      return privateLeague.test(value) && value.length < 200 ? this.book.of(value) : this.book.scrub(value);
    if (Array.isArray(value)) {
      const { items, tuple } = shape.array ?? {};
      return value.map((one, index) => {
        const slot = tuple?.[index] ?? items;
        return slot ? this.#value(one, slot) : this.#blank(one);
      });
    }
    if (!isObject(value)) return value;
    return shape.object ? this.#object(value, shape.object) : this.#blank(value);
  }

  #chosen(value: unknown, choice: readonly Slot[]): unknown {
    const kind = Array.isArray(value) ? 'array' : isObject(value) ? 'object' : typeof value;
    const fits = choice.filter(({ shape: { types, choice: inner } }) => inner || types.has(kind) || kind === 'number');
    if (!isObject(value)) return this.#value(value, fits[0] ?? blankSlot);
    const known = ({ shape }: Slot): number =>
      Object.keys(value).filter((name) => shape.object?.fields.has(name)).length;
    const [best] = fits.toSorted((a, b) => known(b) - known(a));
    return best ? this.#value(value, best) : this.#blank(value);
  }

  #object(value: Readonly<Record<string, unknown>>, { name: schema, fields, dictionary }: ObjectShape): unknown {
    const members = Object.entries(value).map(([name, inner]): [string, unknown] => {
      const field = fields.get(name);
      if (field)
        return [
          name,
          personal.has(`${schema}.${name}`) || personal.has(field.place.id)
            ? this.#blank(inner)
            : this.#value(inner, field.slot),
        ];
      if (dictionary) return [this.book.scrub(name), this.#value(inner, dictionary)];
      return [this.book.scrub(name), this.#blank(inner)];
    });
    return Object.fromEntries(members);
  }

  #error(value: unknown): unknown {
    if (typeof value === 'string') return this.book.scrub(value);
    if (!isObject(value)) return typeof value === 'object' ? this.#blank(value) : value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) =>
        ofErrors.has(name) ? [name, this.#error(inner)] : [this.book.scrub(name), this.#blank(inner)],
      ),
    );
  }

  /** Pseudonyms for everything; truth values and null tell nothing. */
  #blank(value: unknown): unknown {
    if (typeof value === 'string') return this.book.of(value);
    if (typeof value === 'number') return Number.isInteger(value) ? this.book.number(value) : 0.5;
    if (Array.isArray(value)) return value.map((one) => this.#blank(one));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [this.book.scrub(name), this.#blank(inner)]),
    );
  }
}

const blankSlot = { shape: { types: new Set<string>() } } as unknown as Slot;
