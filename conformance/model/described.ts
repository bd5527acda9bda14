import { replySchemas, schemas } from '../../src/contract/index.js';
import type { SchemaNode } from '../../src/contract/index.js';
import { dateTimeOf } from '../date-time.js';

/** The names of all members that the contract describes, and of those among them that are dictionaries. */
const known = { members: new Set<string>(), dictionaries: new Set<string>() };

function note(node: SchemaNode | false | undefined, name?: string): void {
  if (!node) return;
  if (typeof node.additionalProperties === 'object') {
    if (name !== undefined) known.dictionaries.add(name);
    note(node.additionalProperties);
  }
  for (const inner of [node.items, ...(node.prefixItems ?? [])]) note(inner);
  for (const choice of [...(node.anyOf ?? []), ...(node.oneOf ?? [])]) note(choice, name);
  for (const [member, inner] of Object.entries(node.properties ?? {})) {
    known.members.add(member);
    note(inner, member);
  }
}

for (const schema of Object.values(schemas)) note(schema);
for (const replies of Object.values(replySchemas)) for (const schema of Object.values(replies)) note(schema);

/**
 * What a value says by the contract: no member that the contract does not describe, as nothing says that one stays the
 * same (K-104), and every date-time as the instant that it is, however it is written (K-095). Of a dictionary all keys are described.
 */
export function described(value: unknown, dictionary = false): unknown {
  if (Array.isArray(value)) return value.map((entry) => described(entry));
  if (typeof value === 'string') {
    const instant = dateTimeOf(value);
    return instant ? new Date(instant.ms).toISOString().slice(0, instant.zoned ? undefined : -1) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => dictionary || known.members.has(name))
      .map(([name, inner]) => [name, described(inner, known.dictionaries.has(name))]),
  );
}
