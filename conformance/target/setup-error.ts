/** Something that the person who runs the suite can mend. A line for each problem: what, where and how. Exit code 2. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
  readonly problems: readonly string[];

  constructor(...problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}
