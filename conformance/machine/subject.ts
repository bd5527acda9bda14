import { createCoverage } from '../engine/coverage.js';
import { CheckRun } from '../engine/check-run.js';
import type { Environment } from '../engine/environment.js';
import { LaterConsent } from '../engine/later-consent.js';
import { Session } from '../engine/session.js';
import { adapterTrace, transportOf } from '../engine/transport.js';
import type { AgingServer } from '../model/aging.js';
import type { Lives } from '../model/grant.js';
import type { Input, Output, Word } from '../model/inputs.js';
import { userRoles } from '../model/probe.js';
import { agingServer, livesOf, runServer } from '../model/run-server.js';
import type { Offer, Party, TokenServer } from '../model/token-server.js';
import { createMonitors } from '../monitors/monitors.js';
import { openHooks } from '../target/open-hooks.js';
import type { Role, Target } from '../target/target.js';
import { SetupError } from '../../src/input/setup-error.js';
import { atOnce } from '../wire/slots.js';
import type { Wire } from '../wire/wire.js';
import { inputs, look, timedInputs } from './contract.js';
import type { Ask } from './learner.js';
import { inputsFor, playOverTime, playWord } from './player.js';

/** What a server is asked, and how. */
export interface Subject {
  readonly inputs: readonly Input[];
  readonly look: Word;
  readonly ask: Ask;
  readonly play: (word: Word) => Promise<readonly Output[]>;
}

/** A run on a target that judges nothing: it is there to ask with. With `time` it may move the clock. */
export async function runOn(
  target: Target,
  wire: Wire,
  time = false,
): Promise<{ readonly run: CheckRun; readonly later: LaterConsent }> {
  const later = new LaterConsent();
  const env: Environment = {
    target,
    hooks: await openHooks(target, transportOf(wire, target), adapterTrace(wire)),
    wire,
    monitors: createMonitors(target),
    lifecycle: createCoverage(),
    later,
    met: new Set(),
    seed: 0,
    runs: 1,
    wait: false,
    thorough: false,
    codec: () => Promise.reject(new Error('nothing that is learned needs a codec')),
  };
  return { run: new CheckRun(env, new Session(env), 'LIFE-009', { mayMoveClock: time }), later };
}

/**
 * Whose grants are played with.
 *
 * @throws SetupError where the target has no such client, or no way to consent
 */
export function partyOf(run: CheckRun, asked: Role | undefined): Party {
  const { target } = run.facts;
  const roles = userRoles(run);
  const client = asked ?? roles[0];
  if (client === undefined || !roles.includes(client)) {
    const wanted = asked === undefined ? 'a client that users authorize' : `client ${asked} with a redirect_uri`;
    throw new SetupError(`learn needs ${wanted}, and a way to consent; see gamedata doctor`);
  }
  const isKnown = target.consent !== 'auto' && Object.hasOwn(target.accounts, 'alice');
  return { client, account: isKnown ? 'alice' : '' };
}

/** Finds out what the server offers. */
export async function subjectOf(run: CheckRun, later: LaterConsent, party: Party, time = false): Promise<Subject> {
  await later.learn(run, 1);
  const lives = livesOf(party.client as Role);
  if (time) return timedSubject(await agingServer(run, [party]), party, lives);
  const plain = await runServer(run, [party]);
  // Where a consent ends what an earlier one gave, one word after the other is played.
  const server: TokenServer = later.matters ? { ...plain, atOnce: (values, act) => atOnce(1, values, act) } : plain;
  const offer = server.offers(party);
  const identities = new Map<string, string>();
  const play = async (word: Word): Promise<readonly Output[]> =>
    (await playWord(server, word, { party, lives, identities })).outputs;
  return {
    inputs: inputsFor(offer, inputs),
    look: lookOf(offer, inputs),
    ask: (words, seen) => server.atOnce(words, async (word) => seen(word, await play(word))),
    play,
  };
}

/** The same where the clock can be moved: words wait together. */
function timedSubject(server: AgingServer, party: Party, lives: Lives): Subject {
  const offer = server.offers(party);
  const options = { party, lives, identities: new Map<string, string>() };
  const ask: Ask = (words, seen) => playOverTime(server, words, options, seen);
  return {
    inputs: inputsFor(offer, timedInputs),
    look: lookOf(offer, timedInputs),
    ask,
    play: async (word) => {
      let answered: readonly Output[] = [];
      await ask([word], (_, outputs) => void (answered = outputs));
      return answered;
    },
  };
}

/** Without introspection of refresh tokens, only using one tells whether it is good. */
const lookOf = (offer: Offer, all: readonly Input[]): Word => [
  ...inputsFor(
    offer,
    look.filter((input) => all.includes(input)),
  ),
  ...(offer.introspectRefresh ? [] : (['refresh'] as const)),
];
