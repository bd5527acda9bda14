import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

import type { Verdict } from '../../conformance/verdict.js';
import type { GatewaySettings, GatewayWorld } from './gateway.js';

/** Why a row is red: what the server documents or chose, or a defect of it. A false alarm of the suite is fixed. */
export const classes = ['deviation', 'defect'] as const;

/** Why rows are red that share one cause. */
export interface Cause {
  readonly rows: readonly string[];
  readonly class: (typeof classes)[number];
  /** One or two sentences: the documentation or the line of source, or the smallest trace and what the RFC says. */
  readonly why: string;
  /** A race or a rounding, which leaves the rows green in some runs. */
  readonly varies?: true;
}

/** `server.yaml` in a server's folder: how it is run, and what is known of it. */
export interface Server extends Partial<Pick<GatewaySettings, 'paths' | 'clock' | 'guards' | 'basic'>> {
  readonly package: string;
  readonly version: string;
  readonly registry: string;
  readonly language: string;
  /** Programs that the machine must have. */
  readonly needs: readonly string[];
  /** Shell commands, run in the server's own folder of the cache. */
  readonly install: string;
  readonly start: string;
  /**
   * Keys of its target file, for a server that is met without the gateway; `${PUBLIC_URL}` in them is its address. The
   * others are base_url, accounts, clients and known of the world.
   */
  readonly target?: Readonly<Record<string, unknown>>;
  /** How a user decides, behind the gateway. Default: form. */
  readonly consent?: 'form' | 'auto';
  /** Clients of the world that the server can serve. Default: all. */
  readonly clients?: readonly string[];
  /** Clients of the world that it issues no refresh tokens to, though they may have them. */
  readonly withoutRefresh?: readonly string[];
  readonly settings: readonly string[];
  readonly wrapper: readonly string[];
  readonly causes: readonly Cause[];
  /** Why rows could not run or were not exercised. */
  readonly unjudged?: readonly Omit<Cause, 'class'>[];
}

/** `results.json` in a server's folder, of the last run. */
export interface Results {
  readonly seconds: number;
  readonly requests: number;
  /** Every row of the run that did not pass. */
  readonly rows: Readonly<Record<string, Verdict>>;
  readonly passed: number;
}

/** A row that a server was blamed by without cause, until it was fixed. */
export interface FalseAlarm {
  readonly rows: readonly string[];
  /** The server that showed it. */
  readonly server: string;
  readonly why: string;
  /** What keeps it from coming back. */
  readonly variant: string;
}

/** How somebody came from an empty folder to a first report on a server that runs already. */
export interface Onboarding {
  readonly server: string;
  readonly steps: readonly { readonly command: string; readonly seconds: number }[];
  /** What was filled in by hand. */
  readonly filled: string;
  readonly found: string;
}

export interface TestedServer {
  readonly name: string;
  readonly server: Server;
  readonly results: Results;
}

export const folder = 'research/foreign/servers';

export const serverNames = (): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));

export const serverOf = (name: string): Server =>
  parse(readFileSync(join(folder, name, 'server.yaml'), 'utf8')) as Server;

const resultsOf = (name: string): Results =>
  JSON.parse(readFileSync(join(folder, name, 'results.json'), 'utf8')) as Results;

export const falseAlarms = (): readonly FalseAlarm[] =>
  parse(readFileSync('research/foreign/false-alarms.yaml', 'utf8')) as readonly FalseAlarm[];

export const onboardings = (): readonly Onboarding[] =>
  parse(readFileSync('research/foreign/onboarding.yaml', 'utf8')) as readonly Onboarding[];

/** Every server that was run. */
export const entries = (): readonly TestedServer[] =>
  serverNames()
    .filter((name) => existsSync(join(folder, name, 'results.json')))
    .map((name) => ({ name, server: serverOf(name), results: resultsOf(name) }));

export const world = (): GatewayWorld => JSON.parse(readFileSync(join(folder, 'world.json'), 'utf8')) as GatewayWorld;
