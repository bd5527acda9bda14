/**
 * A reply under a status that the contract does not document for it, because a switch asks for one (K-023, K-070). Its
 * type keeps saying 200, so that the handlers' types go on refusing statuses that nobody asked for.
 */
export function underStatus<Body>(status: number, body: Body): { status: 200; body: Body } {
  return { status: status as 200, body };
}

/** The name of a reply that is kept: parts that may hold any text never run together. */
export const keyOf = (...parts: readonly (string | number | undefined)[]): string => JSON.stringify(parts);
