import { loadFixtures } from '../world/fixtures/folder.js';
import { Service } from './service.js';
import type { ServiceOptions } from './service.js';

/** The state of a mock as it is started usually, with a small world, but for what is given. */
export const usualService = (more: Partial<ServiceOptions> = {}): Service =>
  new Service({
    seed: 1,
    epoch: null,
    edition: 'extended',
    flags: {},
    switches: {},
    fixtures: () => loadFixtures(null),
    volume: { stashChanges: 10, exchangeHours: 2 },
    autoApprove: null,
    realTime: Date.now,
    log: () => {},
    ...more,
  });
