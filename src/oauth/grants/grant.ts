import type { OAuthParameter } from '../../contract/index.js';
import type { Account, Client } from '../../world/world.js';
import type { Authority } from '../authority.js';
import type { TokenResponse } from '../tokens.js';

/** A token request whose client is known to be who it says. */
export interface TokenRequest {
  readonly form: { readonly [K in OAuthParameter<'issueToken'>]?: string };
  readonly client: Client;
  readonly authority: Authority;
}

/** Issues the tokens of one grant type. @throws OAuthError */
export type GrantHandler = (request: TokenRequest) => TokenResponse;

/** The account behind a grant. Accounts go away only when the fixtures are edited while the mock runs. */
export function accountOf(key: string, { accounts }: Authority): Account {
  const account = accounts.get(key);
  if (!account) throw new Error(`there is no account '${key}' any more; a client or a token still names it`);
  return account;
}
