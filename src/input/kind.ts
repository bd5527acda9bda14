/** Types of JSON Schema, in words. */
const kinds: Readonly<Record<string, string>> = {
  array: 'a list (in YAML, begin each entry with "- ")',
  boolean: 'true or false',
  integer: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object with members',
  string: 'a text',
};

/** A type of JSON Schema in words; one that it does not have stays as it is. */
export const kindOf = (type: unknown): string => kinds[String(type)] ?? String(type);
