import { Composer, isAlias, isCollection, isMap, isNode, isScalar, Lexer, LineCounter, Parser, visit } from 'yaml';
import type { CST, Document, Node, YAMLMap, YAMLParseError } from 'yaml';

import { SetupError } from './setup-error.js';

/** More tokens (words, signs, ends of lines), deeper nesting: nobody writes that by hand. */
const usualTokens = 100_000;
const mostDepth = 32;
const mostAliases = 1000;

/** A YAML or JSON text (JSON is read as the YAML that it is, so that it has lines too), and where things stand in it. */
export interface Yaml {
  /** Undefined where the text is empty. */
  readonly document: Document.Parsed | undefined;
  /** The line, from 1, of an offset. */
  lineAt(offset: number): number;
  /**
   * The document as a plain value, undefined where the text is empty.
   *
   * @throws SetupError where its aliases stand for more than a document of the size would
   */
  value(): unknown;
  /** The line of the value at a path, or of the nearest thing around it that is written down. */
  lineOf(path: readonly (string | number)[]): number | undefined;
}

/**
 * Reads a text of one document within bounds: of tokens, of depth, and without aliases to what they stand in.
 *
 * @param label of the text: the file
 * @param mostTokens that it may have
 * @throws SetupError with every problem of the form: `label:12: …`
 */
export function readYaml(text: string, label: string, mostTokens = usualTokens): Yaml {
  const lines = new LineCounter();
  const lineAt = (offset: number): number => lines.linePos(offset).line || 1;
  const refuse = (offset: number, words: string): never => {
    throw new SetupError(`${label}:${lineAt(offset)}: ${words}`);
  };
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let count = 0;
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text.replace(/^\uFEFF/, ''))) {
    tokens.push(...parser.next(lexeme));
    if ((count += 1) > mostTokens) throw new SetupError(`${label}: ${tooMany(mostTokens)}`);
    // What composes the document recurses, and could end the process.
    if (parser.stack.length > mostDepth + 1) refuse(parser.offset, tooDeep);
  }
  tokens.push(...parser.end());
  // The composer compares every key with every other; `doubles` does not.
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false });
  const [document, second] = composer.compose(tokens);
  if (!document) return { document, lineAt, value: () => undefined, lineOf: () => undefined };
  if (second) refuse(second.range[0], 'a second document starts here; keep one, without ---');

  // Whatever else is no YAML follows from the first place that is none.
  const [broken] = document.errors;
  const problems = broken ? [brokenAt(broken, document, text)] : [];
  for (const at of checkedNodes(document, refuse)) problems.push({ at, words: 'duplicate key; remove one' });
  if (problems.length > 0)
    throw new SetupError(
      ...problems.toSorted((a, b) => a.at - b.at).map(({ at, words }) => `${label}:${lineAt(at)}: ${words}`),
    );
  return {
    document,
    lineAt,
    value: () => plain(document, label),
    lineOf: (path) => {
      const offset = offsetOf(document, path);
      return offset === undefined ? undefined : lineAt(offset);
    },
  };
}

/** Where keys stand that their mapping has already. Refuses aliases to what they stand in, and too many of them. */
function checkedNodes(document: Document.Parsed, refuse: (offset: number, words: string) => never): readonly number[] {
  const anchors = new Map<string, unknown>();
  const found: number[] = [];
  let aliases = 0;
  visit(document, (_, node, around) => {
    if (!isNode(node)) return;
    const at = node.range?.[0] ?? 0;
    if (isAlias(node)) {
      if ((aliases += 1) > mostAliases) refuse(at, `has more than ${mostAliases} aliases; ${writtenOut}`);
      if (around.includes(anchors.get(node.source) as Node))
        refuse(at, `alias *${node.source} contains itself; replace it by the value`);
    } else if (node.anchor !== undefined) anchors.set(node.anchor, node);
    if (isMap(node)) found.push(...doubles(node));
  });
  return found;
}

const writtenOut = 'replace the aliases by their values';

function plain(document: Document.Parsed, label: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    const { message } = error as Error;
    const words = message.startsWith('Excessive') ? 'its aliases expand to too many nodes' : message;
    throw new SetupError(`${label}: ${words}; ${writtenOut}`);
  }
}

/** Where the value at a path stands, or the nearest thing around it. */
function offsetOf(document: Document.Parsed, path: readonly (string | number)[]): number | undefined {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const node = document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return undefined;
}

const tooDeep = `nests deeper than ${mostDepth} levels; flatten it`;
const tooMany = (most: number): string =>
  `has more than ${most.toLocaleString('en-US')} YAML tokens; check that it is the right file`;

/** Where keys stand that a mapping has already. */
function doubles({ items }: YAMLMap): number[] {
  const seen = new Set<unknown>();
  return items.flatMap(({ key }) => {
    if (!isScalar(key)) return [];
    if (seen.has(key.value)) return [key.range?.[0] ?? 0];
    seen.add(key.value);
    return [];
  });
}

/** Where a text is no YAML, and what to do about it. What never ends is told where it begins. */
function brokenAt(
  { code, message, pos: [at] }: YAMLParseError,
  document: Document.Parsed,
  text: string,
): { readonly at: number; readonly words: string } {
  const closing = /end with a ([\]}])$|^Missing closing (["'])/.exec(message);
  const sign = closing?.[1] ?? closing?.[2];
  if (sign !== undefined) {
    const begin = beginOf(sign, document, at);
    return {
      at: begin,
      words: `invalid YAML: the ${text[begin]} here is never closed; end the value with ${sign}${hintOf(text)}`,
    };
  }
  const key = document.errors.find((error) => error.code === 'MULTILINE_IMPLICIT_KEY');
  // A key whose line is indented further than that of a value is taken for more of the value.
  if (code === 'BLOCK_AS_IMPLICIT_KEY' && key && !/^.*:\s/.test(text.slice(at)))
    return { at: key.pos[1] - 1, words: `invalid YAML: ${indentation}` };
  const words = remedies.find(([form]) => form.test(message))?.[1] ?? message.replaceAll(/\s+/g, ' ');
  return { at, words: `invalid YAML: ${words}${code === 'MULTILINE_IMPLICIT_KEY' ? '' : hintOf(text)}` };
}

/** Where the list, mapping or quoted text begins that ends with a sign and is open at an offset. */
function beginOf(sign: string, document: Document.Parsed, at: number): number {
  let begin = at;
  visit(document, (_, node) => {
    if (!isNode(node) || !node.range || node.range[0] >= at) return;
    const isOpen =
      sign === ']' || sign === '}'
        ? isCollection(node) && node.flow === true && isMap(node) === (sign === '}') && node.range[1] >= at - 1
        : isScalar(node) && node.type === (sign === '"' ? 'QUOTE_DOUBLE' : 'QUOTE_SINGLE') && node.range[1] >= at;
    if (isOpen) [begin] = node.range;
  });
  return begin;
}

const indentation = 'this line is not indented as its neighbours are; indent them alike';
const colon = 'a key here has no colon and space behind it; write key: value';

/** What the parser says of a place, and what there is to do. */
const remedies: readonly (readonly [form: RegExp, words: string])[] = [
  [/^Implicit keys need to be on a single line|^Implicit map keys need to be followed/, colon],
  [/^Tabs are not allowed as indentation/, 'a tab indents this line; indent with spaces'],
  [/must start at the same column$/, indentation],
  [/^Nested mappings are not allowed/, 'a second colon is in this line; put the value in quotes'],
  [/^Plain value cannot start with/, 'a value cannot start with this sign; put it in quotes'],
];

const hintOf = (text: string): string => (/\{[^{}]*\$\{/.test(text) ? '; within { } put "${NAME}" in quotes' : '');
