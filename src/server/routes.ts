import type { Operation } from '../contract/index.js';

/** What answers at a path, whose parameters stand in braces. */
interface Place {
  readonly method: string;
  readonly path: string;
}

/** An operation and its path parameters as they stand on the wire, still percent-encoded. */
export interface Match<O extends Place = Operation> {
  readonly operation: O;
  readonly captured: readonly (readonly [name: string, raw: string])[];
}

interface Node<O> {
  readonly literals: Map<string, Node<O>>;
  wildcard: Node<O> | undefined;
  readonly operations: Map<string, O>;
}

const newNode = <O>(): Node<O> => ({ literals: new Map(), wildcard: undefined, operations: new Map() });

const isParameter = (segment: string): boolean => segment.startsWith('{');

/**
 * The route table: exact, case-sensitive, strict about slashes (K-114). From left to right a literal segment wins over
 * a parameter wherever a route remains behind it, which settles K-017 to K-020: `/stash/xbox` is the league xbox,
 * `/stash/xbox/X` is realm xbox.
 */
export class Routes<O extends Place = Operation> {
  readonly #root = newNode<O>();

  constructor(operations: Iterable<O>) {
    for (const operation of operations) {
      let node = this.#root;
      for (const segment of operation.path.slice(1).split('/')) node = descend(node, segment);
      node.operations.set(operation.method, operation);
    }
  }

  /** The operation that answers, the methods that would, or undefined where the path is none of ours. */
  find(method: string, path: string): Match<O> | { readonly allow: readonly string[] } | undefined {
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

function descend<O>(node: Node<O>, segment: string): Node<O> {
  if (isParameter(segment)) return (node.wildcard ??= newNode());
  const next = node.literals.get(segment) ?? newNode<O>();
  node.literals.set(segment, next);
  return next;
}

function search<O>(node: Node<O>, segments: readonly string[], index: number): Node<O> | undefined {
  const segment = segments[index];
  if (segment === undefined) return node.operations.size > 0 ? node : undefined;
  const literal = node.literals.get(segment);
  const found = literal && search(literal, segments, index + 1);
  // An empty segment is no name: `/league/` is not the league with the empty name.
  return found ?? (node.wildcard && segment !== '' ? search(node.wildcard, segments, index + 1) : undefined);
}

/** Methods for the `Allow` header: HEAD works where GET does. */
const allowed = <O>(node: Node<O>): string[] =>
  [...node.operations.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
