import type { Coverage } from '../engine/coverage.js';
import type { Lives } from '../model/grant.js';
import { inputs as all, generations as usual, look as usualLook } from './contract.js';
import { isObservation } from '../model/inputs.js';
import type { Input, Output, Word } from '../model/inputs.js';
import type { Aspect, Disagreement } from '../model/judge.js';
import type { Party, TokenServer } from '../model/token-server.js';
import { violations } from './certificate.js';
import { Learner } from './learner.js';
import type { Learned } from './learner.js';
import { inputsFor, judgeWord, playWord } from './player.js';

/** Where server and model disagree: the shortest word that showed it for an aspect. */
export interface Divergence {
  readonly aspect: Aspect;
  /** Up to where they disagree. */
  readonly word: Word;
  /** It showed only when every token was tried after the word. */
  readonly whole: boolean;
  readonly party: Party;
  readonly expected: string;
  readonly got: string;
}

export interface ExploreOptions {
  readonly party: Party;
  readonly lives: Lives;
  readonly coverage: Coverage;
  readonly identities: Map<string, string>;
  /** States more than were found that the suite allows for. */
  readonly extra: number;
  readonly generations?: number;
  readonly maxStates?: number;
}

export interface Explored {
  readonly findings: readonly Divergence[];
  readonly learned: Learned;
  readonly inputs: readonly Input[];
}

/** Disagreements after which the rest is left out: more of them say no more. */
const enough = 6;

/**
 * Plays the complete suite of a server's own machine, each word on a grant of its own, and holds every answer against
 * the model. Where the model is open the server is asked once, and is bound to its answer from then on. A word that shows
 * a disagreement is not gone on with.
 */
export async function explore(server: TokenServer, options: ExploreOptions): Promise<Explored> {
  const { party, lives, coverage, identities, extra, generations = usual, maxStates = 60 } = options;
  const offer = server.offers(party);
  const inputs = inputsFor(offer, all);
  // Without introspection of refresh tokens, only using one tells whether it is good.
  const look: Word = [...inputsFor(offer, usualLook), ...(offer.introspectRefresh ? [] : (['refresh'] as const))];
  const over = new Set<string>();
  const findings: Divergence[] = [];

  const play = async (word: Word): Promise<readonly Output[]> => {
    if (findings.length >= enough) return [];
    // Every token is tried after what was done, not after what was only asked.
    const begin = word.slice(0, -look.length);
    const whole = endsWith(word, look) && begin.length > 0 && !isObservation(begin.at(-1)!);
    const played = await playWord(server, word, { party, lives, identities, whole });
    coverage.sequence();
    const { disagreement, at = word.length } = judgeWord(word, played, {
      lives,
      onStep: (input, before, next) => coverage.transition(before, input, next),
    });
    if (!disagreement) return played.outputs;
    const shown = word.slice(0, at + 1);
    over.add(keyOf(shown.slice(0, shown.findLastIndex((input) => !isObservation(input)) + 1)));
    findings.push(divergence(disagreement, { word: shown, whole: at >= word.length, party }));
    return played.outputs.slice(0, at);
  };
  const learner = new Learner({
    ask: (words, seen) => server.atOnce(words, async (word) => seen(word, await play(word))),
    inputs,
    look,
    extra,
    maxStates,
    generations,
    alsoAsk: (machine) => violations(machine, lives).map(({ word }) => word),
    isDecided: () => findings.length > 0,
    isOver: (word) => findings.length >= enough || over.has(keyOf(word)),
  });
  const learned = await learner.learn();
  // What was proved for fewer states is told, although time or requests ended before the rest.
  if (learned.broken?.why === 'unreachable' && learned.proved === undefined) throw learned.broken.error;
  const shortest = findings.toSorted((one, other) => one.word.length - other.word.length);
  const isFirst = ({ aspect }: Divergence, index: number): boolean =>
    shortest.findIndex((one) => one.aspect === aspect) === index;
  return { findings: shortest.filter(isFirst), learned, inputs };
}

/** Plays the word of a finding; answers what is found now. */
export async function playAgain(
  server: TokenServer,
  { word, whole, party }: Pick<Divergence, 'word' | 'whole' | 'party'>,
  { lives, identities }: { lives: Lives; identities: Map<string, string> },
): Promise<Divergence | undefined> {
  const played = await playWord(server, word, { party, lives, identities, whole });
  const { disagreement, at = word.length } = judgeWord(word, played, { lives });
  return disagreement && divergence(disagreement, { word: word.slice(0, at + 1), whole: at >= word.length, party });
}

/**
 * The shortest word that still shows a finding: inputs are left out as long as the same aspect shows. What introspection
 * says wrongly of a refresh token may be the token's own state: then that is what is found.
 */
export async function shrink(
  server: TokenServer,
  finding: Divergence,
  options: { lives: Lives; identities: Map<string, string> },
): Promise<Divergence> {
  const again = (word: Word, whole = finding.whole): Promise<Divergence | undefined> =>
    playAgain(server, { word, whole, party: finding.party }, options);
  let best = finding;
  const last = finding.word.at(-1);
  if (finding.aspect === 'agreement' && (last === 'introspect refresh' || last === 'introspect old')) {
    const used = last === 'introspect old' ? 'refresh old' : 'refresh';
    const own = await again([...finding.word.slice(0, -1).filter((input) => !isObservation(input)), used]);
    if (own && own.aspect !== 'agreement') best = own;
  }
  for (let index = best.word.length - (best.whole ? 1 : 2); index >= 0; index -= 1) {
    const shorter = await again(best.word.toSpliced(index, 1));
    if (shorter?.aspect === best.aspect && shorter.word.length < best.word.length) {
      best = shorter;
      index = best.word.length;
    }
  }
  // What shows only when every token is tried may be one more input.
  for (const input of best.whole ? (['refresh', 'refresh old'] as const) : []) {
    const plain = await again([...best.word, input], false);
    if (plain && !plain.whole) return plain;
  }
  return best;
}

const divergence = (
  { aspect, expected, got }: Disagreement,
  place: Pick<Divergence, 'word' | 'whole' | 'party'>,
): Divergence => ({ aspect, expected, got, ...place });

const keyOf = (word: Word): string => word.join();
const endsWith = (word: Word, end: Word): boolean => word.slice(-end.length).join() === end.join();
