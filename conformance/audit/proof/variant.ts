import type { AuditOptions } from '../audit.js';
import type { AuditedClient } from '../client.js';

/** Another conforming client, which nothing may blame. */
export interface ClientVariant {
  readonly id: string;
  readonly does: string;
  /** Rows that it passes at least: one that asks nothing proves nothing. */
  readonly least: number;
  readonly make: () => Pick<AuditOptions, 'worlds' | 'restarts' | 'autoApprove' | 'redirectUris'> & {
    readonly client: AuditedClient;
    readonly close?: () => Promise<void>;
  };
  /** What installs what it needs, where that is missing. */
  readonly missing?: string;
}
