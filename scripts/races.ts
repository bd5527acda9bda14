/**
 * `npm run races -- [number]`: presents codes and refresh tokens to four replicas at once, as often as is said, while
 * replicas are killed and paused, and prints how often how many of them won. Needs redis-server or valkey-server.
 */
import { join } from 'node:path';

import { connectMock } from '../src/client/index.js';
import { noEngine, startEngine } from '../src/server/replicas/engine.fixture.js';
import type { MockProcess } from '../src/server/replicas/process.fixture.js';
import { startProcess } from '../src/server/replicas/process.fixture.js';
import { codeForm, codeFrom, race, refreshForm, tokenRequest } from '../src/server/replicas/race.fixture.js';
import { root } from './generate/document.js';

if (noEngine !== undefined) throw new Error(noEngine);
const wanted = Number(process.argv[2] ?? 100_000);
const parallel = 128;
const command = [join(root, 'dist', 'cli', 'main.js')];

const engine = await startEngine('--appendfsync', 'everysec');
const start = (port: number): Promise<MockProcess> =>
  startProcess(['--port', String(port), '--store', engine.url, '--epoch', '2026-01-01T00:00:00Z'], command);
const replicas = await Promise.all([0, 0, 0, 0].map(start));
const urls = replicas.map(({ url }) => url);

const counts = { races: 0, one: 0, unheard: 0, none: 0, several: 0, kills: 0, pauses: 0 };
/** Access tokens of the last winners, which every replica has to know in the end. */
const won: string[] = [];
/** Asked to stop, it says what there was so far. */
const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

/** A code, or a refresh token of a grant of its own. */
async function credential(round: number): Promise<Record<string, string> | null> {
  const at = urls[round % urls.length] ?? '';
  const code = await codeFrom(at);
  if (code === null) return null;
  if (round % 4 === 0) return codeForm(code);
  const { status, text } = await tokenRequest(at, codeForm(code));
  return status === 200 ? refreshForm((JSON.parse(text) as { refresh_token: string }).refresh_token) : null;
}

/** Races a code now and then, and in between refresh tokens, each the one that the last race was won with. */
async function compete(): Promise<void> {
  let next: Record<string, string> | null = null;
  while (counts.races < wanted && !stop.signal.aborted) {
    const round = counts.races;
    const form: Record<string, string> | null =
      round % 4 === 0 ? await credential(round) : (next ?? (await credential(round)));
    if (!form || counts.races >= wanted) continue;
    counts.races += 1;
    if (counts.races % 10_000 === 0) console.log(JSON.stringify(counts));
    const { statuses, winners } = await race(urls, form);
    // Who is killed, or has to say 503, may have won and not be heard; where all four were heard, one of them has won.
    const heard = statuses.every((status) => status === 200 || status === 400);
    if (winners.length > 1) counts.several += 1;
    else if (winners.length === 1) counts.one += 1;
    else counts[heard ? 'none' : 'unheard'] += 1;
    if (form.grant_type !== 'refresh_token') continue;
    const refresh = winners[0]?.refresh_token;
    next = refresh === undefined ? null : refreshForm(refresh);
    won.push(...winners.map((winner) => winner.access_token));
    won.splice(0, won.length - 200);
  }
}

/** Kills a replica and starts it again, and pauses another one, over and over. */
async function disturb(): Promise<void> {
  for (let turn = 0; counts.races < wanted && !stop.signal.aborted; turn++) {
    await pause(1500);
    const killed = turn % replicas.length;
    const { port } = replicas[killed]!;
    await replicas[killed]!.kill('SIGKILL');
    counts.kills += 1;
    replicas[killed] = await start(port);
    const paused = replicas[(turn + 2) % replicas.length]!;
    paused.process.kill('SIGSTOP');
    counts.pauses += 1;
    await pause(turn % 4 === 0 ? 3000 : 300);
    paused.process.kill('SIGCONT');
  }
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

const begin = performance.now();
const disturbing = disturb();
await Promise.all(Array.from({ length: parallel }, compete));
await disturbing;
let unknown = 0;
for (const url of urls)
  for (const token of won) {
    const { status } = await fetch(`${url}/profile`, { headers: { authorization: `Bearer ${token}` } });
    if (status !== 200) unknown += 1;
  }
const tokens = await Promise.all(urls.map(async (url) => JSON.stringify(await connectMock(url).tokens())));
const same = tokens.every((list) => list === tokens[0]);
for (const { process: child } of replicas) child.kill('SIGKILL');
await engine.remove();

console.log(`${counts.races} races over ${urls.length} replicas in ${Math.round((performance.now() - begin) / 1000)} s,
with ${counts.kills} kills and ${counts.pauses} pauses of replicas:
  one winner                                        ${counts.one}
  no winner was heard, for one was killed or paused ${counts.unheard}
  no winner, though all four were heard             ${counts.none}
  several winners                                   ${counts.several}
of the last ${won.length} tokens that were answered, unknown to a replica: ${unknown}
all replicas hold the same tokens in the end: ${same ? 'yes' : 'no'}`);
process.exitCode = counts.none + counts.several + unknown === 0 && same ? 0 : 1;
