import { keyOf } from './reply.js';
import type { Handler } from './game.js';

/** The profile, unwrapped; `livestream` only for an account that is linked to a streaming platform (interface 4.2). */
export const getProfile: Handler<'getProfile'> = ({ account }, game) => ({
  status: 200,
  body: game.once(keyOf('getProfile', account.key), () => ({
    uuid: account.uuid,
    name: account.username,
    locale: account.locale,
    ...(account.livestream === null ? {} : { livestream: { name: account.livestream } }),
  })),
});
