/** What the 3.0 form of the contract cannot say, or says less exactly. */
export interface Loss {
  readonly rule: string;
  readonly about: string;
  readonly places: readonly string[];
}

/** The rules of the conversion, in the words of the documentation. */
const rules: Record<string, string> = {
  values:
    'A list of values in a reply is a hint, `x-extensible-enum`, beside an open type: a reader that is generated from a closed one stops at the first new value.',
  booleans: '`const: true` of "always true if present" is a plain boolean.',
  alternatives:
    'Alternatives that are objects are one object with the members of all, required where all require them: generators try alternatives in turn, and take the wrong one or none.',
  patterns: 'Alternatives of one type are that type, without the patterns and values that tell them apart.',
  prefixItems: 'A pair of text and number is an array of exactly two, each a text or a number.',
  not: 'That two members exclude each other, or that one must be absent, is not said.',
  propertyNames: 'The form of the keys of a dictionary is not said.',
  unevaluatedProperties: 'The type of members that are not listed is not said.',
  nulls: 'A member with a list of values may not be sent as null; leaving it out says the same.',
  int64:
    'An integer of a reply has the format `int64`: the interface states no width, and some values need more than 32 bits.',
  nullable:
    'Where an object that has a name, or one of several types, may be null, `nullable` stands beside `allOf` or `oneOf`. Generators read that as meant; a validator that goes by the letter of 3.0.3 refuses the null.',
  info: 'There is no summary.',
};

/** Collects what is lost while a document is converted. */
export class Losses {
  private readonly places = new Map<string, Set<string>>();

  /** @throws Error for a rule that has no words, so that nothing is lost in silence. */
  note(rule: string, place: string): void {
    if (!(rule in rules)) throw new Error(`the conversion to 3.0 loses ${rule} at ${place}, and no rule says so`);
    const known = this.places.get(rule) ?? new Set();
    this.places.set(rule, known.add(place));
  }

  list(): Loss[] {
    return Object.entries(rules).flatMap(([rule, about]) => {
      const places = [...(this.places.get(rule) ?? [])];
      return places.length === 0 ? [] : [{ rule, about, places }];
    });
  }
}
