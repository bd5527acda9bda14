import { describe, expect, it } from 'vitest';

import type { WorldRun } from '../run.js';
import { refresh } from './refresh.js';

const issue = (number: number, grant: string, client: string, token: string) => ({
  number,
  operation: 'issueToken',
  form: new URLSearchParams({ grant_type: grant }),
  client,
  json: { access_token: token },
  status: 200,
  delivery: 'sent',
  start: 1,
  at: number * 1000,
  end: number * 1000,
});

const data = (number: number, bearer: string, status: number, at = number * 1000) => ({
  number,
  data: true,
  bearer,
  status,
  start: 1,
  at,
  end: at,
});

describe('REFRESH-NEWEST-001', () => {
  const judge = (...later: readonly object[]) => {
    const granted = issue(1, 'authorization_code', 'desktop', 'old');
    const own = issue(2, 'client_credentials', 'service', 'own');
    const calls = [granted, own, issue(3, 'refresh_token', 'desktop', 'new'), ...later];
    return refresh.find(({ id }) => id === 'REFRESH-NEWEST-001')!.judge!({ calls } as unknown as WorldRun);
  };

  it('blames a client that goes on with the old token', () => {
    expect(judge(data(4, 'old', 401), data(5, 'old', 401)).violations).toMatchObject([{ got: 'an older one' }]);
  });

  it('takes no token of the client itself for an older one of its user', () => {
    expect(judge(data(4, 'own', 401), data(5, 'own', 401)).violations).toEqual([]);
  });

  it('sees a new token that is used at once', () => {
    expect(judge(data(4, 'new', 200, 3001), data(5, 'old', 401), data(6, 'old', 401)).violations).toEqual([]);
  });

  it('takes no token of a later refresh for an older one', () => {
    const later = issue(4, 'refresh_token', 'desktop', 'newer');
    expect(judge(later, data(5, 'newer', 401), data(6, 'newer', 401)).violations).toEqual([]);
  });
});
