import { expect, it } from 'vitest';

import { causeOf } from './cause.js';

it.each([
  [
    "Error: redocly bundle failed:\n\n[1] openapi/schemas/game/Profile.yaml:4:3 \n\nFailed to parse: deficient indentation\n\n2 | a:\n\n[2] openapi/paths/x.yaml:1:1 at #/get\n\nCan't resolve $ref\n    at bundle (document.ts:116:11)",
    'openapi/schemas/game/Profile.yaml:4:3 Failed to parse: deficient indentation',
  ],
  [
    'file.ts:3\n  throw\nError: gap G-12 has no place\n    at check (prose.ts:3:4)\n\nNode.js v20',
    'Error: gap G-12 has no place',
  ],
  ['killed', 'see above'],
])('names the cause of a failed generation', (output, cause) => {
  expect(causeOf(output)).toBe(cause);
});
