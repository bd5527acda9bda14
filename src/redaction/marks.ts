/** What stands in the place of a secret. A mark of a mark is itself, so that redaction may be done twice. */
export type Mark = (secret: string) => string;

const marks = /(\[redacted(?: [0-9a-f]{12})?\])/;

/** A text whose marks stay as they are, and what is before, between and after them as `redact` leaves it. */
export const betweenMarks = (text: string, redact: (piece: string) => string): string =>
  text
    .split(marks)
    .map((piece, index) => (index % 2 === 0 ? redact(piece) : piece))
    .join('');

/** What of a text is no mark. */
export const withoutMarks = (text: string): string =>
  text
    .split(marks)
    .filter((_, index) => index % 2 === 0)
    .join('');
