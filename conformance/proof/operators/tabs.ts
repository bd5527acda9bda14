/** Mutations of stash tabs: which of them are found, and where. */
import type { Realm } from '../../../src/contract/index.js';
import type { World } from '../../../src/world/world.js';
import type { DataReply, Interceptor, Json } from '../interceptor/interceptor.js';
import { listAt } from '../interceptor/json.js';
import { accountOf, realmOf } from '../interceptor/who.js';
import { operator } from '../mutant.js';
import { reply, set } from './replies.js';
import { isAsked } from './requests.js';
import type { Operations, When } from './requests.js';

const owners = { getStash: 'stashes', getGuildStash: 'guildStashes' } as const;

type TabLookup = keyof typeof owners;
type TabOwner = (typeof owners)[TabLookup];
type Where = readonly [account: string, realm: Realm, league: string];

/** Tabs with those inside them, at whatever depth. */
export const flat = (tabs: readonly Json[]): readonly Json[] =>
  tabs.flatMap((tab) => [tab, ...flat(listAt(tab, 'children'))]);

/** Whether a tab lies in no other, be it a folder or a tab with sub-tabs. */
export const isAtTop = ({ parent, folder }: Json): boolean => parent === undefined && folder === undefined;

export const leaguesOf = (at: Interceptor, realm: Realm): readonly string[] =>
  at.service.world.leagues(realm).map(({ league }) => league.id);

/** Tabs that the rules see in place of those of an account in a league. */
export const seenTabs = operator(
  'seenTabs',
  (
    at,
    owner: TabOwner,
    operations: Operations,
    when: When,
    to: (where: Where, world: World, at: Interceptor) => ReturnType<World[TabOwner]>,
  ) =>
    at.world((world, acted) => ({
      [owner](...where: Where) {
        if (!at.current || !isAsked(at, at.current, operations, when)) return world[owner](...where);
        acted();
        return to(where, world, at);
      },
    })),
);

/** The tabs of an account in every league of a realm. */
export const inEveryLeague =
  (owner: TabOwner) =>
  ([account, realm]: Where, world: World, at: Interceptor): ReturnType<World[TabOwner]> =>
    leaguesOf(at, realm).flatMap((league) => world[owner](account, realm, league));

/** What a lookup of a tab asks for. */
export class AskedTab {
  readonly account: string;
  readonly realm: Realm;
  readonly league: string;
  readonly id: string;
  /** Of a sub-tab; undefined where none is asked for. */
  readonly sub: string | undefined;

  constructor(
    readonly at: Interceptor,
    readonly owner: TabOwner,
    context: DataReply,
  ) {
    const { league = '', stash_id = '', substash_id } = context.args;
    this.account = accountOf(at, context);
    this.realm = realmOf(context);
    this.league = league;
    this.id = stash_id;
    this.sub = substash_id;
  }

  /** The tabs of the place that is asked for, or of another, at whatever depth. */
  tabs({ account = this.account, realm = this.realm, league = this.league } = {}): readonly Json[] {
    return flat(this.at.service.world[this.owner](account, realm, league) as unknown as readonly Json[]);
  }

  /** The account's tabs in all leagues of realm pc. */
  inPc(): readonly Json[] {
    return leaguesOf(this.at, 'pc').flatMap((league) => this.tabs({ realm: 'pc', league }));
  }

  get others(): readonly string[] {
    return [...this.at.service.authority.accounts.keys()].filter((account) => account !== this.account);
  }

  /** The tab of these that is asked for, or its sub-tab in the tab. */
  among(tabs: readonly Json[], is = (id: unknown, asked: string): boolean => id === asked): Json | undefined {
    const tab = tabs.find(({ id }) => is(id, this.id));
    const { sub } = this;
    if (sub === undefined) return tab;
    const child = listAt(tab, 'children').find(({ id }) => is(id, sub));
    return tab && child && { ...tab, children: [child] };
  }
}

/** What a lookup gives, found or not, in place of the server's own. */
export const lookup = operator(
  'lookup',
  (at, operation: TabLookup, when: When, to: (asked: AskedTab, found: Json | null) => unknown) =>
    set(
      operation,
      'stash',
      (found: Json | null, _: Json, context: DataReply) =>
        to(new AskedTab(at, owners[operation], context), found) ?? null,
      when,
    ),
);

/** What a lookup gives where the server finds nothing. */
export const foundInstead = operator(
  'foundInstead',
  (_, operation: TabLookup, when: When, find: (asked: AskedTab) => unknown) =>
    lookup(operation, when, (asked, found) => found ?? find(asked)),
);

/** Changes the tab at the end of a lookup: the sub-tab, where one is asked for. */
export const foundTab = operator(
  'foundTab',
  (_, operation: TabLookup, when: When, change: (tab: Json, context: DataReply, wrapper: Json) => void) =>
    reply(
      operation,
      (body, context) => {
        const { substash_id } = context.args;
        const wrapper = body.stash as Json | null;
        const children = listAt(wrapper, 'children');
        const tab = substash_id === undefined ? wrapper : children.find(({ id }) => id === substash_id);
        if (tab && wrapper) change(tab, context, wrapper);
      },
      when,
    ),
);
