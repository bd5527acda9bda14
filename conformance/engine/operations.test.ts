import { describe, expect, it } from 'vitest';

import { described, replySchemas } from '../../src/contract/index.js';
import { gameOperations, wrapperOf } from './operations.js';

describe('the member that holds the object or list of a reply', () => {
  it.each(gameOperations.filter((operation) => operation !== 'getProfile'))('is one that %s documents', (operation) => {
    const documented = Object.keys(described(replySchemas[operation]?.[200] ?? {}).properties ?? {});
    expect(documented).toContain(wrapperOf(operation));
  });
});
