import { expect, it } from 'vitest';

import { MissingScope } from './verdict.js';

it.each([
  [['account:profile'], 'clients.confidential'],
  [['account:guild:stashes'], 'clients.guild'],
  [['service:leagues', 'service:leagues:ladder'], 'clients.service'],
  [['oauth:revoke'], 'clients.operations'],
])('what a client for %j lacks is said with what to put into the target file', (scopes, client) => {
  const { need, remedy } = new MissingScope(scopes);
  expect(need).toBe(`a client that may have ${scopes.join(' and ')}`);
  expect(remedy).toContain(`add ${scopes.join(' and ')} to the scopes of a client`);
  const ready = client === 'clients.operations' ? '' : `, or list a token with ${scopes.join(' and ')} under tokens`;
  expect(remedy?.endsWith(`such as ${client}${ready}`)).toBe(true);
});
