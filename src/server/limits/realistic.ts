import { operationList } from '../../contract/index.js';
import type { LogicalOperation } from '../../contract/index.js';
import type { LimitSettings, LimitWindow } from '../../client/index.js';

/** A window with the buckets that were inferred. */
export const window = (hits: number, period: number, restriction: number): LimitWindow => ({
  hits,
  period,
  restriction,
  bucket: period > 600 ? 60 : Math.min(5, period),
});

/** The operations of chapters of the contract, so that a new operation has the limits of its chapter. */
const operationsOf = (...tags: readonly string[]): readonly LogicalOperation[] => [
  ...new Set(operationList.filter(({ tag }) => tags.includes(tag)).map(({ logical }) => logical)),
];

/**
 * Limits as a service of this kind has them. The shape is observed: several windows, policies that operations share, an
 * allowance for 4xx answers, buckets of 5 and 60 s, an edge. The numbers are the mock's own; rely on none of them.
 */
export const realistic: LimitSettings = {
  headers: 'observed',
  policies: [
    {
      name: 'oauth',
      operations: ['issueToken', 'revokeToken', 'introspectToken'],
      rules: [
        { rule: 'client', windows: [window(30, 60, 60), window(300, 3600, 600)] },
        { rule: 'ip', windows: [window(30, 60, 60)] },
      ],
    },
    {
      name: 'account',
      operations: operationsOf('Profile', 'Account leagues', 'League accounts', 'Item filters'),
      rules: [
        { rule: 'client', windows: [window(60, 60, 60)] },
        { rule: 'account', windows: [window(20, 20, 30), window(60, 300, 120)] },
      ],
    },
    {
      name: 'characters-and-stashes',
      operations: operationsOf('Characters', 'Stashes', 'Guild stashes'),
      rules: [
        { rule: 'client', windows: [window(90, 60, 60)] },
        { rule: 'account', windows: [window(15, 10, 30), window(30, 60, 120), window(200, 1800, 600)] },
        { rule: 'ip', windows: [window(45, 60, 120)] },
      ],
    },
    {
      name: 'leagues-and-ladders',
      operations: operationsOf('Leagues', 'PvP matches'),
      rules: [{ rule: 'account', windows: [window(20, 10, 20), window(60, 60, 120)] }],
    },
    {
      name: 'streams',
      operations: operationsOf('Public stashes', 'Currency exchange'),
      rules: [{ rule: 'account', windows: [window(10, 5, 60), window(60, 60, 120)] }],
    },
    {
      name: 'invalid-requests',
      operations: '*',
      counts: 'invalid',
      rules: [
        { rule: 'client', windows: [window(50, 300, 1800)] },
        { rule: 'ip', windows: [window(100, 300, 1800)] },
      ],
    },
  ],
  edge: { user_agent: true, flood: { hits: 200, period: 10, restriction: 60 } },
};
