import fc from 'fast-check';

import { check, group } from '../../engine/check.js';
import type { Coverage } from '../../engine/coverage.js';
import type { Run } from '../../engine/run.js';
import { certificateOf } from '../../machine/certificate.js';
import { explore, playAgain, shrink } from '../../machine/explore.js';
import type { Divergence, Explored } from '../../machine/explore.js';
import { aging } from '../../model/aging.js';
import { formatWord, isObservation } from '../../model/inputs.js';
import { Disagreement } from '../../model/judge.js';
import type { Aspect } from '../../model/judge.js';
import { agingServer, livesOf, runServer, serverWithPage } from '../../model/run-server.js';
import { bothKinds, refreshable, userRoles } from '../../model/probe.js';
import type { Party } from '../../model/token-server.js';
import { playBesideOthers, gCommands, playCommands } from '../../model/commands.js';
import { introspection, revocation } from '../../model/authentication-methods.js';
import type { Role } from '../../target/target.js';
import { member } from '../../wire/answer.js';
import { refusedAs } from './token-errors.js';
import { stableIdentity } from './identity.js';

const first = (run: Run): Party => ({
  client: 'confidential',
  account: run.facts.target.consent === 'auto' || !Object.hasOwn(run.facts.target.accounts, 'alice') ? '' : 'alice',
});

/** What the complete suite found, by the run's coverage, which outlives a phase. */
const playedIn = new WeakMap<Coverage, Explored>();

/** The complete suite of the token lifecycle, played once for every row that is read from it. */
export const explored = (run: Run): Promise<Explored> =>
  run.facts.once('complete suite of the token lifecycle', async () => {
    const extra = run.facts.thorough ? 1 : 0;
    const found = await exploredBy(run, extra);
    const { client } = first(run);
    const disagrees =
      found.findings.length === 0 ? {} : { disagrees: 'server and model disagree; see the rows that failed' };
    const certificate = certificateOf(found.learned, { client, lives: livesOf(client as Role), ...disagrees });
    run.facts.lifecycle.certify(certificate);
    playedIn.set(run.facts.lifecycle, found);
    return found;
  });

/** What the run has played of it, or a smaller one, without what only a second refresh shows. */
const exploredBriefly = async (run: Run): Promise<Explored> =>
  playedIn.get(run.facts.lifecycle) ?? exploredBy(run, 0, 1);

async function exploredBy(run: Run, extra: number, generations?: number): Promise<Explored> {
  const party = first(run);
  const server = await runServer(run, [party]);
  return explore(server, {
    party,
    lives: livesOf('confidential'),
    coverage: run.facts.lifecycle,
    identities: new Map(),
    extra,
    ...(generations !== undefined && { generations }),
  });
}

/** Fails the row with what was found of these aspects, by the shortest word that shows it, played again for its trace. */
async function hold(run: Run, { findings, learned }: Explored, aspects: readonly Aspect[]): Promise<void> {
  const finding = findings.find(({ aspect }) => aspects.includes(aspect));
  if (finding) return tell(run, await seenAgain(run, finding));
  for (let number = 0; number < learned.observed.words; number += 1)
    run.expect.that(true, 'server and model to agree', number);
}

async function seenAgain(run: Run, finding: Divergence): Promise<Divergence> {
  const server = await runServer(run, [finding.party]);
  const options = { lives: livesOf(finding.party.client as Role), identities: new Map<string, string>() };
  const shortest = await shrink(server, finding, options);
  return (await playAgain(server, shortest, options)) ?? shortest;
}

function tell(run: Run, { word, expected, got }: Pick<Divergence, 'word' | 'expected' | 'got'>): void {
  const last = word.at(-1);
  // The expectation itself says what was asked last.
  const done = last !== undefined && isObservation(last) ? word.slice(0, -1) : word;
  run.expect.that(false, done.length === 0 ? expected : `${expected} after: ${formatWord(done)}`, got);
}

/** Reports a disagreement of server and model as the expectation that failed. */
async function agreeing(run: Run, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (error instanceof Disagreement) run.expect.that(false, error.expected, error.got);
    throw error;
  }
  run.expect.that(true, 'server and model to agree', 'agreement');
}

/** Holders of grants: two accounts and up to three clients. */
function parties(run: Run): readonly Party[] {
  const roles = userRoles(run).filter((role) => ['confidential', 'confidential_other', 'public'].includes(role));
  const accounts = run.oauth.accounts().filter((account) => account === 'alice' || account === 'bob');
  return roles.flatMap((client) => accounts.map((account) => ({ client, account })));
}

/** Holders in twos, the last in threes where their number is odd. */
function inPairs(holders: readonly Party[]): readonly (readonly Party[])[] {
  const pairs = Array.from({ length: Math.floor(holders.length / 2) }, (_, pair) =>
    holders.slice(2 * pair, 2 * pair + 2),
  );
  return holders.length % 2 === 0 ? pairs : [...pairs.slice(0, -1), [...pairs.at(-1)!, holders.at(-1)!]];
}

/**
 * A refresh and a revocation of the same token that arrive together. Whichever was first, the token is no good
 * afterwards; only what came of the refresh, if anything, is open.
 */
async function raceWithRevocation(run: Run): Promise<void> {
  const way = await revocation(run, 'confidential');
  if (!way.works) return;
  await run.expect.property(
    'a refresh and a revocation at once',
    fc.record({ which: fc.constantFrom('refresh' as const, 'access' as const), revokeFirst: fc.boolean() }),
    {
      share: 0.03,
      examples: [true, false].flatMap((revokeFirst) => [
        { which: 'refresh' as const, revokeFirst },
        { which: 'access' as const, revokeFirst },
      ]),
    },
    async ({ which, revokeFirst }) => {
      const grant = await refreshable(run, 'confidential');
      const token = which === 'refresh' ? grant.refresh : grant.access;
      const fields = run.oauth.refreshFields('confidential', grant.refresh);
      const requests = [
        { path: '/oauth/token', fields },
        { path: '/oauth/token/revoke', fields: [['token', token] as const, ...way.beside], token: way.bearer },
      ];
      const answers = await run.http.race(revokeFirst ? requests.toReversed() : requests);
      const [refreshed, revoked] = revokeFirst ? answers.toReversed() : answers;
      const won = member(refreshed?.json, 'access_token') !== undefined;
      run.facts.lifecycle.race(`refresh against revoke ${which}`, won ? 'refreshed' : 'refresh refused');
      if (revoked?.status !== 200) return;
      if (which === 'access') run.expect.status(await run.oauth.probe(grant.access, grant.scopes), 401);
      else refusedAs(run, ['invalid_grant'])(await run.oauth.tokenRequest(fields));
    },
  );
}

/** The lifecycle as a whole (interface 3). */
export default group('oauth/lifecycle', { inOrder: true }, [
  check({
    id: 'LIFE-009',
    level: 'MUST',
    sentence:
      'Tokens go through the states of the table and no others, whatever the order of authorizations, exchanges, refreshes, revocations and uses.',
    source: '3',
    needs: ['refresh:confidential', 'consent'],
    judge: async (run) => {
      await hold(run, await explored(run), ['transition', 'absorbing', 'independence']);
      if (run.oauth.obtainable().has('oauth:revoke')) await raceWithRevocation(run);
    },
  }),

  check({
    id: 'INTRO-017',
    level: 'INFER',
    sentence: '`active` is true exactly when a data request with the token does not get 401.',
    source: '3',
    entailed: '3, 5.3: introspection and a data request are two ways to ask whether a token works',
    needs: ['introspect'],
    judge: async (run) => {
      if (!(await introspection(run, 'confidential')).works) {
        return run.expect.notExercised('introspection shows no token of client confidential');
      }
      await hold(run, await explored(run), ['agreement']);
    },
  }),

  stableIdentity,

  check({
    id: 'LIFE-011',
    level: 'INFER',
    sentence: 'Grants are independent: what happens to one changes no code or token of another user, client or grant.',
    source: '3',
    entailed: '3: a token ends by its own triggers, and no other grant is one of them',
    needs: ['client:confidential', 'client:confidential_other', 'consent', 'second-account'],
    phase: 'alone',
    judge: async (run) => {
      const holders = parties(run);
      if (holders.length < 2) return run.expect.missing('a second account or client');
      const server = await serverWithPage(run, holders);
      const options = { lives: livesOf('confidential'), coverage: run.facts.lifecycle };
      await agreeing(run, () => playBesideOthers(server, { ...options, parties: holders }));
      // What happens to a holder's grants does nothing to another's, so some holders act while others do.
      const lanes = inPairs(holders);
      await run.expect.property(
        'events on several grants',
        fc.tuple(...lanes.map((own) => gCommands(own.length))),
        { share: 0.1 / lanes.length },
        (commands) =>
          agreeing(run, async () => {
            await run.http.atOnce(lanes.entries(), ([lane, own]) =>
              playCommands(server, commands[lane]!, { ...options, parties: own }),
            );
          }),
      );
    },
  }),

  check({
    id: 'LIFE-010',
    level: 'INFER',
    sentence: 'Expired, used and revoked are final: such a code or token never becomes valid again.',
    source: '3',
    entailed: '3: no transition leads back to valid',
    needs: ['refresh:confidential', 'consent'],
    phase: 'clock',
    judge: async (run) => {
      await hold(run, await exploredBriefly(run), ['absorbing', 'transition']);
      if (!run.facts.hooks.clock) return;
      const { account } = first(run);
      const roles = bothKinds(run, { refresh: true });
      const server = await agingServer(
        run,
        roles.map((client) => ({ client, account })),
      );
      const findings = await aging(server, {
        coverage: run.facts.lifecycle,
        parties: roles.map((client) => ({ party: { client, account }, lives: livesOf(client) })),
      });
      // What introspection says of a token is INTRO-017, and of whom it is TOK-RESP-017.
      const [finding] = findings.filter(({ aspect }) => aspect === 'absorbing' || aspect === 'transition');
      if (finding) tell(run, finding);
      run.expect.that(true, 'what has ended to stay so', 'it did');
    },
  }),
]);
