/** Mutations of characters: which of them are found and listed. */
import type { Realm } from '../../../src/contract/index.js';
import type { DataReply, Interceptor, Json } from '../interceptor/interceptor.js';
import { accountOf, realmOf } from '../interceptor/who.js';
import { operator } from '../mutant.js';
import { set } from './replies.js';
import type { When } from './requests.js';

/** The characters of an account in a realm, whole. */
export const charactersOf = (at: Interceptor, account: string, realm: Realm): readonly Json[] =>
  at.service.world.characters(account, realm) as unknown as readonly Json[];

/** What a lookup gives where the server finds nothing, of the account's characters in the realm or of others. */
export const foundCharacter = operator(
  'foundCharacter',
  (at, when: When, find: (all: readonly Json[], context: DataReply, at: Interceptor) => Json | undefined) =>
    set(
      'getCharacter',
      'character',
      (found: Json | null, _: Json, context: DataReply) =>
        found ?? find(charactersOf(at, accountOf(at, context), realmOf(context)), context, at) ?? null,
      when,
    ),
);

/** A list of other characters than the account's in the realm. */
export const listedCharacters = operator(
  'listedCharacters',
  (at, all: (account: string, realm: Realm, at: Interceptor) => readonly Json[]) =>
    set('listCharacters', 'characters', (_: Json[], __: Json, context: DataReply) =>
      all(accountOf(at, context), realmOf(context), at).map(
        ({ id, name, realm, class: kind, league, level, experience }) => ({
          id,
          name,
          realm,
          class: kind,
          league,
          level,
          experience,
        }),
      ),
    ),
);
