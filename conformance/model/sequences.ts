import type { Coverage } from '../engine/coverage.js';
import type { Lives } from './grant.js';
import { Disagreement, Play, actions } from './play.js';
import type { Aspect, Action } from './play.js';
import type { Party, TokenServer } from './token-server.js';

export type Sequence = readonly Action[];

/** Where server and model disagree: the first sequence that shows it for an aspect. */
export interface Divergence {
  readonly aspect: Aspect;
  readonly sequence: Sequence;
  readonly party: Party;
  readonly expected: string;
  readonly got: string;
}

export interface SequenceRun {
  readonly sequences: number;
  readonly steps: number;
  readonly findings: readonly Divergence[];
}

/** Actions of a code that has not been exchanged. */
export const codeActions: readonly Action[] = ['exchange', 'exchange badly', 'exchange as another', 'replay'];
/** Actions of a grant that has tokens. */
export const tokenActions: readonly Action[] = [
  'refresh',
  'refresh old',
  'refresh badly',
  'revoke access',
  'revoke first',
  'revoke refresh',
  'replay',
  'replay badly',
];

/** A sequence in words: `refresh with …, then revoke …`. */
export const formatSequence = (sequence: Sequence): string => sequence.map((action) => actions[action]).join(', then ');

/** All sequences of a length over the actions. Shorter ones are their beginnings. */
export function sequencesOf(alphabet: readonly Action[], length: number): readonly Sequence[] {
  let sequences: readonly Sequence[] = [[]];
  for (let turn = 0; turn < length; turn += 1) {
    sequences = sequences.flatMap((sequence) => alphabet.map((action) => [...sequence, action]));
  }
  return sequences;
}

/** Sequences for a grant: all of three actions, and those of two that have a refresh as another client. */
export const tokenSequences: readonly Sequence[] = [
  ...sequencesOf(tokenActions, 3),
  ...sequencesOf([...tokenActions, 'refresh as another'], 2).filter((sequence) =>
    sequence.includes('refresh as another'),
  ),
];

/** Failing sequences after which the rest is left out: more of them say no more. */
const enough = 6;

export interface SequenceOptions {
  readonly party: Party;
  readonly sequences: readonly Sequence[];
  /** Actions that come before every sequence. */
  readonly start: Sequence;
  readonly lives: Lives;
  readonly coverage: Coverage;
  readonly identities: Map<string, string>;
}

/**
 * Plays every sequence on a grant of its own and has server, introspection and model agree after each step. Sequences
 * that begin with what says nothing in the state reached, or with what showed a disagreement, are left out; a state that
 * another sequence has been in is not probed again. Sequences that begin with the same two actions follow each other, so
 * that they learn from each other; others are played at the same time.
 */
export async function playSequences(server: TokenServer, options: SequenceOptions): Promise<SequenceRun> {
  const closed = new Set<string>();
  const probed = new Set<string>();
  const findings = new Map<Sequence, Divergence>();
  const { party, start, coverage } = options;
  let [sequences, steps] = [0, 0];
  const play = async (sequence: Sequence): Promise<void> => {
    if (findings.size >= enough) return;
    if (sequence.some((_, index) => closed.has(sequence.slice(0, index + 1).join()))) return;
    const done: Action[] = [];
    try {
      const next = await playSequence(server, sequence, options, { done, probed });
      if (next !== undefined) closed.add([...done, next].join());
      coverage.sequence();
    } catch (error) {
      if (!(error instanceof Disagreement)) throw error;
      closed.add(done.join());
      const { aspect, expected, got } = error;
      findings.set(sequence, { aspect, sequence: [...start, ...done], party, expected, got });
    }
    sequences += 1;
    steps += done.length;
  };
  await server.atOnce(byBeginning(options.sequences), async (alike) => {
    for (const sequence of alike) await play(sequence);
  });
  const found = options.sequences.flatMap((sequence) => findings.get(sequence) ?? []);
  const isFirst = ({ aspect }: Divergence, index: number): boolean =>
    found.findIndex((one) => one.aspect === aspect) === index;
  return { sequences, steps, findings: found.filter(isFirst) };
}

/** Sequences by their first two actions. */
function byBeginning(sequences: readonly Sequence[]): Iterable<readonly Sequence[]> {
  const alike = new Map<string, Sequence[]>();
  for (const sequence of sequences) {
    const beginning = sequence.slice(0, 2).join();
    alike.set(beginning, [...(alike.get(beginning) ?? []), sequence]);
  }
  return alike.values();
}

/** Plays a sequence as far as it goes; answers the action that it does not come to. */
async function playSequence(
  server: TokenServer,
  sequence: Sequence,
  { party, start, lives, coverage, identities }: SequenceOptions,
  { done, probed }: { readonly done: Action[]; readonly probed: Set<string> },
): Promise<Action | undefined> {
  const play = await Play.open(server, party, { lives, coverage, identities });
  for (const action of start) await play.step(action);
  let next: Action | undefined;
  for (const action of sequence) {
    if (!play.applies(action)) {
      next = action;
      break;
    }
    done.push(action);
    await play.step(action);
    const prefix = done.join();
    if (probed.has(prefix)) continue;
    await play.probe();
    probed.add(prefix);
  }
  await play.finish();
  return next;
}

/** Plays one sequence with every probe; throws the Disagreement that it shows, if it does. */
export async function replaySequence(
  server: TokenServer,
  sequence: Sequence,
  options: Omit<SequenceOptions, 'sequences' | 'start'>,
): Promise<void> {
  const play = await Play.open(server, options.party, options);
  for (const action of sequence) {
    if (!play.applies(action)) return;
    await play.step(action);
    await play.probe();
  }
  await play.finish();
}
