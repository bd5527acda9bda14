import type { Variant } from '../mutant.js';
export const variants: readonly Variant[] = [];
