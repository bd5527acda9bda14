import type { Coverage } from '../engine/coverage.js';
import type { Lives } from './grant.js';
import type { Action, Word } from './inputs.js';
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
  readonly done: Action[];
}

/**
 * Sequences with the passing of time: every pair of actions with the end of the access tokens between them, then the end
 * of the refresh chains. All grants grow old together, so that the clock is moved a few times only. Answers what was
 * found; a grant that showed a disagreement is left alone from then on.
 */
export async function aging(server: AgingServer, { parties, coverage }: AgingOptions): Promise<readonly Aged[]> {
  const identities = new Map<string, string>();
  const findings = new Map<Aging, Aged>();
  const grants: Aging[] = [];
  const start = await server.now();

  const each = async (all: readonly Aging[], action: (grant: Aging) => Promise<void>): Promise<void> => {
    const now = await server.now();
    await server.atOnce(all, async (grant) => {
      if (findings.has(grant)) return;
      try {
        grant.play.elapse(now);
        await action(grant);
      } catch (error) {
        if (!(error instanceof Disagreement)) throw error;
        const { aspect, expected, got } = error;
        findings.set(grant, { aspect, word: grant.done, party: grant.play.party, expected, got });
      }
    });
  };
  const apply = async (grant: Aging, action: Action | undefined): Promise<void> => {
    if (action === undefined || !grant.play.applies(action)) return;
    grant.done.push(action);
    await grant.play.step(action);
  };

  const pairs = actions.flatMap((before) => actions.map((after) => ({ before, after })));
  const planned = parties.flatMap((one) => pairs.map((pair) => ({ ...one, ...pair })));
  await server.atOnce(planned.entries(), async ([index, { party, lives, before, after }]) => {
    const play = await Play.open(server, party, { lives, coverage, identities });
    grants[index] = { play, lives, before, after, done: [] };
  });
  await each(grants, async (grant) => {
    await apply(grant, 'exchange');
    await apply(grant, grant.before);
  });
  const codes: Aging[] = [];
  for (const { party, lives } of parties) {
    const play = await Play.open(server, party, { lives, coverage, identities });
    codes.push({ play, lives, before: undefined, after: undefined, done: [] });
  }
  const issuedBy = (await server.now()) - start;
  await server.to(start, issuedBy + Math.max(...parties.map(({ lives }) => lives.code + 2 * lives.codeMargin)));
  await each(codes, async (code) => {
    await apply(code, 'exchange');
    await apply(code, 'exchange');
  });

  // Client by client, the one with the shorter lives first.
  const ends = parties
    .flatMap(({ lives }) => [
      { at: lives.access - 2 * lives.margin, lives, what: 'shortly before' as const },
      { at: issuedBy + lives.accessEnd + 2 * lives.margin, lives, what: 'expired' as const },
      { at: issuedBy + lives.chain + 2 * lives.margin, lives, what: 'over' as const },
    ])
    .toSorted((one, other) => one.at - other.at);
  for (const { at, lives, what } of ends) {
    await server.to(start, at);
    const own = grants.filter((grant) => grant.lives === lives);
    await each(own, async (grant) => {
      await grant.play.probe();
      if (what === 'expired') {
        await apply(grant, grant.after);
        await grant.play.probe();
      }
      // What the last refresh gave may outlive the chain; the chain itself is over, and stays so.
      if (what === 'over') {
        await grant.play.finish();
        await grant.play.probe();
        coverage.sequence();
      }
    });
  }
  return [...grants, ...codes].flatMap((grant) => findings.get(grant) ?? []);
}
