/** Bounds of one answer, so that no server fills the memory of a run or overflows the stack of what walks its answers. */
export const bounds = {
  /** Bytes of a body: a longer one counts as no answer. */
  bytes: 16 * 1024 * 1024,
  /** Arrays, objects, members and elements of JSON: with more of them, nothing is decided by the answer. */
  values: 1_000_000,
  /** Different names of members, each of which costs as much as many that are alike: with more, it is the same. */
  names: 20_000,
  /** Levels of arrays and objects: what lies below is read as null. The contract nests a few, and no rule looks as deep. */
  depth: 500,
  /** Bytes from which on an answer keeps its body packed, and its JSON only while somebody holds it. */
  packed: 256 * 1024,
  /** Characters of its text that an answer keeps where it has JSON as well. */
  besideJson: 16 * 1024,
  /** Characters of a text that is no JSON, such as a page. */
  text: 1024 * 1024,
  /** Characters of a text that evidence has. */
  shown: 4000,
} as const;

/** The beginning of a text, as a string of its own: a slice would keep the whole of it in memory. */
export function clipped(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = text.slice(0, most);
  const encoding = /^[\0-\xff]*$/.test(start) ? 'latin1' : 'utf16le';
  return Buffer.from(start, encoding).toString(encoding);
}
