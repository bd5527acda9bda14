import type { Variant } from '../mutant.js';
import { mixOf } from './mixes.js';
import { omissions } from './omissions.js';
import { others, undeclared } from './others.js';
import { readings } from './readings.js';
import { transports } from './transports.js';
import { worlds } from './worlds.js';

const single: readonly Variant[] = [...readings, ...others, ...transports, ...worlds];

/** Readings that a target file can declare: a server that declares nothing must not be blamed for them either. */
const declarable = ['B-01', 'B-02', 'B-04', 'B-09', 'B-10', 'B-13', 'E-base', 'E-observed'];

/** Every right way to answer that no check may mind: each alone, undeclared ones, and mixtures by seed. */
export const variants: readonly Variant[] = [
  ...single,
  ...omissions,
  ...single
    .filter(({ id }) => declarable.includes(id))
    .map((variant) => ({
      ...variant,
      id: `${variant.id}-undeclared`,
      what: `${variant.what}; the target does not say so`,
      target: undeclared,
    })),
  ...Array.from({ length: 2 }, (_, index) => mixOf(single, index + 1)),
];
