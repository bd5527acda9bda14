import { headOf } from '../engine/assemble.js';
import { contractHash } from '../ledger.gen.js';
import type { RunReport } from '../result.js';
import { tally } from '../standing.js';
import { count } from '../text.js';
import { applyWaivers } from '../waivers.js';
import type { PlacedWaiver } from '../waivers.js';
import { answered } from './answered.js';
import { lanesOf } from './copy-lanes.js';
import { beginsWithStateOf } from './foreign-state.js';
import { auditHash } from './hash.js';
import { judge } from './judge.js';
import { auditIds, rowsNamed } from './ledger.js';
import { incompleteBy } from './no-verdict.js';
import { notReached } from './reach.js';
import { redactor } from './redact.js';
import type { WorldRun } from './run.js';
import { auditVerdict } from './verdict.js';

/** What a report says of the client and of how it was audited. */
export interface ReportOptions {
  /** What the client is called in reports. */
  readonly name: string;
  readonly version?: string;
  readonly command?: string;
  readonly replay?: (row: string, world: string) => string;
  readonly waivers?: readonly PlacedWaiver[];
}

/** What an audit was started as, and how it went. */
interface AuditState {
  readonly started: Date;
  readonly obstacle: string | undefined;
  readonly interrupted: boolean;
  /** Worlds that were asked for and not run, each with the reason. */
  readonly missed?: readonly string[];
}

/** The report of the worlds that a client ran in. */
export function reportOf(
  options: ReportOptions,
  rows: ReturnType<typeof rowsNamed>,
  runs: readonly WorldRun[],
  { started, obstacle, interrupted, missed = [] }: AuditState,
): RunReport {
  const { name, version = '', command = 'gamedata audit', replay, waivers = [] } = options;
  const results = judge(rows, runs, {
    replay: replay ?? ((row, world) => `${command} --world ${world} --only ${row}`),
    ...(obstacle !== undefined && { obstacle }),
  });
  const waived = applyWaivers(results, waivers, started.toISOString().slice(0, 10), auditIds);
  const counts = tally(waived.rows);
  const hide = redactor(runs).text;
  const lanes = runs.flatMap((run) => lanesOf(run, rows, hide) ?? []);
  const sent = runs.reduce((sum, { calls }) => sum + calls.length, 0);
  const verdict =
    obstacle === undefined
      ? auditVerdict(counts, {
          incomplete: (interrupted ? [] : [...incompleteBy(runs), ...missed]).map(hide),
          problems: waived.problems,
          interrupted,
        })
      : { exitCode: 2 as const, outcome: 'configuration error' as const, summary: `Configuration error: ${obstacle}.` };
  const place = `${count(runs.length, 'world')} of the mock`;
  const settings = { worlds: runs.map(({ world }) => world.id) };
  const suite = { version, ledger: auditHash, contract: contractHash };
  return {
    ...headOf({ name, base_url: place, auth_url: place, consent: 'form' }, settings, { suite, command, started }),
    subject: 'client',
    seed: 1,
    runs: runs.length,
    ...verdict,
    counts,
    requests: { announced: sent, sent },
    capabilities: [],
    edition: {},
    rows: waived.rows,
    observations: runs.map((run) => observation(run, runs)),
    ...(lanes.length > 0 && { copies: lanes }),
    problems: waived.problems,
  };
}

function observation(run: WorldRun, runs: readonly WorldRun[]): string {
  const missed = notReached(run);
  const other = beginsWithStateOf(run, runs);
  const kept =
    other === undefined
      ? ''
      : `, began with a token of the world ${other}: the client keeps state from another world; have it store below GAMEDATA_STATE`;
  const what = `${kept}${missed === undefined ? '' : `, not reached: ${missed}`}`;
  return `${run.world.id}: ${count(run.calls.length, 'request')}, ${count(answered(run.calls).length, 'data reply', 'data replies')}, ${run.world.copies ? count(run.endings.length, 'start') : endings(run)}${what}`;
}

const endings = ({ endings: all }: WorldRun): string =>
  all
    .map(
      ({ how, code, signal, ms }) =>
        `${how === 'exit' ? `code ${code}` : how === 'time' ? 'stopped' : (signal ?? how)} after ${(ms / 1000).toFixed(1)} s`,
    )
    .join(', then ');
