import type { Realm } from '../../../src/contract/index.js';
import { listAt } from './json.js';
import type { DataReply, Json, Interceptor } from './interceptor.js';

type Owner = 'stashes' | 'guildStashes';

/** The tabs of the account in another place than the one that was asked for. */
export const elsewhere = (
  seam: Interceptor,
  of: Owner,
  when: (args: Readonly<Record<string, string>>, operation: string) => boolean,
  place: (realm: Realm, league: string) => readonly [Realm, string][],
): void =>
  seam.world((world, acted) => ({
    [of](account: string, realm: Realm, league: string) {
      const { current } = seam;
      if (!current?.route || !when(current.route.args, current.route.operation))
        return world[of](account, realm, league);
      acted();
      return place(realm, league).flatMap(([r, l]) => world[of](account, r, l));
    },
  }));

export const leaguesOf = (seam: Interceptor, realm: Realm): readonly string[] =>
  seam.service.world.leagues(realm).map(({ league }) => league.id);

/** Changes the tab at the end of a lookup: the sub-tab, where one is asked for. */
export const found = (
  seam: Interceptor,
  operation: 'getStash' | 'getGuildStash',
  to: (tab: Json, context: DataReply) => void,
): void =>
  seam.data(operation, (body, context) => {
    const { substash_id } = context.args;
    const tab =
      substash_id === undefined
        ? (body.stash as Json | null)
        : listAt(body, 'stash', 'children').find(({ id }) => id === substash_id);
    if (tab) to(tab, context);
  });
