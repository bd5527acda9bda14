import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

import type { Scope } from '../../../src/contract/index.js';
import type { Run } from '../../engine/run.js';

/**
 * The largest sets of scopes that one token of the target can have: of a user's consent, of a service client and so on.
 * A set that is part of another is left out.
 */
export function largestSets(run: Run): readonly (readonly Scope[])[] {
  const obtainable = run.oauth.obtainable();
  const sets = Object.values(run.facts.target.clients).flatMap(({ scopes }) => {
    const own = scopes.filter((scope) => obtainable.has(scope));
    // A user's consent gives account scopes; the client's own grant what remains, or both.
    return [
      own.filter((scope) => scope.startsWith('account:')),
      own.filter((scope) => !scope.startsWith('account:')),
      own,
    ];
  });
  const possible = sets.filter((set) => set.length > 0 && mixable(run, set));
  return possible.filter(
    (set, index) =>
      !possible.some(
        (other, at) =>
          at !== index && set.every((scope) => other.includes(scope)) && (other.length > set.length || at < index),
      ),
  );
}

/** Account scopes go with others only where a client may have both for itself (K-004). */
function mixable(run: Run, set: readonly Scope[]): boolean {
  const user = set.filter((scope) => scope.startsWith('account:')).length;
  if (user === 0 || user === set.length) return true;
  const own = run.facts.target.clients.service_account?.scopes ?? [];
  return set.every((scope) => own.includes(scope));
}

/** Some of the scopes that one token can have, in any order (gScopeSubset); `without` is never among them. */
export function gScopes(run: Run, without?: Scope): Arbitrary<readonly Scope[]> {
  const sets = largestSets(run)
    .map((set) => set.filter((scope) => scope !== without))
    .filter((set) => set.length > 0);
  if (sets.length === 0)
    run.expect.missing(
      'a client with scopes',
      'in the target file, list the scopes of each client under clients.<role>.scopes',
    );
  return fc.constantFrom(...sets).chain((set) => fc.shuffledSubarray([...set], { minLength: 1 }));
}
