/** Words that start a block, or stand alone in one. */
const alone = new Set(['Show', 'Hide', 'Minimal', 'Continue']);

/**
 * Whether a filter's text passes the mock's own, small rule, since the interface shows none (4.2): every line is blank,
 * a comment, a word that starts a block, or, within a block, a capitalised word with a value after it.
 */
export function isValidFilter(text: string): boolean {
  let inBlock = false;
  return text.split(/\r\n|\r|\n/).every((line) => {
    const [code = ''] = line.split('#', 1);
    const words = code.trim().split(/\s+/);
    const [first = ''] = words;
    if (first === '') return true;
    if (alone.has(first)) {
      inBlock = true;
      return words.length === 1;
    }
    return inBlock && words.length > 1 && /^[A-Z][A-Za-z]*$/.test(first);
  });
}
