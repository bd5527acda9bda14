import { isAlias, isMap, isPair, isScalar, isSeq, visit } from 'yaml';
import type { Document, Node, Pair, YAMLMap } from 'yaml';

import { SetupError } from '../../src/input/setup-error.js';
import { readYaml } from '../../src/input/yaml.js';

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

/** Variables of the environment by their names. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/**
 * Reads a YAML or JSON text. `${NAME}` in a value becomes what the environment has under that name; `$${` becomes `${`.
 *
 * @throws SetupError with every problem of the form: `label:12: …`
 */
export function readText(text: string, label: string, env: EnvironmentVariables): Text {
  const yaml = readYaml(text, label);
  const { document, lineAt } = yaml;
  if (!document?.contents) throw new SetupError(`${label}: is empty; gamedata target init writes one to fill in`);
  const unfilled = fill(document, env);
  return {
    value: yaml.value(),
    unfilled,
    line: (path) => lineAt(offsetOf(document, path)),
  };
}

/** Replaces `${NAME}` in all values of the document, and returns what it could not replace. */
function fill(document: Document.Parsed, env: EnvironmentVariables): Text['unfilled'] {
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

function variableProblem(written: string, name: string, env: EnvironmentVariables): string | undefined {
  if (!/^[A-Za-z_]\w*$/.test(name)) return `${written} is not a variable; write \${NAME}, or $\${ for a literal \${`;
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
      const pair = pairsOf(node).get(step);
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

/** The pairs of each mapping that was asked about, by key. */
const pairs = new WeakMap<YAMLMap, ReadonlyMap<unknown, Pair<Node, Node | null>>>();

function pairsOf(map: YAMLMap): ReadonlyMap<unknown, Pair<Node, Node | null>> {
  const known = pairs.get(map) ?? new Map((map as YAMLMap<Node, Node | null>).items.map((item) => [keyOf(item), item]));
  pairs.set(map, known);
  return known;
}

const keyOf = ({ key }: Pair): unknown => (isScalar(key) ? String(key.value) : undefined);
