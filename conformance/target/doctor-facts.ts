import { isObject, objectIn, objectOf } from '../json.js';
import type { JsonObject } from '../json.js';
import type { Scope } from '../../src/contract/index.js';
import { ok, problem } from './diagnosis.js';
import type { Diagnosis } from './diagnosis.js';
import { shown } from './control.js';
import type { Transport } from './hooks.js';
import { isOffered } from './offers.js';
import { factLines } from './table.js';
import type { Known } from './table.js';
import type { ReadyToken, Target } from './target.js';

/** A token that a client was given when it logged in; one of the client itself has no account. */
export interface GivenToken extends ReadyToken {
  readonly isOwn?: boolean;
}

/** A request that shows whether a fact is right. */
interface FactProbe {
  readonly operation: string;
  readonly path: string;
  readonly scope: Scope;
  /** Whose token; a client's own where it is left out. */
  readonly account?: string;
  /** What the reply to a right fact has, and a reply without it. */
  readonly holds: (body: JsonObject) => boolean;
  readonly lacks: string;
}

/** Whatever its wrapper: null has no object in it. */
const some = (body: JsonObject): boolean => Object.values(body).some(isObject);
const entries = (body: JsonObject, name: string): readonly JsonObject[] => {
  const list = body[name];
  return Array.isArray(list) ? list.filter(isObject) : [];
};
const idsIn = (list: readonly JsonObject[]): readonly unknown[] =>
  list.flatMap((one) => [one.id, ...idsIn(entries(one, 'children'))]);

type Request = Pick<FactProbe, 'operation' | 'path' | 'scope' | 'account'>;

/** A list that is not empty. */
const listing = (name: string, request: Request): FactProbe => ({
  ...request,
  holds: (body) => entries(body, name).length > 0,
  lacks: `no ${name}`,
});

/** Something that a lookup finds. */
const lookup = (request: Request): FactProbe => ({ ...request, holds: some, lacks: 'null' });

const pathOf = (...segments: readonly (string | number)[]): string => `/${segments.map(encodeURIComponent).join('/')}`;
const queryOf = (fields: Readonly<Record<string, string>>): string => `?${new URLSearchParams(fields).toString()}`;

const guildTabs = (league: string): Request => ({
  account: 'alice',
  operation: 'listGuildStashes',
  scope: 'account:guild:stashes',
  path: pathOf('guild', 'stash', league),
});

const tab = (id: string, { known: { stash_league: league } }: Target): FactProbe | undefined =>
  league === undefined
    ? undefined
    : lookup({
        account: 'alice',
        operation: 'getStash',
        scope: 'account:stashes',
        path: pathOf('stash', league, id),
      });

const privateLeague = (account: string, league: string): FactProbe => ({
  account,
  operation: 'listAccountLeagues',
  scope: 'account:leagues',
  path: '/account/leagues',
  holds: (body) => entries(body, 'leagues').some(({ id }) => id === league),
  lacks: `no league ${shown(league)}`,
});

const matches = (fields: Readonly<Record<string, string>>): FactProbe =>
  listing('matches', {
    operation: 'listPvpMatches',
    scope: 'service:pvp_matches',
    path: `/pvp-match${queryOf(fields)}`,
  });

/** The requests of the facts that one request shows. Odd names are there to be got wrong, and filters would be written. */
const probes: {
  readonly [Fact in keyof Known]?: (value: NonNullable<Known[Fact]>, target: Target) => FactProbe | undefined;
} = {
  owner: (owner, { accounts }) => {
    const username = accounts[owner]?.username;
    if (username === undefined) return undefined;
    return {
      operation: 'getProfile',
      scope: 'account:profile',
      path: '/profile',
      holds: ({ name }) => name === username,
      lacks: `another name than ${shown(username)}`,
    };
  },
  livestream: (account, { names: { livestream } }) => ({
    account,
    operation: 'getProfile',
    scope: 'account:profile',
    path: '/profile',
    holds: (body) => isObject(body[livestream]),
    lacks: `no ${livestream}`,
  }),
  game2_account: (account, { names }) =>
    listing('characters', {
      account,
      operation: 'listCharacters',
      scope: 'account:characters',
      path: pathOf('character', names.game2),
    }),
  season: (season) =>
    listing('leagues', {
      operation: 'listLeagues',
      scope: 'service:leagues',
      path: `/league${queryOf({ type: 'season', season })}`,
    }),
  private_league: (league) => privateLeague('alice', league),
  private_league_of_bob: (league) => privateLeague('bob', league),
  pvp_season: (season) => matches({ type: 'season', season }),
  pvp_league: (league) => matches({ type: 'league', league }),
  stash_league: (league) =>
    listing('stashes', {
      account: 'alice',
      operation: 'listStashes',
      scope: 'account:stashes',
      path: pathOf('stash', league),
    }),
  guild_league: (league) => listing('stashes', guildTabs(league)),
  guild_tabs: ({ alice: ids }, { known: { guild_league: league } }) =>
    league === undefined || ids === undefined
      ? undefined
      : {
          ...guildTabs(league),
          holds: (body) => {
            const listed = idsIn(entries(body, 'stashes'));
            return ids.every((id) => listed.includes(id));
          },
          lacks: 'not all of the tabs of alice',
        },
  atlas_league: (league) => ({
    account: 'alice',
    operation: 'getLeagueAccount',
    scope: 'account:league_accounts',
    path: pathOf('league-account', league),
    // Of whatever tree: an account without passives may be answered with empty ones.
    holds: (body) => /"hashes":\[\d/.test(JSON.stringify(body)),
    lacks: 'no hashes',
  }),
  folder_tab: tab,
  parent_tab: tab,
  empty_tab: tab,
  sub_tab: (id, { known: { stash_league: league, parent_tab: parent } }) =>
    league === undefined || parent === undefined
      ? undefined
      : lookup({
          account: 'alice',
          operation: 'getStashSub',
          scope: 'account:stashes',
          path: pathOf('stash', league, parent, id),
        }),
  first_hour: (hour) => ({
    operation: 'getCurrencyExchangeHour',
    scope: 'service:cxapi',
    path: pathOf('currency-exchange', hour),
    holds: () => true,
    lacks: '',
  }),
};

/** A fact that rests on another: it is tried where that one is right. */
const restsOn: Readonly<Partial<Record<keyof Known, keyof Known>>> = {
  guild_tabs: 'guild_league',
  folder_tab: 'stash_league',
  parent_tab: 'stash_league',
  empty_tab: 'stash_league',
  sub_tab: 'parent_tab',
};

/**
 * Whether the server has what `known` names, a request for each fact that one shows: a run would blame the server for what
 * is not there. A reply that is neither a success nor a refusal of the name says nothing about the fact.
 */
export async function factFindings(
  target: Target,
  transport: Transport,
  tokens: readonly GivenToken[],
): Promise<readonly Diagnosis[]> {
  const found: string[] = [];
  const wrong = new Map<keyof Known, Diagnosis>();
  for (const fact of Object.keys(probes) as (keyof typeof probes)[]) {
    const value = target.known[fact];
    const probe = value === undefined ? undefined : probes[fact]?.(value as never, target);
    const ground = restsOn[fact];
    if (!probe || (ground !== undefined && wrong.has(ground))) continue;
    const finding = await factFinding(fact, probe, { target, transport, tokens }).catch(() => undefined);
    if (finding === 'right') found.push(fact);
    else if (finding) wrong.set(fact, finding);
  }
  return [...(found.length > 0 ? [ok('known', `the server has ${found.join(', ')}`)] : []), ...wrong.values()];
}

async function factFinding(
  fact: keyof Known,
  { operation, path, scope, account, holds, lacks }: FactProbe,
  {
    target,
    transport,
    tokens,
  }: { readonly target: Target; readonly transport: Transport; readonly tokens: readonly GivenToken[] },
): Promise<Diagnosis | 'right' | undefined> {
  const [first = 'alice'] = Object.keys(target.accounts);
  // A token of a client itself opens the account of its owner, and any service.
  const given = tokens.find(
    ({ scopes, account: whose = first, isOwn = false }) =>
      scopes.includes(scope) &&
      (account === undefined ? isOwn || scope.startsWith('service:') : !isOwn && whose === account),
  );
  if (!given || !isOffered(target, operation)) return undefined;
  const headers = { accept: 'application/json', authorization: `Bearer ${given.token}` };
  const { status, text } = await transport({ method: 'GET', url: target.base_url + path, headers });
  if (status === 200 && holds(objectOf(objectIn(text)))) return 'right';
  if (status !== 200 && status !== 404 && status !== 400) return undefined;
  const whose = account === undefined ? 'a token of a client itself' : `a token of ${account}`;
  const about = factLines[fact].about.replace(/\.$/, '');
  return problem(
    `known.${fact}`,
    `GET ${path} with ${whose}: ${status}${status === 200 ? ` with ${lacks}` : ''}`,
    `correct it (${about.charAt(0).toLowerCase()}${about.slice(1)}), or remove it${status === 404 ? `; where the server has no ${operation}, write that into not_offered` : ''}`,
  );
}
