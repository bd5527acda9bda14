import fc from 'fast-check';

const signs = [
  '\x1b[31m',
  '\x1b]8;;https://evil.example\x07',
  '\x9b2J',
  '\x85',
  '\r',
  '\n',
  '\t',
  ' ',
  '\u00a0',
  '\u2028',
  '\u2029',
  '\u202e',
  '\u2067',
  '\u200f',
  '\u061c',
  '\ufeff',
  '\ud800',
  ':',
  '::',
  '::error::boom',
  '\n::set-output name=x::y',
  '##[error]boom',
  '##vso[task.complete]',
  '"',
  "'",
  '%0A',
];

/** Whatever a server may say: any text, and more often than by chance what acts on a terminal or a CI system. */
export const speech: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...signs), fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 12 })
  .map((parts) => parts.join(''));

/**
 * The lines that act on who reads them: with a control character, a separator of lines, a mark of direction, half a
 * character, or a command of a CI system that is not one of `ours`.
 */
export const acting = (text: string, ours = /^::(?:error|notice) title=/): string[] =>
  text
    .split('\n')
    .filter(
      (line) =>
        /(?!\t)\p{Cc}|\p{Zl}|\p{Zp}|\p{Bidi_Control}|\ufeff|\p{Surrogate}|##(?:vso)?\[/u.test(line) ||
        (line.trimStart().startsWith('::') && !ours.test(line)),
    );
