import { expect, it } from 'vitest';

import { clientTrials } from './prove.js';

it('refuses an id that no mutant or variant has, beside one that is right', () => {
  const [first] = clientTrials();
  expect(clientTrials([first!.id])).toHaveLength(1);
  expect(() => clientTrials([first!.id, 'none'])).toThrow(
    /^--audit none: no mutant or variant .*--audit alone tries all/,
  );
});
