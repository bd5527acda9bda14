import { worlds } from '../../worlds.js';
import { clientOf } from '../client-mutant.js';
import { variants } from '../client-variant.js';
import type { ClientVariant } from '../client-variant.js';
import { programs } from '../programs.js';
import { Reference } from '../reference.js';
import { authorization } from './authorization.js';
import { copies } from './copies.js';
import { data } from './data.js';
import { several } from './several.js';
import { tokens } from './tokens.js';

/** Every conforming client: the reference itself, the reference with other steps, and programs. */
export const clientVariants: readonly ClientVariant[] = [
  ...variants({
    'reference: does everything right': { client: clientOf(Reference).in(...worlds.map(({ id }) => id)), least: 90 },
  }),
  ...authorization,
  ...tokens,
  ...data,
  ...several,
  ...copies,
  ...programs,
];
