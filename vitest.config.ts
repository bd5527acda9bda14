import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'cli/**/*.test.ts',
      'scripts/**/*.test.ts',
      'research/**/*.test.ts',
      'openapi/**/*.test.ts',
      'fixtures/**/*.test.ts',
      'conformance/**/*.test.ts',
      'tests/**/*.test.ts',
    ],
    // Vitest leaves a core to its own process, which sleeps while tests run: of two cores it would use one.
    maxWorkers: availableParallelism(),
    reporters: ['default', './scripts/plain-reporter.ts'],
    // Generous: a busy machine is slow, and a test that hangs is found all the same.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
