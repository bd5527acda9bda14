import { mutants } from '../../mutant.js';
import { put, reply, set } from '../../operators/replies.js';

export const profile = mutants({
  'PROFILE-001: the profile is wrapped': () => reply('getProfile', (body) => ({ profile: body })),
  'PROFILE-002 M-PF-02: the UUID of a profile is one of version 1': () =>
    set('getProfile', 'uuid', (id: string) => `${id.slice(0, 14)}1${id.slice(15)}`),
  'PROFILE-002 M-PF-02-dashes: the UUID of a profile has no dashes': () =>
    set('getProfile', 'uuid', (id: string) => id.replaceAll('-', '')),
  'PROFILE-004: locale is a number': () => put('getProfile', 'locale', 44),
  'PROFILE-005 M-PF-03: an account that is linked to nothing has a livestream of nulls': () =>
    put('getProfile', 'livestream', (livestream: unknown) => livestream ?? { name: null }),
});
