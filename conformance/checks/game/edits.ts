import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

/** One edit of a text, without the text: a secret does not get into the words of a failure. */
export interface Edit {
  readonly kind:
    | 'replace'
    | 'swap case'
    | 'drop first'
    | 'drop last'
    | 'half'
    | 'append'
    | 'prepend'
    | 'reverse'
    | 'case of all';
  readonly at: number;
  readonly text: string;
}

export const gEdit: Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom(
    'replace',
    'replace',
    'swap case',
    'swap case',
    'drop first',
    'drop last',
    'half',
    'append',
    'prepend',
    'reverse',
    'case of all',
  ),
  at: fc.nat({ max: 4000 }),
  text: fc.constantFrom(...'0123456789abcdefXYZ'),
});

const swapped = (text: string): string => (text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase());

/**
 * The token after an edit. Where it has parts between dots (a JWT), the last characters of a part stay as they are:
 * their low bits may mean nothing.
 */
export function edited(token: string, { kind, at, text }: Edit): string {
  const inert = (index: number): boolean => token.includes('.') && /^[^.]{0,2}(\.|$)/.test(token.slice(index));
  const places = Array.from(token, (_, index) => index).filter(
    (index) => !inert(index) && (kind !== 'swap case' || /[a-z]/i.test(token[index]!)),
  );
  const index = places[at % Math.max(1, places.length)] ?? 0;
  const put = (piece: string): string => token.slice(0, index) + piece + token.slice(index + 1);
  switch (kind) {
    case 'replace':
      return put(text);
    case 'swap case':
      return put(swapped(token[index]!));
    case 'drop first':
      return token.slice(1);
    case 'drop last':
      return token.slice(0, -1);
    case 'half':
      return token.slice(0, Math.ceil(token.length / 2));
    case 'append':
      return token + text;
    case 'prepend':
      return text + token;
    case 'reverse':
      return [...token].toReversed().join('');
    case 'case of all':
      return swapped(token);
  }
}
