import type { Operation } from '../contract/index.js';

/** An operation and its path parameters as they stand on the wire, still percent-encoded. */
export interface Match {
  readonly operation: Operation;
  readonly captured: readonly (readonly [name: string, raw: string])[];
}

interface Node {
  readonly literals: Map<string, Node>;
  wildcard: Node | undefined;
  readonly operations: Map<string, Operation>;
}

const newNode = (): Node => ({ literals: new Map(), wildcard: undefined, operations: new Map() });

const isParameter = (segment: string): boolean => segment.startsWith('{');

/**
 * The route table: exact, case-sensitive, strict about slashes (K-114). From left to right a literal segment wins over
 * a parameter wherever a route remains behind it, which settles K-017 to K-020: `/stash/xbox` is the league xbox,
 * `/stash/xbox/X` is realm xbox.
 */
export class Routes {
  readonly #root = newNode();

  constructor(operations: Iterable<Operation>) {
    for (const operation of operations) {
      let node = this.#root;
      for (const segment of operation.path.slice(1).split('/')) node = descend(node, segment);
      node.operations.set(operation.method, operation);
    }
  }

  /** The operation that answers, the methods that would, or undefined where the path is none of ours. */
  find(method: string, path: string): Match | { readonly allow: readonly string[] } | undefined {
    const segments = path.slice(1).split('/');
    const node = search(this.#root, segments, 0);
    if (!node) return undefined;
    const operation = node.operations.get(method === 'HEAD' ? 'GET' : method);
    if (!operation) return { allow: allowed(node) };
    const captured = operation.path
      .slice(1)
      .split('/')
      .flatMap((segment, index) =>
        isParameter(segment) ? [[segment.slice(1, -1), segments[index] ?? ''] as const] : [],
      );
    return { operation, captured };
  }
}

function descend(node: Node, segment: string): Node {
  if (isParameter(segment)) return (node.wildcard ??= newNode());
  const next = node.literals.get(segment) ?? newNode();
  node.literals.set(segment, next);
  return next;
}

function search(node: Node, segments: readonly string[], index: number): Node | undefined {
  const segment = segments[index];
  if (segment === undefined) return node.operations.size > 0 ? node : undefined;
  const literal = node.literals.get(segment);
  const found = literal && search(literal, segments, index + 1);
  // An empty segment is no name: `/league/` is not the league with the empty name.
  return found ?? (node.wildcard && segment !== '' ? search(node.wildcard, segments, index + 1) : undefined);
}

/** Methods for the `Allow` header: HEAD works where GET does. */
const allowed = (node: Node): string[] =>
  [...node.operations.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
