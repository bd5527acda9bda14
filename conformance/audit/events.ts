import type { LimitSettings } from '../../src/client/index.js';
import { operationList } from '../../src/contract/index.js';
import { revokeByUser } from '../../src/oauth/index.js';
import type { Hook } from '../../src/server/hook.js';
import type { Service } from '../../src/server/service.js';
import type { Call } from './call.js';
import { isPage } from './rows/requests.js';
import type { Event, Limit, Scenario } from './scenario.js';

/** Limits of the data API; the token endpoint has none. */
export const limitsOf = (
  name: string,
  { windows, byAddress = [], others = 0 }: Pick<Limit, 'windows' | 'byAddress' | 'others'>,
): LimitSettings => ({
  policies: [
    {
      name,
      operations: dataOperations,
      rules: [
        { rule: 'client', others, windows },
        ...(byAddress.length > 0 ? [{ rule: 'ip' as const, windows: byAddress }] : []),
      ],
    },
  ],
});

const dataOperations = [
  ...new Set(operationList.filter(({ server }) => server === 'data').map(({ logical }) => logical)),
];

/**
 * How long a data request waits for another one, ms, how many wait in vain before only one in so many does, and before none
 * does: a client may ask for much one by one before it asks for several at once.
 */
const companion = { wait: 250, first: 12, every: 4, most: 48 };

/** What happens in a scenario while the client is at work: tokens end, limits change, faults begin. */
export class Events {
  readonly #happened = new Set<string>();
  /** A data request that waits, by its token: what lets it go on. */
  readonly #waiting = new Map<string, () => void>();
  #vain = 0;
  #met = 0;
  /** What each access token was granted by. */
  readonly #grants = new Map<string, string>();

  constructor(
    private readonly scenario: Scenario,
    private readonly service: Service,
  ) {}

  /** How often an event of the scenario has happened. */
  count(index: number): number {
    return [...this.#happened].filter((key) => key.split(' ', 1)[0] === String(index)).length;
  }

  /** Holds data requests for a moment where an event waits for two of them. */
  hook(inner: Hook): Hook {
    const index = (this.scenario.events ?? []).findIndex(({ when }) => when === 'together');
    if (index < 0) return inner;
    return async (req, serve) => {
      const [, bearer] = /^Bearer (\S+)$/i.exec(req.headers.authorization ?? '') ?? [];
      const isOver = this.count(index) > 0 || this.#vain >= companion.most;
      if (bearer !== undefined && !isOver && isUserAccess(this.service, bearer) && this.#isHeld(bearer))
        await this.#pair(index, bearer);
      return inner(req, serve);
    };
  }

  /** The one that another waits for always is. */
  #isHeld(bearer: string): boolean {
    this.#met += 1;
    return this.#waiting.has(bearer) || this.#vain < companion.first || this.#met % companion.every === 0;
  }

  async #pair(index: number, bearer: string): Promise<void> {
    const release = this.#waiting.get(bearer);
    if (release) {
      this.#happened.add(`${index} ${bearer}`);
      endAccess(this.service, bearer);
      return release();
    }
    await new Promise<void>((done) => {
      const late = setTimeout(() => ((this.#vain += 1), done()), companion.wait);
      this.#waiting.set(bearer, () => (clearTimeout(late), done()));
    });
    this.#waiting.delete(bearer);
  }

  /** Looks at the newest of the calls, and does what is due. */
  after(call: Call, calls: readonly Call[]): void {
    const { limit, events = [] } = this.scenario;
    const { after, windows, sameName } = limit?.later ?? {};
    if (windows && calls.filter(({ data }) => data).length === after)
      this.service.limits.set(limitsOf(sameName ? 'first' : 'later', { windows }));
    for (const [index, event] of events.entries()) {
      const ends = event.do === 'end-access';
      // A client that has tokens of the user and of its own loses one of each.
      const grant = ends ? this.#grantOf(call) : undefined;
      const key = ends ? `${index} ${grant}` : String(index);
      if (this.#happened.has(key) || (ends && grant === undefined)) continue;
      const counted = ends ? (one: Call) => this.#grantOf(one) === grant : (one: Call) => this.#counts(event, one);
      if (!isDue(event, calls.filter(counted))) continue;
      this.#happened.add(key);
      this.#happen(event, call);
    }
  }

  /** Whether an event may follow from a call: nothing of a user ends before there is something. */
  #counts({ do: what }: Event, call: Call): boolean {
    return what !== 'revoke-user' || !call.data || this.#grantOf(call)?.endsWith(' authorization_code') === true;
  }

  /** The client and the kind of grant of the token in a call; undefined where the service knows none. */
  #grantOf({ bearer }: Call): string | undefined {
    if (bearer === undefined) return undefined;
    const known = this.#grants.get(bearer);
    if (known !== undefined) return known;
    const token = Array.from(this.service.store.tokens()).find(
      ({ text, kind }) => kind === 'access' && text === bearer,
    );
    if (token) this.#grants.set(bearer, `${token.grant.clientId} ${token.grant.kind}`);
    return this.#grants.get(bearer);
  }

  #happen({ do: what }: Event, { bearer }: Call): void {
    const { authority, faults } = this.service;
    switch (what) {
      case 'faults':
        return void faults.add(this.scenario.laterFaults ?? [], authority);
      case 'end-access':
        return endAccess(this.service, bearer);
      case 'revoke-user':
        revokeUsers(this.service);
    }
  }
}

function isDue({ when }: Event, calls: readonly Call[]): boolean {
  if (when === 'together') return false;
  if (when === 'page') return calls.some((call) => isPage(call) && call.status === 200);
  if (when === 'issued') return calls.some((call) => call.operation === 'issueToken' && call.status === 200);
  return calls.filter((call) => call.data && call.status === 200).length >= when.data;
}

/** An access token is revoked before its time: the client meets the 401 that it would meet after it (interface 5.3). */
function endAccess({ store }: Service, bearer: string | undefined): void {
  for (const { text, kind, ended } of Array.from(store.tokens()))
    if (kind === 'access' && ended === null && text === bearer) store.endToken(text, 'revoked');
}

/** Whether a text is an access token that a user has granted. */
const isUserAccess = ({ store }: Service, text: string): boolean =>
  Array.from(store.tokens()).some(
    (one) =>
      one.text === text && one.kind === 'access' && one.ended === null && one.grant.kind === 'authorization_code',
  );

/** Every access token ends that has an end: those of client credentials have none (interface 5.6). */
export function endUserAccess({ store }: Service): void {
  for (const { text, kind, ended, grant } of Array.from(store.tokens()))
    if (kind === 'access' && ended === null && grant.kind === 'authorization_code') store.endToken(text, 'revoked');
}

/** Users revoke what they have granted (interface 1). */
export function revokeUsers({ store, authority }: Service): void {
  for (const { grant, ended } of Array.from(store.tokens()))
    if (ended === null && grant.kind === 'authorization_code') revokeByUser(grant.account, grant.clientId, authority);
}
