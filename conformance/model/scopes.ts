import type { Scope } from '../../src/contract/index.js';
import { openedBy } from '../engine/operations.js';
import type { Run } from '../engine/run.js';
import type { Role } from '../target/target.js';
import { member } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';

/** Whether a scope is one that a user grants. */
export const ofAccount = (scope: string): boolean => scope.startsWith('account:');

/** The client's account scopes: what a user may be asked for. Scopes without an offered operation only where all are such. */
export function accountScopes(run: Run, role: Role): readonly Scope[] {
  const all = run.oauth.client(role).scopes.filter(ofAccount);
  const tried = all.filter((scope) => openedBy(run.facts.target, [scope]).length > 0);
  return tried.length > 0 ? tried : all;
}

/** The scopes of a token response. */
export const scopesIn = (answer: Answer): readonly string[] =>
  String(member(answer.json, 'scope') ?? '')
    .split(' ')
    .filter((word) => word !== '');

/** Scopes without order and repetition. */
export const scopeSet = <T extends string>(scopes: readonly T[]): readonly T[] => [...new Set(scopes)].toSorted();

/** A token response grants no other scopes than these, and at least so many of them. */
export function grantsOnly(run: Run, answer: Answer, scopes: readonly string[], { least = 0 } = {}): void {
  const granted = scopesIn(answer);
  const isSome = granted.length >= least && granted.every((scope) => scopes.includes(scope));
  run.expect.that(isSome, `scope to be some of ${scopes.join(' ')}`, granted.join(' '), answer);
}
