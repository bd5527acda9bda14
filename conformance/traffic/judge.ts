import { createHash } from 'node:crypto';

import { SetupError } from '../../src/input/setup-error.js';
import { editionOf, headOf, judged, rowResult, suiteOf } from '../engine/assemble.js';
import { Issued } from '../engine/issued.js';
import { monitored } from '../engine/monitored.js';
import { warned } from '../engine/outcome.js';
import { isBinding } from '../ledger.js';
import type { Monitors } from '../engine/monitors.js';
import { stepsOf } from '../engine/repro.js';
import { hidden, settingsOf } from '../engine/secrets.js';
import { createMonitors } from '../monitors/monitors.js';
import { planOf, rowIds } from '../plan.js';
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
import { TrafficHistories } from './histories.js';
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

/** How many distinct texts are listed of what was not judged. */
const mostTexts = 40;

/**
 * Judges recorded exchanges: every response by the contract and by what monitors watch, as a run does with the answers
 * that it gets. No server is needed, and nothing is asked of the requests.
 *
 * @throws SetupError where a file cannot be read, where none has an exchange, and where it is open which server is meant
 */
export async function checkTraffic(options: CheckOptions): Promise<RunReport> {
  const started = new Date();
  const files = await filesOf(options.paths);
  const judge = new TrafficJudge(options);
  const { onExchange } = options;
  for (const file of files)
    for await (const recorded of exchangesOf(file)) {
      onExchange?.(judge.count + 1);
      judge.take(recorded);
    }
  if (judge.count === 0)
    throw new SetupError(
      `${files.join(', ')}: no exchanges are recorded there; record requests and their responses, and export again`,
    );
  return reportOf(judge, options, { files, started });
}

/** Takes recorded exchanges one by one, and knows then what was found. */
export class TrafficJudge {
  readonly monitors: Monitors;
  readonly histories: TrafficHistories;
  readonly unjudged = new Unjudged();
  /** Exchanges taken, and those of them that were judged. */
  count = 0;
  judged = 0;
  readonly #given: Target;
  readonly #servers: Servers;
  readonly #issued: Issued;
  /** The number of the first exchange of each file: a violation knows its answer's. */
  readonly #starts: { readonly place: Recorded['place']; readonly number: number }[] = [];
  readonly #seen = new Set<string>();

  constructor({ target, named }: Pick<CheckOptions, 'target' | 'named'>) {
    this.#given = target;
    this.#servers = new Servers(target, named);
    this.#issued = new Issued(target);
    this.monitors = createMonitors(target);
    this.histories = new TrafficHistories(target.propagation_ms);
  }

  /** @param unjudged why the exchange is not to be judged, where somebody knows already */
  take(recorded: Recorded, unjudged?: string): void {
    const { entry, place } = recorded;
    const number = (this.count += 1);
    if (this.#starts.at(-1)?.place.file !== place.file) this.#starts.push({ place, number });
    for (const value of credentialsOf(entry)) this.#issued.add(value);
    const found = this.#servers.find(entry.request.method, entry.request.url);
    if ('stray' in found) return this.unjudged.add(reasons[found.stray], found.what);
    const { logical, server } = found.operation;
    if (unjudged !== undefined) return this.unjudged.add(unjudged, logical);
    if (server === 'authorization' && isAgain(recorded, this.#seen)) return this.unjudged.add(reasons.again, logical);
    let answer: Answer;
    try {
      answer = answerOf(entry, found, this.#given, number);
    } catch (error) {
      if (!(error instanceof NotJudgeable)) throw error;
      return this.unjudged.add(error.message, logical);
    }
    if (isOfIntermediary(answer)) return this.unjudged.add(reasons.intermediary, `${logical}, status ${answer.status}`);
    this.histories.take(entry, answer, { file: place.file, operation: logical });
    return this.#judge(answer, logical);
  }

  #judge(answer: Answer, logical: string): void {
    this.judged += 1;
    this.#issued.see(answer);
    this.monitors.answer(answer);
    if (logical !== 'authorize') return;
    const { redirect, fields } = redirectOf(answer);
    if (redirect.code !== null) this.#issued.add(redirect.code);
    this.monitors.redirect(redirect, { fields, answer });
  }

  /** The target with the addresses that the recording has. */
  target(): Target {
    return { ...this.#given, ...this.#servers.addresses };
  }

  /** Hides the settings' secrets and whatever the recording shows that a server issued. */
  redact(text: string): string {
    return this.#issued.hide(hidden(text, settingsOf(this.target())));
  }

  steps(answer: Answer): ReturnType<typeof stepsOf> {
    return stepsOf({ answers: [answer], target: this.target(), issued: this.#issued });
  }

  /** Where the exchange of an answer stands in its file. */
  placeOf({ number }: Answer): string {
    const { place, number: first } = this.#starts.findLast((one) => one.number <= number)!;
    return placeText({ ...place, number: place.number + number - first });
  }
}

/** The rows that monitors watch, by what they saw. */
export function rowsOf(judge: TrafficJudge, { only, replay }: Pick<CheckOptions, 'only' | 'replay'>) {
  const redact = (text: string): string => judge.redact(text);
  const results = new Map([...judge.monitors.results(), ...judge.histories.results()]);
  const planned = planOf(only).filter(({ row }) => results.has(row.id));
  return planned.map(({ row }) => {
    const result = results.get(row.id);
    const said = monitored(row, result, {
      failure: ({ expected, got, answer, history }): Failure => ({
        expected: redact(expected),
        got: redact(got),
        ...(history && { history }),
        trace: answer ? judge.steps(answer) : [],
        script: '',
        seed: 0,
        paths: {},
        replay: replay.replace('{row}', row.id),
      }),
      redact,
      unseen: () => ({ verdict: 'not exercised', reason: 'no recorded response contained the case' }),
    });
    const outcome = warned(said, isBinding(row) ? undefined : row);
    const seen = result?.violations[0]?.answer;
    const notes = seen ? [`First seen in ${judge.placeOf(seen)}.`, ...outcome.notes] : outcome.notes;
    return rowResult(row, { ...outcome, notes });
  });
}

/** What was found so far. */
export function reportOf(
  judge: TrafficJudge,
  options: Pick<CheckOptions, 'only' | 'waivers' | 'today' | 'version' | 'command' | 'replay'>,
  { files, started }: { readonly files: readonly string[]; readonly started: Date },
): RunReport {
  const { version, command, today } = options;
  const target = judge.target();
  const rows = rowsOf(judge, options);
  // A recording shows a part of what a server does: a waiver that it gives no cause for is not stale.
  const failed = new Set(rows.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));
  const waived = applyWaivers(
    rows,
    [...target.waivers, ...options.waivers].filter(({ id }) => failed.has(id)),
    today,
    rowIds,
  );
  const counts = tally(waived.rows);
  const observations = [...judge.unjudged.sentences(), ...judge.monitors.observations()];
  return {
    ...headOf(target, describeTarget(target), { suite: suiteOf(version), command, started }),
    seed: 0,
    runs: 1,
    ...judged(counts, { incomplete: [], problems: waived.problems }),
    counts,
    requests: { announced: judge.count, sent: 0 },
    recording: { files, exchanges: judge.count, judged: judge.judged },
    capabilities: [],
    edition: editionOf(target.edition, judge.monitors.edition()),
    rows: waived.rows,
    observations: observations.map((text) => judge.redact(text)),
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
    const reasonKept = this.#byReason.has(reason) || this.#byReason.size < mostTexts ? reason : 'of other reasons';
    const texts = this.#byReason.get(reasonKept) ?? new Map<string, number>();
    this.#byReason.set(reasonKept, texts);
    const text = what.slice(0, 120);
    const known = texts.has(text) || texts.size < mostTexts ? text : 'others';
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
  // What a proxy hands over passed once, however alike two of them are.
  if (typeof startedDateTime !== 'string' || Buffer.isBuffer(response.content?.bytes)) return false;
  const print = createHash('sha256')
    .update(JSON.stringify([startedDateTime, request.method, request.url, response.status]))
    .update(responseBody(entry).bytes)
    .digest('base64');
  if (seen.has(print)) return true;
  if (seen.size < 200_000) seen.add(print);
  return false;
}
