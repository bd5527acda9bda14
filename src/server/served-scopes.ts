import { operationList } from '../contract/index.js';
import type { Scope } from '../contract/index.js';

/** Scopes of operations that the edition does not have do not exist in it. */
export function servedScopes(scopes: readonly Scope[], flags: ReadonlySet<string>): Scope[] {
  const missing = operationList.filter(({ flag }) => flag !== undefined && !flags.has(flag)).map(({ scope }) => scope);
  return scopes.filter((scope) => !missing.includes(scope));
}
