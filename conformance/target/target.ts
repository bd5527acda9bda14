import type { Scope } from '../../src/contract/index.js';
import type { Endpoint, Known, Role, Readings } from './table.js';

export type { Known, Role } from './table.js';

export interface ClientEntry {
  readonly client_id: string;
  /** Public clients have none. */
  readonly client_secret?: string;
  readonly redirect_uri?: string;
  /** All registered ones, the first included; at least `redirect_uri` where that is given. */
  readonly redirect_uris: readonly string[];
  /** At least these. */
  readonly scopes: readonly Scope[];
  /** It may have no other scopes. */
  readonly exact_scopes?: boolean;
  readonly refresh: boolean;
}

export interface Account {
  /** The name that the server has for it. */
  readonly username?: string;
  /** What is typed in at a login page. Default: the account's key. */
  readonly login?: string;
  readonly password?: string;
}

/** A bearer token that is ready to be used. */
export interface ReadyToken {
  readonly token: string;
  readonly scopes: readonly Scope[];
  /** Whose it is, of those with account scopes. Default: the first account. */
  readonly account?: string;
}

export type FlagState = 'on' | 'off' | 'any';

export interface Waiver {
  readonly id: string;
  readonly reason: string;
  readonly issue?: string;
  /** Date, yyyy-mm-dd; the waiver is stale from the day after. */
  readonly expires?: string;
}

/** How a server is reached and what is known of it: the target file, with environment and flags over it. */
export interface Target {
  readonly name: string;
  /** Without a slash at the end. */
  readonly base_url: string;
  readonly auth_url: string;
  /** Endpoints of the authorization server that are elsewhere than in the interface: a path below auth_url, or a URL. */
  readonly paths: Readonly<Partial<Record<Endpoint, string>>>;
  /** Absolute paths of PEM files. */
  readonly ca?: string;
  readonly client_certificate?: { readonly cert: string; readonly key: string };
  /** URL of a proxy that opens connections by CONNECT. */
  readonly proxy?: string;
  readonly control_url?: string;
  readonly control_token?: string;
  /** Absolute path of an ES module. */
  readonly adapter?: string;
  readonly tree_codec?: string;
  /** Flags that the file does not name are `any`. */
  readonly edition: Readonly<Record<string, FlagState>>;
  readonly names: { readonly game2: string; readonly livestream: string };
  readonly accounts: Readonly<Record<string, Account>>;
  readonly clients: Readonly<Partial<Record<Role, ClientEntry>>>;
  /** Used where no client can have a token with such scopes. */
  readonly tokens: readonly ReadyToken[];
  /** Ids of operations that the server does not have: their rows are not applicable. */
  readonly not_offered: readonly string[];
  readonly consent: 'control' | 'adapter' | 'form' | 'auto' | 'none';
  /** With `consent: form`: names of fields, and names, values or texts of buttons. */
  readonly form: Readonly<Partial<Record<'account' | 'password' | 'approve' | 'deny', string>>>;
  readonly readings: Readings;
  readonly known: Known;
  readonly waivers: readonly Waiver[];
  /** Milliseconds within which every revocation is known everywhere; not declared where it is left out. */
  readonly propagation_ms?: number;
  /** 0 requests, in all or a second, are no limit; `concurrency` is how many are under way at once. */
  readonly budget: { readonly requests: number; readonly per_second: number; readonly concurrency: number };
}
