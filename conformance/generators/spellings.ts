/** Names close to a known one, and yet other names: what comparing by beginnings, words or letters alone would find. */

const folded = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

const unlike = (names: readonly string[], known: readonly string[]): readonly string[] => {
  const taken = new Set(known.map(folded));
  return [...new Set(names)].filter((name) => name.trim() !== '' && !taken.has(folded(name)));
};

/** The names without their accents, as a database that compares letters alone would find them. */
export const plainNames = (known: readonly string[]): readonly string[] =>
  unlike(
    known.map((name) => name.normalize('NFD').replaceAll(/\p{M}/gu, '')),
    known,
  );

/** The name with more text, its beginnings, its end and its first word, as far as they are not known themselves. */
export const partNames = (name: string, known: readonly string[] = []): readonly string[] =>
  unlike(
    [
      `${name} qx`,
      `${name}qx`,
      `qx${name}`,
      ...(name.length > 3 ? [name.slice(0, -1), name.slice(0, Math.ceil(name.length / 2)), name.slice(1)] : []),
      ...(name.includes(' ') ? [name.split(' ')[0]!] : []),
      ...plainNames([name]),
    ],
    [name, ...known],
  );

/** The names in upper and in lower case, where nothing is known by that name. */
export const caseNames = (known: readonly string[]): readonly string[] => {
  const changed = new Set(known.flatMap((name) => [name.toUpperCase(), name.toLowerCase()]));
  return [...changed].filter((name) => !known.includes(name));
};
