import bearer from './game/bearer.js';
import leagues from './game/leagues.js';
import type { Group } from '../engine/check.js';

/** Every check of the suite, by requirement group. A new group is added here. */
export const groups: readonly Group[] = [bearer, leagues];
