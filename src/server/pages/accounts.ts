import type { Account } from '../../world/world.js';
import { escape } from './html.js';

/** A labelled choice of an account, sent as the field `account`. */
export function accountField(label: string, accounts: readonly Account[], selected: string): string {
  const options = accounts.map(
    ({ key, username }) =>
      `<option value="${escape(key)}"${key === selected ? ' selected' : ''}>${escape(username)}</option>`,
  );
  return `<label for="account">${escape(label)}</label><select id="account" name="account">${options.join('')}</select>`;
}
