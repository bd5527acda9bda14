import type { Violation } from '../engine/monitors.js';
import { evident } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';
import type { Cursor } from './cursor.js';

/** How many violations, warnings and observations are kept in words; all violations are counted. */
const kept = 5;

/** What one rule found in a run. */
export class Findings {
  looks = 0;
  count = 0;
  readonly violations: Violation[] = [];
  readonly warnings: string[] = [];
  #about: Answer | undefined;

  /** Judges something: its violations are shown by this answer, unless they name another place. */
  about(answer: Answer | undefined, judge: () => void): void {
    this.#about = answer;
    judge();
    this.#about = undefined;
  }

  /** The case came up: the rule was held against something. */
  look(times = 1): void {
    this.looks += times;
  }

  /** A violation, in an answer or at a place in one. */
  fail(expected: string, got: string, where?: Answer | Cursor): void {
    this.count += 1;
    if (this.violations.length >= kept) return;
    const answer = where && 'reply' in where ? where.reply.answer : (where ?? this.#about);
    // The first one's answer is enough to show, and its text to read: what was parsed may be large.
    const shown = answer && this.violations.length === 0 && { answer: evident(answer) };
    this.violations.push({ expected, got, ...shown });
  }

  /** Something that surprises and is no failure; the same words once. */
  warn(text: string): void {
    if (this.warnings.length < kept && !this.warnings.includes(text)) this.warnings.push(text);
  }
}
