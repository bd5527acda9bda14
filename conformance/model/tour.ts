import type { Coverage } from '../engine/coverage.js';
import type { Lives } from './grant.js';
import { Disagreement, Play, symbols } from './play.js';
import type { Aspect, Symbol } from './play.js';
import type { Party, TokenServer } from './token-server.js';

export type Word = readonly Symbol[];

/** What a tour found: the first word that shows each aspect broken. */
export interface Finding {
  readonly aspect: Aspect;
  readonly word: Word;
  readonly party: Party;
  readonly expected: string;
  readonly got: string;
}

export interface Tour {
  readonly words: number;
  readonly steps: number;
  readonly findings: readonly Finding[];
}

/** Symbols of a code that has not been exchanged. */
export const codeSymbols: readonly Symbol[] = ['exchange', 'exchange badly', 'exchange as another', 'replay'];
/** Symbols of a grant that has tokens. */
export const tokenSymbols: readonly Symbol[] = [
  'refresh',
  'refresh old',
  'refresh badly',
  'revoke access',
  'revoke first',
  'revoke refresh',
  'replay',
  'replay badly',
];

/** A word as it is told: `refresh, revoke access, refresh old`. */
export const spell = (word: Word): string => word.map((symbol) => symbols[symbol]).join(', then ');

/** All words of a length over the symbols. Shorter ones are their beginnings. */
export function wordsOf(alphabet: readonly Symbol[], length: number): readonly Word[] {
  let words: readonly Word[] = [[]];
  for (let turn = 0; turn < length; turn += 1) {
    words = words.flatMap((word) => alphabet.map((symbol) => [...word, symbol]));
  }
  return words;
}

/** Words for the tour of a grant: all of three symbols, and of two with what is not worth a third. */
export const tokenWords: readonly Word[] = [
  ...wordsOf(tokenSymbols, 3),
  ...wordsOf([...tokenSymbols, 'refresh as another'], 2).filter((word) => word.includes('refresh as another')),
];

/** Failing words after which a tour ends: more of them say no more. */
const enough = 6;

export interface TourOptions {
  readonly party: Party;
  readonly words: readonly Word[];
  /** Symbols that come before every word. */
  readonly start: Word;
  readonly lives: Lives;
  readonly coverage: Coverage;
  readonly identities: Map<string, string>;
}

/**
 * Plays every word on a grant of its own and has server, introspection and model agree after each step. Words that
 * begin with what says nothing in the state reached, or with what showed a disagreement, are left out; a state that
 * another word has been in is not probed again. Words that begin with the same two symbols follow each other, so that
 * they learn from each other; others are played beside them.
 */
export async function tour(server: TokenServer, options: TourOptions): Promise<Tour> {
  const closed = new Set<string>();
  const probed = new Set<string>();
  const findings = new Map<Word, Finding>();
  const { party, start, coverage } = options;
  let [words, steps] = [0, 0];
  const visit = async (word: Word): Promise<void> => {
    if (findings.size >= enough) return;
    if (word.some((_, index) => closed.has(word.slice(0, index + 1).join()))) return;
    const done: Symbol[] = [];
    try {
      const next = await playWord(server, word, options, { done, probed });
      if (next !== undefined) closed.add([...done, next].join());
      coverage.word();
    } catch (error) {
      if (!(error instanceof Disagreement)) throw error;
      closed.add(done.join());
      const { aspect, expected, got } = error;
      findings.set(word, { aspect, word: [...start, ...done], party, expected, got });
    }
    words += 1;
    steps += done.length;
  };
  await server.atOnce(byBeginning(options.words), async (alike) => {
    for (const word of alike) await visit(word);
  });
  const found = options.words.flatMap((word) => findings.get(word) ?? []);
  return { words, steps, findings: [...new Map(found.toReversed().map((one) => [one.aspect, one])).values()] };
}

/** Words by their first two symbols. */
function byBeginning(words: readonly Word[]): Iterable<readonly Word[]> {
  const alike = new Map<string, Word[]>();
  for (const word of words) {
    const beginning = word.slice(0, 2).join();
    alike.set(beginning, [...(alike.get(beginning) ?? []), word]);
  }
  return alike.values();
}

/** Plays a word as far as it goes; answers the symbol that it does not come to. */
async function playWord(
  server: TokenServer,
  word: Word,
  { party, start, lives, coverage, identities }: TourOptions,
  { done, probed }: { readonly done: Symbol[]; readonly probed: Set<string> },
): Promise<Symbol | undefined> {
  const play = await Play.open(server, party, { lives, coverage, identities });
  for (const symbol of start) await play.step(symbol);
  let next: Symbol | undefined;
  for (const symbol of word) {
    if (!play.applies(symbol)) {
      next = symbol;
      break;
    }
    done.push(symbol);
    await play.step(symbol);
    const prefix = done.join();
    if (probed.has(prefix)) continue;
    await play.probe();
    probed.add(prefix);
  }
  await play.finish();
  return next;
}

/** Plays one word with every probe; throws the Disagreement that it shows, if it does. */
export async function replay(
  server: TokenServer,
  word: Word,
  options: Omit<TourOptions, 'words' | 'start'>,
): Promise<void> {
  const play = await Play.open(server, options.party, options);
  for (const symbol of word) {
    if (!play.applies(symbol)) return;
    await play.step(symbol);
    await play.probe();
  }
  await play.finish();
}
