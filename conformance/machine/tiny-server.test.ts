import { describe, expect, it } from 'vitest';

import { createCoverage } from '../engine/coverage.js';
import type { AgingServer } from '../model/aging.js';
import type { Lives } from '../model/grant.js';
import { livesOf } from '../model/run-server.js';
import { Stopped } from '../verdict.js';
import { certificateOf, violations } from './certificate.js';
import { contractMachine, generations, inputs, look, noLives, timedInputs } from './contract.js';
import { explore, shrink } from './explore.js';
import { Learner } from './learner.js';
import type { Ask } from './learner.js';
import { differences, minimal, run } from './machine.js';
import type { Machine } from './machine.js';
import { playOverTime, playWord } from './player.js';
import { readingsOf, settledBy } from './readings.js';
import { tiny, tinyServer } from './tiny-server.fixture.js';

const party = { client: 'confidential', account: 'alice' };
const options = (extra: number) => ({
  party,
  lives: noLives,
  coverage: createCoverage(),
  identities: new Map<string, string>(),
  extra,
});

const askOf =
  (server = tinyServer()): Ask =>
  (words, seen) =>
    server.atOnce(words, async (word) => {
      const { outputs } = await playWord(server, word, { party, lives: noLives, identities: new Map() });
      seen(word, outputs);
    });
const learn = (ask: Ask, more = {}) =>
  new Learner({ ask, inputs, look, extra: 0, maxStates: 100, generations, ...more }).learn();

describe('a fault that only a long word shows', () => {
  it.each(tiny)('is found by its shortest word: $what', async ({ fault, length, extra }) => {
    const server = tinyServer(fault);
    const { findings } = await explore(server, options(extra));
    const shortest = await Promise.all(findings.map((finding) => shrink(server, finding, options(extra))));
    expect(Math.min(...shortest.map(({ word }) => word.length))).toBe(length);
    // Breadth first through the faulty machine and the model: no word is shorter.
    const { machine } = await learn(askOf(tinyServer(fault)), { extra: 1 });
    expect(Math.min(...violations(machine, noLives).map(({ word }) => word.length))).toBe(length);
  });
});

describe('learning', () => {
  it('gives the machine of the contract for a server that is the model', async () => {
    const { machine, proved } = await learn(askOf(), { extra: 1 });
    expect(proved).toBe(1);
    expect(differences(minimal(machine), await contractMachine())).toEqual([]);
  });

  it('asks what follows from a machine before it counts: introspection that hides states misleads at first', async () => {
    const blind = tinyServer((history, right) => right || history.at(-1)!.startsWith('introspect'));
    const asked: string[] = [];
    const contract = await contractMachine();
    const { machine, proved, observed, broken } = await learn(askOf(blind), {
      alsoAsk: (now: Machine) => {
        const words = differences(now, contract).map(({ word }) => word);
        asked.push(...words.map((word) => word.join()));
        return words;
      },
    });
    expect([proved, broken]).toEqual([0, undefined]);
    expect(asked.length).toBeGreaterThan(0);
    for (const { word } of differences(minimal(machine), contract))
      expect(observed.outputs(word)).toEqual(run(minimal(machine), word).outputs);
  });

  it('tells that a server answers one word in two ways, and keeps what was learned', async () => {
    let asked = 0;
    const server = tinyServer((history, right) =>
      history.at(-1) === 'use access 0' && (asked += 1) === 40 ? !right : right,
    );
    const { machine, broken, proved } = await learn(askOf(server));
    expect(proved).toBeUndefined();
    expect(broken).toMatchObject({ why: 'contradiction' });
    expect(machine.states.length).toBeGreaterThan(1);
  });

  it('tells that a server is gone, and keeps what was learned', async () => {
    let left = 600;
    const server = tinyServer((_, right) => {
      if ((left -= 1) < 0) throw new Stopped('connection refused');
      return right;
    });
    const { machine, broken, proved, observed } = await learn(askOf(server));
    expect(proved).toBeUndefined();
    expect(broken).toMatchObject({ why: 'unreachable', error: { message: 'connection refused' } });
    expect(observed.words).toBeGreaterThan(20);
    expect(machine.states.length).toBeGreaterThan(1);
    expect(machine.states.some(({ steps }) => steps.some(({ output }) => output === 'unknown'))).toBe(true);
  });

  it('keeps what was proved for fewer states where time ends in the suite for more', async () => {
    let asked = 0;
    const counting = tinyServer((_, right) => {
      asked += 1;
      return right;
    });
    await learn(askOf(counting));
    const ending = tinyServer((_, right) => {
      if ((asked -= 1) < -10) throw new Stopped('it took longer than 3 seconds');
      return right;
    });
    const learned = await learn(askOf(ending), { extra: 1 });
    expect(learned).toMatchObject({ proved: 0, broken: { why: 'unreachable' } });
    expect(certificateOf(learned, { client: 'confidential', lives: livesOf('confidential') })).toMatchObject({
      extra: 0,
      sentence: expect.stringMatching(/For a state more it was not asked to the end: .* 3 seconds\.$/) as string,
    });
  });

  it('proves nothing where the last that was seen before the end is no answer of the machine', async () => {
    const { fault } = tiny.find(({ extra }) => extra === 1)!;
    let since = 0;
    const server = tinyServer((history, right) => {
      const said = fault(history, right);
      if (said !== right || since > 0) since += 1;
      if (since > 60) throw new Stopped('it was interrupted');
      return said;
    });
    const { proved, broken } = await learn(askOf(server), { extra: 1 });
    expect(proved).toBeUndefined();
    expect(broken).toMatchObject({ why: 'unreachable' });
  });

  it('does not take a defect of its own for the end of the server', async () => {
    const server = tinyServer(() => {
      throw new TypeError('of undefined');
    });
    await expect(learn(askOf(server))).rejects.toThrow(TypeError);
  });

  it('gives up beyond the states that it may learn', async () => {
    const { broken, proved } = await learn(askOf(), { maxStates: 5 });
    expect(proved).toBeUndefined();
    expect(broken).toEqual({ why: 'too many states', states: 6 });
  });
});

describe('a machine in which time passes', () => {
  const lives = livesOf('confidential');
  const timed = (server: AgingServer, more = {}) =>
    learn((words, seen) => playOverTime(server, words, { party, lives, identities: new Map() }, seen), {
      inputs: timedInputs,
      look: look.filter((input) => timedInputs.includes(input)),
      alsoAsk: (machine: Machine) =>
        violations(machine, lives, settledBy(readingsOf(machine, lives))).map(({ word }) => word),
      ...more,
    });

  it('is that of the contract for a server that is the model', async () => {
    const { machine, proved } = await timed(tinyServer(undefined, lives));
    expect(proved).toBe(0);
    const contract = await contractMachine(undefined, { only: timedInputs, lives });
    expect(differences(minimal(machine), contract)).toEqual([]);
    expect(minimal(machine).states.length).toBe(contract.states.length);
  });

  it.each<[what: string, own: Partial<Lives>, shortest: readonly string[]]>([
    ['codes live for an hour', { code: 3600 }, ['code ends', 'exchange']],
    ['access tokens never end', { access: Infinity, accessEnd: Infinity }, ['exchange', 'access ends', 'use access']],
    [
      'access tokens end a day early',
      { access: lives.access - 86_400 },
      ['exchange', 'access nearly ends', 'use access'],
    ],
    ['the refresh chain never ends', { chain: Infinity }, ['exchange', 'chain ends', 'refresh']],
    [
      'the refresh chain ends a day early',
      { chain: lives.chain - 86_400 },
      ['exchange', 'chain nearly ends', 'refresh'],
    ],
  ])('shows by its shortest word that %s', async (_, own, shortest) => {
    const { machine } = await timed(tinyServer(undefined, { ...lives, ...own }));
    expect(violations(machine, lives).map(({ word }) => word)).toContainEqual(shortest);
  });

  it('shows that each refresh begins the chain anew, which takes a refresh before its end', async () => {
    const sliding = tinyServer(undefined, lives, { isSliding: true });
    const { machine } = await timed(sliding, { maxStates: 200 });
    const [shortest] = violations(machine, lives).map(({ word }) => word);
    const wait = expect.stringContaining('ends') as string;
    expect(shortest).toEqual(['exchange', wait, 'refresh', wait, 'refresh']);
  });

  it('moves the clock once for all grants that wait for the same', async () => {
    const server = tinyServer(undefined, lives);
    let moves = 0;
    const counting: AgingServer = { ...server, to: (start, seconds) => ((moves += 1), server.to(start, seconds)) };
    const words = (['access ends', 'chain ends'] as const).flatMap((wait) =>
      Array.from({ length: 20 }, () => ['exchange', wait, 'use access'] as const),
    );
    const outputs: string[] = [];
    await playOverTime(counting, words, { party, lives, identities: new Map() }, (_, seen) =>
      outputs.push(seen.join()),
    );
    expect(moves).toBe(3); // none at the start, and one for each wait
    expect(new Set(outputs)).toEqual(new Set(['tokens,done,refused']));
  });
});
