/** Configuration errors, a line each: place, problem, remedy. Exit code 2. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
  readonly problems: readonly string[];

  constructor(...problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}
