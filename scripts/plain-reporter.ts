import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with one line that any tool can read: `N passed, N failed`, and the reason of every skipped test. */
export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string): number => tests.filter((test) => test.result().state === state).length;
    const broken = modules.filter((module) => module.state() === 'failed' && module.errors().length > 0).length;
    const skipped = tests.filter((test) => test.result().state === 'skipped');
    for (const test of skipped) {
      const result = test.result();
      const note = result.state === 'skipped' ? result.note : undefined;
      console.log(`skipped: ${test.fullName}: ${note ?? 'no reason given'}`);
    }
    const failed = count('failed') + broken + errors.length;
    console.log(
      `\n${count('passed')} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`,
    );
  }
}
