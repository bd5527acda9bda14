import { request } from 'node:http';

import type { Scope } from '../contract/index.js';
import { servedScopes } from './served-scopes.js';
import type { Client, World } from '../world/world.js';

/** A token that is ready to be used. */
export interface ReadyToken {
  readonly account: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly token: string;
}

/** What someone who starts a mock wants to know: the screen, `--json` and the environment of `--exec` show it. */
export interface MockFacts {
  readonly version: string;
  readonly edition: string;
  readonly seed: number;
  readonly baseUrl: string;
  /** The address that clients use, where that is another one. */
  readonly publicUrl?: string;
  readonly authUrl: string;
  readonly controlUrl: string;
  readonly docsUrl: string;
  readonly tryUrl: string;
  readonly applicationsUrl: string;
  readonly accounts: readonly { readonly key: string; readonly username: string; readonly uuid: string }[];
  readonly clients: readonly Client[];
  /** What no client of the world may have is missing. */
  readonly tokens: { readonly account?: ReadyToken; readonly service?: ReadyToken };
  /** Three addresses worth a look, with the token that opens each. */
  readonly samples: readonly { readonly token: string; readonly url: string }[];
}

export interface Setting {
  readonly version: string;
  readonly edition: string;
  readonly controlToken?: string | undefined;
  readonly publicUrl?: string | undefined;
  /** The edition flags that are on. */
  readonly flags: ReadonlySet<string>;
}

/** Looks at a running mock, and has it make the tokens. */
export async function gatherFacts(
  mock: { readonly url: string; readonly controlUrl: string; readonly world: World },
  { version, edition, controlToken, publicUrl, flags }: Setting,
): Promise<MockFacts> {
  const { url, world } = mock;
  const account = (world.accounts.find(({ key }) => key === 'alice') ?? world.accounts[0])?.key;

  const ready = async (
    client: Client | undefined,
    scopes: readonly Scope[],
    user?: string,
  ): Promise<ReadyToken | undefined> => {
    if (!client || scopes.length === 0) return undefined;
    const token = await minted(`${mock.controlUrl}/tokens`, controlToken, {
      account: user,
      client_id: client.id,
      scopes,
    });
    return { account: user ?? client.owner, clientId: client.id, scopes, token };
  };
  const userScopes = ({ scopes }: Client): Scope[] =>
    servedScopes(scopes, flags).filter((scope) => scope.startsWith('account:'));
  const ownScopes = ({ credentialScopes }: Client): Scope[] =>
    servedScopes(credentialScopes, flags).filter((scope) => scope.startsWith('service:'));

  const user = most(world.clients, userScopes);
  const service = most(world.clients, ownScopes);
  const tokens = {
    account: await ready(user, user ? userScopes(user) : [], account),
    service: await ready(service, service ? ownScopes(service) : []),
  };
  return {
    version,
    edition,
    seed: world.seed,
    baseUrl: url,
    ...(publicUrl !== undefined && { publicUrl: new URL(publicUrl).origin }),
    authUrl: url,
    controlUrl: mock.controlUrl,
    docsUrl: `${url}/docs`,
    tryUrl: `${url}/try`,
    applicationsUrl: `${url}/applications`,
    accounts: world.accounts.map(({ key, username, uuid }) => ({ key, username, uuid })),
    clients: world.clients,
    tokens,
    samples: samplesOf(url, tokens, ladderLeague(world)),
  };
}

/** A token as `mock.issueToken` makes it, but without `fetch`: to load that is a tenth of the time that the mock takes to start. */
function minted(url: string, controlToken: string | undefined, wish: object): Promise<string> {
  const headers = {
    'content-type': 'application/json',
    ...(controlToken !== undefined && { authorization: `Bearer ${controlToken}` }),
  };
  return new Promise<string>((done, fail) => {
    const asked = request(url, { method: 'POST', headers, agent: false }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (part: string) => (body += part));
      answer.on('error', fail).on('end', () => done(body));
    });
    asked.on('error', fail).end(JSON.stringify(wish));
  }).then((body) => {
    const { access_token: token } = JSON.parse(body) as { access_token?: string };
    if (token === undefined) throw new Error(`POST ${url}: ${body}`);
    return token;
  });
}

/** The client with the most scopes of a kind; the first of several. */
function most(clients: readonly Client[], scopesOf: (client: Client) => readonly Scope[]): Client | undefined {
  return clients.toSorted((a, b) => scopesOf(b).length - scopesOf(a).length)[0];
}

/** Asked of the leagues, not of `world.known`: that looks through the whole world, and the screen should not wait for it. */
function ladderLeague(world: World): string | undefined {
  return world.leagues('pc').find(({ league }) => world.ladder('pc', league.id))?.league.id;
}

function samplesOf(
  url: string,
  { account, service }: MockFacts['tokens'],
  ladder: string | undefined,
): MockFacts['samples'] {
  const paths: [Scope, ReadyToken | undefined, string | null][] = [
    ['account:profile', account, '/profile'],
    ['service:leagues', service, '/league'],
    [
      'service:leagues:ladder',
      service,
      ladder === undefined ? null : `/league/${encodeURIComponent(ladder)}/ladder?limit=3`,
    ],
  ];
  return paths.flatMap(([scope, ready, path]) =>
    ready?.scopes.includes(scope) && path !== null ? [{ token: ready.token, url: url + path }] : [],
  );
}

/** The facts as environment variables, for the command of `--exec`. */
export function environmentOf({
  baseUrl,
  authUrl,
  controlUrl,
  accounts,
  clients,
  tokens,
}: MockFacts): Record<string, string> {
  const web = clients.find(({ type, redirectUris }) => type === 'confidential' && redirectUris.length > 0);
  const service = clients.find(({ id }) => id === tokens.service?.clientId);
  const desktop = clients.find(({ type }) => type === 'public');
  const all = {
    GAMEDATA_BASE_URL: baseUrl,
    GAMEDATA_AUTH_URL: authUrl,
    GAMEDATA_CONTROL_URL: controlUrl,
    GAMEDATA_ACCOUNT: tokens.account?.account ?? accounts[0]?.key,
    GAMEDATA_TOKEN_ACCOUNT: tokens.account?.token,
    GAMEDATA_TOKEN_SERVICE: tokens.service?.token,
    GAMEDATA_CLIENT_ID: web?.id,
    GAMEDATA_CLIENT_SECRET: web?.secret,
    GAMEDATA_REDIRECT_URI: web?.redirectUris[0],
    GAMEDATA_SERVICE_CLIENT_ID: service?.id,
    GAMEDATA_SERVICE_CLIENT_SECRET: service?.secret,
    GAMEDATA_PUBLIC_CLIENT_ID: desktop?.id,
    GAMEDATA_PUBLIC_REDIRECT_URI: desktop?.redirectUris[0],
  };
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
