import { describe, expect, it } from 'vitest';

import { codingFor } from './coding.js';

describe('a reply comes in the first coding that the client names', () => {
  it.each([
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0, GZIP ; q=0.5', 'gzip'],
    ['deflate,gzip;q=0.001', 'gzip'],
    ['deflate', 'deflate'],
  ])('%s', (header, coding) => {
    expect(codingFor(header)).toBe(coding);
  });

  it.each([undefined, '', 'identity', '*', 'x-gzip', 'gzip;q=0', 'gzip; Q=0.0', 'zstd'])(
    'and in none where it sends %s',
    (header) => {
      expect(codingFor(header)).toBeUndefined();
    },
  );
});
