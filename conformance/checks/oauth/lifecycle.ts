import fc from 'fast-check';

import { check, group } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { aging } from '../../model/aging.js';
import { Disagreement } from '../../model/play.js';
import type { Aspect } from '../../model/play.js';
import { agingServer, livesOf, runServer, serverWithPage } from '../../model/run-server.js';
import { bothKinds, fresh, refreshable, userRoles } from '../../model/probe.js';
import type { Party } from '../../model/token-server.js';
import { codeSymbols, replay, spell, tokenSymbols, tokenWords, tour, wordsOf } from '../../model/tour.js';
import type { Finding, Tour } from '../../model/tour.js';
import { besides, gWalk, walk } from '../../model/walk.js';
import { introspection, revocation } from '../../model/ways.js';
import type { Role } from '../../target/target.js';
import { member } from '../../wire/answer.js';
import { refusedAs } from './token-errors.js';
import { stableIdentity } from './identity.js';

const first = (run: Run): Party => ({
  client: 'confidential',
  account: run.facts.target.consent === 'auto' || !Object.hasOwn(run.facts.target.accounts, 'alice') ? '' : 'alice',
});

/** The tour of codes and the tour of grants, made once for every row that is read from them. */
const tours = (run: Run): Promise<readonly Tour[]> =>
  run.facts.once('the tour of the token lifecycle', async () => {
    const party = first(run);
    const server = await runServer(run, [party]);
    const options = { party, lives: livesOf('confidential'), coverage: run.facts.lifecycle, identities: new Map() };
    return [
      await tour(server, { ...options, words: wordsOf(codeSymbols, 3), start: [] }),
      await tour(server, { ...options, words: tokenWords, start: ['exchange'] }),
    ];
  });

/** A tour of shorter words, for a row that is judged without the long one. */
async function shortTour(run: Run): Promise<Tour> {
  const party = first(run);
  const server = await runServer(run, [party]);
  const options = { party, lives: livesOf('confidential'), coverage: run.facts.lifecycle, identities: new Map() };
  return tour(server, { ...options, words: wordsOf(tokenSymbols, 2), start: ['exchange'] });
}

/** Holds what tours found of some aspects against the row, the word played again for its trace. */
async function hold(run: Run, made: readonly Tour[], aspects: readonly Aspect[]): Promise<void> {
  const finding = made.flatMap(({ findings }) => findings).find(({ aspect }) => aspects.includes(aspect));
  if (finding) return tell(run, await seenAgain(run, finding));
  const words = made.reduce((sum, one) => sum + one.words, 0);
  for (let word = 0; word < words; word += 1) run.expect.that(true, 'server and model to agree', word);
}

async function seenAgain(run: Run, finding: Finding): Promise<Finding> {
  const { party, word } = finding;
  const server = await runServer(run, [party]);
  try {
    await replay(server, word, {
      party,
      lives: livesOf(party.client as Role),
      coverage: run.facts.lifecycle,
      identities: new Map(),
    });
  } catch (error) {
    if (error instanceof Disagreement) return { ...finding, expected: error.expected, got: error.got };
    throw error;
  }
  return finding;
}

const tell = (run: Run, { word, expected, got }: Finding): void =>
  run.expect.that(false, word.length === 0 ? expected : `${expected} after: ${spell(word)}`, got);

/** What the walks of grants disagreed about is told as the expectation that failed. */
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
export default group(
  'oauth/lifecycle',
  [
    check('LIFE-009', async (run) => {
      await hold(run, await tours(run), ['transition', 'absorbing', 'independence']);
      if (run.oauth.obtainable().has('oauth:revoke')) await raceWithRevocation(run);
    }),

    check('INTRO-017', async (run) => {
      if (!(await introspection(run, 'confidential')).works) {
        return run.expect.notExercised('introspection shows no token of client confidential');
      }
      // The long tour is made for LIFE-009; where that row was not asked for, a short one is enough.
      const toured = run.facts.lifecycle.result().words >= tokenWords.length / 2;
      await hold(run, toured ? await tours(run) : [await shortTour(run)], ['agreement']);
    }),

    stableIdentity,

    check('LIFE-011', { phase: 'alone' }, async (run) => {
      const holders = parties(run);
      if (holders.length < 2) return run.expect.missing('a second account or client');
      const server = await serverWithPage(run, holders);
      const options = { parties: holders, lives: livesOf('confidential'), coverage: run.facts.lifecycle };
      await agreeing(run, () => besides(server, options));
      await run.expect.property('events on several grants', gWalk(holders.length), { share: 0.1 }, (commands) =>
        agreeing(run, () => walk(server, commands, options)),
      );
    }),

    check('LIFE-010', { phase: 'clock' }, async (run) => {
      await hold(run, [await shortTour(run)], ['absorbing', 'transition']);
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
      const [finding] = findings;
      if (finding) tell(run, finding);
      run.expect.that(true, 'what has ended to stay so', 'it did');
    }),

    check('LIFE-013', { phase: 'clock' }, async (run) => {
      const roles = (['service', 'service_account'] as const).filter((role) => run.facts.target.clients[role]);
      const tokens = await Promise.all(roles.map((role) => fresh(run, role)));
      const way = run.oauth.obtainable().has('oauth:introspect') ? await introspection(run, roles[0]!) : undefined;
      const hold = async (seconds: number): Promise<void> => {
        await run.facts.advance(seconds);
        await run.http.atOnce(tokens, async ({ access, scopes, role }) => {
          run.expect.status(await run.oauth.probe(access, scopes), '2xx');
          if (!way?.works || role !== way.role) return;
          run.expect.that(member((await way.ask(access)).json, 'active') === true, 'active: true', 'something else');
        });
      };
      const day = 86_400;
      await run.expect.property(
        'any advance of the clock',
        fc.array(
          fc.oneof(
            // Each life of the interface, and where a timer of 31 or 32 bits of milliseconds goes round.
            fc.constantFrom(31, 61, 301, 3601, 36_061, 7 * day + 60, 2_147_484, 4_294_968, 28 * day + 60),
            fc.integer({ min: 1, max: 100 * day }),
          ),
          { minLength: 1, maxLength: 5 },
        ),
        { share: 0.03, examples: [[31, 36_061, 2_147_484, 28 * day + 60, 90 * day + 60]] },
        async (advances) => {
          for (const seconds of advances) await hold(seconds);
        },
      );
    }),
  ],
  { inOrder: true },
);
