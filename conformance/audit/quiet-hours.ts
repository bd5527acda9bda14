import type { World } from '../../src/world/world.js';

const hour = 3600;

/** Which of each three hours has trades, from 0. */
export interface QuietHours {
  readonly busy: number;
}

/** A history in which one hour of three has trades (interface 4.2: each market with activity in the hour is returned). */
export const quietHours = ({ exchange }: World, { busy }: QuietHours): Partial<World> => ({
  exchange: (realm) => {
    const history = exchange(realm);
    const isQuiet = (at: number): boolean => ((at - history.firstHour) / hour) % 3 !== busy;
    return { ...history, markets: (at) => (isQuiet(at) ? [] : history.markets(at)) };
  },
});
