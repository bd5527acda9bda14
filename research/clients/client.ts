import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

import type { Verdict } from '../../conformance/verdict.js';

/** Whose a finding is: what the library does, or what it leaves to its caller and its example does not do. */
export const classes = ['library', 'example'] as const;

/** Why rows failed or warned that share one cause. */
export interface Cause {
  readonly rows: readonly string[];
  readonly class: (typeof classes)[number];
  /** What it does, and where: file and function of the library, or the file of the example. */
  readonly why: string;
}

/** What the programs of one language need. */
export interface Language {
  readonly name: string;
  /** Programs that the machine must have. */
  readonly needs: readonly string[];
  /** A shell command, run in the language's folder of the cache. */
  readonly install: string;
}

/** A program around one library. */
export interface Client {
  readonly package: string;
  readonly version: string;
  readonly registry: string;
  /** The folder of its language. */
  readonly folder: string;
  /** Starts it, in that folder of the cache. */
  readonly start: string;
  /** A client with a secret, and a redirect URI that is registered. */
  readonly confidential?: true;
  /** Files of its mutants, and folders with a slash at the end; of the example and of the library. */
  readonly mutated?: readonly string[];
  readonly causes: readonly Cause[];
}

/** A program around a library that keeps its tokens, for several copies of it at once. */
export interface CachingClient extends Client {
  /** What keeps its tokens, and where. */
  readonly cache: string;
}

/** `results/NAME.json`, of the last run. */
export interface Results {
  readonly seconds: number;
  readonly requests: number;
  readonly passed: number;
  /** The rows that came up in what the client did. */
  readonly judged: number;
  /** Every row that failed or warned. */
  readonly rows: Readonly<Record<string, Verdict>>;
}

/** A row that blamed a client without cause, or let pass what it is to blame, until it was fixed. */
export interface FalseAlarm {
  readonly rows: readonly string[];
  readonly client: string;
  readonly why: string;
  /** What keeps it from coming back. */
  readonly kept: string;
}

export const folder = 'research/clients';

/** What the audits showed of the audit itself. */
export interface Found {
  readonly falseAlarms: readonly FalseAlarm[];
  readonly misses: readonly FalseAlarm[];
}

export interface Listed extends Found {
  readonly languages: Readonly<Record<string, Language>>;
  readonly clients: Readonly<Record<string, Client>>;
  readonly copies: Readonly<Record<string, CachingClient>>;
}

/** The clients, and the languages of their folders. */
export const listed = (): Listed => parse(readFileSync(join(folder, 'clients.yaml'), 'utf8')) as Listed;

export interface Audited<Its extends Client = Client> {
  readonly name: string;
  readonly client: Its;
  readonly language: string;
  readonly results: Results;
}

/** Where the results of one client are, and of several copies of it. */
export const resultsFile = (name: string): string => join(folder, 'results', `${name}.json`);
export const copiesFile = (name: string): string => join(folder, 'results', 'copies', `${name}.json`);

/** Every client that was audited. */
export const audited = (): readonly Audited[] => withResults(listed().clients, resultsFile);
/** Every client whose copies were audited. */
export const auditedCopies = (): readonly Audited<CachingClient>[] => withResults(listed().copies, copiesFile);

function withResults<Its extends Client>(
  clients: Readonly<Record<string, Its>>,
  fileOf: (name: string) => string,
): readonly Audited<Its>[] {
  const { languages } = listed();
  return Object.entries(clients)
    .filter(([name]) => existsSync(fileOf(name)))
    .map(([name, client]) => ({
      name,
      client,
      language: languages[client.folder]?.name ?? client.folder,
      results: JSON.parse(readFileSync(fileOf(name), 'utf8')) as Results,
    }));
}

/** All files of a language's folder, as text: the programs, and what pins their libraries. */
export const filesOf = (language: string): string =>
  readdirSync(join(folder, language), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
