import { randomBytes } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { connectMock } from '../../src/client/index.js';
import { createApp } from '../../src/server/app.js';
import { freePort, listen } from '../../src/input/listen.js';
import { environmentOf, gatherFacts } from '../../src/server/facts.js';
import type { Service } from '../../src/server/service.js';
import { CopyEvents, countOf } from './copies.js';
import type { Call } from './call.js';
import { endUserAccess, Events } from './events.js';
import { listenElsewhere } from './elsewhere.js';
import type { Elsewhere } from './elsewhere.js';
import { obstaclesOf } from './obstacles.js';
import { oddLeague } from './odd-names.js';
import { Recording } from './recording.js';
import { hookOf } from './replies.js';
import type { ForeignRequest, Obstacle, Visit, WorldFacts } from './run.js';
import type { Scenario } from './scenario.js';
import { editionOf, serviceOf } from './scenario-service.js';
import type { ClientSetup, Redirects } from './scenario-service.js';
import { User } from './user.js';
import { factsOf } from './world-facts.js';

export interface StageOptions extends ClientSetup {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** The data API has an address of its own, beside that of the authorization server, as in the interface. */
  readonly apart?: boolean;
  /** Copies of the client at once, in worlds of copies that do not say how many. */
  readonly copies?: number;
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
  /** What came to the other origin, where the service redirects to one. */
  readonly elsewhere: readonly ForeignRequest[];
  /** Copies of the client that the world killed. */
  readonly killed: readonly number[];
  /** The longest that this process stood still so far, ms. */
  stall(): number;
  /** What stood in the client's way so far. */
  obstacles(): readonly Obstacle[];
  /** Opens an address as the user's browser does, for a copy of the client where there are several. */
  open(url: string, copy?: number): Promise<void>;
  /** From now on, calls belong to this start of the client. */
  begin(start: number): void;
  close(): Promise<void>;
}

/** Starts the mock of a scenario on a free port of the loopback. */
export async function startStage(scenario: Scenario, options: StageOptions = {}): Promise<Stage> {
  const recording = new Recording(Date.now());
  const { calls, controlCalls } = recording;
  const ports = [await freePort(), await freePort()] as const;
  const { web, desktop } = callbacksOf(scenario, ports);
  const elsewhere = scenario.redirect && (await listenElsewhere());
  const service = serviceOf(withRedirect(scenario, elsewhere), options, { web, desktop });
  const events = new Events(scenario, service);
  service.exchanges.subscribe((record) => events.after(recording.add(record), calls));
  // The client is on this machine as well: without a token it could switch off what the world is for.
  const controlToken = randomBytes(32).toString('base64url');
  const copyEvents =
    scenario.copies && new CopyEvents(scenario.copies, countOf(scenario.copies, options.copies), service, recording);
  const killed = copyEvents?.killed ?? [];
  const plainHook = hookOf(scenario, service, recording, { controlToken });
  const hook = events.hook(copyEvents?.hook(plainHook) ?? plainHook);
  const app = createApp(service, { cors: false, controlToken, allowHosts: [], log: () => {}, hook });
  const open = async (port: number): Promise<{ readonly server: Server; readonly url: string }> => {
    const server = app.listen();
    server.on('clientError', ({ rawPacket }: Error & { rawPacket?: Buffer }) => recording.addUnreadable(rawPacket));
    await listen(server, port, '127.0.0.1');
    return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  };
  const auth = await open(options.port ?? 0);
  const data = options.apart ? await open(0) : auth;
  service.issuer = auth.url;
  const told = await environmentFor(scenario, service, {
    web,
    desktop,
    controlToken,
    edition: editionOf(scenario, options),
  });
  const environment = { ...told, GAMEDATA_BASE_URL: data.url };
  const delays = monitorEventLoopDelay();
  delays.enable();
  const user = new User(scenario, service, [auth.url, data.url], recording.epoch);
  return {
    url: service.issuer,
    environment,
    facts: {
      ...factsOf(service, [told.GAMEDATA_TOKEN_ACCOUNT, told.GAMEDATA_TOKEN_SERVICE]),
      ...(options.apart && { addresses: { data: data.url, authorization: auth.url } }),
    },
    calls,
    visits: user.visits,
    controlCalls,
    elsewhere: elsewhere?.requests ?? [],
    ports: ports.map(String),
    killed,
    stall: () => delays.max / 1e6,
    obstacles: () =>
      obstaclesOf(scenario, { faults: service.faults.list(), events, calls, visits: user.visits, killed }),
    begin(next) {
      recording.start = next;
      user.begin();
      // Time passes between two starts: what was good for a while is not any more.
      if (next > 1 && scenario.stores) endUserAccess(service);
      if (next > 1 && scenario.recovers) service.faults.clear();
      copyEvents?.begin(next);
    },
    open: (address, copy) => user.open(address, copy),
    async close() {
      delays.disable();
      await user.close();
      elsewhere?.close();
      await Promise.all([...new Set([auth.server, data.server])].map(closed));
    },
  };
}

/** Where the user is sent back to by the two clients, which listen on these ports. */
function callbacksOf({ redirectQuery }: Scenario, [web, desktop]: readonly [number, number]) {
  const query = redirectQuery === undefined ? '' : `?${redirectQuery}`;
  return { web: `http://127.0.0.1:${web}/callback${query}`, desktop: `http://127.0.0.1:${desktop}/callback` };
}

/** The fault that redirects one request; a redirect keeps method and body (RFC 9110 15.4.8). */
function withRedirect(scenario: Scenario, elsewhere: Elsewhere | undefined): Scenario {
  const { redirect, faults = [] } = scenario;
  if (!elsewhere) return scenario;
  const { origin } = elsewhere;
  return { ...scenario, faults: [...faults, { ...redirect, kind: 'redirect', times: 1, origin }] };
}

/** What the client is told in its environment; not where the control surface is. */
async function environmentFor(
  { account = 'alice', secret, oddNames }: Scenario,
  { issuer, world, flags }: Service,
  { web, desktop, controlToken, edition }: Redirects & { readonly controlToken: string; readonly edition: string },
): Promise<Record<string, string>> {
  const mock = { ...connectMock(issuer, { controlToken }), world };
  const facts = await gatherFacts(mock, { version: '', edition, controlToken, flags });
  const { GAMEDATA_CONTROL_URL: _, ...told } = environmentOf(facts);
  return {
    ...told,
    GAMEDATA_REDIRECT_URI: web,
    GAMEDATA_PUBLIC_REDIRECT_URI: desktop,
    GAMEDATA_ACCOUNT: account,
    GAMEDATA_COPY: '1',
    GAMEDATA_LEAGUE: oddNames ? oddLeague : 'Standard',
    ...(secret !== undefined && { GAMEDATA_CLIENT_SECRET: secret, GAMEDATA_SERVICE_CLIENT_SECRET: secret }),
  };
}

async function closed(server: Server): Promise<void> {
  const end = new Promise<void>((done) => server.close(() => done()));
  server.closeAllConnections();
  await end;
  await sleep(20); // the last records come with the end of their connections
}
