/** Something that the caller can fix: a line for each problem, with place, problem and remedy. Exit code 2. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
  readonly problems: readonly string[];

  constructor(...problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}
