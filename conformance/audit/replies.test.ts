import { describe, expect, it } from 'vitest';

import { acceptsGzip } from './replies.js';

describe('a client reads gzip', () => {
  it.each(['gzip', 'gzip, deflate, br', 'br;q=1.0, GZIP ; q=0.5', 'deflate,gzip;q=0.001'])(
    'that sends %s',
    (header) => {
      expect(acceptsGzip(header)).toBe(true);
    },
  );

  it.each([undefined, '', 'identity', '*', 'br', 'x-gzip', 'gzip;q=0', 'gzip; Q=0.0'])(
    'perhaps not that sends %s',
    (header) => {
      expect(acceptsGzip(header)).toBe(false);
    },
  );
});
