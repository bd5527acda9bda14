import { isObject } from '../json.js';
import type { LogicalOperation, Operation } from '../../src/contract/index.js';
import { Shapes } from '../monitors/shape.js';
import type { ObjectShape, Shape, Slot } from '../monitors/shape.js';
import { dateTimeOf } from '../date-time.js';
import { isObserved } from '../monitors/walk.js';
import type { Target } from '../target/target.js';
import { bodyOf, TooMuch } from '../wire/body.js';
import { isCount, isErrorCode, scopeOf } from './kept.js';
import type { Pseudonyms } from './pseudonyms.js';

/** Where the contract has credentials, ids, and what people write: nothing of it stays, be it a number or a date. */
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
    ItemFilter: ['id', 'filter_name', 'description', 'filter', 'version'],
    ItemFilterSummary: ['id', 'filter_name', 'description', 'version'],
    ItemFilterCreate: ['filter_name', 'description', 'filter', 'version'],
    ItemFilterUpdate: ['filter_name', 'description', 'filter', 'version'],
    'EventLadderEntry.private_league': ['name', 'url'],
    StashTab: ['id', 'parent', 'folder', 'name'],
    ListedStash: ['id', 'accountName', 'lastCharacterName', 'stash'],
    UnlistedStash: ['id', 'accountName', 'lastCharacterName', 'stash'],
    Item: ['id', 'note', 'forum_note', 'flavourTextNote'],
  }).flatMap(([schema, members]) => members.map((member) => `${schema}.${member}`)),
);

/**
 * Bodies of JSON without anything that tells of a person. Of what the contract describes these stay: truth values, null,
 * numbers, dates, listed values, short numbers and codes in texts. A pseudonym stands for every other text, and for all
 * that the contract does not describe, names of members too.
 */
export class Bodies {
  readonly #shapes: Shapes;

  constructor(
    { names }: Target,
    private readonly book: Pseudonyms,
  ) {
    this.#shapes = new Shapes(names);
  }

  /** A response's body; a text in place of one that is no JSON. */
  response(bytes: Buffer, { logical, server }: Operation, status: number): string {
    const isGood = status >= 200 && status < 300;
    const slot = isGood ? this.#shapes.reply(logical, status) : undefined;
    const error = this.#shapes.schema(server === 'data' ? 'DataError' : 'OAuthError');
    return this.#written(bytes, (json) => this.#value(json, slot ?? error));
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

  #value(value: unknown, { shape, observed }: Slot): unknown {
    if (observed && isObserved(value, shape, observed.slot.shape)) return this.#value(value, observed.slot);
    if (shape.choice) return this.#chosen(value, shape.choice);
    if (typeof value === 'string') return this.#text(value, shape);
    if (typeof value === 'number')
      return shape.types.has('number') || shape.types.has('integer') ? value : this.book.number(value);
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

  #text(value: string, { values, constant, pattern, format }: Shape): string {
    if (values?.has(value) || constant === value) return value;
    if (format === 'date-time' && value.length <= 30 && dateTimeOf(value)) return value;
    if (isCount(value) || isErrorCode(value) || (value.length < 8 && pattern?.test(value) && hexDigits.test(value)))
      return value;
    if (/^bearer$/i.test(value)) return value;
    // The codes of a market stand in one text, and as names of members.
    if (pattern?.source.includes('\\|')) return value.replace(/[^|]+/g, (part) => this.book.of(part));
    return this.book.of(value);
  }

  #chosen(value: unknown, choice: readonly Slot[]): unknown {
    const kind = Array.isArray(value) ? 'array' : isObject(value) ? 'object' : typeof value;
    const fits = choice.filter(({ shape: { types, choice: inner } }) => inner || types.has(kind) || kind === 'number');
    if (!isObject(value)) return fits[0] ? this.#value(value, fits[0]) : this.#blank(value);
    const known = ({ shape }: Slot): number =>
      Object.keys(value).filter((name) => shape.object?.fields.has(name)).length;
    const [best] = fits.toSorted((a, b) => known(b) - known(a));
    return best ? this.#value(value, best) : this.#blank(value);
  }

  #object(value: Readonly<Record<string, unknown>>, { name: schema, fields, dictionary }: ObjectShape): unknown {
    const members = Object.entries(value).map(([name, inner]): [string, unknown] => {
      const field = fields.get(name);
      if (!field) return [this.#name(name), dictionary ? this.#value(inner, dictionary) : this.#blank(inner)];
      if (name === 'scope' && typeof inner === 'string') return [name, scopeOf(inner, this.book)];
      const isPersonal = personal.has(`${schema}.${name}`) || personal.has(field.place.id);
      return [name, isPersonal ? this.#blank(inner) : this.#value(inner, field.slot)];
    });
    return Object.fromEntries(members);
  }

  /** The name of a member that the contract does not describe, or the key of a dictionary: hashes and places stay. */
  #name(name: string): string {
    return isCount(name) ? name : this.book.of(name);
  }

  /** Pseudonyms for everything; truth values and null tell nothing. */
  #blank(value: unknown): unknown {
    if (typeof value === 'string') return this.book.of(value);
    if (typeof value === 'number') return this.book.number(value);
    if (Array.isArray(value)) return value.map((one) => this.#blank(one));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [this.#name(name), this.#blank(inner)]));
  }
}

const hexDigits = /^[0-9A-Fa-f]+$/;
