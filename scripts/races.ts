/**
 * `npm run races -- [calls] [seed]`: callers of many grants exchange, refresh, revoke, use and introspect over three
 * replicas, while replicas are killed and paused and the engine is killed and started again. Every reply of a grant must
 * have an explanation (conformance/histories). Needs redis-server or valkey-server.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import fc from 'fast-check';

import { gPlan, lookBack, play, reuse } from '../conformance/histories/callers.js';
import { drawHistory, drawText } from '../conformance/histories/draw.js';
import { Recorder } from '../conformance/histories/recorder.js';
import { trialOf } from '../conformance/histories/trial.js';
import { connectMock } from '../src/client/index.js';
import { noEngine, startEngine } from '../src/server/replicas/engine.fixture.js';
import type { MockProcess } from '../src/server/replicas/process.fixture.js';
import { startProcess } from '../src/server/replicas/process.fixture.js';
import { caller, operationsToken } from '../src/server/replicas/race.fixture.js';
import { wholeNumber } from '../cli/whole-number.js';
import { root } from './generate/document.js';

const [wanted, seed] = new Command('npm run races --')
  .description('Let callers of many grants race over three replicas, and judge what was answered')
  .argument('[calls]', 'calls of the grants, at least', wholeNumber(1), 100_000)
  .argument('[seed]', 'of the plans', wholeNumber(0, 1e9), Math.floor(Math.random() * 1e9))
  .parse().processedArgs as [number, number];

if (noEngine !== undefined) throw new Error(noEngine);
/** Grants at once. */
const parallel = 24;
const command = [join(root, 'dist', 'cli', 'main.js')];

const engine = await startEngine('--appendfsync', 'everysec');
const start = (port: number): Promise<MockProcess> =>
  startProcess(['--port', String(port), '--store', engine.url, '--epoch', '2026-01-01T00:00:00Z'], command);
const replicas = await Promise.all([0, 0, 0].map(start));
const urls = replicas.map(({ url }) => url);
const bearer = await operationsToken(urls[0]!);

const counts = { grants: 0, calls: 0, unanswered: 0, explained: 0, undecided: 0, impossible: 0 };
const disturbed = { kills: 0, pauses: 0, restarts: 0 };
const begin = performance.now();
/** Milliseconds that judging took. */
let judging = 0;
/** Access tokens that were answered last, and were not revoked: every replica knows them in the end. */
const lasting: string[] = [];
/** Asked to stop, it says what there was so far. */
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());
const isOver = (): boolean => counts.calls >= wanted || stop.signal.aborted;

const plans = gPlan([
  'exchange',
  'refresh',
  'refresh old',
  'revoke access',
  'revoke refresh',
  'use',
  'use old',
  'introspect',
  'introspect refresh',
]);

/** One grant after the other. */
async function compete(): Promise<void> {
  let turn = 0;
  while (!isOver()) {
    const number = (counts.grants += 1);
    const [plan] = fc.sample(plans, { seed: seed + number, numRuns: 1 });
    const recorder = new Recorder(caller(() => urls[(turn += 1) % urls.length]!, bearer));
    await play(plan!, recorder);
    await lookBack(recorder, { introspects: true });
    await reuse(recorder);
    take(recorder);
  }
}

/** What there was so far, and the memory that it takes, which does not grow with the calls. */
function progress(): string {
  const seconds = Math.round((performance.now() - begin) / 1000);
  const memory = `${Math.round(process.memoryUsage.rss() / 1e6)} MB`;
  return JSON.stringify({ seconds, ...counts, ...disturbed, judging: share(), memory });
}

/** Judging, of the time so far. */
const share = (): string => `${((100 * judging) / (performance.now() - begin)).toFixed(1)} %`;

/** Replicas are one server, and lag behind each other in nothing: no lag is allowed. */
function take({ history, access }: Recorder): void {
  const started = performance.now();
  const trial = trialOf(history, { allowed: 0 });
  judging += performance.now() - started;
  const { kind } = trial.verdict;
  if (kind === 'stale') throw new Error('no lag is allowed');
  counts.calls += history.calls.length;
  counts.unanswered += history.calls.filter(({ reply }) => reply === undefined).length;
  counts[kind] += 1;
  if (Math.floor(counts.calls / 20_000) > Math.floor((counts.calls - history.calls.length) / 20_000))
    console.log(progress());
  if (trial.core && counts.impossible <= 3) {
    const file = join(root, 'dist', 'races', `history-${counts.impossible}.svg`);
    mkdirSync(join(root, 'dist', 'races'), { recursive: true });
    writeFileSync(file, drawHistory(trial.core));
    console.log(`No order explains grant ${counts.grants} (${file}):\n${drawText(trial.core)}`);
  }
  const uses = history.calls.filter(({ verb }) => verb === 'use');
  // What worked when it was looked at last, and was not ended by a reuse after that, is told from its next use.
  if (uses.at(-1)?.reply === 'works' && access.length > 0) lasting.push(access.at(-1)!);
  lasting.splice(0, lasting.length - 200);
}

/** Kills a replica and starts it again, pauses another one, and now and then kills the engine. */
async function disturb(): Promise<void> {
  for (let turn = 0; !isOver(); turn++) {
    await pause(1500);
    const killed = turn % replicas.length;
    const { port } = replicas[killed]!;
    await replicas[killed]!.kill('SIGKILL');
    disturbed.kills += 1;
    if (turn % 4 === 3) {
      await engine.stop('SIGKILL');
      await engine.start();
      disturbed.restarts += 1;
    }
    replicas[killed] = await start(port);
    const paused = replicas[(turn + 2) % replicas.length]!;
    paused.process.kill('SIGSTOP');
    disturbed.pauses += 1;
    await pause(turn % 4 === 0 ? 3000 : 300);
    paused.process.kill('SIGCONT');
  }
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

const disturbing = disturb();
await Promise.all(Array.from({ length: parallel }, compete));
await disturbing;
const took = performance.now() - begin;

/** What every replica says of the last tokens: they are one server, so they say the same. */
const known = await Promise.all(
  urls.map((url) =>
    Promise.all(
      lasting.map(
        async (token) => (await fetch(`${url}/profile`, { headers: { authorization: `Bearer ${token}` } })).status,
      ),
    ),
  ),
);
const tokens = await Promise.all(urls.map(async (url) => JSON.stringify(await connectMock(url).tokens())));
const same = [tokens, known.map(String)].every((all) => all.every((one) => one === all[0]));
for (const { process: child } of replicas) child.kill('SIGKILL');
await engine.remove();

console.log(`seed ${seed}: ${counts.calls} calls about ${counts.grants} grants over ${urls.length} replicas in ${Math.round(took / 1000)} s,
with ${disturbed.kills} kills and ${disturbed.pauses} pauses of replicas, and ${disturbed.restarts} kills of the engine:
  calls that were not answered, or with 5xx    ${counts.unanswered}
  grants whose replies some order explains     ${counts.explained}
  grants with too many orders to try           ${counts.undecided}
  grants whose replies no order explains       ${counts.impossible}
  judging took                                 ${share()} of the time
all replicas hold the same tokens in the end: ${same ? 'yes' : 'no'}`);
process.exitCode = counts.impossible === 0 && same ? 0 : 1;
