import { headOf } from '../engine/assemble.js';
import { contractHash } from '../ledger.gen.js';
import type { RunReport } from '../result.js';
import { tally } from '../standing.js';
import { endpointPath } from '../target/endpoints.js';
import { roleLines } from '../target/table.js';
import type { Role, Target } from '../target/target.js';
import { count } from '../text.js';
import { headersOf, requestBody, responseBody } from '../traffic/entry.js';
import type { HarEntry } from '../traffic/entry.js';
import { below } from '../traffic/recognize.js';
import type { Recognized } from '../traffic/recognize.js';
import { Servers } from '../traffic/servers.js';
import { applyWaivers } from '../waivers.js';
import type { PlacedWaiver } from '../waivers.js';
import { readCall } from './call.js';
import type { Call } from './call.js';
import { auditHash } from './hash.js';
import { judge } from './judge.js';
import { auditIds, auditLedger } from './ledger.js';
import type { WorldRun } from './run.js';
import { auditVerdict } from './verdict.js';

/**
 * The requirements that one exchange shows to be violated, or a few together, whatever the server is and whatever came
 * before. Each of the others needs a world, or knows of the mock what no server tells.
 */
const onTheWire: ReadonlySet<string> = new Set(
  `AUTH-PARAM-001 AUTH-PARAM-002 AUTH-TYPE-001 AUTH-SCOPE-001 AUTH-REDIR-001
  AUTH-PKCE-001 AUTH-PKCE-002 AUTH-PKCE-003 AUTH-PKCE-006 TOK-BEARER-002
  TOK-SECRET-001 TOK-SECRET-002 TOK-SECRET-003 TOK-SECRET-004 TOK-SECRET-005
  TOK-FORM-001 TOK-FORM-002 TOK-FORM-003 TOK-FORM-006 TOK-GRANT-001
  ADDR-ENCODE-001 ADDR-LIMIT-001 ADDR-REALM-002 PACE-AGENT-001`.split(/\s+/),
);
export const passingRows = auditLedger.filter(({ id }) => onTheWire.has(id));

/** Requests that a client is judged by, the first ones, and characters that each of them may have. */
const most = { calls: 10_000, characters: 64 * 1024 };

/** Addresses that the server sent a browser to, of which so many are known at a time. */
const mostRedirects = 1000;

export interface PassingOptions {
  readonly target: Target;
  readonly waivers: readonly PlacedWaiver[];
  readonly today: string;
  readonly version: string;
  readonly command: string;
  /** The audit as this shell finds it, for a command to copy. */
  readonly audit: string;
}

/** Judges a client by what passes between it and any server, by those rows of the audit that need nothing else. */
export class PassingClient {
  readonly #started = new Date();
  readonly #epoch = Date.now();
  readonly #servers: Servers;
  readonly #calls: Call[] = [];
  readonly #redirects = new Set<string>();
  #seen = 0;

  constructor(private readonly options: PassingOptions) {
    this.#servers = new Servers(options.target, true);
  }

  take(entry: HarEntry, at: number): void {
    const { request, response } = entry;
    const found = this.#servers.find(request.method, request.url);
    const { location } = headersOf(response.headers);
    const isOwn = found !== undefined && !('stray' in found) && !this.#isOfServer(entry);
    if (typeof location === 'string') this.#note(request.url, location);
    if (!isOwn) return;
    this.#seen += 1;
    if (this.#calls.length >= most.calls) return;
    const call = this.#call(entry, found, at);
    if (call.body.length + call.target.length + call.text.length <= most.characters) this.#calls.push(call);
  }

  report(): RunReport {
    const { options } = this;
    const { target, waivers, today, version, command } = options;
    const obstacle = this.#calls.length === 0 ? 'no request of the interface passed' : undefined;
    const results = judge(passingRows, [this.#run()], {
      replay: (row) => `${options.audit} --world calm --only ${row} -- <command of the client>`,
      ...(obstacle !== undefined && { obstacle }),
    }).map((row) =>
      row.verdict === 'not exercised' ? { ...row, reason: 'the case did not come up in what passed' } : row,
    );
    const failed = new Set(results.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));
    const waived = applyWaivers(
      results,
      waivers.filter(({ id }) => failed.has(id)),
      today,
      auditIds,
    );
    const counts = tally(waived.rows);
    const { base_url, auth_url, consent } = target;
    const incomplete = obstacle === undefined ? [] : [obstacle];
    return {
      ...headOf(
        { name: `the client of ${target.name}`, base_url, auth_url, consent },
        {},
        { suite: { version, ledger: auditHash, contract: contractHash }, command, started: this.#started },
      ),
      subject: 'client',
      seed: 0,
      runs: 1,
      ...auditVerdict(counts, { incomplete, problems: waived.problems, interrupted: false }),
      counts,
      requests: { announced: this.#seen, sent: this.#calls.length },
      capabilities: [],
      edition: {},
      rows: waived.rows,
      observations: [`Judged by ${count(this.#calls.length, 'request')} of ${this.#seen}.`],
      problems: waived.problems,
    };
  }

  /** A page of the server, or its redirect, leads a browser on: the client did not write that address. */
  #isOfServer({ request: { url, headers } }: HarEntry): boolean {
    const { referer, host, 'sec-fetch-site': site } = headersOf(headers);
    const from = typeof referer === 'string' ? hostOf(referer) : undefined;
    const isFromPage = site === 'same-origin' || (from !== undefined && (from === host || from === hostOf(url)));
    return isFromPage || this.#redirects.has(pathOf(url));
  }

  #note(from: string, location: string): void {
    if (!URL.canParse(location, from)) return;
    if (this.#redirects.size >= mostRedirects) this.#redirects.clear();
    this.#redirects.add(pathOf(new URL(location, from).href));
  }

  #call(entry: HarEntry, { operation }: Recognized, at: number): Call {
    const { target } = this.options;
    const { request, response, time } = entry;
    const { id, logical, server } = operation;
    const base = server === 'data' ? target.base_url : target.auth_url;
    // Replies of the data API tell these rows nothing.
    const content = server === 'data' ? '' : responseBody(entry).bytes;
    const elapsed = typeof time === 'number' ? time : 0;
    return readCall(
      {
        number: this.#seen,
        at,
        realTime: at,
        elapsed,
        method: request.method,
        target:
          (server === 'authorization' ? endpointPath(target, request.url) : undefined) ??
          below(base, request.url) ??
          pathOf(request.url),
        operationId: id,
        logical,
        address: '',
        requestHeaders: Object.entries(headersOf(request.headers)).flatMap(([name, value]) =>
          [value].flat().flatMap((one) => [name, one]),
        ),
        requestBody: { content: requestBody(entry) ?? '', size: 0 },
        account: undefined,
        clientId: undefined,
        credential: undefined,
        decision: 'answered',
        delivery: 'sent',
        reason: undefined,
        reply: { status: response.status, headers: {}, body: { content, size: content.length } },
      },
      { epoch: this.#epoch, start: 1 },
    );
  }

  #run(): WorldRun {
    const { clients } = this.options.target;
    return {
      world: {
        id: 'passing',
        title: 'The server that the proxy passes on to',
        because: 'Whatever it does, the client wrote these requests.',
      },
      epoch: this.#epoch,
      stall: 0,
      calls: this.#calls,
      visits: [],
      controlCalls: [],
      endings: [],
      facts: {
        clients: new Map(
          Object.entries(clients).map(([role, { client_id: id, client_secret: secret = null }]) => [
            id,
            { secret, public: roleLines[role as Role].entry === 'publicClient' },
          ]),
        ),
        names: new Set(),
        tabs: () => new Map(),
        given: [],
        issued: () => true,
      },
      obstacles: [],
      elsewhere: [],
      givenPorts: [],
      ended: true,
      endedInCalm: true,
    };
  }
}

const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined);

const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '') || '/';
