import { operationList } from '../../src/contract/index.js';
import { splitTarget } from '../../src/server/target.js';
import { Routes } from '../../src/server/routes.js';
import { readCall } from './call.js';
import type { Call } from './call.js';
import { connectionMark, copyMark } from './owner.js';
import { auditLedger } from './ledger.js';
import type { Finding } from './row.js';
import type { Ending, WorldFacts, WorldRun } from './run.js';
import type { Scenario } from './scenario.js';

/** A request of a client, as a test tells it; what is left out is that of a GET that was answered with 200 and `{}`. */
export interface Told {
  /** ms since the world began; 100 ms after the one before unless told. */
  readonly at?: number;
  /** How long the reply took, ms; 5 unless told. */
  readonly ms?: number;
  readonly method?: string;
  readonly status?: number | null;
  readonly reply?: unknown;
  readonly replyHeaders?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bearer?: string;
  readonly form?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly decision?: Call['decision'];
  /** The mock's reason of a refusal. */
  readonly reason?: string;
  readonly delivery?: Call['delivery'];
  readonly start?: number;
  /** Which copy of the client sent it. */
  readonly copy?: number;
  readonly client?: string;
  /** Which connection it came by. */
  readonly connection?: string;
}

const routes = new Routes(operationList);
/** The instant at which the worlds of the tests begin. */
const epoch = Date.UTC(2026, 0, 1);

/** Calls from `[target, what is special]`, in order of arrival. */
export function callsOf(told: readonly (readonly [target: string, Told?])[]): Call[] {
  let clock = 0;
  return told.map(([target, given = {}], index) => {
    const { method = given.form ? 'POST' : 'GET', status = 200, reply = {}, bearer = 'token', ms = 5 } = given;
    const at = given.at ?? clock + 100;
    clock = at;
    const match = routes.find(method, splitTarget(target).path);
    const operation = match && 'operation' in match ? match.operation : undefined;
    const mark = {
      ...(given.copy !== undefined && { [copyMark]: String(given.copy) }),
      ...(given.connection !== undefined && { [connectionMark]: given.connection }),
    };
    const headers = { ...mark, ...(given.form ? {} : { authorization: `Bearer ${bearer}` }), ...given.headers };
    const content = given.form ? new URLSearchParams(given.form).toString() : (given.body ?? '');
    const text = JSON.stringify(reply);
    return readCall(
      {
        number: index + 1,
        at: epoch + at,
        realTime: epoch + at,
        elapsed: ms,
        method,
        target,
        operationId: operation?.id,
        logical: operation?.logical,
        address: '127.0.0.1',
        requestHeaders: Object.entries(headers).flat(),
        requestBody: { content, size: content.length },
        account: undefined,
        clientId: given.client,
        credential: undefined,
        decision: given.decision ?? 'answered',
        reason: given.reason,
        reply: status === null ? null : { status, headers: given.replyHeaders ?? {}, body: { content: text, size: 0 } },
        delivery: given.delivery ?? 'sent',
      },
      { epoch, start: given.start ?? 1 },
    );
  });
}

const calm: Scenario = { id: 'calm', title: 'Nothing out of the ordinary', because: '' };
const success: Ending = { how: 'exit', code: 0, signal: null, ms: 1000, output: '', written: 0 };
const facts: WorldFacts = {
  clients: new Map(),
  names: new Set(),
  tabs: () => new Map(),
  given: ['token'],
  issued: () => true,
};

/** A world in which a client sent these requests, and ended with success. */
export function runOf(
  told: readonly (readonly [target: string, Told?])[],
  given: Partial<Omit<WorldRun, 'facts' | 'world'>> & { world?: Partial<Scenario>; facts?: Partial<WorldFacts> } = {},
): WorldRun {
  return {
    epoch,
    stall: 0,
    calls: callsOf(told),
    visits: [],
    controlCalls: [],
    obstacles: [],
    elsewhere: [],
    endings: [success],
    givenPorts: [],
    ended: true,
    endedInCalm: true,
    ...given,
    world: { ...calm, ...given.world },
    facts: { ...facts, ...given.facts },
  };
}

/** What a row finds in one world, or in several: the calm one first. */
export function findingOf(id: string, run: WorldRun, ...more: readonly WorldRun[]): Finding {
  const row = auditLedger.find((one) => one.id === id);
  if (!row) throw new Error(`there is no row ${id}`);
  return row.judge ? row.judge(run) : row.across!([run, ...more]);
}

/** `pass`, `violated`, or `not exercised`. */
export function verdictOf(id: string, run: WorldRun, ...more: readonly WorldRun[]): string {
  const { exercised, violations } = findingOf(id, run, ...more);
  return violations.length > 0 ? 'violated' : exercised > 0 ? 'pass' : 'not exercised';
}
