import { createHash } from 'node:crypto';

import { SetupError } from '../../src/input/setup-error.js';
import { editionOf, headOf, judged, rowResult, suiteOf } from '../engine/assemble.js';
import { Issued } from '../engine/issued.js';
import { monitored } from '../engine/monitored.js';
import { warned } from '../engine/outcome.js';
import { isBinding } from '../ledger.js';
import type { Violation } from '../engine/monitors.js';
import { stepsOf } from '../engine/repro.js';
import { hidden, settingsOf } from '../engine/secrets.js';
import { ledger } from '../ledger.gen.js';
import { createMonitors } from '../monitors/monitors.js';
import { planOf } from '../plan.js';
import { applyWaivers } from '../waivers.js';
import type { PlacedWaiver } from '../waivers.js';
import type { Failure, RunReport } from '../result.js';
import { tally } from '../standing.js';
import { describeTarget } from '../target/describe.js';
import type { Target } from '../target/target.js';
import type { Answer } from '../wire/answer.js';
import { isOfIntermediary } from '../wire/intermediary.js';
import { answerOf, credentialsOf, redirectOf, NotJudgeable } from './answer.js';
import { responseBody } from './entry.js';
import { Servers } from './servers.js';
import { exchangesOf, filesOf, placeText } from './source.js';
import type { Recorded } from './source.js';

export interface CheckOptions {
  /** Files, and folders of them. */
  readonly paths: readonly string[];
  readonly target: Target;
  /** Whether the target names the addresses; else the recording's own are taken. */
  readonly named: boolean;
  readonly only: readonly string[];
  readonly waivers: readonly PlacedWaiver[];
  /** Waivers that expire before this day (yyyy-mm-dd) are problems. */
  readonly today: string;
  readonly version: string;
  readonly command: string;
  /** The command that checks a failed row again, `{row}` for its id. */
  readonly replay: string;
  readonly onExchange?: (number: number) => void;
}

/** How many distinct texts are listed of what was not judged, and how many violations are placed in their file. */
const listed = { texts: 40, shown: 6 };

/**
 * Judges recorded exchanges: every response by the contract and by what monitors watch, as a run does with the answers
 * that it gets. No server is needed, and nothing is asked of the requests.
 *
 * @throws SetupError where a file cannot be read, and where it is open which server is meant
 */
export async function checkTraffic(options: CheckOptions): Promise<RunReport> {
  const { target: given, version, command, only, today } = options;
  const started = new Date();
  const files = await filesOf(options.paths);
  const servers = new Servers(given, options.named);
  const monitors = createMonitors(given);
  const results = monitors.results();
  const plan = planOf(only).filter(({ row }) => results.has(row.id));
  const issued = new Issued(given);
  const unjudged = new Unjudged();
  /** The number of the first exchange of each file: a violation knows its answer's. */
  const starts: { readonly recorded: Recorded; readonly number: number }[] = [];
  const again = new Set<string>();
  let [number, judgedCount] = [0, 0];

  const take = (recorded: Recorded): void => {
    const { entry, place } = recorded;
    number += 1;
    if (starts.at(-1)?.recorded.place.file !== place.file) starts.push({ recorded, number });
    options.onExchange?.(number);
    for (const value of credentialsOf(entry)) issued.add(value);
    const found = servers.find(entry.request.method, entry.request.url);
    if ('stray' in found) return unjudged.add(reasons[found.stray], found.what);
    const { logical } = found.operation;
    if (found.operation.server === 'authorization' && isAgain(recorded, again))
      return unjudged.add(reasons.again, logical);
    let answer: Answer;
    try {
      answer = answerOf(entry, found, given, number);
    } catch (error) {
      if (!(error instanceof NotJudgeable)) throw error;
      return unjudged.add(error.message, logical);
    }
    if (isOfIntermediary(answer)) return unjudged.add(reasons.intermediary, `${logical}, status ${answer.status}`);
    judgedCount += 1;
    issued.see(answer);
    monitors.answer(answer);
    if (logical !== 'authorize') return undefined;
    const { redirect, fields } = redirectOf(answer);
    if (redirect.code !== null) issued.add(redirect.code);
    monitors.redirect(redirect, { fields, answer });
    return undefined;
  };
  for (const file of files) for await (const recorded of exchangesOf(file)) take(recorded);
  if (number === 0)
    throw new SetupError(
      `${files.join(', ')}: no exchanges are recorded there; record requests and their responses, and export again`,
    );

  const target = { ...given, ...servers.addresses };
  const secrets = settingsOf(target);
  const redact = (text: string): string => issued.hide(hidden(text, secrets));
  const failure = (row: string, { expected, got, answer }: Violation): Failure => ({
    expected: redact(expected),
    got: redact(got),
    trace: answer ? stepsOf({ answers: [answer], target, issued }) : [],
    script: '',
    seed: 0,
    paths: {},
    replay: options.replay.replace('{row}', row),
  });
  const placed = ({ number: at }: Answer): string => {
    const { recorded, number: first } = starts.findLast((one) => one.number <= at)!;
    return placeText({ ...recorded.place, number: recorded.place.number + at - first });
  };
  const found = monitors.results();
  const rows = plan.map(({ row }) => {
    const result = found.get(row.id);
    const said = monitored(row, result, {
      failure: (violation) => failure(row.id, violation),
      redact,
      unseen: () => ({ verdict: 'not exercised', reason: 'no recorded response contained the case' }),
    });
    const outcome = warned(said, isBinding(row) ? undefined : row);
    const [violation] = result?.violations ?? [];
    const notes = violation?.answer ? [`First seen in ${placed(violation.answer)}.`, ...outcome.notes] : outcome.notes;
    return { row, outcome: { ...outcome, notes } };
  });
  const complete = rows.map(({ row, outcome }) => rowResult(row, outcome));
  // A recording shows a part of what a server does: a waiver that it gives no cause for is not stale.
  const failed = new Set(complete.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));
  const waived = applyWaivers(
    complete,
    [...target.waivers, ...options.waivers].filter(({ id }) => failed.has(id)),
    today,
    new Set(ledger.map(({ id }) => id)),
  );
  const counts = tally(waived.rows);
  return {
    ...headOf(target, describeTarget(target), { suite: suiteOf(version), command, started }),
    seed: 0,
    runs: 1,
    ...judged(counts, { incomplete: [], problems: waived.problems }),
    counts,
    requests: { announced: number, sent: 0 },
    recording: { files, exchanges: number, judged: judgedCount },
    capabilities: [],
    edition: editionOf(target.edition, monitors.edition()),
    rows: waived.rows,
    observations: [...unjudged.sentences(), ...monitors.observations()].map(redact),
    problems: waived.problems,
  };
}

const reasons = {
  host: 'they are with another host',
  path: 'the contract does not have their method and path',
  method: 'the interface does not describe HEAD and OPTIONS',
  intermediary: 'a gateway or an edge seems to have answered in place of the API',
  again: 'they were recorded twice',
};

/** Exchanges that were not judged, by the reason. */
class Unjudged {
  readonly #byReason = new Map<string, Map<string, number>>();

  add(reason: string, what: string): void {
    const texts = this.#byReason.get(reason) ?? new Map<string, number>();
    this.#byReason.set(reason, texts);
    const text = what.slice(0, 120);
    const known = texts.has(text) || texts.size < listed.texts ? text : 'others';
    texts.set(known, (texts.get(known) ?? 0) + 1);
  }

  sentences(): string[] {
    return [...this.#byReason].map(([reason, texts]) => {
      const all = [...texts.values()].reduce((sum, times) => sum + times, 0);
      const most = [...texts].toSorted(([, a], [, b]) => b - a);
      return `Not judged: ${all} exchange${all === 1 ? '' : 's'}, because ${reason}: ${most.map(([text, times]) => `${text} (${times})`).join(', ')}.`;
    });
  }
}

/** Whether an exchange was there before: two recordings of a folder may overlap, and no token or code is issued twice for that. */
function isAgain({ entry }: Recorded, seen: Set<string>): boolean {
  const { startedDateTime, request, response } = entry;
  if (typeof startedDateTime !== 'string') return false;
  const print = createHash('sha256')
    .update(JSON.stringify([startedDateTime, request.method, request.url, response.status]))
    .update(responseBody(entry).bytes)
    .digest('base64');
  if (seen.has(print)) return true;
  if (seen.size < 200_000) seen.add(print);
  return false;
}
