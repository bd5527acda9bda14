import type { components, Realm } from '../contract/index.js';
import type { Client, StreamChange } from '../world/world.js';
import { fault } from './errors.js';
import type { Game, Handler } from './game.js';
import { changeId, freshChangeId, isVisible, positionOf, streamOf, visibleLength } from './stream.js';

type PublicStashChange = components['schemas']['PublicStashChange'];
type Listed = components['schemas']['ListedStash'];
type Unlisted = components['schemas']['UnlistedStash'];

/**
 * Changes in a page: the interface states no figure, so that one may hold a single change (4.2). Each is one more than a
 * multiple of their number: from any page, all of them follow in turn.
 */
const pageSizes = [25, 9, 1, 17] as const;

/**
 * A page of the public stash stream (interface 4.2). An id is a position, so that any page costs the same; the page at
 * the end repeats its id, which answers with what is new later (K-049).
 */
export const getPublicStashTabs: Handler<'getPublicStashTabs'> = ({ params: { realm, id }, client }, game) => {
  const stream = streamOf(game, realm);
  const now = game.now();
  const start = id === undefined ? firstPosition() : positionOf(id, realm, game, stream);
  if (start === null) {
    return fault('invalidQuery', 'parameter id is no next_change_id of this stream; leave it out to start over');
  }
  const stashes: PublicStashChange[] = [];
  const pageSize = pageSizes[game.switches['psapi.pageSize'] === 'even' ? 0 : start % pageSizes.length]!;
  let next = start;
  while (stashes.length < pageSize && next < stream.length) {
    const change = stream.at(next);
    if (!isVisible(change, now)) break;
    stashes.push(shown(change, realm, client, game));
    next += 1;
  }
  return { status: 200, body: { next_change_id: nextId(), stashes } };

  function firstPosition(): number {
    return game.switches['psapi.start'] === 'oldest' ? 0 : visibleLength(stream, now);
  }
  function nextId(): string {
    if (stashes.length > 0) return changeId(next, realm, game);
    if (game.switches['psapi.endId'] === 'fresh') return freshChangeId(next, realm, game);
    return id ?? changeId(next, realm, game);
  }
};

function shown({ op, stash: id, revision }: StreamChange, realm: Realm, client: Client, game: Game): PublicStashChange {
  const listed = (): Listed => game.world.publicStashes(realm).snapshot(id, revision);
  if (op === 'unlist') return unlisted(id, listed, client, game);
  if (client.lastCharacterName) return listed();
  const { lastCharacterName: _hidden, ...rest } = listed();
  return rest;
}

/**
 * All details but `id` and `public` are gone; in which form is a matter of reading (interface 2, K-002). With
 * F-OBS-UNLISTED every member that the client may see is there, and the type of the stash remains.
 */
function unlisted(id: string, listed: () => Listed, client: Client, { flags, switches }: Game): Unlisted {
  const isObserved = flags.has('F-OBS-UNLISTED');
  const form = isObserved ? 'null-empty' : switches['psapi.unlistedForm'];
  const unlisted: Unlisted = { id, public: false };
  if (form !== 'omit') {
    unlisted.accountName = null;
    if (isObserved && client.lastCharacterName && flags.has('F-PSC-LASTCHAR')) unlisted.lastCharacterName = null;
    Object.assign(unlisted, { stash: null, stashType: null, league: null, items: form === 'null' ? null : [] });
  }
  if (isObserved || switches['psapi.unlistedStashType']) unlisted.stashType = listed().stashType;
  return unlisted;
}
