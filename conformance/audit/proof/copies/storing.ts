import { fileURLToPath } from 'node:url';

import { commandClient } from '../../client.js';
import type { ClientMutant } from '../client-mutant.js';
import type { ClientVariant } from '../client-variant.js';

/** How the program stores its login. */
export const designs = ['file', 'lock', 'keyring', 'table', 'daemon'] as const;
export type Design = (typeof designs)[number];

/** The steps of the program that may be replaced, each by the text of a function whose first argument has all of them. */
type Step =
  | ('path' | 'load' | 'save' | 'forget' | 'locked' | 'tokens' | 'isEnding' | 'renew' | 'refresh' | 'refused' | 'adopt')
  | (
      | 'tokenRequest'
      | 'received'
      | 'login'
      | 'get'
      | 'run'
      | 'send'
      | 'lockWait'
      | 'isStale'
      | 'take'
      | 'serve'
      | 'grant'
      | 'ask'
    );
export type Steps = Partial<Readonly<Record<Step, string>>>;

/** The program with a design and other steps, and the worlds that it takes. */
export interface Storing {
  readonly design: Design;
  readonly steps: Steps;
  readonly worlds: readonly string[];
}

export const storing = (design: Design, steps: Steps, ...worlds: readonly string[]): Storing => ({
  design,
  steps,
  worlds,
});

/** The client of processes that mutants and variants of copies change. */
export const program = fileURLToPath(new URL('program.mjs', import.meta.url));

/** A client of processes. `original` and `fs` are known to its steps. */
const clientOf = ({ design, steps }: Storing) => {
  const text = Object.entries(steps).map(([name, code]) => `${name}: ${code}`);
  return commandClient({
    words: ['/usr/bin/env', `STORE=${design}`, `STEPS=${text.join(',')}`, process.execPath, program],
  });
};

/** Mutants as the table of `mutants` has them, of this program. */
export const storingMutants = (
  table: Readonly<Record<`${Uppercase<string>} ${string}: ${string}`, Storing>>,
): readonly ClientMutant[] =>
  Object.entries(table).map(([text, one]) => {
    const [, row = '', id = '', does = ''] = /^(\S+) (\S+): (.*)$/.exec(text) ?? [];
    return { id, does, row, worlds: one.worlds, client: () => clientOf(one) };
  });

/** Variants as the table of `variants` has them, of this program: nothing may blame them, in any world of copies. */
export const storingVariants = (table: Readonly<Record<`${string}: ${string}`, Storing>>): readonly ClientVariant[] =>
  Object.entries(table).map(([text, one]) => {
    const [, id = '', does = ''] = /^(\S+): (.*)$/.exec(text) ?? [];
    return { id, does, least: 4, mayWarn: [], make: () => ({ ...clientOf(one), worlds: ['calm', ...one.worlds] }) };
  });
