import { group } from '../../engine/check.js';
import { ascendancy } from './ascendancy.js';
import { earlier, roundTrips, version6 } from './layouts.js';
import { streams } from './streams.js';
import { text } from './text.js';

/** Passive-tree links: a command or an adapter answers, nothing goes over HTTP but a character's passives (K-066). */
export default group('codec/tree', { inOrder: true }, [
  ...text,
  ...roundTrips,
  ...version6,
  ...earlier,
  ...ascendancy,
  ...streams,
]);
