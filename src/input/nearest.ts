/**
 * The name that someone who wrote `word` most likely meant; undefined where none is near. Letters in the wrong case,
 * left out, doubled, mistaken or exchanged with their neighbour count.
 */
export function nearest(word: string, names: Iterable<string>): string | undefined {
  let best: { name: string; apart: number } | undefined;
  for (const name of names) {
    // Two wrong letters of four are another word.
    const most = name.length < 5 ? 1 : Math.max(2, Math.floor(name.length / 4));
    // Each letter more or less is an edit: a longer word need not be compared.
    if (Math.abs(word.length - name.length) > most) continue;
    const apart = distance(word.toLowerCase(), name.toLowerCase());
    if (apart <= most && apart < name.length && (!best || apart < best.apart)) best = { name, apart };
  }
  return best?.name;
}

/** What a message adds where a name is near: ` (did you mean base_url?)` */
export function meant(word: string, names: Iterable<string>): string {
  const near = nearest(word, names);
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

/**
 * What there is in place of a name that is none: the one that was meant, or all, of which at most 40 are said.
 *
 * @param known every name that is taken
 * @param shown those that are said where none is near; left out: all
 */
export function instead(name: string, known: Iterable<string>, shown?: Iterable<string>): string {
  const all = [...known];
  const within = name === '' ? [] : all.filter((one) => one.toLowerCase().includes(name.toLowerCase()));
  const likely = nearest(name, all) ?? (within.length === 1 ? within[0] : undefined);
  if (likely !== undefined) return `did you mean ${likely}?`;
  return `there are ${(within.length > 0 ? within : [...(shown ?? all)]).slice(0, 40).join(', ')}`;
}

/** What stands before each dash of names, and the names: `TOK`, `TOK-REFRESH`, `TOK-REFRESH-001`. */
export const beginnings = (names: Iterable<string>): ReadonlySet<string> =>
  new Set([...names].flatMap((name) => name.split('-').map((_, at, parts) => parts.slice(0, at + 1).join('-'))));

/** Edits between two words, an exchange of neighbours counted as one (optimal string alignment). */
function distance(from: string, to: string): number {
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1;
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same);
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return last[to.length]!;
}
