/** Something that the person who starts the mock can mend: one line that says what, where and how. */
export class SetupError extends Error {
  override readonly name = 'SetupError';
}
