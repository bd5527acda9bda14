import type { LogicalOperation } from '../../src/contract/index.js';
import type { MonitorResult, Violation } from '../engine/monitors.js';
import type { Call, Core } from '../histories/history.js';
import { Recorder } from '../histories/recorder.js';
import type { Answered, Asked } from '../histories/recorder.js';
import { trialOf } from '../histories/trial.js';
import { formatCore, ms } from '../histories/words.js';
import type { RowId } from '../ledger.gen.js';
import { evident, member, succeeded } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';
import { headersOf, requestBody } from './entry.js';
import type { HarEntry } from './entry.js';

/** How many calls of a grant are looked at, and how many grants. */
const most = { calls: 300, grants: 20_000 };

/** The rows that histories decide. */
const rows = ['LIFE-016', 'LIFE-017', 'INTRO-022'] as const satisfies readonly RowId[];
type HistoryRow = (typeof rows)[number];

interface Grant {
  readonly recorder: Recorder;
  /** The exchange that it is known by. */
  readonly answer: Answer;
  readonly calls: { readonly sent: number; readonly ended: number }[];
  /** A token was issued twice: by a server that was started anew, or that a row about tokens blames. */
  repeats: boolean;
}

/**
 * What a recording shows of the grants whose exchange is in it. Lives that end, users who end them, and whoever else has
 * the tokens are not recorded. So anything may end at any time, and what is told is who won what another had won, and what
 * worked after a revocation.
 */
export class TrafficHistories {
  readonly #grants: Grant[] = [];
  /** By code and token, of one file: clocks of two may differ. */
  readonly #byText = new Map<string, Grant>();
  #file = '';

  /** `allowed`: the longest lag in milliseconds that does not blame; any where it is left out. */
  constructor(readonly allowed?: number) {}

  /** Takes an exchange. One without times does not tell what came first. */
  take(
    entry: HarEntry,
    answer: Answer,
    { file, operation }: { readonly file: string; readonly operation: LogicalOperation },
  ): void {
    if (file !== this.#file) this.#byText.clear();
    this.#file = file;
    const sent = typeof entry.startedDateTime === 'string' ? Date.parse(entry.startedDateTime) : Number.NaN;
    const asked = askedBy(entry, operation);
    if (Number.isNaN(sent) || typeof entry.time !== 'number' || entry.time < 0 || !asked) return;
    const answered = answeredBy(asked, answer);
    const grant = this.#byText.get(asked.text) ?? this.#begun(asked, answer, sent);
    if (answered === undefined || !grant || grant.calls.length >= most.calls) return;
    for (const text of typeof answered === 'object' ? answered.issued : []) {
      const known = this.#byText.get(text);
      for (const one of known ? [known, grant] : []) one.repeats = true;
      this.#byText.set(text, grant);
    }
    // Both are rounded to milliseconds.
    const at = { sent, ended: sent + entry.time + 2 };
    grant.calls.push(at);
    grant.recorder.take({ caller: 0, ...at }, asked, answered);
  }

  #begun({ verb, text }: AskedWith, answer: Answer, sent: number): Grant | undefined {
    if (verb !== 'exchange' || !succeeded(answer) || this.#grants.length >= most.grants) return undefined;
    const recorder = new Recorder(() => Promise.resolve(undefined));
    recorder.take({ caller: 0, sent, ended: sent }, { verb: 'consent' }, { issued: [text] });
    const grant = { recorder, answer: evident(answer), calls: [], repeats: false };
    this.#grants.push(grant);
    this.#byText.set(text, grant);
    return grant;
  }

  /** What the rows are decided by. */
  results(): ReadonlyMap<HistoryRow, MonitorResult> {
    const found = new Map(
      rows.map((row) => [
        row,
        { exercised: 0, violations: [] as Violation[], count: 0, warnings: [] as string[], applicable: true },
      ]),
    );
    for (const grant of this.#grants) this.#judge(grant, found);
    return found;
  }

  #judge({ recorder, answer, repeats }: Grant, found: Map<HistoryRow, Found>): void {
    if (repeats) return;
    const calls = inLanes(recorder.history.calls);
    for (const row of rows) if (calls.some(about[row])) found.get(row)!.exercised += 1;
    const { verdict, core } = trialOf(
      { calls: [...calls, ...unrecorded(calls)] },
      this.allowed === undefined ? {} : { allowed: this.allowed },
    );
    if (!core) return;
    const row = rowOf(core);
    const result = found.get(row)!;
    if (verdict.kind === 'stale') {
      if (this.allowed === undefined && result.warnings.length === 0)
        result.warnings.push(
          `what is revoked was seen to work ${ms(verdict.lag)} later, as RFC 7009 2.2 lets it; propagation_ms in the target sets a limit`,
        );
      return;
    }
    result.count += 1;
    if (result.violations.length < 5)
      result.violations.push({
        expected: 'an order of the calls that explains every reply',
        got: formatCore(core.calls),
        answer,
        history: core,
      });
  }
}

type Found = { exercised: number; violations: Violation[]; count: number; warnings: string[] };
type AskedWith = Asked & { readonly text: string };

const about: Readonly<Record<HistoryRow, (call: Call) => boolean>> = {
  'LIFE-016': ({ verb }) => verb === 'refresh' || verb === 'revoke',
  'LIFE-017': ({ verb }) => verb === 'exchange',
  'INTRO-022': ({ verb }) => verb === 'introspect',
};

/** The row whose sentence a history breaks. */
function rowOf({ calls }: Core): HistoryRow {
  if (calls.some(about['INTRO-022'])) return 'INTRO-022';
  return calls.filter(about['LIFE-017']).length > 1 ? 'LIFE-017' : 'LIFE-016';
}

/** What may have ended any of it, at any time. */
function unrecorded(calls: readonly Call[]): readonly Call[] {
  const [first] = calls;
  const ends = calls.flatMap(({ reply, ended = 0 }): Call[] =>
    typeof reply === 'object' && reply.issued[0]?.startsWith('a')
      ? [{ caller: 0, verb: 'revoke', token: reply.issued[0], sent: ended }]
      : [],
  );
  return first ? [{ caller: 0, verb: 'end', sent: first.sent }, ...ends] : [];
}

/** Each call on the first lane on which no other is under way: who called is not recorded. */
function inLanes(calls: readonly Call[]): readonly Call[] {
  const free: number[] = [];
  return calls
    .toSorted((one, other) => one.sent - other.sent)
    .map((call) => {
      const lane = free.findIndex((until) => until <= call.sent);
      const caller = lane < 0 ? free.length : lane;
      free[caller] = call.ended ?? Infinity;
      return { ...call, caller };
    });
}

function askedBy(entry: HarEntry, operation: LogicalOperation): AskedWith | undefined {
  const form = new URLSearchParams(requestBody(entry));
  const about = (verb: Asked['verb'], text: string | null | undefined): AskedWith | undefined =>
    text ? { verb, text } : undefined;
  switch (operation) {
    case 'issueToken':
      return form.get('grant_type') === 'refresh_token'
        ? about('refresh', form.get('refresh_token'))
        : about('exchange', form.get('code'));
    case 'revokeToken':
      return about('revoke', form.get('token'));
    case 'introspectToken':
      return about('introspect', form.get('token'));
    case 'authorize':
      return undefined;
    default: {
      const { authorization } = headersOf(entry.request.headers);
      return about('use', /^Bearer +([^ ].*)$/i.exec(String(authorization))?.[1]);
    }
  }
}

/** A refusal of a code or a refresh token is not taken: what else was wrong with the request is not known. */
function answeredBy({ verb }: Asked, answer: Answer): Answered | undefined {
  if (verb === 'use') return succeeded(answer) ? 'works' : answer.status === 401 ? 'refused' : undefined;
  if (!succeeded(answer)) return undefined;
  if (verb === 'revoke') return 'done';
  if (verb === 'introspect') {
    const active = member(answer.json, 'active');
    return typeof active === 'boolean' ? (active ? 'active' : 'inactive') : undefined;
  }
  const issued = ['access_token', 'refresh_token'].map((name) => member(answer.json, name));
  return typeof issued[0] === 'string' ? { issued: issued.filter((text) => typeof text === 'string') } : undefined;
}
