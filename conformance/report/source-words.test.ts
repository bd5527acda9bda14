import { expect, it } from 'vitest';

import { sourceWords } from './source-words.js';

it.each([
  ['4.2', 'Section 4.2 of the interface'],
  ['4.1,5.1,7', 'Section 4.1, 5.1, 7 of the interface'],
  ['RFC 6585 4', 'RFC 6585, section 4'],
  ['RFC 9110 15.4, RFC 6750 5.3', 'RFC 9110, section 15.4; RFC 6750, section 5.3'],
  ['5.5, RFC 7636 4.1', 'Section 5.5 of the interface; RFC 7636, section 4.1'],
  ['observed', 'Observed practice'],
  ['-', 'The interface as a whole'],
])('%s is %s', (source, words) => expect(sourceWords(source)).toBe(words));
