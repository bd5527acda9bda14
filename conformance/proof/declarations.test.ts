import { describe, expect, it } from 'vitest';

import { judgeVariant } from './judge.js';
import { declarations } from './mutants/declarations.js';
import { selectionOf } from './selection.js';
import { undeclared } from './variants/others.js';

describe('a server that does otherwise than its target declares', () => {
  it.each(declarations.map((mutant) => [mutant.what, mutant] as const))(
    'conforms where the target declares nothing: %s',
    async (_, mutant) => {
      const { id, switches, mutation } = mutant;
      const variant = { id, switches, mutation, target: undeclared };
      const result = await judgeVariant(variant, { runs: 10, seed: 1, all: selectionOf(mutant) });
      expect(result).toMatchObject({ status: 'accepted', falsePositives: [] });
    },
  );
});
