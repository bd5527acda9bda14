/** Something wrong with how the command was called: one line that says what, where and how to mend it. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
