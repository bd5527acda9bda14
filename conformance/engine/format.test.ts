import { expect, it } from 'vitest';

import { shown } from './format.js';

it('shows a value so that spaces at its ends and doubled ones are seen', () => {
  expect(['read write', ' read', 'read ', 'read  write', 'word', '', 'né à'].map(shown)).toEqual([
    'read write',
    '" read"',
    '"read "',
    '"read  write"',
    '"word"',
    '""',
    '"né à"',
  ]);
});
