/** What the page reads of the OpenAPI document, and changes in it. */
export interface Contract {
  servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { securitySchemes: Record<string, unknown> };
}

interface Oauth {
  readonly flows: Readonly<Record<'authorizationCode' | 'clientCredentials', Flow>>;
}
interface Flow {
  readonly scopes: Readonly<Record<string, string>>;
}
type Requirement = Readonly<Record<string, readonly string[]>>;

/**
 * The contract at one address. Its scheme `oauth` becomes two, `account` and `service`, as a token is either a user's or a
 * client's own; every operation asks for the one that can have its scopes.
 */
export function forThis(contract: Contract, address: string): Contract {
  const { oauth, ...schemes } = contract.components.securitySchemes;
  const { authorizationCode, clientCredentials } = (oauth as Oauth).flows;
  const at = (name: string): string => `${address}/oauth/${name}`;
  contract.servers = [{ url: address }];
  contract.components.securitySchemes = {
    account: {
      type: 'oauth2',
      flows: {
        authorizationCode: {
          ...authorizationCode,
          authorizationUrl: at('authorize'),
          tokenUrl: at('token'),
          refreshUrl: at('token'),
        },
      },
    },
    service: { type: 'oauth2', flows: { clientCredentials: { ...clientCredentials, tokenUrl: at('token') } } },
    ...schemes,
  };
  const byUser = (requirement: Requirement): Requirement => {
    const { oauth: scopes, ...others } = requirement;
    if (!scopes) return requirement;
    return { [scopes.every((scope) => scope in authorizationCode.scopes) ? 'account' : 'service']: scopes, ...others };
  };
  for (const item of Object.values(contract.paths)) {
    if ('servers' in item) Object.assign(item, { servers: contract.servers });
    for (const operation of Object.values(item)) {
      const { security } = operation as { security?: readonly Requirement[] };
      if (security) Object.assign(operation as object, { security: security.map(byUser) });
    }
  }
  return contract;
}
