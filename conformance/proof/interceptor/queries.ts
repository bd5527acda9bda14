import { listAt } from './json.js';
import type { OldMutant as Mutant } from '../mutant.js';
import type { Interceptor } from './interceptor.js';

type Operation = Parameters<Interceptor['query']>[0];

/** Sets a query parameter that was left out. */
export const byDefault =
  (operation: Operation, name: string, value: string): Mutant['plant'] =>
  (seam) =>
    seam.query(operation, (query) => void (query.has(name) || query.set(name, value)));

/** Takes a query parameter away. */
export const ignored =
  (operation: Operation, name: string): Mutant['plant'] =>
  (seam) =>
    seam.query(operation, (query) => query.delete(name));

/** Pages that begin one entry too late wherever there is an offset. */
export const shifted =
  (operation: Operation): Mutant['plant'] =>
  (seam) =>
    seam.query(operation, (query) => {
      const offset = Number(query.get('offset'));
      if (offset > 0) query.set('offset', String(offset + 1));
    });

/** A list without its last entry. */
export const short =
  (operation: Operation, ...path: readonly string[]): Mutant['plant'] =>
  (seam) =>
    seam.data(operation, (body) => void listAt(body, ...path).splice(-1, 1));
