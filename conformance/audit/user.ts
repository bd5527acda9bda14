import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Service } from '../../src/server/service.js';
import { visit } from './browser.js';
import type { Visit } from './run.js';
import type { Scenario } from './scenario.js';

/** How long a page that is under way may take when the client has ended, ms. */
const lastPage = 250;

/** The state that the client sent with its authorization request; undefined where it sent none. */
const stateOf = ({ asked: [first = ''] }: Visit): string | undefined =>
  URL.canParse(first) ? (new URL(first).searchParams.get('state') ?? undefined) : undefined;

/** The user of a scenario, with a browser. */
export class User {
  readonly visits: Visit[] = [];
  readonly #over = new AbortController();
  readonly #underway = new Set<Promise<void>>();
  readonly #opened = new Set<string>();

  /**
   * @param addresses those of the mock
   * @param epoch the real instant at which the world began, ms
   */
  constructor(
    private readonly scenario: Scenario,
    private readonly service: Service,
    private readonly addresses: readonly string[],
    private readonly epoch: number,
  ) {
    setMaxListeners(0, this.#over.signal);
  }

  /** Opens an address and does there what the scenario says; once for each authorization request. `copy`: which copy of the client asks. */
  async open(address: string, copy?: number): Promise<void> {
    // One that is printed may be opened by the client as well; a page of its own may be opened as often as it likes.
    if (this.#opened.has(address)) return;
    if (address.includes('/oauth/authorize?')) this.#opened.add(address);
    const { browser: mode = 'approve', account = 'alice', parameters } = this.scenario;
    const [before] = this.visits;
    const isItsTurn = mode === 'deny' || mode === 'part' || (mode === 'forge-earlier') === (before !== undefined);
    const going = visit(address, {
      mode: isItsTurn ? mode : 'approve',
      earlier: before && stateOf(before),
      parameters,
      account,
      copy: this.scenario.copies && copy,
      service: this.service,
      addresses: this.addresses,
      now: () => Date.now() - this.epoch,
      signal: this.#over.signal,
    }).then((one) => void this.visits.push(one));
    this.#underway.add(going);
    await going;
  }

  /** The client is started: what it shows now is asked for now, also where it showed the same before. */
  begin(): void {
    this.#opened.clear();
  }

  /** A client that ended may have answered just before: its last page is read first. */
  async close(): Promise<void> {
    const all = Promise.all(this.#underway);
    await Promise.race([all, sleep(lastPage, undefined, { ref: false })]);
    this.#over.abort();
    await all;
  }
}
