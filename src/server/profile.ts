import type { LimitChoice } from '../client/index.js';
import { editions } from '../contract/index.js';
import { meant } from '../input/nearest.js';
import { SetupError } from '../input/setup-error.js';

/** Options of a mock that belong together. What is given beside a profile wins over it. */
interface Profile {
  readonly edition: string;
  readonly switches: Readonly<Record<string, unknown>>;
  readonly limits: LimitChoice;
}

/** Without an edition of that name the later one of the description stands in. */
const editionOf = (name: string): string => (Object.hasOwn(editions, name) ? name : 'extended');

const profiles: Readonly<Record<string, () => Profile>> = {
  described: () => ({ edition: 'extended', switches: {}, limits: 'off' }),
  observed: () => ({
    edition: editionOf('observed'),
    switches: { 'pkce.verifier': 'lenient' },
    limits: 'observed',
  }),
};

/** `described` is what the interface says, `observed` what live services of this kind do beside it. @throws SetupError */
export function profileOf(name: string): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile) return profile();
  const names = Object.keys(profiles);
  throw new SetupError(`profile ${name}: no such profile${meant(name, names)}; the profiles are ${names.join(', ')}`);
}
