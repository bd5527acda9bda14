import { createCoverage } from '../engine/coverage.js';
import { CheckRun } from '../engine/check-run.js';
import type { Environment } from '../engine/environment.js';
import { Issued } from '../engine/issued.js';
import { LaterConsent } from '../engine/later-consent.js';
import { checkReachability } from '../engine/reachability.js';
import { scriptOf } from '../engine/repro.js';
import { Session } from '../engine/session.js';
import { adapterTrace, transportOf } from '../engine/transport.js';
import type { Output, Word } from '../model/inputs.js';
import { userRoles } from '../model/probe.js';
import { livesOf, runServer } from '../model/run-server.js';
import type { Party, TokenServer } from '../model/token-server.js';
import { createMonitors } from '../monitors/monitors.js';
import type { Certificate, MachineDescription } from '../result.js';
import { connectionOf } from '../target/connection.js';
import { openHooks } from '../target/open-hooks.js';
import type { Role, Target } from '../target/target.js';
import { SetupError } from '../../src/input/setup-error.js';
import { atOnce } from '../wire/slots.js';
import { trace } from '../wire/trace.js';
import { Wire } from '../wire/wire.js';
import { brokenBecause, certificateOf, machineOf, violations } from './certificate.js';
import { compared } from './compare.js';
import type { Compared } from './compare.js';
import { inputs, generations, look } from './contract.js';
import { Learner } from './learner.js';
import type { Learned } from './learner.js';
import { minimal } from './machine.js';
import { inputsFor, playWord } from './player.js';

const machineSchema = 'urn:game-data-contract:machine:1';

export interface LearnOptions {
  readonly target: Target;
  /** The client whose grants are played with; the first that users authorize where it is left out. */
  readonly client?: Role;
  /** How many states more than were found the complete suite at the end allows for; 1 by default. */
  readonly extraStates?: number;
  /** States after which it gives up; 100 by default. */
  readonly maxStates?: number;
  /** The most requests; 0 leaves it to the target. */
  readonly budget?: number;
  /** A machine to compare with, instead of the contract's. */
  readonly compare?: MachineDescription;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: {
    readonly states: number;
    readonly words: number;
    readonly requests: number;
  }) => void;
}

/** Where the server answers otherwise than what it is compared with, with a script that repeats it. */
export type ServerDifference = Compared & { readonly script?: string };

/** What was learned of a server: `gamedata learn` writes it as machine.json. */
export interface LearnedMachine extends Pick<
  Certificate,
  'client' | 'states' | 'inputs' | 'words' | 'steps' | 'readings' | 'machine'
> {
  readonly $schema: string;
  readonly target: { readonly name: string; readonly base_url: string; readonly auth_url: string };
  /** Whether it is the whole machine: the complete suite was played to its end. */
  readonly complete: boolean;
  /** Up to how many states more it is the whole machine. */
  readonly extra?: number;
  /** What follows, or why it is not complete. */
  readonly verdict: string;
  readonly requests: number;
  readonly seconds: number;
  readonly compared: 'the contract' | 'another machine';
  readonly differences: readonly ServerDifference[];
}

/** Words that are played at once, before what was learned is looked at. */
const most = 1_000_000;

/**
 * Learns the machine of a server's token lifecycle: what it answers to any sequence of inputs on one grant. Nothing is
 * judged on the way; what it is compared with comes afterwards. What goes wrong on the way ends learning, and what was
 * learned so far is given.
 *
 * @throws SetupError where the target cannot be reached, or has no client that users authorize
 */
export async function learn(options: LearnOptions): Promise<LearnedMachine> {
  const { target, extraStates = 1, maxStates = 100, budget = 0, signal = new AbortController().signal } = options;
  const limits = [budget, target.budget.requests].filter((limit) => limit > 0);
  const issued = new Issued(target);
  const wire = new Wire({
    budget: Math.min(...limits, most),
    perSecond: target.budget.per_second,
    concurrency: target.budget.concurrency,
    connection: connectionOf(target),
    signal,
    seen: (answer) => issued.see(answer),
  });
  const begin = Date.now();
  try {
    await checkReachability(wire, target);
    const env = await environmentOf(target, wire);
    const run = new CheckRun(env, new Session(env), 'LIFE-009');
    return await trace.run({ answers: [] }, async () => {
      const party = partyOf(run, target, options.client);
      await env.later.learn(run);
      const plain = await runServer(run, [party]);
      // Where a consent ends what an earlier one gave, one word after the other is played.
      const server: TokenServer = env.later.matters
        ? { ...plain, atOnce: (values, act) => atOnce(1, values, act) }
        : plain;
      const subject = subjectOf(server, party);
      const learned = await new Learner({
        ...subject,
        extra: extraStates,
        maxStates,
        generations,
        onProgress: (progress) => options.onProgress?.({ ...progress, requests: wire.sent }),
      }).learn();
      const script = async (difference: Compared): Promise<ServerDifference> => {
        const log = { answers: [] };
        await trace.run(log, () => subject.play(difference.word)).catch(() => {});
        const told = { title: difference.concerns, expected: difference.expected, got: difference.got };
        return { ...difference, script: scriptOf({ answers: log.answers, target, issued }, told) };
      };
      const differences: ServerDifference[] = [];
      for (const difference of comparedWith(learned, options.compare, party))
        differences.push(await script(difference).catch(() => difference));
      const {
        client,
        states,
        inputs: count,
        words,
        steps,
        readings,
        machine,
      } = certificateOf(learned, {
        client: party.client,
        extra: extraStates,
        lives: livesOf(party.client as Role),
      });
      const { name, base_url, auth_url } = target;
      return {
        $schema: machineSchema,
        target: { name, base_url, auth_url },
        complete: learned.proved !== undefined,
        ...(learned.proved !== undefined && { extra: learned.proved }),
        verdict: verdictOf(learned, states),
        client,
        states,
        inputs: count,
        words,
        steps,
        requests: wire.sent,
        seconds: Math.round((Date.now() - begin) / 100) / 10,
        readings,
        machine,
        compared: options.compare ? 'another machine' : 'the contract',
        differences,
      };
    });
  } finally {
    wire.close();
  }
}

/** What a server is asked, and how. */
function subjectOf(server: TokenServer, party: Party) {
  const offer = server.offers(party);
  const identities = new Map<string, string>();
  const play = async (word: Word): Promise<readonly Output[]> =>
    (await playWord(server, word, { party, identities })).outputs;
  return {
    inputs: inputsFor(offer, inputs),
    look: [...inputsFor(offer, look), ...(offer.introspectRefresh ? [] : (['refresh'] as const))] as Word,
    ask: (words: readonly Word[], seen: (word: Word, outputs: readonly Output[]) => void) =>
      server.atOnce(words, async (word) => seen(word, await play(word))),
    play,
  };
}

function partyOf(run: CheckRun, target: Target, asked: Role | undefined): Party {
  const roles = userRoles(run);
  const client = asked ?? roles[0];
  if (client === undefined || !roles.includes(client)) {
    const wanted = asked === undefined ? 'a client that users authorize' : `client ${asked} with a redirect_uri`;
    throw new SetupError(`learn needs ${wanted}, and a way to consent; see gamedata doctor`);
  }
  const isKnown = target.consent !== 'auto' && Object.hasOwn(target.accounts, 'alice');
  return { client, account: isKnown ? 'alice' : '' };
}

async function environmentOf(target: Target, wire: Wire): Promise<Environment> {
  return {
    target,
    hooks: await openHooks(target, transportOf(wire, target), adapterTrace(wire)),
    wire,
    monitors: createMonitors(target),
    lifecycle: createCoverage(),
    later: new LaterConsent(),
    met: new Set(),
    seed: 0,
    runs: 1,
    wait: false,
    thorough: false,
    codec: () => Promise.reject(new Error('nothing that is learned needs a codec')),
  };
}

function comparedWith(learned: Learned, other: MachineDescription | undefined, party: Party): readonly Compared[] {
  const machine = minimal(learned.machine);
  const lives = livesOf(party.client as Role);
  return compared(
    machine,
    other ? { other: machineOf(other), lives } : { violations: violations(machine, lives), lives },
  );
}

const verdictOf = ({ broken, proved }: Learned, states: number): string =>
  broken
    ? `Not complete: ${brokenBecause(broken)}. What was learned up to then is kept.`
    : `The whole machine of every server that is deterministic and has at most ${states + (proved ?? 0)} states.`;
