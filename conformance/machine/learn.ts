import { Issued } from '../engine/issued.js';
import { checkReachability } from '../engine/reachability.js';
import { scriptOf } from '../engine/repro.js';
import type { Lives } from '../model/grant.js';
import type { Word } from '../model/inputs.js';
import { livesOf } from '../model/run-server.js';
import type { Party } from '../model/token-server.js';
import type { Certificate, MachineDescription } from '../result.js';
import { SetupError } from '../../src/input/setup-error.js';
import { isOfServer } from '../verdict.js';
import { connectionOf } from '../target/connection.js';
import type { Role, Target } from '../target/target.js';
import { trace } from '../wire/trace.js';
import { Wire } from '../wire/wire.js';
import { brokenBecause, certificateOf, machineOf, violations } from './certificate.js';
import { compared } from './compare.js';
import type { Compared } from './compare.js';
import { generations } from './contract.js';
import { Learner } from './learner.js';
import type { Learned } from './learner.js';
import { minimal, run as runWord } from './machine.js';
import type { Machine } from './machine.js';
import { readingsOf, settledBy } from './readings.js';
import { Observed } from './observed.js';
import { partyOf, runOn, subjectOf } from './subject.js';
import type { Subject } from './subject.js';

const machineSchema = 'urn:game-data-contract:machine:1';

export interface LearnOptions {
  readonly target: Target;
  /** The client whose grants are played with; the first that users authorize where it is left out. */
  readonly client?: Role;
  /** Whether time passes in it: codes, access tokens and refresh chains end. The target has a way to move the clock. */
  readonly time?: boolean;
  /** How many states more than were found the complete suite at the end allows for; 1 by default, 0 where time passes. */
  readonly extraStates?: number;
  /** States after which it gives up; 100 by default. */
  readonly maxStates?: number;
  /** The most requests, in place of the target's; 0 leaves it to the target. */
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
  /** Whether the complete suite was played to its end. */
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

/** Requests without a limit. */
const most = 1_000_000;

/**
 * Learns the machine of a server's token lifecycle: what it answers to any sequence of inputs on one grant. Nothing is
 * judged on the way; what it is compared with comes afterwards. What goes wrong on the way ends learning, and what was
 * learned so far is given.
 *
 * @throws SetupError where the target cannot be reached, or has no client that users authorize
 */
export async function learn(options: LearnOptions): Promise<LearnedMachine> {
  const { target } = options;
  const issued = new Issued(target);
  const wire = wireTo(options, issued);
  const begin = Date.now();
  try {
    await checkReachability(wire, target);
    const { run, later } = await runOn(target, wire, options.time);
    const party = partyOf(run, options.client);
    if (options.time && !run.facts.hooks.clock)
      throw new SetupError(
        'learn --time needs a server whose clock can be moved: set control_url in the target, or adapter to a module that exports clock',
      );
    return await trace.run({ answers: [] }, async () => {
      const { learned, subject } = await learnedFrom(() => subjectOf(run, later, party, options.time), {
        options,
        wire,
        party,
      });
      const told = subject
        ? await confirmed(learned, { subject, party, issued, options })
        : { learned, differences: [] };
      return {
        ...resultOf(told.learned, party, options),
        requests: wire.sent,
        seconds: Math.round((Date.now() - begin) / 100) / 10,
        compared: options.compare ? 'another machine' : 'the contract',
        differences: told.differences,
      };
    });
  } finally {
    wire.close();
  }
}

function wireTo({ target, budget = 0, signal = new AbortController().signal }: LearnOptions, issued: Issued): Wire {
  return new Wire({
    budget: budget || target.budget.requests || most,
    perSecond: target.budget.per_second,
    concurrency: target.budget.concurrency,
    connection: connectionOf(target),
    signal,
    seen: (answer) => issued.see(answer),
  });
}

/** What was learned. Where not even what the server offers can be found out, that is nothing, with the reason. */
async function learnedFrom(
  find: () => Promise<Subject>,
  { options, wire, party }: { readonly options: LearnOptions; readonly wire: Wire; readonly party: Party },
): Promise<{ readonly learned: Learned; readonly subject?: Subject }> {
  const { extraStates: extra = options.time ? 0 : 1, maxStates = 100, onProgress } = options;
  let subject: Subject;
  try {
    subject = await find();
  } catch (error) {
    if (!isOfServer(error)) throw error;
    const machine = { inputs: [], states: [{ access: [], steps: [] }] };
    return { learned: { machine, observed: new Observed(), broken: { why: 'unreachable', error } } };
  }
  const learned = await new Learner({
    ...subject,
    extra,
    maxStates,
    generations,
    alsoAsk: (machine) => [
      ...comparedWith(machine, options.compare, party).map(({ word }) => word),
      ...(options.time ? unlikeModel(machine, livesOf(party.client as Role)) : []),
    ],
    onProgress: (progress) => onProgress?.({ ...progress, requests: wire.sent }),
  }).learn();
  return { learned, subject };
}

/**
 * The differences that the server shows once more, each with a script. One that it shows otherwise now is none: then the
 * server answers a sequence in two ways. Where it cannot be asked any more, what was seen before counts.
 */
async function confirmed(
  learned: Learned,
  {
    subject,
    party,
    issued,
    options: { target, compare },
  }: { readonly subject: Subject; readonly party: Party; readonly issued: Issued; readonly options: LearnOptions },
): Promise<{ readonly learned: Learned; readonly differences: readonly ServerDifference[] }> {
  const machine = minimal(learned.machine);
  const differences: ServerDifference[] = [];
  let broken = learned.broken;
  for (const difference of comparedWith(machine, compare, party)) {
    const { word } = difference;
    const before = runWord(machine, word).outputs;
    const log = { answers: [] };
    const now = await trace
      .run(log, () => subject.play(word))
      .catch((error: unknown) => {
        if (!isOfServer(error)) throw error;
        broken ??= { why: 'unreachable', error };
      });
    const seen = now ?? learned.observed.outputs(word);
    if (seen?.join() === before.join()) {
      const told = { title: difference.concerns, expected: difference.expected, got: difference.got };
      differences.push({
        ...difference,
        ...(now && { script: scriptOf({ answers: log.answers, target, issued }, told) }),
      });
    } else if (now) broken ??= { why: 'contradiction', contradiction: { word, before, now } };
  }
  const { machine: whole, observed } = learned;
  // A server that answers a sequence in two ways is no machine; one that is gone by now is what it was.
  const stands = broken?.why === 'unreachable' && learned.proved !== undefined && { proved: learned.proved };
  return { learned: broken ? { machine: whole, observed, broken, ...stands } : learned, differences };
}

/** Words that a machine answers otherwise than the model with the machine's own readings: most are not known well yet. */
const unlikeModel = (machine: Machine, lives: Lives): readonly Word[] =>
  violations(machine, lives, settledBy(readingsOf(machine, lives))).map(({ word }) => word);

function comparedWith(machine: Machine, other: MachineDescription | undefined, party: Party): readonly Compared[] {
  const lives = livesOf(party.client as Role);
  return compared(
    machine,
    other ? { other: machineOf(other), lives } : { violations: violations(machine, lives), lives },
  );
}

/** What is said of the machine itself. */
function resultOf(
  learned: Learned,
  { client }: Party,
  { target }: LearnOptions,
): Omit<LearnedMachine, 'requests' | 'seconds' | 'compared' | 'differences'> {
  const certificate = certificateOf(learned, { client, lives: livesOf(client as Role) });
  const { states, inputs, words, steps, readings, machine } = certificate;
  const { name, base_url, auth_url } = target;
  return {
    $schema: machineSchema,
    target: { name, base_url, auth_url },
    complete: learned.broken === undefined,
    ...(learned.proved !== undefined && { extra: learned.proved }),
    verdict: verdictOf(learned, states),
    client,
    states,
    inputs,
    words,
    steps,
    readings,
    machine,
  };
}

function verdictOf({ broken, proved }: Learned, states: number): string {
  const claim =
    proved === undefined
      ? undefined
      : `the whole machine of every server that is deterministic, has at most ${states + proved} states and answers these sequences as this one did.`;
  if (!broken) return `This is ${claim}`;
  const kept = claim === undefined ? 'What was learned up to then is kept.' : `Up to then it is ${claim}`;
  return `Not complete: ${brokenBecause(broken)}. ${kept}`;
}
