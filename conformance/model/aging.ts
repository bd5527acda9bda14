import type { Coverage } from '../engine/coverage.js';
import type { Lives, Wait } from './grant.js';
import type { Action, Input, Word } from './inputs.js';
import { Disagreement } from './judge.js';
import type { Aspect } from './judge.js';
import { Play } from './play.js';
import type { Party, TokenServer } from './token-server.js';

/** A server whose clock can be moved. */
export interface AgingServer extends TokenServer {
  /** Moves on until so many seconds have passed since `start`. */
  to(start: number, seconds: number): Promise<void>;
}

/** What was found of a grant that grew old. */
export interface Aged {
  readonly aspect: Aspect;
  readonly word: Word;
  readonly party: Party;
  readonly expected: string;
  readonly got: string;
}

/** Actions before and after the access tokens have ended; nothing at all is one too. */
const actions: readonly (Action | undefined)[] = [
  undefined,
  'refresh',
  'refresh old',
  'revoke access',
  'revoke refresh',
  'exchange',
];

export interface AgingOptions {
  readonly parties: readonly { readonly party: Party; readonly lives: Lives }[];
  readonly coverage: Coverage;
}

interface Aging {
  readonly play: Play;
  readonly lives: Lives;
  readonly before: Action | undefined;
  readonly after: Action | undefined;
  readonly done: Input[];
}

/**
 * Sequences with the passing of time: every pair of actions with the end of the access tokens between them, then the end
 * of the refresh chains. All grants grow old together, so that the clock is moved a few times only. Answers what was
 * found; a grant that showed a disagreement is left alone from then on.
 */
export async function aging(server: AgingServer, options: AgingOptions): Promise<readonly Aged[]> {
  const cohort = new Cohort(server);
  const { parties, coverage } = options;
  const start = await server.now();
  const grants = await openGrants(server, options, cohort.identities);
  await cohort.each(grants, async (grant) => {
    await apply(grant, 'exchange');
    await apply(grant, grant.before);
  });
  const codes = await openCodes(server, options, cohort.identities);
  const issuedBy = (await server.now()) - start;
  await server.to(start, issuedBy + Math.max(...parties.map(({ lives }) => lives.code + 2 * lives.codeMargin)));
  await cohort.each(codes, async (code) => {
    code.done.push('code ends');
    await apply(code, 'exchange');
    await apply(code, 'exchange');
  });
  for (const { at, lives, what } of momentsOf(parties, issuedBy)) {
    await server.to(start, at);
    const own = grants.filter((grant) => grant.lives === lives);
    await cohort.each(own, (grant) => age(grant, what, coverage));
  }
  return cohort.findingsOf([...grants, ...codes]);
}

/** Grants that grow old at once, and what was found of each. */
class Cohort {
  readonly identities = new Map<string, string>();
  readonly #findings = new Map<Aging, Aged>();

  constructor(private readonly server: AgingServer) {}

  /** Has all do something that have shown no disagreement yet. */
  async each(grants: readonly Aging[], action: (grant: Aging) => Promise<void>): Promise<void> {
    const now = await this.server.now();
    await this.server.atOnce(grants, async (grant) => {
      if (this.#findings.has(grant)) return;
      try {
        grant.play.elapse(now);
        await action(grant);
      } catch (error) {
        if (!(error instanceof Disagreement)) throw error;
        const { aspect, expected, got } = error;
        this.#findings.set(grant, { aspect, word: grant.done, party: grant.play.party, expected, got });
      }
    });
  }

  findingsOf(grants: readonly Aging[]): readonly Aged[] {
    return grants.flatMap((grant) => this.#findings.get(grant) ?? []);
  }
}

type Identities = Map<string, string>;

/** A grant for each client and each pair of actions. */
async function openGrants(
  server: AgingServer,
  { parties, coverage }: AgingOptions,
  identities: Identities,
): Promise<readonly Aging[]> {
  const pairs = actions.flatMap((before) => actions.map((after) => ({ before, after })));
  const planned = parties.flatMap((one) => pairs.map((pair) => ({ ...one, ...pair })));
  const grants: Aging[] = [];
  await server.atOnce(planned.entries(), async ([index, { party, lives, before, after }]) => {
    const play = await Play.open(server, party, { lives, coverage, identities });
    grants[index] = { play, lives, before, after, done: [] };
  });
  return grants;
}

/** A code for each client, to be exchanged too late. */
async function openCodes(
  server: AgingServer,
  { parties, coverage }: AgingOptions,
  identities: Identities,
): Promise<readonly Aging[]> {
  const codes: Aging[] = [];
  for (const { party, lives } of parties) {
    const play = await Play.open(server, party, { lives, coverage, identities });
    codes.push({ play, lives, before: undefined, after: undefined, done: [] });
  }
  return codes;
}

async function apply(grant: Aging, action: Action | undefined): Promise<void> {
  if (action === undefined || !grant.play.applies(action)) return;
  grant.done.push(action);
  await grant.play.step(action);
}

/** The moments of all clients, in seconds since the start; the client with the shorter lives comes first. */
function momentsOf(
  parties: AgingOptions['parties'],
  issuedBy: number,
): readonly { readonly at: number; readonly lives: Lives; readonly what: Wait }[] {
  return parties
    .flatMap(({ lives }) => [
      { at: lives.access - 2 * lives.margin, lives, what: 'access nearly ends' as const },
      { at: issuedBy + lives.accessEnd + 2 * lives.margin, lives, what: 'access ends' as const },
      { at: issuedBy + lives.chain + 2 * lives.margin, lives, what: 'chain ends' as const },
    ])
    .toSorted((one, other) => one.at - other.at);
}

async function age(grant: Aging, what: Wait, coverage: Coverage): Promise<void> {
  grant.done.push(what);
  await grant.play.probe();
  if (what === 'access ends') {
    await apply(grant, grant.after);
    await grant.play.probe();
  }
  // What the last refresh gave may outlive the chain; the chain itself is over, and stays so.
  if (what === 'chain ends') {
    await grant.play.finish();
    await grant.play.probe();
    coverage.sequence();
  }
}
