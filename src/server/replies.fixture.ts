import type { Realm } from '../contract/index.js';
import type { Tab } from '../game/tabs.js';
import { send, withToken } from './mock.fixture.js';
import type { Mock } from './mock.js';
import { ask, post } from './readings.fixture.js';

export type JsonRecord = Readonly<Record<string, unknown>>;

export const leaguesOf = async (mock: Mock, query = ''): Promise<JsonRecord[]> =>
  (await ask(mock, `/league${query}`, 'service:leagues')).json<{ leagues: JsonRecord[] }>().leagues;

export const charactersOf = async (mock: Mock, path = '/character'): Promise<JsonRecord[]> =>
  (await ask(mock, path, 'account:characters')).json<{ characters: JsonRecord[] }>().characters;

export interface LadderPage {
  readonly total: number;
  readonly cached_since?: string;
  readonly entries: readonly { rank: number; character: { class: string } }[];
}

export const ladder = async (mock: Mock, query = ''): Promise<LadderPage> =>
  (
    await ask(
      mock,
      `/league/${String(mock.world.known.ladder_league)}/ladder?limit=200${query}`,
      'service:leagues:ladder',
    )
  ).json<{ league: LadderPage }>().league;

export const known = (mock: Mock, name: string): string => String(mock.world.known[name]);

export const stashList = async (mock: Mock): Promise<Tab[]> =>
  (await ask(mock, `/stash/${known(mock, 'stash_league')}`, 'account:stashes')).json<{ stashes: Tab[] }>().stashes;

export const stash = async (mock: Mock, ...ids: string[]): Promise<Tab | null> =>
  (await ask(mock, ['/stash', known(mock, 'stash_league'), ...ids].join('/'), 'account:stashes')).json<{
    stash: Tab | null;
  }>().stash;

export const walk = (tabs: readonly Tab[]): Tab[] => tabs.flatMap((tab) => [tab, ...walk(tab.children ?? [])]);

/** The first character of alice with passives, whole. */
export async function wholeCharacter(mock: Mock, realm: Realm = 'pc'): Promise<JsonRecord> {
  const name = mock.world.characters('alice', realm).find(({ passives }) => passives)?.name ?? '';
  const path = `/character/${realm === 'pc' ? '' : `${realm}/`}${encodeURIComponent(name)}`;
  return (await ask(mock, path, 'account:characters')).json<{ character: JsonRecord }>().character;
}

export interface StreamPage {
  readonly next_change_id: string;
  readonly stashes: readonly (JsonRecord & { readonly id: string; readonly public: boolean })[];
}

/** All pages of the stream of pc. */
export async function stream(mock: Mock): Promise<StreamPage[]> {
  const headers = await withToken(mock, 'service:psapi');
  const pages: StreamPage[] = [];
  for (let path = '/public-stash-tabs'; ;) {
    const page = (await send(mock.url, { path, headers })).json<StreamPage>();
    pages.push(page);
    if (page.stashes.length === 0) return pages;
    path = `/public-stash-tabs?id=${encodeURIComponent(page.next_change_id)}`;
  }
}

export interface Digest {
  readonly next_change_id: number;
  readonly markets: readonly Readonly<Record<string, Readonly<Record<string, number>>>>[];
}

export const hour = async (mock: Mock, id?: number): Promise<Digest> =>
  (await ask(mock, `/currency-exchange${id === undefined ? '' : `/${id}`}`, 'service:cxapi')).json<Digest>();

export const firstHour = (mock: Mock): number => Number(mock.world.known.first_hour);
export const quietHour = (mock: Mock): number => Number(mock.world.known.quiet_hour);

/** The currencies that a figure names where the other one's is zero. */
export async function lopsided(mock: Mock): Promise<string[]> {
  const { markets } = mock.world.exchange('pc');
  for (let id = firstHour(mock); ; id += 3600) {
    const place = markets(id).findIndex(({ lowest_stock: stock }) => Object.values(stock).includes(0));
    if (place >= 0) return Object.keys((await hour(mock, id)).markets[place]?.lowest_stock ?? {});
    if (id * 1000 > mock.world.epoch) throw new Error('no figure is zero');
  }
}

export const least = { filter_name: 'x', realm: 'pc', filter: 'Show\n' };
export const created = async (mock: Mock): Promise<string> =>
  (await post(mock, '/item-filter', least)).json<{ filter: { id: string } }>().filter.id;
