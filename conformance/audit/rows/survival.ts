import { answered } from '../answered.js';
import type { Call } from '../call.js';
import { lastWords } from '../last-words.js';
import { redactor } from '../redact.js';
import type { AuditLevel, AuditRow, Finding } from '../row.js';
import { groups, violation } from '../row.js';
import type { WorldRun } from '../run.js';
import { askedBy } from './queries.js';
import { isEnd } from './walks.js';

/** Why a client's end cannot be compared. */
export const calmFirst = 'the client does not end with success in the calm world; nothing can be compared with that';

/** A row that asks whether the client got through the worlds that name it. */
function survives(
  id: string,
  level: AuditLevel,
  source: string,
  sentence: string,
  {
    asItShould = () => false,
    follows = [],
  }: { readonly asItShould?: (run: WorldRun) => boolean; readonly follows?: readonly string[] } = {},
): AuditRow {
  return {
    id,
    level,
    sentence,
    source,
    follows,
    how: 'The client ends with success in its worlds, as it does in the calm one. One that is stopped while it waits or goes on needs more time, and has not failed; one that asks for nothing but what it was given, three times and more, or that has asked nothing for a minute, though nothing refused it, has. Where a world has the client come to the end of a stream sooner, it may wait there.',
    judge: (run) => {
      if (run.world.survival !== id) return { exercised: 0, violations: [] };
      const met = run.world.met ? run.calls.filter(run.world.met) : answered(run.calls);
      if (met.length === 0 && run.endedInCalm === true && hasHung(run)) return violatedBy(run, run.calls.slice(-2));
      if (met.length === 0)
        return { exercised: 0, violations: [], ...(!run.ended && wasStopped(run) && { obstacle: tooEarly(run) }) };
      if (run.endedInCalm === undefined) return { exercised: 0, violations: [] };
      if (!run.endedInCalm) return { exercised: 0, violations: [], obstacle: calmFirst };
      const wentOn = run.ended || asItShould(run) ? 'through' : stoppedWhile(run, met[0]!);
      if (wentOn === 'going on' && isStuck(run, met[0]!)) return violatedBy(run, [met[0]!, ...run.calls.slice(-2)]);
      if (wentOn === 'waiting' || (wentOn === 'going on' && !id.startsWith('PACE-')))
        return { exercised: 0, violations: [], obstacle: moreTime(run) };
      return wentOn === undefined
        ? violatedBy(run, [met[0]!, ...run.calls.slice(-2)])
        : { exercised: met.length, violations: [] };
    },
  };
}

const violatedBy = (run: WorldRun, calls: readonly Call[]): Finding => ({
  exercised: 1,
  violations: [violation('success at the end, as in the calm world', endingOf(run), ...calls)],
});

/** Characters of what a client said last that are shown. */
const mostWords = 300;

/** How a client ended, and what it said last, without secrets: also a terminal keeps it. */
export function endingOf(run: WorldRun): string {
  const { endings } = run;
  const bad = endings.find(({ how, code }) => how !== 'exit' || code !== 0) ?? endings.at(-1);
  if (!bad) return 'success';
  const words = redactor([run]).text(lastWords(bad.output));
  const last = words.length > mostWords ? `${words.slice(0, mostWords)}…` : words;
  const said = last === '' ? '' : `, with: ${last}`;
  if (bad.how === 'missing') return `there is no command ${bad.command ?? ''}`;
  if (bad.how === 'failed') return 'the command cannot be run';
  return `${bad.how === 'time' ? `still running after ${Math.round(bad.ms / 1000)} s, and stopped` : bad.how === 'signal' ? `ended by ${bad.signal}` : `exit code ${bad.code}`}${said}`;
}

/** A client waits no longer than this for a service that does not say how long, ms. */
const patience = 60_000;
/** One that still asks has sent its last request so long ago at most, ms. */
const recent = 15_000;

const wasStopped = ({ endings }: WorldRun): boolean => endings.at(-1)?.how === 'time';

/** Whether a client that was stopped had asked nothing for longer than anybody waits, though nothing had refused it. */
function hasHung(run: WorldRun): boolean {
  if (run.ended || !wasStopped(run)) return false;
  const stopped = run.endings.reduce((sum, { ms }) => sum + ms, 0);
  const last = run.calls.findLast(({ data }) => data);
  return last !== undefined && last.status === 200 && stopped - last.end > patience;
}

const tooEarly = ({ world, endings }: WorldRun): string =>
  `in the world ${world.id} the client was stopped after ${Math.round((endings.at(-1)?.ms ?? 0) / 1000)} s, before it met what the world is about; run it alone, with more time: --world ${world.id} --time-limit 300`;

const moreTime = ({ world, endings }: WorldRun): string =>
  `in the world ${world.id} the client was stopped after ${Math.round((endings.at(-1)?.ms ?? 0) / 1000)} s, while it waited or went on; give it more: --time-limit`;

/** What a client that was stopped did at that time; undefined where it hung, or was not stopped. */
function stoppedWhile({ calls, endings }: WorldRun, met: Call): 'waiting' | 'going on' | undefined {
  if (endings.at(-1)?.how !== 'time') return undefined;
  const stopped = endings.reduce((sum, { ms }) => sum + ms, 0);
  const last = calls.findLast(({ data }) => data);
  if (last === undefined) return undefined;
  const isRefused = last.status === 429 || last.status === 503 || last.decision === 'limited';
  const asked = Number(last.replyHeaders['retry-after'] ?? 0) * 1000;
  if (isRefused && stopped - last.end < Math.max(patience, asked + recent))
    return calls.some(({ data, status, number }) => data && status === 200 && number > met.number)
      ? 'going on'
      : 'waiting';
  return last.number > met.number && last.status === 200 && stopped - last.end < recent ? 'going on' : undefined;
}

/** Whether a client only asks again for what it was given, since it met what the world is about: it cannot read it. */
function isStuck({ calls }: WorldRun, met: Call): boolean {
  const since = calls.filter(({ data, browser, number }) => data && !browser && number >= met.number);
  return groups(since, askedBy).every(
    (same) => same.length > 2 && same.every((call) => call.status === 200 && call.delivery === 'sent' && !isEnd(call)),
  );
}

/**
 * Whether a client was stopped while it waited at the end of a stream for more to come, as 4.2 tells it to. How long it
 * waits there is its own affair, and so is what it does meanwhile.
 */
function waitsAtEnd({ calls, endings }: WorldRun): boolean {
  const last = new Map(calls.filter(({ data }) => data).map((call) => [`${call.operation} ${call.realm}`, call]));
  return [...last.values()].some(isEnd) && endings.every(({ how, code }) => how === 'time' || code === 0);
}

export const survival: readonly AuditRow[] = [
  survives(
    'READ-UNKNOWN-001',
    'MUST',
    '9',
    'Fields appear in newer editions: members that the client does not know are no error.',
  ),
  survives('READ-UNKNOWN-002', 'MUST-RFC', 'RFC 6749 5.1', 'Unrecognized members of a token response are ignored.'),
  survives(
    'READ-UNKNOWN-003',
    'MUST-RFC',
    'RFC 6749 4.1.2',
    'Unrecognized parameters of an authorization response are ignored, whatever their order.',
  ),
  survives('READ-NULL-001', 'MUST', '2', 'A field whose type begins with ? may be null.'),
  survives('READ-ABSENT-001', 'MUST', '2', 'A field whose type begins with ? may be absent.'),
  survives('READ-EDITION-001', 'MUST', '9', 'Fields marked variant are missing in some editions.'),
  survives('READ-ORDER-001', 'MUST-RFC', 'RFC 8259 1', 'The members of an object have no order.'),
  survives('READ-JSON-001', 'MUST-RFC', 'RFC 8259 9', 'White space and escapes are part of JSON.'),
  survives(
    'READ-CODING-001',
    'MUST-RFC',
    'RFC 9110 12.5.3',
    'A client decodes the content coding that its Accept-Encoding names.',
  ),
  survives('READ-DATE-001', 'ADVICE', '2', 'Dates are ISO 8601 date-time strings, with any offset and fraction.'),
  survives(
    'READ-VALUE-001',
    'MUST',
    '2',
    'No list of the values of class, stashType or type of a tab is given: one that the client does not know is no error.',
  ),
  survives('READ-NAME-001', 'MUST', '2', 'A league or a character may have any name.', {
    follows: ['ADDR-ENCODE-001', 'ADDR-ENCODE-002', 'ADDR-PATH-001', 'ADDR-NAME-001'],
  }),
  survives(
    'READ-MISSING-001',
    'ADVICE',
    '7',
    'A league, match, character or stash may be gone when it is looked up: its wrapper is null then.',
  ),
  survives('READ-EMPTY-001', 'ADVICE', '4.2', 'A list may be empty.'),
  survives('READ-OBSERVED-001', 'ADVICE', 'observed', 'The client accepts the forms that live services send.'),
  survives('READ-LARGE-001', 'ADVICE', 'observed', 'A page may have 3 MB.'),
  survives('READ-SLOW-001', 'ADVICE', 'observed', 'A body may come slowly, and a reply late.'),
  survives(
    'READ-TOKEN-001',
    'SHOULD-RFC',
    'RFC 6749 5.1',
    'The client makes no assumptions about the sizes of tokens.',
  ),
  survives('READ-EXPIRES-001', 'ADVICE', 'RFC 6749 5.1', 'expires_in may be left out.'),
  survives(
    'READ-UNLISTED-001',
    'MUST',
    '2',
    'The optional properties of a stash that is not public are null, or omitted.',
  ),
  survives('READ-CURSOR-001', 'MUST', '4.2', 'The id of the stash stream is a code: it may have any characters.', {
    asItShould: waitsAtEnd,
    follows: ['STREAM-ID-001', 'STREAM-ID-002', 'STREAM-ID-004'],
  }),
  survives('READ-PRUNED-001', 'MUST', '4.2', 'Old entries of the exchange history may be removed.', {
    asItShould: waitsAtEnd,
  }),
  survives('READ-QUIET-001', 'MUST', '4.2', 'An hour without trades has no markets.', { asItShould: waitsAtEnd }),
  survives(
    'READ-TABS-001',
    'ADVICE',
    '4.2',
    'The list of stashes includes sub-tabs and tabs in folders, nested or side by side.',
  ),
  survives(
    'READ-STATUS-001',
    'ADVICE',
    '4.2',
    'Any 2xx says that a filter was taken: 201 for a new one too, and 202 with an error for an update that needs further processing.',
  ),
  survives('READ-HEX-001', 'ADVICE', '2', 'Hexadecimal ids may have upper-case digits.'),
  survives(
    'READ-END-001',
    'MUST',
    '4.2',
    'An empty stashes array is the end of the stream, and a repeated next_change_id the end of the exchange history.',
    {
      asItShould: waitsAtEnd,
      follows: ['STREAM-ID-001', 'STREAM-ID-002', 'STREAM-ID-004', 'EXCHANGE-ID-001', 'EXCHANGE-ID-002'],
    },
  ),
  survives('PACE-SURVIVE-001', 'ADVICE', 'RFC 6585 4', 'A 429 says when to ask again: it does not end the client.'),
  survives('PACE-SURVIVE-002', 'ADVICE', 'RFC 9110 15.6.4', 'A 503 is temporary: it does not end the client.'),
  survives(
    'PACE-SURVIVE-003',
    'ADVICE',
    'observed',
    'The client survives repeated limits and a policy that changes while it runs.',
  ),
  survives(
    'PACE-SURVIVE-004',
    'ADVICE',
    'observed',
    'Something in front of the service may answer with a page of HTML.',
  ),
  survives(
    'PACE-SURVIVE-005',
    'ADVICE',
    'RFC 9110 9.2.2',
    'A connection may be reset, or end within a body; a GET can be sent again.',
  ),
  survives('PACE-SURVIVE-006', 'ADVICE', 'RFC 9110 10.2.3', 'Retry-After may be a date.'),
  survives('PACE-SURVIVE-007', 'ADVICE', 'RFC 6585 4', 'A 429 may come without Retry-After.'),
  survives(
    'TOK-SURVIVE-001',
    'ADVICE',
    '5.3',
    'An access token may end before its time: the client gets another one and goes on.',
  ),
  survives(
    'TOK-SURVIVE-002',
    'ADVICE',
    'RFC 9110 15.6.4',
    'A token endpoint that is busy once does not end the client.',
  ),
  survives(
    'TOK-SURVIVE-003',
    'ADVICE',
    '4.1',
    'A token response has a refresh token only where these are enabled for the application: a client gets along without.',
  ),
];
