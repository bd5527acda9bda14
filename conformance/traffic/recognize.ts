import { operationList } from '../../src/contract/index.js';
import type { Operation } from '../../src/contract/index.js';
import type { Target } from '../target/target.js';
import type { Asked } from '../wire/answer.js';

/** An operation that a URL is of, with the values of its parameters. */
export interface Recognized {
  readonly operation: Operation;
  readonly args: Asked['args'];
}

/** Method and path segments of an operation as a target spells them. */
interface OperationPath {
  readonly operation: Operation;
  readonly segments: readonly string[];
}

const isParameter = (segment: string): boolean => segment.startsWith('{');

/** Literal segments before parameters, from left to right: `/stash/xbox/X` is of realm xbox. */
function byLiterals(a: OperationPath, b: OperationPath): number {
  const at = a.segments.findIndex((segment, index) => isParameter(segment) !== isParameter(b.segments[index] ?? ''));
  return at < 0 ? 0 : isParameter(a.segments[at] ?? '') ? 1 : -1;
}

/** What tells the operation that a method and a path with its query are of; undefined where there is none. */
export function recognizer({ game2 }: Target['names']): (method: string, path: string) => Recognized | undefined {
  const forms = operationList.map((operation): OperationPath => ({
    operation,
    segments: (operation.realm === 'game2' ? operation.path.replace('/game2', `/${game2}`) : operation.path)
      .split('/')
      .slice(1),
  }));
  const byLength = new Map<number, OperationPath[]>();
  for (const form of forms.toSorted(byLiterals))
    byLength.set(form.segments.length, [...(byLength.get(form.segments.length) ?? []), form]);
  const word = (name: string, value: string): string => (name === 'realm' && value === game2 ? 'game2' : value);

  return (method, target) => {
    const [path = '', query = ''] = (target.split('#')[0] ?? '').split(/\?(.*)/s);
    const segments = path.split('/').slice(1).map(decoded);
    if (segments.includes(undefined)) return undefined;
    const found = byLength
      .get(segments.length)
      ?.find(
        (form) =>
          form.operation.method === method &&
          form.segments.every((one, index) => (isParameter(one) ? segments[index] !== '' : one === segments[index])),
      );
    if (!found) return undefined;
    const { operation } = found;
    const inPath = found.segments.flatMap((segment, index) =>
      isParameter(segment) ? [[segment.slice(1, -1), segments[index] ?? ''] as const] : [],
    );
    const asked = new URLSearchParams(query);
    const inQuery = operation.parameters.flatMap(({ name, in: where }) => {
      const value = where === 'query' ? asked.get(name) : null;
      return value === null ? [] : [[name, value] as const];
    });
    const args = [...inPath, ...inQuery].map(([name, value]) => [name, word(name, value)] as const);
    return {
      operation,
      args: Object.fromEntries(operation.realm === undefined ? args : [['realm', operation.realm], ...args]),
    };
  };
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Scheme, host and port of a URL, and what follows as it was written; undefined where it is no address on the web. */
export function partsOf(url: string): { readonly origin: string; readonly rest: string } | undefined {
  const [, start, rest = ''] = /^(https?:\/\/[^/?#]*)(.*)$/is.exec(url) ?? [];
  if (start === undefined || !URL.canParse(start)) return undefined;
  return { origin: new URL(start).origin, rest: rest.startsWith('/') ? rest : `/${rest}` };
}

/** What follows a base address in a URL, or undefined where the URL is not below it. */
export function below(base: string, url: string): string | undefined {
  const [one, other] = [partsOf(base), partsOf(url)];
  if (!one || one.origin !== other?.origin) return undefined;
  let prefix = one.rest;
  while (prefix.endsWith('/')) prefix = prefix.slice(0, -1);
  if (!other.rest.startsWith(prefix)) return undefined;
  const path = other.rest.slice(prefix.length);
  return path.startsWith('/') ? path : undefined;
}
