import { account } from './fixtures/shapes.js';
import type { Account } from './world.js';

/** An account that has what is said, and else what accounts.yaml gives to one of which it says nothing. */
export function accountWith(said: Pick<Account, 'key' | 'uuid' | 'username'> & Partial<Account>): Account {
  const { name: _, ...empty } = account({ name: said.username }, []);
  return { ...empty, guildName: null, ...said };
}
