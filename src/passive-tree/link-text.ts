/** Looks like the beginning of a link: the version words 4, 5 and 6 in base64url, big-endian or little-endian. */
const VERSION_WORD = /^(AAAAB[A-Za-v]|B[AQg]AAA)/;
/** A scheme, a leading slash, or a dotted host before the first slash. A link of its own has none of these. */
const URL_START = /^([a-z][a-z0-9+.-]*:\/\/|\/|[^/?#.]*\.[^/?#]*\/)/i;

/**
 * Takes a tree link out of a whole URL: the last path segment, a query value or the fragment, whichever begins with a
 * version word, else the last path segment, so that the reader of the link can say what is wrong with it.
 * A text that is no URL is returned as it is.
 */
export function linkText(input: string): string {
  if (!URL_START.test(input)) return input;
  const [beforeFragment = '', ...fragments] = input.split('#');
  const [path = '', ...queries] = beforeFragment.split('?');
  const segment = lastSegment(path.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, ''));
  const candidates = [
    segment,
    ...values(queries.join('?')),
    ...fragments.flatMap((text) => [lastSegment(text), ...values(text)]),
  ];
  return candidates.map(unescaped).find((text) => VERSION_WORD.test(text)) ?? unescaped(segment);
}

function lastSegment(path: string): string {
  return path.split('/').findLast((segment) => segment !== '') ?? '';
}

/** The values of `a=b&c=d`; a pair without a name is a value. A value keeps the `=` that it ends with. */
function values(query: string): string[] {
  return query.split('&').flatMap((pair) => {
    const equals = pair.indexOf('=');
    return equals === -1 ? [pair] : [pair.slice(equals + 1), pair];
  });
}

/** Percent-decoded, for `=` is often sent as `%3D`; left as it is where that cannot be done. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
