import type { OldMutant as Mutant } from '../../mutant.js';
import { change } from '../../interceptor/json.js';

export const profile: readonly Mutant[] = [
  {
    id: 'M-PF-02',
    bug: 'the UUID of a profile is one of version 1',
    rows: ['PROFILE-002'],
    plant: (seam) =>
      seam.data('getProfile', (body) => change(body, 'uuid', (id: string) => `${id.slice(0, 14)}1${id.slice(15)}`)),
  },
  {
    id: 'M-PF-02-dashes',
    bug: 'the UUID of a profile has no dashes',
    rows: ['PROFILE-002'],
    plant: (seam) => seam.data('getProfile', (body) => change(body, 'uuid', (id: string) => id.replaceAll('-', ''))),
  },
  {
    id: 'M-PF-03',
    bug: 'an account that is linked to nothing has a livestream of nulls',
    rows: ['PROFILE-005'],
    plant: (seam) => seam.data('getProfile', (body) => void (body.livestream ??= { name: null })),
  },
  {
    id: 'N-PROFILE-001',
    bug: 'the profile is wrapped',
    rows: ['PROFILE-001'],
    plant: (seam) => seam.data('getProfile', (body) => ({ profile: body })),
  },
  {
    id: 'N-PROFILE-004',
    bug: 'locale is a number',
    rows: ['PROFILE-004'],
    plant: (seam) => seam.data('getProfile', (body) => void (body.locale = 44)),
  },
];
