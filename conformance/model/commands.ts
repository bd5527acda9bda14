import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

import type { Coverage } from '../engine/coverage.js';
import type { Lives } from './grant.js';
import type { Action, Word } from './inputs.js';
import { Play } from './play.js';
import type { Party, TokenServer } from './token-server.js';

/** A command: what happens, and to which of the grants that there are. Numbers are taken modulo. */
export type Command = { readonly open: number } | { readonly action: Action; readonly grant: number };

/** How often each action comes; opening grants comes beside them. */
const weights: readonly (readonly [Action, number])[] = [
  ['refresh', 6],
  ['revoke access', 3],
  ['revoke refresh', 3],
  ['refresh old', 2],
  ['refresh badly', 1],
  ['refresh as another', 2],
  ['revoke first', 1],
  ['exchange', 2],
  ['exchange badly', 1],
  ['user ends', 2],
];

/** Commands over several grants (gGrantTrace), weighted. */
export const gCommands = (parties: number, { most = 14 } = {}): Arbitrary<readonly Command[]> =>
  fc.array(
    fc.oneof(
      { weight: 8, arbitrary: fc.record({ open: fc.nat({ max: parties - 1 }) }) },
      ...weights.map(([action, weight]) => ({
        weight,
        arbitrary: fc.record({ action: fc.constant(action), grant: fc.nat({ max: 99 }) }),
      })),
    ),
    { minLength: 2, maxLength: most },
  );

/**
 * Plays commands on several grants of several accounts and clients. After each, the grant that it touched agrees
 * with the model; and one more, to which nothing happened, is as it was. At the end all of them are. A command that says
 * nothing in the state reached is passed over.
 *
 * @throws Disagreement
 */
export async function playCommands(
  server: TokenServer,
  commands: readonly Command[],
  { parties, lives, coverage }: { parties: readonly Party[]; lives: Lives; coverage: Coverage },
): Promise<void> {
  const identities = new Map<string, string>();
  const plays: Play[] = [];
  let turn = 0;
  for (const command of commands) {
    if ('open' in command) {
      const play = await Play.open(server, parties[command.open % parties.length]!, { lives, coverage, identities });
      await play.step('exchange');
      plays.push(play);
      continue;
    }
    const play = plays[command.grant % Math.max(1, plays.length)];
    if (!play?.applies(command.action)) continue;
    await play.step(command.action);
    const touched = command.action === 'user ends' ? plays.filter(({ party }) => isSame(party, play.party)) : [play];
    await server.atOnce(touched, (one) => {
      if (one !== play) one.endedByUser();
      return one.probe();
    });
    const others = plays.filter((one) => !touched.includes(one));
    turn += 1;
    await others[turn % Math.max(1, others.length)]?.probe({ untouched: true });
  }
  await server.atOnce(plays, (play) => play.probe({ untouched: true }));
  // What a client and an account have is tried one after the other, because trying may end it.
  await server.atOnce(byHolder(plays).values(), async (own) => {
    for (const play of own) await play.finish({ untouched: true });
  });
  coverage.sequence();
}

const events: readonly Word[] = [
  ['refresh'],
  ['refresh', 'refresh old'],
  ['refresh badly'],
  ['refresh as another'],
  ['revoke access'],
  ['revoke refresh'],
  ['refresh', 'revoke first'],
  ['exchange'],
  ['exchange badly'],
  ['user ends'],
];

/**
 * Every event on a grant of the first party, each on one of its own, beside grants that it must leave alone: another of
 * the same party and one of each other party. Generated commands find the same, but not on every seed.
 *
 * @throws Disagreement
 */
export async function playBesideOthers(
  server: TokenServer,
  { parties, lives, coverage }: { parties: readonly Party[]; lives: Lives; coverage: Coverage },
): Promise<void> {
  const identities = new Map<string, string>();
  const open = async (party: Party): Promise<Play> => {
    const play = await Play.open(server, party, { lives, coverage, identities });
    await play.step('exchange');
    return play;
  };
  let bystanders: readonly Play[] = await server.atOnce(parties, open);
  const own = await server.atOnce(events, async (event) => ({ event, play: await open(parties[0]!) }));
  for (const { event, play } of own) {
    const ends = event[0] === 'user ends';
    // Without the page nothing ends, so nothing is told of it either.
    if (ends && !play.applies('user ends')) continue;
    // The page ends what is granted to one application by one user: codes of others are still good.
    const others = ends ? parties.filter((party) => !isSame(party, play.party)) : [];
    const codes = await server.atOnce(others, (party) => Play.open(server, party, { lives, coverage, identities }));
    for (const action of event) if (play.applies(action)) await play.step(action);
    await server.atOnce(codes, (one) => one.step('exchange'));
    if (ends) {
      const ended = bystanders.filter(({ party }) => isSame(party, play.party));
      await server.atOnce(ended, (one) => {
        one.endedByUser();
        return one.probe();
      });
      bystanders = bystanders.filter((one) => !ended.includes(one));
    }
    await server.atOnce(bystanders, (one) => one.probe({ untouched: true }));
    coverage.sequence();
  }
  for (const one of bystanders) await one.finish({ untouched: true });
}

function byHolder(plays: readonly Play[]): ReadonlyMap<string, readonly Play[]> {
  const found = new Map<string, Play[]>();
  for (const play of plays) {
    const holder = JSON.stringify(play.party);
    found.set(holder, [...(found.get(holder) ?? []), play]);
  }
  return found;
}

const isSame = (one: Party, other: Party): boolean => one.account === other.account && one.client === other.client;
