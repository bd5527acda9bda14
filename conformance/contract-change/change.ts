/** Which way data goes at a place: from client to server, or back. */
export type Direction = 'request' | 'response';

/** Who has to be changed before it works again. */
export type Side = 'clients' | 'servers';

/** One difference between two contracts. */
export interface ContractChange {
  /** `GET /profile, response 200`, or a schema with the member, `Item.influences`. */
  readonly place: string;
  /** What is different, as a clause. */
  readonly what: string;
  /** Whom it breaks; nobody where it is empty. */
  readonly breaks: readonly Side[];
}

/** What became of the set of values that a place allows: some that were allowed no longer are, or the other way round. */
export type Effect = 'narrower' | 'wider' | 'both' | 'neither';

/**
 * Whom it breaks. Whoever sends at a place may send less, and whoever reads there may have to read more: a narrower
 * request refuses what clients send, a wider one asks servers to understand more; with responses it is the reverse.
 */
export function brokenBy(effect: Effect, direction: Direction): readonly Side[] {
  if (effect === 'neither') return [];
  if (effect === 'both') return ['clients', 'servers'];
  return (effect === 'narrower') === (direction === 'request') ? ['clients'] : ['servers'];
}
