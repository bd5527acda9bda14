/**
 * Where a requirement comes from, in words: `4.2,7` are sections of the interface, `RFC 6749 5.2` is one of an RFC, and
 * `observed` is what live services do.
 */
export function sourceWords(source: string): string {
  const parts = source.split(/,\s*/);
  const sections = parts.filter((part) => /^\d/.test(part));
  const others = parts.filter((part) => !/^\d/.test(part) && part !== '-');
  const interfaces = sections.length === 0 ? [] : [`section ${sections.join(', ')} of the interface`];
  const words = [...interfaces, ...others.map(otherWords)].join('; ') || 'the interface as a whole';
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const otherWords = (part: string): string =>
  part === 'observed' ? 'observed practice' : part.replace(/^(RFC \d+) (\S+)$/, '$1, section $2');
