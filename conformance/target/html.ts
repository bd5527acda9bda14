/** A start or end tag, or the text between two tags. */
export type Token =
  | { readonly kind: 'start'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: 'end'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string };

/** Elements whose content is text up to their end tag, whatever is in it. */
const rawText = new Set(['script', 'style', 'textarea', 'title', 'xmp', 'iframe', 'noembed', 'noframes']);

/**
 * The tags and texts of a page, in order, as the HTML standard's tokenizer sees them in all that matters for forms:
 * comments and declarations skipped, attributes with any quotes or none, names in lower case, character references
 * decoded. Never fails: what is broken is read as well as may be.
 */
export function* htmlTokens(page: string): Generator<Token> {
  let at = 0;
  while (at < page.length) {
    const open = page.indexOf('<', at);
    if (open < 0) {
      yield { kind: 'text', text: decoded(page.slice(at)) };
      return;
    }
    if (open > at) yield { kind: 'text', text: decoded(page.slice(at, open)) };
    const skipped = afterComment(page, open);
    if (skipped !== undefined) {
      at = skipped;
      continue;
    }
    const tag = tagAt(page, open);
    if (!tag) {
      yield { kind: 'text', text: '<' };
      at = open + 1;
      continue;
    }
    yield tag.token;
    at = tag.end;
    if (tag.token.kind === 'start' && rawText.has(tag.token.name)) {
      const end = endOfRaw(page, at, tag.token.name);
      const text = page.slice(at, end);
      yield { kind: 'text', text: tag.token.name === 'textarea' || tag.token.name === 'title' ? decoded(text) : text };
      at = end;
    }
  }
}

/** What a page is called: its title, else its first heading, in a line of at most 80 characters. */
export function headingOf(page: string): string {
  const texts = new Map<string, string>();
  let inside: string | undefined;
  for (const token of htmlTokens(page)) {
    if (token.kind === 'start') inside = /^(?:title|h1|h2)$/.test(token.name) ? token.name : inside;
    else if (token.kind === 'end') inside = token.name === inside ? undefined : inside;
    else if (inside !== undefined) texts.set(inside, (texts.get(inside) ?? '') + token.text);
  }
  const found = ['title', 'h1', 'h2'].map((name) => (texts.get(name) ?? '').replaceAll(/\s+/g, ' ').trim());
  return (found.find((text) => text !== '') ?? '').slice(0, 80);
}

/** Where a comment, a declaration or a processing instruction ends; undefined where none starts. */
function afterComment(page: string, open: number): number | undefined {
  const beyond = (mark: string, from: number): number => {
    const end = page.indexOf(mark, from);
    return end < 0 ? page.length : end + mark.length;
  };
  if (page.startsWith('<!-->', open)) return open + 5;
  if (page.startsWith('<!--', open)) return beyond('-->', open + 4);
  if (page.startsWith('<!', open) || page.startsWith('<?', open)) return beyond('>', open + 2);
  return undefined;
}

const namePattern = /<(\/?)([a-zA-Z][^\s/>]*)/y;
/** An attribute: `name`, `name=value`, `name='value'`, `name="value"`, with white space around the sign or none. */
const attributePattern = /[\s/]*(?:([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)))?)/y;

function tagAt(page: string, open: number): { token: Token; end: number } | undefined {
  namePattern.lastIndex = open;
  const [, slash, written] = namePattern.exec(page) ?? [];
  if (written === undefined) return undefined;
  const name = written.toLowerCase();
  const attributes = new Map<string, string>();
  let at = namePattern.lastIndex;
  for (;;) {
    attributePattern.lastIndex = at;
    const [whole, key, double, single, bare] = attributePattern.exec(page) ?? [];
    if (whole === undefined || key === undefined) break;
    at += whole.length;
    const lower = key.toLowerCase();
    if (!attributes.has(lower)) attributes.set(lower, decoded(double ?? single ?? bare ?? ''));
  }
  const close = page.indexOf('>', at);
  const end = close < 0 ? page.length : close + 1;
  return { token: slash === '/' ? { kind: 'end', name } : { kind: 'start', name, attributes }, end };
}

function endOfRaw(page: string, from: number, name: string): number {
  const pattern = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  pattern.lastIndex = from;
  return pattern.exec(page)?.index ?? page.length;
}

/** The named references that occur in hand-written forms; the rest stay as they are. */
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00A0',
  colon: ':',
  sol: '/',
  equals: '=',
  plus: '+',
  percnt: '%',
  quest: '?',
  num: '#',
  lowbar: '_',
  period: '.',
  comma: ',',
  hyphen: '\u2010',
  shy: '\u00AD',
};
/** These need no semicolon, where no name could go on. */
const bare = /^(?:amp|lt|gt|quot)$/;

function decoded(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(
    /&(?:#[xX]([0-9a-fA-F]{1,6})|#(\d{1,7})|([a-zA-Z]+))(;?)/g,
    (whole: string, hex: string | undefined, digits: string | undefined, name: string | undefined, end: string) => {
      if (name !== undefined) {
        const known = Object.hasOwn(named, name) && (end === ';' || bare.test(name));
        return known ? (named[name] ?? whole) : whole;
      }
      const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16);
      return code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)
        ? '\uFFFD'
        : String.fromCodePoint(code);
    },
  );
}
