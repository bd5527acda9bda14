import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import { environmentOf, gatherFacts } from '../../src/server/facts.js';
import { connectMock } from '../../src/client/index.js';
import { revokeByUser } from '../../src/oauth/index.js';
import { createApp } from '../../src/server/app.js';
import type { Mock } from '../../src/server/mock.js';
import { inNamespace, isControl, splitTarget } from '../../src/server/target.js';
import { Service } from '../../src/server/service.js';
import type { Client } from '../../src/world/world.js';
import type { LimitWindow } from '../../src/client/index.js';
import { operationList, scopes } from '../../src/contract/index.js';
import type { Scope } from '../../src/contract/index.js';
import type { Tab } from '../../src/game/tabs.js';
import { freePort, visit } from './browser.js';
import { readCall } from './call.js';
import type { Call } from './call.js';
import type { WorldFacts, Visit } from './run.js';
import { installWeather } from './weather.js';
import type { Event, World } from './world.js';

/** What a client is to the audit, as far as it cannot be seen. */
export interface StageOptions {
  /** Redirect URIs to register beside those of the mock's clients. */
  readonly redirectUris?: readonly string[];
  /** Redirect at once, without a page, for clients that have no browser. */
  readonly autoApprove?: boolean;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Seed of the mock's data; 1 unless told. */
  readonly seed?: number;
}

/** The mock of one world, with everything that was asked of it. */
export interface Stage {
  readonly url: string;
  /** `GAMEDATA_…` for the client. */
  readonly environment: Readonly<Record<string, string>>;
  readonly facts: WorldFacts;
  readonly calls: readonly Call[];
  readonly visits: readonly Visit[];
  /** What the client asked of the control surface, which is closed to it: `POST /__control/limits`. */
  readonly controlCalls: readonly string[];
  /** Loopback ports that the client is told to listen on. */
  readonly ports: readonly string[];
  /** Opens an address as the user's browser does. */
  open(url: string): Promise<void>;
  /** From now on, calls belong to this start of the client. */
  begin(start: number): void;
  close(): Promise<void>;
}

const longest = { stashChanges: 600, exchangeHours: 72 };

/** Starts the mock of a world on a free port of the loopback. */
export async function startStage(
  world: World,
  { redirectUris = [], autoApprove = false, port = 0, seed = 1 }: StageOptions = {},
): Promise<Stage> {
  const epoch = Date.now();
  const service = new Service({
    seed,
    // The end of a short history is now; else the world stays the same until midnight.
    epoch: world.volume ? Date.now() : null,
    edition: world.edition ?? 'extended',
    flags: world.flags ?? {},
    switches: { ...world.switches, ...(autoApprove && { 'consent.mode': 'auto' }) },
    fixtures: null,
    volume: { ...longest, ...world.volume },
    autoApprove: world.account ?? null,
    realTime: Date.now,
    log: () => {},
  });
  if (world.oddFirst) oddFirst(service);
  if (world.newValues) newValues(service);
  const ports = [await freePort(), await freePort()];
  const [web, desktop] = ports.map((port) => `http://127.0.0.1:${port}/callback`) as [string, string];
  register(service, 'example-web', [web, ...redirectUris], world.secret);
  register(service, 'example-desktop', [desktop, ...loopback, ...redirectUris]);
  register(service, 'example-service', [], world.secret);
  // The client is on this machine as well: without a token it could switch off what the world is for.
  const controlToken = randomBytes(32).toString('base64url');
  const server = createApp(service, { cors: false, controlToken, allowHosts: [], log: () => {} }).listen();
  const calls: Call[] = [];
  let start = 1;
  const weather = installWeather(server, service, world);
  const controlCalls: string[] = [];
  // First of all: a router changes the URL while it answers.
  server.prependListener('request', ({ method = '', url: target = '', headers }) => {
    const { path } = splitTarget(inNamespace(target)?.rest ?? target);
    const isOurs = headers.authorization === `Bearer ${controlToken}`;
    if (isControl(path) && !isOurs && controlCalls.length < mostShown) controlCalls.push(`${method} ${path}`);
  });
  const happened = new Set<string>();
  if (world.limit) limit(service, 'first', world.limit.windows);
  service.exchanges.subscribe((record) => {
    const call = readCall(record, { epoch, start });
    calls.push(call);
    const { after, windows } = world.limit?.later ?? {};
    if (windows && calls.filter(({ data }) => data).length === after) limit(service, 'later', windows);
    for (const [index, event] of (world.events ?? []).entries()) {
      const ends = event.do === 'end-access';
      // A client that is two, one for the user and one for itself, loses the token of each.
      const key = ends ? `${index} ${call.client}` : String(index);
      if (happened.has(key) || (ends && call.bearer === undefined)) continue;
      if (!due(event, ends ? calls.filter(({ client }) => client === call.client) : calls)) continue;
      happened.add(key);
      happen(event, call, service, () => weather.strike(world.laterFaults ?? []));
    }
  });
  server.on('clientError', (error: Error & { rawPacket?: Buffer }, socket) => {
    const call = unreadableCall(error.rawPacket, calls.at(-1)?.number ?? 0, epoch, start);
    if (call) calls.push(call);
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  });
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service.issuer = url;
  const mock = { ...connectMock(url, { controlToken }), world: service.world } as Mock;
  const known = await gatherFacts(mock, {
    version: '',
    edition: world.edition ?? 'extended',
    controlToken,
    flags: service.flags,
  });
  const { GAMEDATA_CONTROL_URL: _, ...told } = environmentOf(known);
  const environment: Record<string, string> = {
    ...told,
    GAMEDATA_REDIRECT_URI: web,
    GAMEDATA_PUBLIC_REDIRECT_URI: desktop,
    GAMEDATA_ACCOUNT: world.account ?? 'alice',
    ...(world.secret !== undefined && {
      GAMEDATA_CLIENT_SECRET: world.secret,
      GAMEDATA_SERVICE_CLIENT_SECRET: world.secret,
    }),
  };
  const visits: Visit[] = [];
  const over = new AbortController();
  setMaxListeners(0, over.signal);
  const underway = new Set<Promise<void>>();
  const opened = new Set<string>();
  return {
    url,
    environment,
    facts: factsOf(service, [environment.GAMEDATA_TOKEN_ACCOUNT, environment.GAMEDATA_TOKEN_SERVICE]),
    calls,
    visits,
    controlCalls,
    ports: ports.map(String),
    begin(next) {
      start = next;
      // Time passes between two starts: what was good for a while is not any more.
      if (next > 1 && world.stores) endAccess(service, undefined);
    },
    async open(address) {
      // One that is printed may be opened by the client as well; a page of its own may be opened as often as it likes.
      if (opened.has(address)) return;
      if (address.includes('/oauth/authorize?')) opened.add(address);
      const { browser: mode = 'approve', account = 'alice' } = world;
      const first = visits.length === 0 || mode === 'deny' || mode === 'part';
      const options = {
        mode: first ? mode : 'approve',
        parameters: world.parameters,
        account,
        service,
        now: () => Date.now() - epoch,
        signal: over.signal,
      } as const;
      const going = visit(address, options).then((one) => void visits.push(one));
      underway.add(going);
      await going;
    },
    async close() {
      over.abort();
      await Promise.all(underway);
      await closed(server);
    },
  };
}

/** Calls of the control surface that are kept. */
const mostShown = 20;

/** The reason of a request that no server can read. */
export const unreadable = 'the request line is not HTTP';

/** A request that is no HTTP, such as one with a name in its path that was not encoded: the mock itself never sees it. */
function unreadableCall(packet: Buffer | undefined, last: number, epoch: number, start: number): Call | undefined {
  const [, method = '', target = ''] = /^([A-Z]+) (\S.*?) HTTP\/1[.]\d\r?$/m.exec(packet?.toString() ?? '') ?? [];
  if (method === '') return undefined;
  const nothing = { content: '', size: 0 };
  return readCall(
    {
      number: last + 0.5,
      at: Date.now(),
      realTime: Date.now(),
      elapsed: 0,
      method,
      target,
      operationId: undefined,
      logical: undefined,
      address: '127.0.0.1',
      requestHeaders: [],
      requestBody: nothing,
      account: undefined,
      clientId: undefined,
      credential: undefined,
      decision: 'refused',
      delivery: 'sent',
      reason: unreadable,
      reply: { status: 400, headers: {}, body: nothing },
    },
    { epoch, start },
  );
}

async function closed(server: Server): Promise<void> {
  const end = new Promise<void>((done) => server.close(() => done()));
  server.closeAllConnections();
  await end;
  await sleep(20); // the last records come with the end of their connections
}

/** The other addresses of the loopback, on any port (RFC 8252 7.3). */
const loopback = ['http://[::1]/callback', 'http://localhost/callback'];

const userScopes = (Object.keys(scopes) as Scope[]).filter((scope) => !scope.startsWith('service:'));

function register({ authority }: Service, id: string, uris: readonly string[], secret?: string): void {
  const clients = authority.clients as Map<string, Client>;
  const client = clients.get(id);
  if (client)
    clients.set(id, {
      ...client,
      redirectUris: [...uris, ...client.redirectUris],
      // A client may have been granted more on request (interface 5.7).
      ...(uris.length > 0 && { scopes: userScopes }),
      ...(secret !== undefined && { secret }),
    });
}

/** Limits of the data API; the token endpoint has none here. */
const limit = ({ limits }: Service, name: string, windows: readonly LimitWindow[]): void =>
  limits.set({ policies: [{ name, operations: dataOperations, rules: [{ rule: 'client', windows }] }] });

const dataOperations = [
  ...new Set(operationList.filter(({ server }) => server === 'data').map(({ logical }) => logical)),
];

function due({ when }: Event, calls: readonly Call[]): boolean {
  if (when === 'issued') return calls.some((call) => call.operation === 'issueToken' && call.status === 200);
  return calls.filter((call) => call.data && call.status === 200).length >= when.data;
}

/** Ends what the event ends: of the client that asked last, everything that is live. */
function happen({ do: what }: Event, call: Call, service: Service, strike: () => void): void {
  const { store, authority } = service;
  if (what === 'faults') return strike();
  const live = [...store.tokens()].filter(({ ended }) => ended === null);
  if (what === 'revoke-user') {
    for (const { grant } of live)
      if (grant.kind === 'authorization_code') revokeByUser(grant.account, grant.clientId, authority);
    return;
  }
  endAccess(service, call.bearer);
}

/** An access token ends before its time, or with it: the client meets the same 401 (interface 5.3). */
function endAccess({ store }: Service, bearer: string | undefined): void {
  for (const { text, kind, ended } of Array.from(store.tokens()))
    if (kind === 'access' && ended === null && (bearer === undefined || text === bearer))
      store.endToken(text, 'revoked');
}

function oddFirst(service: Service): void {
  const { world } = service;
  const odd = (name: string): number => (/^[\w-]+$/.test(name) ? 1 : 0);
  const { leagues, characters } = world;
  Object.assign(world, {
    leagues: (realm: Parameters<typeof leagues>[0]) =>
      leagues(realm).toSorted((a, b) => odd(a.league.id) - odd(b.league.id)),
    characters: (account: string, realm: Parameters<typeof leagues>[0]) =>
      characters(account, realm).toSorted((a, b) => odd(a.name) - odd(b.name)),
  });
}

function newValues({ world }: Service): void {
  const { characters, stashes, guildStashes, publicStashes } = world;
  const changed = <T>(list: readonly T[], which: (one: T) => boolean, values: Partial<T>): readonly T[] => {
    const index = list.findIndex(which);
    return list.map((one, at) => (at === index ? { ...one, ...values } : one));
  };
  const retyped = (tabs: readonly Tab[]): readonly Tab[] =>
    changed(tabs, ({ children }) => !children, { type: 'LamplighterStash' });
  Object.assign(world, {
    characters: (...of: Parameters<typeof characters>) =>
      changed(characters(...of), () => true, { class: 'Lamplighter' }),
    stashes: (...of: Parameters<typeof stashes>) => retyped(stashes(...of)),
    guildStashes: (...of: Parameters<typeof guildStashes>) => retyped(guildStashes(...of)),
    publicStashes: (...of: Parameters<typeof publicStashes>) => {
      const stream = publicStashes(...of);
      const snapshot: typeof stream.snapshot = (id, revision) => {
        const stash = stream.snapshot(id, revision);
        return /[0-7]$/.test(id) ? { ...stash, stashType: 'LamplighterStash' } : stash;
      };
      return { ...stream, snapshot };
    },
  });
}

function factsOf({ world, authority, store }: Service, given: readonly (string | undefined)[]): WorldFacts {
  const realms = ['pc', 'xbox', 'sony', 'game2'] as const;
  const leagues = realms.flatMap((realm) => world.leagues(realm).map(({ league }) => league.id));
  const matches = realms.flatMap((realm) => world.pvpMatches(realm).map(({ match }) => match.id));
  const people = world.accounts.flatMap(({ key }) => realms.flatMap((realm) => world.characters(key, realm)));
  return {
    clients: new Map(
      [...authority.clients].map(([id, { secret, type }]) => [id, { secret, public: type === 'public' }]),
    ),
    names: new Set([...leagues, ...matches, ...people.map(({ name }) => name)]),
    tabs: (realm, league) =>
      new Map(
        world.accounts.flatMap(({ key }) =>
          [...world.stashes(key, realm, league), ...world.guildStashes(key, realm, league)].flatMap((tab) =>
            tabsOf(tab),
          ),
        ),
      ),
    given: given.filter((token) => token !== undefined),
    issued: (token) => [...store.tokens()].some(({ text, kind }) => kind === 'access' && text === token),
  };
}

const tabsOf = (tab: Tab, parent?: string): [string, string | undefined][] => [
  [tab.id.toLowerCase(), parent],
  ...(tab.children ?? []).flatMap((child) => tabsOf(child, isFolder(tab) ? undefined : tab.id.toLowerCase())),
];

const isFolder = ({ type, metadata }: Tab): boolean => type === 'Folder' || metadata?.folder === true;
