import type { WorldRun } from './run.js';
import type { PlannedWorld } from './worlds.js';

/**
 * Works at so many worlds at a time, and at as many again in which the client mostly waits; one by one as soon as `runs`
 * show that all starts of the client share a port. An aborted signal lets none begin.
 */
export async function inLanes(
  worlds: readonly PlannedWorld[],
  jobs: number,
  runs: readonly WorldRun[],
  signal: AbortSignal,
  work: (world: PlannedWorld) => Promise<void>,
): Promise<void> {
  const left = worlds.toSorted((one, other) => Number(mostlyWaits(other)) - Number(mostlyWaits(one)));
  const lanes = new Set<Promise<void>>();
  let busy = 0;
  // Copies take the place of all others: each of them is a client.
  const loadOf = (world: PlannedWorld): number => (mostlyWaits(world) ? 0 : world.copies ? jobs : 1);
  const begin = (world: PlannedWorld): void => {
    const works = loadOf(world);
    busy += works;
    const lane: Promise<void> = work(world).finally(() => {
      busy -= works;
      lanes.delete(lane);
    });
    lanes.add(lane);
  };
  const widen = (): void => {
    const most = jobs === 1 || sharesPort(runs) ? 1 : jobs * 2;
    while (lanes.size < most && !signal.aborted) {
      const next = left.findIndex((world) => busy + loadOf(world) <= jobs);
      if (next < 0) return;
      begin(left.splice(next, 1)[0]!);
    }
  };
  for (widen(); lanes.size > 0; widen()) await Promise.race(lanes);
}

/** A world in which a client waits for most of its time, and takes little of the machine. */
const mostlyWaits = ({ limit, seconds, faults = [] }: PlannedWorld): boolean =>
  limit !== undefined || seconds !== undefined || faults.some(({ status }) => status === 429 || status === 503);

/** A client that listens on the same port every time cannot be in two worlds at once. So it is until it shows another. */
function sharesPort(runs: readonly WorldRun[]): boolean {
  const own = runs.map(({ calls, givenPorts }) =>
    calls.flatMap(({ operation, query }) => {
      const uri = query.get('redirect_uri') ?? '';
      if (operation !== 'authorize' || !URL.canParse(uri)) return [];
      const { hostname, port } = new URL(uri);
      return /^(127\.|localhost$|\[::1\]$)/.test(hostname) && !givenPorts.includes(port) ? [port] : [];
    }),
  );
  const ports = own.flat();
  return ports.length > 0 && new Set(ports).size === 1;
}
