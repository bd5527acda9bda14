import { isObject } from '../json.js';
import { header, member } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';

/** Text that is shown as it is, not as JSON. */
export class Words {
  constructor(readonly text: string) {}
}

/** A value in a failure: short, on one line. */
export function shown(value: unknown): string {
  if (value instanceof Words) return value.text;
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' && isPlain(value) ? value : JSON.stringify(value);
  return text.length > 400 ? `${text.slice(0, 400)} … (${text.length} characters)` : text;
}

/** Words that need no quotation marks: of ASCII, with a space between each two and none at an end. */
const isPlain = (text: string): boolean => /^[\x21-\x7e]+(?: [\x21-\x7e]+)+$/.test(text);

/** An answer in a few words, without secrets: status, and what the error says. */
export function formatAnswer(answer: Answer): string {
  const error = member(answer.json, 'error');
  const says =
    typeof error === 'string'
      ? ` with error ${shown(error)}`
      : error !== undefined
        ? ` with error ${shown(error)}`
        : answer.json === undefined
          ? ` with ${answer.text === '' ? 'no body' : notJson(answer)}`
          : ` with ${shape(answer.json)}`;
  return `status ${answer.status}${says}`;
}

const notJson = ({ headers, problem }: Answer): string =>
  `a body that is not JSON (${problem ?? header({ headers }, 'content-type') ?? 'no content type'})`;

function shape(value: unknown): string {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value !== 'object' || value === null) return `the JSON value ${shown(value)}`;
  const names = Object.entries(value).map(([name, inner]) => (inner === null ? `${name}: null` : name));
  return names.length === 0
    ? 'an empty object'
    : `an object of ${names.slice(0, 6).join(', ')}${names.length > 6 ? ', …' : ''}`;
}

/** JSON with the members of every object in order. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
    ) ?? 'nothing'
  );
}
