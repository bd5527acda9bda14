/// <reference lib="esnext.disposable" preserve="true" />
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { notReached } from './reach.js';
import { reportOf } from './report.js';
import { removeFolder } from './browser-command.js';
import { rowsNamed } from './ledger.js';
import type { RunReport } from '../result.js';
import { copyStarts, countOf } from './copies.js';
import type { CopyEnd, WorldRun } from './run.js';
import { startStage } from './stage.js';
import { worldNamed } from './worlds.js';

export interface StartAuditOptions {
  /** The world to serve; `calm` unless told. `gamedata audit worlds` lists them. */
  readonly world?: string;
  /** Copies of the client at once: the world is `eight-at-once` unless told. */
  readonly copies?: number;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Requirements, or their beginnings; all unless told. */
  readonly only?: readonly string[];
  /** What the client is called in reports. */
  readonly name?: string;
  /** Redirect at once in place of the consent page. */
  readonly autoApprove?: boolean;
  /** How to serve the same again, for reports; `gamedata audit watch` unless told. */
  readonly command?: string;
}

/** What a client did wrong, and what it was told. */
export interface AuditFinding {
  readonly id: string;
  readonly level: string;
  readonly sentence: string;
  readonly source: string;
  readonly expected: string;
  readonly got: string;
}

export interface AuditVerdict {
  /** Nothing that binds a client was violated, something was asked, and what makes the world different happened. */
  readonly conformant: boolean;
  readonly summary: string;
  readonly failures: readonly AuditFinding[];
  /** Advice, which never fails a client. */
  readonly warnings: readonly AuditFinding[];
  /** Ids of the requirements that were exercised and kept. */
  readonly passed: readonly string[];
}

/** A mock that judges whoever uses it. */
export interface AuditSession {
  /** Address of the data API and of the authorization server. */
  readonly url: string;
  /** `GAMEDATA_…`: addresses, clients, tokens, accounts, and a folder for what the client stores, which `close` removes. */
  readonly environment: Readonly<Record<string, string>>;
  /** Opens an address as the user's browser does: consents, and follows the redirect to the client's listener. */
  open(url: string): Promise<void>;
  /** The environment of each copy, one unless told: `GAMEDATA_COPY` says which it is, and by it its requests are known. */
  readonly copies: readonly Readonly<Record<string, string>>[];
  /**
   * In a world of copies: what is asked from now on belongs to the next start, and what was good for a while is not any
   * more. The first start logs in, the second is all copies at once, the third one copy alone.
   */
  nextStart(): void;
  /** The verdict on everything that was asked so far. */
  verdict(): Promise<AuditVerdict>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a mock that judges its client, for the client's own tests. @throws SetupError for an unknown world or row. */
export async function startAudit(options: StartAuditOptions = {}): Promise<AuditSession> {
  const { report, ...session } = await openAudit(options);
  return { ...session, verdict: async () => verdictOf(await report()), [Symbol.asyncDispose]: session.close };
}

/** The same with the whole report, for the command line. */
export async function openAudit({ copies, only = [], name = 'the client', ...options }: StartAuditOptions) {
  const { world: id = copies === undefined ? 'calm' : 'eight-at-once' } = options;
  const rows = rowsNamed(only);
  const world = worldNamed(id);
  const started = new Date();
  const stage = await startStage(world, { ...options, ...(copies !== undefined && { copies }) });
  const state = mkdtempSync(join(tmpdir(), 'gamedata-state-'));
  const environment = { ...stage.environment, GAMEDATA_STATE: state };
  let start = 1;
  const count = world.copies ? countOf(world.copies, copies) : 1;
  const command = options.command ?? `gamedata audit watch${id === 'calm' ? '' : ` --world ${id}`}`;
  return {
    url: stage.url,
    environment,
    copies: Array.from({ length: count }, (_, index) => ({ ...environment, GAMEDATA_COPY: String(index + 1) })),
    nextStart: () => stage.begin((start += 1)),
    open: (url: string) => stage.open(url),
    async close() {
      await stage.close();
      removeFolder(state);
    },
    async report(): Promise<RunReport> {
      await sleep(20); // the record of a reply follows it
      const run: WorldRun = {
        world,
        epoch: started.getTime(),
        stall: stage.stall(),
        calls: stage.calls.toSorted((a, b) => a.number - b.number),
        visits: stage.visits,
        controlCalls: stage.controlCalls,
        endings: [],
        ...(world.copies && { copies: reached(start) }),
        facts: stage.facts,
        obstacles: stage.obstacles(),
        elsewhere: stage.elsewhere,
        givenPorts: stage.ports,
        ended: true,
        endedInCalm: undefined,
      };
      return reportOf({ name, command, replay: () => command }, rows, [run], {
        started,
        obstacle:
          run.calls.length === 0 ? `no request reached ${stage.url}; point the client at that address` : undefined,
        interrupted: false,
        missed: notMet(run),
      });
    },
  };
}

/** Why what was asked so far says nothing about the world. */
function notMet(run: WorldRun): readonly string[] {
  const missed = notReached(run);
  return missed === undefined ? [] : [`The world ${run.world.id} did not happen: ${missed}`];
}

/** The login and the last start, as far as they were reached; how copies ended is not seen here. */
const reached = (start: number): CopyEnd[] =>
  [copyStarts.login, copyStarts.last]
    .filter((one) => one <= start)
    .map((one) => ({
      ending: { how: 'exit', code: 0, signal: null, ms: 0, output: '', written: 0 },
      copy: 1,
      start: one,
      ended: true,
      killed: false,
    }));

function verdictOf({ exitCode, summary, rows }: RunReport): AuditVerdict {
  const at = (verdict: string): AuditFinding[] =>
    rows
      .filter((row) => row.verdict === verdict)
      .map(({ id, level, statement, section, failure }) => ({
        id,
        level,
        sentence: statement,
        source: section,
        expected: failure?.expected ?? '',
        got: failure?.got ?? '',
      }));
  return {
    conformant: exitCode === 0,
    summary,
    failures: at('fail'),
    warnings: at('warn'),
    passed: rows.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id),
  };
}
