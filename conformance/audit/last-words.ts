/** What runtimes add behind the message: versions, advice, the heads of stacks. */
const added = /^(Node[.]js v\d|note: run with|exit status \d|goroutine \d|npm (error|ERR!) A complete log of this run)/;
const isError = (line: string): boolean => /^(Uncaught )?[\w.]*(Error|Exception)\b|^panic: /.test(line);
/** A frame, a member of an object, or the bracket that ends it: what it belongs to stands above. */
const goesOn = (line: string): boolean => /^(\s|[}\])])/.test(line);

/**
 * What an output says at its end: its last line, or the error above its stack. An object printed over several lines is
 * given whole, in one line. Empty where the output is.
 */
export function lastWords(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !added.test(line));
  const last = lines.at(-1) ?? '';
  if (!goesOn(last)) return last;
  const error = lines.findLast(isError);
  if (error !== undefined) return error;
  const begin = lines.findLastIndex((line) => !goesOn(line));
  return lines
    .slice(Math.max(begin, 0))
    .map((line) => line.trim())
    .filter((line) => !line.startsWith('at '))
    .join(' ');
}
