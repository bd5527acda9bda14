import { Tokenizer, TokenizerMode } from 'parse5';
import type { Token as Parsed, TokenHandler } from 'parse5';

/** A start or end tag, or the text between two tags. */
export type Token =
  | { readonly kind: 'start'; readonly name: string; readonly attributes: ReadonlyMap<string, string> }
  | { readonly kind: 'end'; readonly name: string }
  | { readonly kind: 'text'; readonly text: string };

/** Elements whose content is text up to their end tag, and how it is read (HTML standard 13.2.6). */
const textModes = new Map<string, Tokenizer['state']>([
  ['script', TokenizerMode.SCRIPT_DATA],
  ['title', TokenizerMode.RCDATA],
  ['textarea', TokenizerMode.RCDATA],
  ...['style', 'xmp', 'iframe', 'noembed', 'noframes'].map((name) => [name, TokenizerMode.RAWTEXT] as const),
]);

/**
 * The tags and texts of a page, in order, as the HTML standard's tokenizer sees them. No tree is made of them: in a tree,
 * a form whose tags stand between those of a table has lost its controls. Never fails.
 */
export function htmlTokens(page: string): readonly Token[] {
  const collector = new Collector();
  const tokenizer = new BoundedTokenizer({}, collector);
  collector.onText = (mode) => (tokenizer.state = mode);
  tokenizer.write(page, true);
  return collector.tokens;
}

/** Attributes that are read of a tag; no page that people look at has as many. */
const mostAttributes = 200;

/** The library compares each attribute of a tag with all before it: without a bound, a page could hold us up for minutes. */
class BoundedTokenizer extends Tokenizer {
  protected override _leaveAttrName(): void {
    const { attrs = [] } = this.currentToken as Partial<Parsed.TagToken>;
    // oxlint-disable-next-line no-underscore-dangle -- the library's name
    if (attrs.length < mostAttributes) super._leaveAttrName();
  }
}

class Collector implements TokenHandler {
  readonly tokens: Token[] = [];
  onText: (mode: Tokenizer['state']) => void = () => {};

  onStartTag({ tagName: name, attrs }: Parsed.TagToken): void {
    this.tokens.push({ kind: 'start', name, attributes: new Map(attrs.map((one) => [one.name, one.value])) });
    const mode = textModes.get(name);
    if (mode !== undefined) this.onText(mode);
  }

  onEndTag({ tagName: name }: Parsed.TagToken): void {
    this.tokens.push({ kind: 'end', name });
  }

  onCharacter({ chars }: Parsed.CharacterToken): void {
    const last = this.tokens.at(-1);
    if (last?.kind !== 'text') this.tokens.push({ kind: 'text', text: chars });
    else this.tokens[this.tokens.length - 1] = { kind: 'text', text: last.text + chars };
  }

  onWhitespaceCharacter(token: Parsed.CharacterToken): void {
    this.onCharacter(token);
  }

  onNullCharacter(): void {}
  onComment(): void {}
  onDoctype(): void {}
  onEof(): void {}
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
