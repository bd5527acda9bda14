import type { LimitPolicy, LimitRule, LimitSettings } from '../../client/index.js';
import type { LogicalOperation } from '../../contract/index.js';
import { realistic, window } from './realistic.js';

/** Windows as headers write them, `hits:period:restriction,…`; the second counts in buckets of 60 s. */
const windows = (text: string): LimitRule['windows'] =>
  text.split(',').map((one, index) => {
    const [hits = 0, period = 0, restriction = 0] = one.split(':').map(Number);
    return { ...window(hits, period, restriction), ...(index > 0 && { bucket: 60 }) };
  });

const account = (name: string, operation: LogicalOperation, text: string): LimitPolicy => ({
  name,
  operations: [operation],
  rules: [{ rule: 'account', shown: 'Account', windows: windows(text) }],
});

/** The policies whose numbers were read from replies of a live service in 2026. */
const seen: readonly LimitPolicy[] = [
  account('stash-list', 'listStashes', '10:15:60,30:60:300'),
  account('stash', 'getStash', '15:10:60,30:300:300'),
  account('character-list', 'listCharacters', '2:10:60,5:300:300'),
  account('character', 'getCharacter', '5:10:60,30:300:300'),
  {
    name: 'token',
    operations: ['issueToken'],
    rules: [{ rule: 'ip', shown: 'Ip', windows: windows('60:30:30') }],
  },
];

/** Operations that were seen, and the profile, which has no limits. */
const apart = new Set<string>([...seen.flatMap(({ operations }) => operations), 'getProfile']);

/** For operations whose numbers nobody wrote down, policies with numbers of the mock's own. */
const others = realistic.policies.flatMap((policy): LimitPolicy[] => {
  if (policy.operations === '*') return [policy];
  const operations = policy.operations.filter((operation) => !apart.has(operation));
  return operations.length > 0 ? [{ ...policy, operations }] : [];
});

/** Limits and HEAD as a live service was seen to have them, and where it was not, as `realistic` has them. */
export const observed: LimitSettings = {
  ...realistic,
  policies: [...seen, ...others],
  head: [
    { operations: '*', status: 204, counted: false },
    { operations: ['listAccountLeagues'], status: 200 },
    { operations: ['getProfile'], status: 403 },
    { operations: ['authorize'] },
  ],
};
