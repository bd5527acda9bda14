/** The line of a failed `npm run generate` that says what to fix, with its place: Redocly's first problem, or the error. */
export function causeOf(output: string): string {
  const [, place, what] = /^\[1\] (\S+).*\n\n(.+)/m.exec(output) ?? [];
  if (place !== undefined && what !== undefined) return `${place} ${what}`;
  return /^\w*Error.*$/m.exec(output)?.[0] ?? 'see above';
}
