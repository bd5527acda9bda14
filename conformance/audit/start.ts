/// <reference lib="esnext.disposable" preserve="true" />
import { setTimeout as sleep } from 'node:timers/promises';

import { reportOf } from './audit.js';
import { rowsNamed } from './ledger.js';
import type { RunReport } from '../result.js';
import type { WorldRun } from './run.js';
import { startStage } from './stage.js';
import { worldNamed } from './worlds.js';

export interface StartAuditOptions {
  /** The world to serve; `calm` unless told. `gamedata audit worlds` lists them. */
  readonly world?: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Requirements, or their beginnings; all unless told. */
  readonly only?: readonly string[];
  /** What the client is called in reports. */
  readonly name?: string;
  /** Redirect at once in place of the consent page. */
  readonly autoApprove?: boolean;
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
  /** Nothing that binds a client was violated, and something was asked. */
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
  /** `GAMEDATA_…`: addresses, clients, tokens, accounts. */
  readonly environment: Readonly<Record<string, string>>;
  /** Opens an address as the user's browser does: consents, and follows the redirect to the client's listener. */
  open(url: string): Promise<void>;
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
export async function openAudit({ world: id = 'calm', only = [], name = 'the client', ...options }: StartAuditOptions) {
  const rows = rowsNamed(only);
  const world = worldNamed(id);
  const started = new Date();
  const stage = await startStage(world, options);
  const command = `gamedata audit watch${id === 'calm' ? '' : ` --world ${id}`}`;
  return {
    url: stage.url,
    environment: stage.environment,
    open: (url: string) => stage.open(url),
    close: () => stage.close(),
    async report(): Promise<RunReport> {
      await sleep(20); // the record of a reply follows it
      const run: WorldRun = {
        world,
        epoch: started.getTime(),
        calls: stage.calls.toSorted((a, b) => a.number - b.number),
        visits: stage.visits,
        controlCalls: stage.controlCalls,
        endings: [],
        facts: stage.facts,
        obstacles: stage.obstacles(),
        elsewhere: stage.elsewhere,
        givenPorts: stage.ports,
        ended: true,
        endedInCalm: undefined,
      };
      return reportOf({ name, command, replay: () => command }, rows, [run], {
        started,
        obstacle: undefined,
        interrupted: false,
      });
    },
  };
}

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
