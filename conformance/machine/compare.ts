import { readings } from '../model/grant.js';
import type { Lives, Reading } from '../model/grant.js';
import { formatWord, isWait } from '../model/inputs.js';
import type { Output, Word } from '../model/inputs.js';
import type { Aspect } from '../model/judge.js';
import type { RowId } from '../ledger.gen.js';
import type { Violation } from './certificate.js';
import { differences, run } from './machine.js';
import type { Machine } from './machine.js';
import { judgeWord } from './player.js';

/** Where a machine answers otherwise than what it is compared with. */
export interface Compared {
  /** The shortest word that shows it. */
  readonly word: Word;
  readonly text: string;
  readonly expected: string;
  readonly got: string;
  /** The requirement that it violates, or the reading of the interface that differs, with its gap. */
  readonly concerns: string;
}

/** The rows that aspects of the lifecycle are judged by. */
const rows: Readonly<Record<Aspect, RowId>> = {
  transition: 'LIFE-009',
  absorbing: 'LIFE-009',
  independence: 'LIFE-009',
  agreement: 'INTRO-017',
  identity: 'TOK-RESP-017',
};

/** The row that a disagreement violates: what only the passing of time shows has one of its own. */
const rowOf = (aspect: Aspect, word: Word): RowId =>
  rows[aspect] === 'LIFE-009' && word.some(isWait) ? 'LIFE-010' : rows[aspect];

/** Differences from another machine, or what violates the contract, each by its shortest word. */
export function compared(
  machine: Machine,
  against: { readonly lives: Lives } & ({ readonly other: Machine } | { readonly violations: readonly Violation[] }),
): readonly Compared[] {
  if ('violations' in against) {
    return against.violations.map(({ word, disagreement }) => ({
      word,
      text: formatWord(word),
      expected: disagreement.expected,
      got: disagreement.got,
      concerns: rowOf(disagreement.aspect, word),
    }));
  }
  return differences(machine, against.other).map(({ word, one, other }) => {
    const [own, others] = [run(machine, word).outputs, run(against.other, word).outputs];
    return {
      word,
      text: formatWord(word),
      expected: other,
      got: one,
      concerns: concernOf(word, [own, others], against.lives),
    };
  });
}

/** The row that one of the answers violates; else the reading that the word met last, which the two read otherwise. */
function concernOf(word: Word, both: readonly (readonly Output[])[], lives: Lives): string {
  const met: Reading[] = [];
  for (const outputs of both) {
    let meeting: Reading[] = [];
    const { disagreement } = judgeWord(
      word,
      { outputs, after: [] },
      {
        lives,
        asked: (reading) => void meeting.push(reading),
        // What the last input meets cannot explain its own answer.
        onStep: (_, __, ___, index) => {
          if (index < word.length - 1) met.push(...meeting);
          meeting = [];
        },
      },
    );
    if (disagreement) return rowOf(disagreement.aspect, word);
  }
  const reading = met.at(-1);
  return reading === undefined ? 'nothing that the interface states' : `${reading} (${readings[reading]})`;
}
