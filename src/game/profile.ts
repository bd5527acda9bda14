import type { components } from '../contract/index.js';
import type { Account } from '../world/world.js';
import type { Handler } from './game.js';
import { keyOf } from './reply.js';

/** What live services have in a profile beside the description. */
const observed = ({ guildName }: Account): Pick<components['schemas']['Profile'], 'realm' | 'guild'> => ({
  realm: 'pc',
  ...(guildName !== null && { guild: { name: guildName } }),
});

/** The profile, unwrapped; `livestream` only for an account that is linked to a streaming platform (interface 4.2). */
export const getProfile: Handler<'getProfile'> = ({ account }, game) =>
  game.reply(keyOf('getProfile', account.key), () => ({
    uuid: account.uuid,
    name: account.username,
    locale: account.locale,
    ...(game.flags.has('F-OBS-PROFILE') && observed(account)),
    ...(account.livestream === null ? {} : { livestream: { name: account.livestream } }),
  }));
