import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'scripts/**/*.test.ts',
      'openapi/**/*.test.ts',
      'fixtures/**/*.test.ts',
      'tests/**/*.test.ts',
    ],
    reporters: ['default', './scripts/plain-reporter.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
