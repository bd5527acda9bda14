/**
 * A place in the contract as the ledger writes it, `Item.logbookMods[].faction.id`: a schema or an operation's reply, then
 * properties, each `[]` a step into an array.
 */
export interface PlacePath {
  readonly head: string;
  readonly steps: readonly { readonly name: string; readonly depth: number }[];
}

/** Reads a place: `name[][]` is a property of depth 2. */
export function placePath(place: string): PlacePath {
  const [head = '', ...steps] = place.split('.');
  return {
    head,
    steps: steps.map((step) => {
      const [name = '', ...arrays] = step.split('[]');
      return { name, depth: arrays.length };
    }),
  };
}
