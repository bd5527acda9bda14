import bearer from './game/bearer.js';
import ladders from './game/ladders.js';
import leagues from './game/leagues.js';
import scopes from './game/scopes.js';
import tree from './codec/tree.js';
import type { Group } from '../engine/check.js';

/** Every check of the suite, by requirement group. A new group is added here. */
export const groups: readonly Group[] = [bearer, ladders, leagues, scopes, tree];
