import type { AuditedClient } from '../client.js';
import { inside } from './inside.js';
import { Reference } from './reference.js';
import type { Dependencies } from './reference.js';

/** The steps of the reference client, each bound to its client. */
type Steps = Pick<
  Reference,
  { [Name in keyof Reference]: Reference[Name] extends (...given: never[]) => unknown ? Name : never }[keyof Reference]
>;

/** The steps as they are now, before some of them are replaced. */
function stepsOf(client: Reference): Steps {
  const before = Object.create(
    Object.getPrototypeOf(client) as object,
    Object.getOwnPropertyDescriptors(client),
  ) as Reference;
  return new Proxy(before, {
    get: (steps, name) => (Reflect.get(steps, name) as (...given: unknown[]) => unknown).bind(client),
  });
}

/** A client that differs from the reference, and where that shows. */
export class ClientEntry {
  constructor(
    readonly make: (given: Dependencies) => Reference,
    readonly worlds?: readonly string[],
  ) {}

  /** The worlds that it takes, beside the calm one. */
  in = (...worlds: readonly string[]): ClientEntry => new ClientEntry(this.make, worlds);

  /** Replaces further steps; `original` has those of before. A name that the reference has not does not compile. */
  swap = <Name extends keyof Reference>(
    change: Pick<Reference, Name> | ((client: Reference, original: Steps) => Pick<Reference, Name>),
  ): ClientEntry =>
    new ClientEntry((given) => {
      const client = this.make(given);
      return Object.assign(client, typeof change === 'function' ? change(client, stepsOf(client)) : change);
    }, this.worlds);
}

/** A client of a class of its own. */
export const clientOf = (made: typeof Reference): ClientEntry => new ClientEntry((given) => new made(given));

/**
 * The reference client with some of its steps replaced: `swap({ attempts: () => 9 })`. Whatever has to be remembered is a
 * variable of a function, which is called for each start: `swap((client, original) => …)`.
 */
export const swap = clientOf(Reference).swap;

/** A wrong client: what it does otherwise, and the row that must say so. */
export interface ClientMutant {
  readonly id: string;
  readonly does: string;
  readonly row: string;
  readonly worlds: readonly string[];
  readonly client: () => { readonly client: AuditedClient; readonly close?: () => Promise<void> };
}

/** Mutants by row, id and what they do: `'PACE-RETRY-001 retry-at-once: repeats at once after a 429': swap(…)`. */
export const mutants = (
  table: Readonly<Record<`${Uppercase<string>} ${string}: ${string}`, ClientEntry>>,
): readonly ClientMutant[] =>
  Object.entries(table).map(([text, entry]) => {
    const [, row = '', id = '', does = ''] = /^(\S+) (\S+): (.*)$/.exec(text) ?? [];
    const client: ClientMutant['client'] = () => ({ client: inside((given) => entry.make(given).run()) });
    return { id, does, row, worlds: entry.worlds ?? [], client };
  });
