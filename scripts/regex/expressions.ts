import { check } from 'recheck';
import ts from 'typescript';
import { LineCounter, parseDocument, visit } from 'yaml';

/** A regular expression and where it stands. */
export interface Expression {
  readonly file: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

/** The expressions of a TypeScript source, and those that only a run puts together, which nobody can judge here. */
export interface Found {
  readonly expressions: readonly Expression[];
  /** `file:line` of each `new RegExp` whose text is neither a literal nor a template. */
  readonly built: readonly string[];
}

/**
 * Regular expression literals, and `new RegExp` of a literal or a template. What fills a template is the constant of the
 * file that it names, or counts as one word.
 */
export function expressionsOf(file: string, text: string): Found {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const expressions: Expression[] = [];
  const built: string[] = [];
  const constants = new Map<string, ts.Expression>();
  const note = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.initializer) constants.set(node.name.getText(), node.initializer);
    ts.forEachChild(node, note);
  };
  note(tree);
  const look = (node: ts.Node): void => {
    const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      expressions.push({ file, line, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp') {
      const [pattern, flags] = (node.arguments ?? []).map((argument) => textOf(argument, constants));
      if (pattern === undefined) built.push(`${file}:${line}`);
      else expressions.push({ file, line, source: pattern, flags: flags ?? '' });
    }
    ts.forEachChild(node, look);
  };
  look(tree);
  return { expressions, built };
}

function textOf(node: ts.Expression, constants: ReadonlyMap<string, ts.Expression>): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  const raw = ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'String.raw';
  const template = raw ? node.template : node;
  const read = ({ text, rawText = text }: ts.TemplateLiteralLikeNode): string => (raw ? rawText : text);
  if (ts.isNoSubstitutionTemplateLiteral(template)) return read(template);
  if (!ts.isTemplateExpression(template)) return undefined;
  const filling = (expression: ts.Expression): string => {
    const constant = constants.get(expression.getText());
    return (constant && textOf(constant, constants)) ?? 'word';
  };
  const spans = template.templateSpans.map(({ expression, literal }) => filling(expression) + read(literal));
  return read(template.head) + spans.join('');
}

/** Every `pattern` of a part of the contract, as Ajv compiles it: with the flag u. */
export function patternsOf(file: string, text: string): Expression[] {
  const lines = new LineCounter();
  const patterns: Expression[] = [];
  visit(parseDocument(text, { lineCounter: lines }), {
    Pair(_, { key, value }) {
      if (String(key) !== 'pattern') return;
      const { value: source, range } = value as { value?: unknown; range?: [number, number, number] };
      if (typeof source !== 'string') return;
      patterns.push({ file, line: lines.linePos(range?.[0] ?? 0).line, source, flags: 'u' });
    },
  });
  return patterns;
}

/** What is wrong with an expression in words, or undefined where its time grows as the length of the input does. */
export async function whySlow({ source, flags }: Pick<Expression, 'source' | 'flags'>): Promise<string | undefined> {
  const verdict = await check(source, flags, { timeout: 120_000 });
  switch (verdict.status) {
    case 'safe':
      return undefined;
    case 'vulnerable':
      return `takes ${verdict.complexity.summary} time, as on ${verdict.attack.pattern.slice(0, 120)}`;
    case 'unknown':
      return `could not be judged (${verdict.error.kind}); write it in parts`;
  }
}
