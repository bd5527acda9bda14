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
    reporters: ['default', './scripts/plain-reporter.ts'],
    // Generous: a busy machine is slow, and a test that hangs is found all the same.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
