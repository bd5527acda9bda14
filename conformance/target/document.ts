import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseAllDocuments, visit } from 'yaml';
import type { Document, Node, Pair } from 'yaml';

import { SetupError } from './setup-error.js';

/** The steps from the top of a document to a value: keys of mappings, ordinals in lists. */
export type KeyPath = readonly (string | number)[];

/** A YAML or JSON document that knows the line of everything in it. */
export interface Text {
  readonly value: unknown;
  /** Variables that could not be replaced; what they stand in is left as it is. */
  readonly unfilled: readonly { readonly path: KeyPath; readonly words: string }[];
  /** The line, from 1, of the key at this path; of the nearest thing around it that is written down otherwise. */
  line(path: KeyPath): number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a YAML or JSON text (JSON is read as the YAML that it is, so that it has lines too). `${NAME}` in a value
 * becomes what the environment has under that name; `$${` becomes `${`.
 *
 * @throws SetupError with every problem of the form: `label:12: …`
 */
export function readText(text: string, label: string, env: Environment): Text {
  const lines = new LineCounter();
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  const documents = parseAllDocuments(text.replace(/^\uFEFF/, ''), { lineCounter: lines, prettyErrors: false });
  const [document, second] = 'empty' in documents ? [] : documents;
  if (!document?.contents) throw new SetupError(`${label}: is empty; gamedata target --init writes one to fill in`);
  if (second) {
    const start = lineAt(second.range[0]);
    throw new SetupError(`${label}:${start}: a second document starts here; leave one in the file, without ---`);
  }

  // Whatever else is no YAML follows from the first place that is none.
  const broken = document.errors.find(({ code }) => code !== 'DUPLICATE_KEY');
  const problems = document.errors
    .filter((error) => error === broken || error.code === 'DUPLICATE_KEY')
    .map(({ code, message, pos }) => `${label}:${lineAt(pos[0])}: ${inWords(code, message, text)}`);
  if (problems.length > 0) throw new SetupError(...problems);
  const unfilled = fill(document, env);
  return {
    value: valueOf(document, label),
    unfilled,
    line: (path) => lineAt(offsetOf(document, path)),
  };
}

function valueOf(document: Document.Parsed, label: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw new SetupError(`${label}: ${(error as Error).message}; write the value out in place of the alias`);
  }
}

function inWords(code: string, message: string, text: string): string {
  if (code === 'DUPLICATE_KEY') return 'a key occurs twice; leave one of the two';
  const hint = /\{[^}]*\$\{/.test(text) ? '; within { } put "${NAME}" in quotes' : '';
  return `neither YAML nor JSON: ${message.replaceAll(/\s+/g, ' ')}${hint}`;
}

/** Replaces `${NAME}` in all values of the document, and tells what cannot be replaced. */
function fill(document: Document.Parsed, env: Environment): Text['unfilled'] {
  const unfilled: { path: KeyPath; words: string }[] = [];
  visit(document, {
    Scalar(key, node, ancestors) {
      if (key === 'key' || typeof node.value !== 'string') return;
      node.value = node.value.replaceAll(/\$?\$\{([^}\n]*)(\}?)/g, (whole: string, name: string, end: string) => {
        if (whole.startsWith('$$')) return whole.slice(1);
        const problem = variableProblem(whole, end === '' ? '' : name, env);
        if (problem === undefined) return env[name] ?? '';
        unfilled.push({ path: pathOf([...ancestors, node]), words: problem });
        return whole;
      });
    },
  });
  return unfilled;
}

function variableProblem(written: string, name: string, env: Environment): string | undefined {
  if (!/^[A-Za-z_]\w*$/.test(name))
    return `${written} is no variable; write \${NAME}, or $\${ where a plain \${ is meant`;
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  if (value) return undefined;
  const state = value === '' ? 'is empty' : 'is not set';
  return `the environment variable ${name} ${state}; export it, or write the value here`;
}

function pathOf(nodes: readonly unknown[]): KeyPath {
  return nodes.flatMap((node, index): KeyPath => {
    const outer = nodes[index - 1];
    if (isPair(node)) return [String(keyOf(node))];
    return isSeq(outer) ? [outer.items.indexOf(node)] : [];
  });
}

/** Where the key at a path is written. What an alias stands for is where its anchor is. */
function offsetOf(document: Document.Parsed, path: KeyPath): number {
  let node: Node | null = document.contents;
  let offset = node?.range?.[0] ?? 0;
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document) ?? null;
    let next: unknown;
    if (isMap(node)) {
      const pair = node.items.find((item): item is Pair<Node, Node | null> => isPair(item) && keyOf(item) === step);
      if (!pair) return offset;
      offset = pair.key.range?.[0] ?? offset;
      next = pair.value;
    } else if (isSeq(node)) {
      next = node.items[Number(step)];
      offset = (next as Node | undefined)?.range?.[0] ?? offset;
    }
    if (next === undefined || next === null) return offset;
    node = next as Node;
  }
  return offset;
}

const keyOf = ({ key }: Pair): unknown => (isScalar(key) ? String(key.value) : undefined);
