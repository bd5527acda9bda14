import type { AddressInfo } from 'node:net';

import type { Switches } from '../../src/contract/index.js';
import { targetText } from '../../src/server/target-file.js';
import { decodeTree, encodeTree } from '../../src/passive-tree/index.js';
import type { PassiveTree } from '../../src/passive-tree/index.js';
import { createApp } from '../../src/server/app.js';
import { Service } from '../../src/server/service.js';
import type { World } from '../../src/world/world.js';
import type { AdapterTree, Hooks } from '../target/hooks.js';
import { loadTarget } from '../target/load.js';
import { openHooks } from '../target/open-hooks.js';
import type { Target } from '../target/target.js';
import { transportOf } from '../engine/transport.js';
import type { Wire } from '../wire/wire.js';
import { hookOf } from './interceptor/traffic.js';
import { Interceptor } from './interceptor/interceptor.js';
import { loadFixtures } from '../../src/world/fixtures/folder.js';

export interface MockSetup {
  /** Of the world. */
  readonly world?: number;
  readonly switches?: Partial<Switches>;
  readonly flags?: Readonly<Record<string, boolean>>;
  readonly mutations: readonly { readonly apply: (at: Interceptor) => void }[];
}

/** A mock of ours with mutations applied to it, ready to be verified. */
export interface MockStage {
  readonly interceptor: Interceptor;
  /** As the mock itself would write it. */
  readonly target: Target;
  readonly open: (wire: Wire) => Promise<Hooks>;
  /** What the mock logged as its own failures: a mutant may cause some, the unchanged mock none. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

const honest: AdapterTree = {
  decode: (link) => decodeTree(link),
  encode: (tree, form) => encodeTree(tree as unknown as PassiveTree, form),
};

/** Facts of worlds that were laid out before: they follow from these, take long to find, and most trials have one world. */
const facts = new Map<string, World['known']>();

function knownOf(world: World, flags: ReadonlySet<string>): World['known'] {
  const key = JSON.stringify([world.seed, world.epoch, [...flags]]);
  const known = facts.get(key) ?? world.known;
  facts.set(key, known);
  return known;
}

/** A small world of all that the contract has, and no time but the real one. */
const ordinary = {
  epoch: null,
  edition: 'extended',
  fixtures: () => loadFixtures(null),
  volume: { stashChanges: 600, exchangeHours: 72 },
  autoApprove: null,
  realTime: Date.now,
  log: () => {},
} as const;

/** The target file that the mock would write, as the suite reads it. */
async function targetOf(service: Service, switches: Switches): Promise<Target> {
  const { accounts, clients } = service.world;
  const text = targetText({
    url: service.issuer,
    controlUrl: `${service.issuer}/__control`,
    controlToken: undefined,
    flags: service.flags,
    switches,
    world: { accounts, clients, known: knownOf(service.world, service.flags) },
  });
  // The codec is asked in this process, where mutants can be applied to it.
  const { tree_codec: _, ...target } = await loadTarget({ file: '-', env: {}, stdin: async () => text });
  return target;
}

/** Starts a mock of its own on a free port of the loopback. */
export async function startStage({ world = 1, switches = {}, flags = {}, mutations }: MockSetup): Promise<MockStage> {
  const service = new Service({ ...ordinary, seed: world, flags, switches });
  const faults: string[] = [];
  const interceptor = new Interceptor();
  for (const { apply } of mutations) apply(interceptor);
  // What the target declares, whatever mutations make of it.
  const { switches: declared } = service;
  interceptor.hold(service);
  const server = createApp(service, {
    cors: false,
    controlToken: undefined,
    allowHosts: [],
    log: (line) => faults.push(line),
    hook: hookOf(interceptor),
  }).listen();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service.issuer = url;

  const target = await targetOf(service, declared);
  const tree = interceptor.codecOver(honest);
  return {
    interceptor,
    target,
    faults,
    open: async (wire) => ({ ...(await openHooks(target, transportOf(wire, target))), tree }),
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeAllConnections();
      await closed;
    },
  };
}
