/** What is tested of a mock, tested of two replicas behind a balancer that hands each connection to the other one. */
import { afterAll, beforeEach } from 'vitest';

import { startTestMocksWith } from '../mock.fixture.js';
import { noEngine, startEngine } from './engine.fixture.js';
import { startPair } from './pair.fixture.js';

const engine = noEngine === undefined ? await startEngine('--appendfsync', 'everysec') : undefined;
afterAll(() => engine?.remove());
beforeEach(({ skip }) => {
  if (noEngine) skip(noEngine);
});
if (engine) startTestMocksWith((options = {}) => startPair(engine.url, options), 2);

await import('../control.test.js');
await import('../control-state.test.js');
await import('../lifetimes.test.js');
await import('../faults/faults.test.js');
await import('../journal/journal.test.js');
await import('../limits/limits.test.js');
await import('../namespaces/namespaces.test.js');
await import('../snapshots/snapshots.test.js');
