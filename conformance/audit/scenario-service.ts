import { scopes } from '../../src/contract/index.js';
import type { Scope } from '../../src/contract/index.js';
import type { Tab } from '../../src/game/tabs.js';
import { Service } from '../../src/server/service.js';
import type { Client, World } from '../../src/world/world.js';
import { limitsOf } from './events.js';
import { oddNames } from './odd-names.js';
import { quietHours } from './quiet-hours.js';
import type { Scenario } from './scenario.js';
import { loadFixtures } from '../../src/world/fixtures/folder.js';

/** What a client is to the audit, as far as it cannot be seen. */
export interface ClientSetup {
  /** Redirect URIs to register beside those of the mock's clients. */
  readonly redirectUris?: readonly string[];
  /** Redirect at once, without a page, for clients that have no browser. */
  readonly autoApprove?: boolean;
  /** Seed of the mock's data; 1 unless told. */
  readonly seed?: number;
  /** The interface that the client is written for: what a world says of it wins. */
  readonly edition?: string;
  readonly flags?: Readonly<Record<string, boolean>>;
  readonly switches?: Readonly<Record<string, unknown>>;
}

/** Where the clients of a stage are told to listen. */
export interface Redirects {
  readonly web: string;
  readonly desktop: string;
}

const longest = { stashChanges: 600, exchangeHours: 72 };

/** The service of a scenario: its switches, faults and limits, its clients and names. */
export function serviceOf(scenario: Scenario, setup: ClientSetup, redirects: Redirects): Service {
  const { volume, switches, account = null, faults = [], limit } = scenario;
  const { seed = 1, autoApprove = false } = setup;
  const edition = editionOf(scenario, setup);
  return new Service({
    seed,
    // The end of a short history is now; else the world stays the same until midnight.
    epoch: volume ? Date.now() : null,
    edition,
    flags: { ...setup.flags, ...scenario.flags },
    switches: { ...setup.switches, ...switches, ...(autoApprove && { 'consent.mode': 'auto' }) },
    fixtures: () => loadFixtures(null),
    volume: { ...longest, ...volume },
    adaptWorld: (world) => ({
      clients: clientsOf(world, scenario, setup, redirects),
      ...(scenario.oddNames && oddNames(world)),
      ...(scenario.newValues && newValues(world)),
      ...(scenario.numberIds && numberIds(world)),
      ...(scenario.quietHours && quietHours(world, scenario.quietHours)),
    }),
    autoApprove: account,
    faults,
    ...(limit && { limits: limitsOf('first', limit) }),
    realTime: exactTime,
    log: () => {},
  });
}

/** To parts of a millisecond: what came first is told where a client is quick, ms since 1970. */
const exactTime = (): number => performance.timeOrigin + performance.now();

/** The edition of a stage. */
export const editionOf = (scenario: Scenario, setup: ClientSetup): string =>
  scenario.edition ?? setup.edition ?? 'extended';

/** The other addresses of the loopback, on any port (RFC 8252 7.3). */
const loopback = ['http://[::1]/callback', 'http://localhost/callback'];

const userScopes = (Object.keys(scopes) as Scope[]).filter((scope) => !scope.startsWith('service:'));

/** The mock's clients, as the application under audit has registered them. */
function clientsOf(
  { clients }: World,
  { secret, noRefresh = false }: Scenario,
  { redirectUris = [] }: ClientSetup,
  { web, desktop }: Redirects,
): readonly Client[] {
  const own: Readonly<Record<string, Partial<Client>>> = {
    'example-web': { redirectUris: [web, ...redirectUris], ...(secret !== undefined && { secret }) },
    'example-desktop': { redirectUris: [desktop, ...loopback, ...redirectUris] },
    'example-service': secret === undefined ? {} : { secret },
  };
  return clients.map((client) => {
    const { redirectUris: uris = [], ...registered } = own[client.id] ?? {};
    return {
      ...client,
      ...registered,
      redirectUris: [...uris, ...client.redirectUris],
      // A client may have been granted more on request (interface 5.7).
      ...(uris.length > 0 && { scopes: userScopes }),
      ...(noRefresh && { refresh: false }),
    };
  });
}

/** Ids of tabs that a client may take for numbers: digits alone with zeros first, and digits around an e. */
function numberIds({ stashes, guildStashes }: World): Partial<World> {
  const numbered = (tabs: readonly Tab[]): readonly Tab[] =>
    tabs.map((tab, at) => {
      if (at > 1) return tab;
      const digits = String(Number.parseInt(tab.id, 16) % 1e8).padStart(8, '0');
      const id = at === 0 ? `00${digits}` : `${digits.slice(0, 2)}e${digits.slice(1)}`;
      const inside = (one: Tab): Tab => ({
        ...one,
        ...(one.parent === tab.id && { parent: id }),
        ...(one.folder === tab.id && { folder: id }),
      });
      return { ...tab, id, ...(tab.children && { children: tab.children.map(inside) }) };
    });
  return {
    stashes: (...of) => numbered(stashes(...of)),
    guildStashes: (...of) => numbered(guildStashes(...of)),
  };
}

/** A class and types that nobody has named. */
function newValues({ characters, stashes, guildStashes, publicStashes }: World): Partial<World> {
  const changed = <T>(list: readonly T[], which: (one: T) => boolean, values: Partial<T>): readonly T[] => {
    const index = list.findIndex(which);
    return list.map((one, at) => (at === index ? { ...one, ...values } : one));
  };
  const retyped = (tabs: readonly Tab[]): readonly Tab[] =>
    changed(tabs, ({ children }) => !children, { type: 'LamplighterStash' });
  return {
    characters: (...of) => changed(characters(...of), () => true, { class: 'Lamplighter' }),
    stashes: (...of) => retyped(stashes(...of)),
    guildStashes: (...of) => retyped(guildStashes(...of)),
    publicStashes: (realm) => {
      const stream = publicStashes(realm);
      return {
        ...stream,
        snapshot: (id, revision) => {
          const stash = stream.snapshot(id, revision);
          return /[0-7]$/.test(id) ? { ...stash, stashType: 'LamplighterStash' } : stash;
        },
      };
    },
  };
}
