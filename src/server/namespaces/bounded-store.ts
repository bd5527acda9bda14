import { createMemoryStore } from '../../store/memory.js';
import type { MemoryOptions } from '../../store/memory.js';
import type { Store } from '../../store/store.js';
import { Refusal } from '../refusal.js';

/** Characters of filters that a namespace holds at most, and stash events of a realm. */
const most = { filters: 800_000, stashEvents: 500 };

/** A memory store that is bounded in what no client bounds: filters and stash events. It refuses what is too much. */
export function boundedStore(options: MemoryOptions): Store {
  const store = createMemoryStore(options);
  const accounts = new Set<string>();
  return {
    ...store,
    putFilter(account, filter) {
      accounts.add(account);
      const others = [...accounts].flatMap((one) => store.filters(one)).filter(({ id }) => id !== filter.id);
      const size = [...others, filter].reduce((sum, one) => sum + JSON.stringify(one).length, 0);
      if (size > most.filters)
        throw new Refusal(503, `a namespace holds ${most.filters} characters of filters; use the mock itself for more`);
      store.putFilter(account, filter);
    },
    addStashEvent(realm, event) {
      if (store.stashEvents(realm).length >= most.stashEvents)
        throw new Refusal(
          409,
          `a namespace holds ${most.stashEvents} stash events of a realm; reset it, or use the mock itself`,
        );
      store.addStashEvent(realm, event);
    },
  };
}
