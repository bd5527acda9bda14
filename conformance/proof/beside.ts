import type { RowId } from '../ledger.gen.js';

/** Why one row may fail beside another: the bug breaks its sentence too. Words are ids, beginnings of ids up to a dash, or FIELD for the rows of members. */
interface Reason {
  /** Rows that a mutant names. */
  readonly named: readonly string[];
  /** Rows that fail with them. */
  readonly beside: readonly string[];
  readonly because: string;
}

const lists = ['LADDER', 'EVLADDER', 'PVPLADDER', 'LEAGUE', 'PVP', 'REALM', 'GEN'];
const objects = [
  'CHAR',
  'STASH',
  'GUILD',
  'FILTER',
  'ACCLEAGUE',
  'LACC',
  'PROFILE',
  'ITEM',
  'TAB',
  'ERR',
  'PSTASH',
  'CX',
  ...lists,
];

const reasons: readonly Reason[] = [
  {
    named: [...objects, 'ED', 'XF', 'FIELD'],
    beside: ['FIELD', 'CHAR-PASS', 'GEN-012'],
    because: 'The one row is about a form or a place of members, the other about a member that has it.',
  },
  {
    named: ['FIELD'],
    beside: [...objects, 'XF', 'ED', 'TOK', 'INTRO'],
    because:
      'The one row is about a member, the other about the object that has it, and what its members say together.',
  },
  {
    named: ['TREE'],
    beside: ['TREE'],
    because: 'A link is one string of parts: what is wrong with a part is wrong with every link and tree that has it.',
  },
  {
    named: ['SCOPE', 'BEAR', 'AUTH-CODE', 'AUTH-SCOPE', 'TOK-CC'],
    beside: ['SCOPE'],
    because:
      'What a scope opens is asked by operation, by token and by every other scope, each with tokens of its own: the bug is met from more than one side.',
  },
  {
    named: ['SCOPE', 'BEAR', 'AUTH-CODE'],
    beside: ['TOK-REFRESH', 'REV', 'INTRO', 'TOK-CC', 'ERR'],
    because: 'What this row is about is a token that may do so much and no more, and the bug lets every token do more.',
  },
  {
    named: ['AUTH'],
    beside: ['AUTH'],
    because:
      'One redirect has an address, a state, and a code or an error: the bug changes more than one of them, or where it goes.',
  },
  {
    named: ['TOK', 'AUTH'],
    beside: ['TOK', 'TOKENRESP', 'AUTH', 'REV', 'INTRO', 'LIFE', 'SCOPE', 'BEAR'],
    because: 'The row makes a request of the same kind, or holds a token that such a request gave: the bug is in that.',
  },
  {
    named: ['LIFE', 'REV', 'INTRO', 'BEAR'],
    beside: ['LIFE', 'REV', 'INTRO', 'BEAR', 'TOK', 'AUTH-CODE', 'ERR'],
    because:
      'A token ends in one state, and the rows ask for that state in different ways: by use, refresh, revocation, introspection and the page.',
  },
  {
    named: ['PSTASH', 'CX'],
    beside: ['PSTASH', 'PSTASHRESP', 'CX', 'CXRESP', 'GEN', 'ERR'],
    because:
      'A stream is a chain of pages: what is wrong with one page or id is wrong with where the chain begins, leads and ends.',
  },
  {
    named: lists,
    beside: [...lists, 'LADDERRESP', 'ERR'],
    because: 'Number, order, rank and total of the entries of a list are read from the same pages.',
  },
  {
    named: [...objects, 'XF', 'ED'],
    beside: objects,
    because: 'A list and the object that it names show one thing, which both rows read.',
  },
];

const isAmong = (row: RowId, words: readonly string[]): boolean =>
  words.some((word) => row === word || row.startsWith(`${word}-`) || (word === 'FIELD' && row.includes('-FIELD-')));

/** Why a row fails beside those that a mutant names, in a sentence; nothing where no reason is known. */
export const reasonOf = (named: readonly RowId[], beside: RowId): string | undefined =>
  reasons.find((one) => isAmong(beside, one.beside) && named.some((row) => isAmong(row, one.named)))?.because;
