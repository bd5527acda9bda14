/**
 * The suite as vitest runs it: a test for every row. The runs of checks are planned and made by the verifier; a test
 * waits for its row's outcome and hands it to the reporter.
 */
import { afterAll, beforeAll, inject, test } from 'vitest';

import { planOf } from './plan.js';
import { Verifier } from './engine/verifier.js';
import type { Outcome } from './engine/outcome.js';
import { createMonitors } from './monitors/monitors.js';
import { openHooks } from './target/open-hooks.js';
import type { Settings, Tail } from './verify.js';
import { transportOf } from './engine/transport.js';

const settings = inject('gamedata' as never) as Settings;
const plan = planOf(settings.only);

const stop = new AbortController();
const channel = new BroadcastChannel(settings.channel);
channel.addEventListener('message', (event) => stop.abort((event as Event & { data: unknown }).data));
const late = setTimeout(
  () => stop.abort(`the run took longer than ${settings.timeLimit} seconds`),
  settings.timeLimit * 1000,
);

const outcomes = new Map<
  string,
  { readonly promise: Promise<Outcome>; readonly resolve: (outcome: Outcome) => void }
>();
for (const { row } of plan) {
  let resolve!: (outcome: Outcome) => void;
  const promise = new Promise<Outcome>((done) => (resolve = done));
  outcomes.set(row.id, { promise, resolve });
}

let verifier: Verifier | undefined;
let finished: Promise<void> | undefined;
let broken: Error | undefined;

beforeAll(async () => {
  try {
    verifier = await Verifier.open({
      ...settings,
      plan,
      monitors: createMonitors(settings.target),
      signal: stop.signal,
      replay: (row) => settings.replay.replace('{row}', row),
      open: (wire) => openHooks(settings.target, transportOf(wire, settings.target)),
    });
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error));
    throw broken;
  }
  finished = verifier.run((outcome) => outcomes.get(outcome.row)!.resolve(outcome));
});

for (const { row } of plan) {
  test.concurrent(row.id, async ({ task }) => {
    const { promise } = outcomes.get(row.id)!;
    const outcome = await Promise.race([promise, finished!.then(() => promise)]);
    Object.assign(task.meta, { outcome, requests: verifier!.wire.sent });
    if (outcome.verdict === 'fail' || outcome.verdict === 'harness error') throw new Error(outcome.reason);
  });
}

test.concurrent('the run', async ({ task }) => {
  const problem = await finished!.then(
    () => undefined,
    (error: unknown) => `the run ended early (${error instanceof Error ? error.message : String(error)})`,
  );
  const { wire, env } = verifier!;
  const tail: Tail = {
    ...(problem !== undefined && { problem }),
    sent: wire.sent,
    lifecycle: env.lifecycle.result(),
    observations: verifier!.observations(),
    edition: env.monitors.edition(),
    capabilities: Object.keys(env.hooks),
  };
  Object.assign(task.meta, { tail });
});

afterAll(() => {
  clearTimeout(late);
  channel.close();
});
