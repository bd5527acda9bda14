import type { World } from '../../src/world/world.js';

const hour = 3600;

/** A history in which one hour of three has trades (interface 4.2: each market with activity in the hour is returned). */
export const quietHours = ({ exchange }: World): Partial<World> => ({
  exchange: (realm) => {
    const history = exchange(realm);
    const isQuiet = (at: number): boolean => ((at - history.firstHour) / hour) % 3 !== 0;
    return { ...history, markets: (at) => (isQuiet(at) ? [] : history.markets(at)) };
  },
});
