import { describe, expect, it } from 'vitest';

import { needInWords, unmet } from './capabilities.js';
import type { TargetCapabilities, Need } from './capabilities.js';
import { completed } from './completed.js';

const service = { client_id: 's', client_secret: 'x', scopes: ['service:leagues'] };
const target = (more: object = {}) => completed({ base_url: 'http://127.0.0.1:1', ...more }, String);
const lacks = (need: Need | readonly Need[], more: object = {}, facts: Partial<TargetCapabilities> = {}) =>
  unmet([Array.isArray(need) ? (need as Need[]) : [need as Need]], {
    target: target(more),
    hooks: {},
    wait: false,
    ...facts,
  });
const met = (...args: Parameters<typeof lacks>): boolean => lacks(...args).length === 0;

const words: Need[] = [
  'client:service',
  'refresh:public',
  'consent',
  'deny',
  'second-account',
  'clock',
  'wait',
  'user-revocation',
  'application-revocation',
  'stash-events',
  'codec',
  'revoke',
  'introspect',
  'game2',
  'known:season',
  'scope:service:psapi',
];

describe('what a target offers', () => {
  it.each(words)('%s is not met by a bare target, and there is something to be done', (need) => {
    const [lack] = lacks(need);
    expect(lack).toMatchObject({ need, applicable: true });
    expect(lack?.remedy).toMatch(/^[a-z].{15,}[^.]$/);
  });

  it.each<[Need, object, Partial<TargetCapabilities>?]>([
    ['client:service', { clients: { service } }],
    ['refresh:public', { clients: { public: { ...service, refresh: true } } }],
    ['consent', { consent: 'control' }, { hooks: { consent: true } }],
    ['deny', { consent: 'form' }, { hooks: { consent: true } }],
    ['page', { consent: 'form' }],
    ['page', { consent: 'auto' }, { hooks: { page: true } }],
    ['second-account', { consent: 'form', accounts: { alice: {}, bob: {} } }, { hooks: { consent: true } }],
    ['clock', {}, { hooks: { clock: true } }],
    ['wait', {}, { wait: true }],
    ['user-revocation', {}, { hooks: { revoke: true } }],
    ['application-revocation', {}, { hooks: { revoke: true } }],
    ['stash-events', {}, { hooks: { stashEvent: true } }],
    ['codec', { tree_codec: 'x' }],
    ['codec', {}, { hooks: { tree: true } }],
    ['revoke', { clients: { operations: { ...service, scopes: ['oauth:revoke'] } } }],
    ['introspect', { clients: { confidential: { ...service, scopes: ['oauth:introspect'] } } }],
    ['scope:service:leagues', { clients: { service } }],
    ['scope:service:psapi', { tokens: [{ token: 't', scopes: ['service:psapi'] }] }],
    ['scope:service:psapi', { clients: { service }, not_offered: ['getPublicStashTabs'] }],
    ['game2', { known: { game2_account: 'alice' } }],
    ['known:first_hour', { known: { first_hour: 0 } }],
    ['flag:F-CX', {}],
    ['flag:F-CX', { edition: { 'F-CX': 'on' } }],
  ])('%s is met by %o', (need, more, facts) => {
    expect(met(need, more, facts)).toBe(true);
  });

  it.each<[Need, string]>([
    ['revoke', 'add oauth:revoke to the scopes of a client that may have it, such as clients.operations'],
    ['introspect', 'add oauth:introspect to the scopes of a client that may have it, such as clients.operations'],
    ['scope:account:stashes', 'add account:stashes to the scopes of a client that may have it, such as clients.conf'],
  ])('%s is not met by clients that lack the scope', (need, remedy) => {
    const [lack] = lacks(need, { clients: { operations: service, service } });
    expect(lack?.remedy).toContain(remedy);
    expect(needInWords(need)).toMatch(/^a client that may have (oauth|account):\w+$/);
  });

  it('says that what an edition lacks does not apply', () => {
    expect(lacks('flag:F-CX', { edition: { 'F-CX': 'off' } })).toEqual([
      { need: 'flag:F-CX', remedy: 'edition.F-CX is off in the target', applicable: false },
    ]);
  });

  it('cannot deny, choose or show a page where everything is approved at once', () => {
    const hooks = { consent: true };
    expect(met('consent', { consent: 'auto' }, { hooks })).toBe(true);
    for (const need of ['deny', 'second-account', 'page'] as const)
      expect(met(need, { consent: 'auto', accounts: { alice: {}, bob: {} } }, { hooks })).toBe(false);
  });

  it('needs alice to consent', () => {
    expect(lacks('consent', { consent: 'form', accounts: { anna: {} } }, { hooks: { consent: true } })[0]?.remedy).toBe(
      'declare the first account, alice, in accounts (alice and bob are keys; the names on the server, such as anna, go into username)',
    );
  });

  it('is enough with one of several alternatives, and tells of all where none is met', () => {
    expect(met(['clock', 'wait'], {}, { wait: true })).toBe(true);
    expect(lacks(['clock', 'wait'])).toEqual([
      {
        need: 'clock | wait',
        remedy:
          'offer "clock" at control_url, or export clock from the adapter; or add --wait, which allows waits of 30 seconds',
        applicable: true,
      },
    ]);
    expect(lacks(['flag:F-CX', 'wait'], { edition: { 'F-CX': 'off' } })[0]).toMatchObject({
      remedy: 'add --wait, which allows waits of 30 seconds',
      applicable: true,
    });
  });

  it('tells of clients of which one is enough in a word', () => {
    expect(lacks(['client:confidential', 'client:public', 'client:service'])[0]?.remedy).toBe(
      'declare clients.confidential, clients.public or clients.service in the target',
    );
  });

  it('is told for every entry that is not met', () => {
    const found = unmet([['client:service'], ['consent'], ['codec']], {
      target: target({ clients: { service } }),
      hooks: {},
      wait: false,
    });
    expect(found.map(({ need }) => need)).toEqual(['consent', 'codec']);
  });
});
