import { formatAnswer, Words } from '../engine/format.js';
import type { Run } from '../engine/run.js';
import { member } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';
import { thatDeclared } from './declared.js';

/** What an answer says of a wrapper field, for a failure: its value, or that it is missing or null, and in what answer. */
function saying(answer: Answer, wrapper: string): unknown {
  const value = member(answer.json, wrapper);
  if (value === undefined) return new Words(`no member ${wrapper}: ${formatAnswer(answer)}`);
  return value === null ? new Words(formatAnswer(answer)) : value;
}

/**
 * The answer to a lookup of what does not exist: the wrapper field is there and null (interface 7, K-115). Its status
 * is the one that the target declares, and free without a declaration (K-024).
 */
export function expectNull(run: Run, answer: Answer, wrapper: string): void {
  run.expect.status(answer, 200, 404);
  run.expect.that(member(answer.json, wrapper) === null, `${wrapper}: null`, saying(answer, wrapper), answer);
  const { null_lookup_status: declared } = run.facts.target.readings;
  if (declared === 'any') return;
  const { status } = answer;
  thatDeclared(run, 'null_lookup_status', status === declared, `status ${declared}`, status, answer);
}

/** An answer that gives nothing away: refused (4xx), or the wrapper field null. Answers which of the two it was. */
export function expectDenied(run: Run, answer: Answer, wrapper: string): 'null' | 'refused' {
  const value = member(answer.json, wrapper);
  const refused = answer.status >= 400 && answer.status <= 499;
  run.expect.that(
    refused ? value === undefined || value === null : answer.status === 200 && value === null,
    `nothing to be given: ${wrapper} null, or status 4xx`,
    saying(answer, wrapper),
    answer,
  );
  return refused && value === undefined ? 'refused' : 'null';
}
