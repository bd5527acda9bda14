import type { AuditOptions } from '../audit.js';
import type { AuditedClient } from '../client.js';
import { worlds } from '../worlds.js';
import type { ClientEntry } from './client-mutant.js';
import { inside } from './inside.js';

/** Another conforming client, which nothing may blame. */
export interface ClientVariant {
  readonly id: string;
  readonly does: string;
  /** Rows that it passes at least: one that asks nothing proves nothing. */
  readonly least: number;
  /** Rows of advice that truly applies to it; any other warning is a false positive. */
  readonly mayWarn: readonly string[];
  readonly make: () => Pick<AuditOptions, 'worlds' | 'restarts' | 'autoApprove' | 'redirectUris'> & {
    readonly client: AuditedClient;
    readonly close?: () => Promise<void>;
  };
  /** What installs what it needs, where that is missing. */
  readonly missing?: string;
}

/** All but the worlds with limits, where a client that keeps to them takes its time; the reference goes there for all. */
export const quick = worlds.filter(({ limit }) => limit === undefined).map(({ id }) => id);

interface Row extends Partial<Pick<ClientVariant, 'least' | 'mayWarn'>>, Pick<AuditOptions, 'autoApprove'> {
  readonly client: ClientEntry;
}

/** Variants by id and what they do: `'uuid-state: uses UUIDs as state': swap(…)`, with their warnings where there are any. */
export const variants = (
  table: Readonly<Record<`${string}: ${string}`, ClientEntry | Row>>,
): readonly ClientVariant[] =>
  Object.entries(table).map(([text, given]) => {
    const [, id = '', does = ''] = /^(\S+): (.*)$/.exec(text) ?? [];
    const row: Row = 'client' in given ? given : { client: given };
    const { client, least = 40, mayWarn = [], ...options } = row;
    const make = (): ReturnType<ClientVariant['make']> => ({
      client: inside((given) => client.make(given).run()),
      worlds: client.worlds === undefined ? quick : ['calm', ...client.worlds],
      ...options,
    });
    return { id, does, least, mayWarn, make };
  });
