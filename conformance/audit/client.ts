import { stripVTControlCharacters } from 'node:util';

import { SetupError } from '../../src/input/setup-error.js';
import { browserCommand } from './browser-command.js';
import type { BrowserCommand } from './browser-command.js';
import { runCommand } from './command.js';
import { meant } from '../../src/input/nearest.js';
import { required } from './rows/authorization.js';
import type { Ending } from './run.js';
import { isShown, readable } from './shown.js';

/** How a start of the client is told what it needs. */
export interface StartContext {
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Opens an address as the user's browser does, for a copy of the client where there are several. All starts of a world
   * have the same one, and no other world has it.
   */
  open(url: string, copy?: number): Promise<void>;
  /** From 1. */
  readonly start: number;
  readonly limit: number;
  /** Among several copies at once: called when this one has ended; resolves when all have. */
  readonly together?: () => Promise<void>;
  /** The tokens that were issued in this world so far. */
  readonly issued: () => readonly string[];
  /** Those of them that are a user's. */
  readonly logins: () => readonly string[];
  /** The same, by the client that they were issued to. */
  readonly loginsByClient?: () => ReadonlyMap<string, readonly string[]>;
  /** The client secrets of this world. */
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
}

/** A client under audit: a command, or a function of the same program. */
export type AuditedClient = (context: StartContext) => Promise<Ending>;

export interface CommandClient {
  readonly words: readonly string[];
  /** The words of a second start; without them the first ones again. */
  readonly again?: readonly string[];
  /** Our names for what the client is told: `API_URL` -> `{base_url}/`. */
  readonly names?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Characters of the output that are searched for tokens. */
const searchedOutput = 1_000_000;
/** What each authorization URL has in it. */
const authorize = '/oauth/authorize?';

/** What the starts of a command in one world share. */
interface Folder {
  readonly browser: BrowserCommand;
  /** How often the client has opened an address itself. */
  opened: number;
}

/**
 * A client that is a command. Each start gets a browser, and a folder for what it stores that its world has alone.
 * @throws SetupError where a name is given a value that no mock has
 */
export function commandClient({ words, again, names = {}, cwd }: CommandClient): {
  client: AuditedClient;
  /** Whether it can be told two addresses: one that our names give a single one is not. */
  apart: boolean;
  close: () => Promise<void>;
} {
  checkNames(names);
  // A port may be that of an earlier world again: what a world has alone is known by the way to its browser.
  const folders = new Map<StartContext['open'], Folder>();
  const client: AuditedClient = async ({ environment, open, start, limit, signal, together, ...given }) => {
    const folder: Folder = folders.get(open) ?? {
      opened: 0,
      browser: await browserCommand((url, copy) => {
        folder.opened += 1;
        void open(url, copy);
      }),
    };
    folders.set(open, folder);
    const opens = opening(folder, (url) => open(url, Number(environment.GAMEDATA_COPY)));
    let said = '';
    const whole = { ...environment, ...folder.browser.environment };
    const ending = await runCommand({
      words: (start > 1 && again) || words,
      environment: { ...whole, ...renamed(names, whole) },
      limit,
      signal,
      ...(together && { together }),
      ...(cwd !== undefined && { cwd }),
      onOutput: (text) => {
        opens(text);
        if (said.length < searchedOutput) said += text;
      },
    });
    return { ...ending, ...leftBehind(folder.browser, readable(said), given) };
  };
  const texts = Object.values(names).join(' ');
  return {
    client,
    apart: texts.includes('base_url') === texts.includes('auth_url'),
    close: async () => {
      for (const { browser } of folders.values()) await browser.close();
    },
  };
}

/** What a start has left in its folder, and shown in its output, of what the service gave it. */
function leftBehind(
  { stored, holding, isOpen }: BrowserCommand,
  text: string,
  { issued, logins, loginsByClient, secrets }: Pick<StartContext, 'issued' | 'logins' | 'loginsByClient' | 'secrets'>,
) {
  const tokens = issued();
  const files = holding(tokens);
  return {
    stored: stored(),
    keptToken: files.length > 0,
    keptLogin: holding(logins()).length > 0,
    keptClients: [...(loginsByClient?.() ?? [])].filter(([, own]) => holding(own).length > 0).map(([client]) => client),
    printed: tokens.some((token) => isShown(token, text)),
    printedSecret: secrets.some((secret) => isShown(secret, text)),
    openFile: files.find(isOpen),
  };
}

/** A client that prints the address, for a person to open, means our browser; one that opens it too only tells. */
function opening(folder: Folder, open: (url: string) => unknown): (text: string) => void {
  const before = folder.opened;
  const seen = new Set<string>();
  let shown = 0;
  let tail = '';
  const offer = (url: string): void => {
    if (folder.opened > before || (!isWhole(url) && shown > 0)) return;
    shown += 1;
    void open(url);
  };
  return (text) => {
    const whole = tail + text;
    tail = whole.slice(-8000);
    if (!whole.includes(authorize)) return;
    for (const url of printed(whole)) {
      if (seen.has(url) || !URL.canParse(url)) continue;
      seen.add(url);
      setTimeout(() => offer(url), isWhole(url) ? 600 : 2000).unref();
    }
  };
}

/** The authorization URLs of an output, each with something behind it. Punctuation of a sentence goes. */
export function printed(output: string): string[] {
  const words = plain(output)
    .split(/[^\x21\x23-\x26\x28-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]/)
    .slice(0, -1);
  return words.flatMap((word) => {
    const start = word.search(/https?:\/\//);
    if (start < 0 || !word.includes(authorize, start)) return [];
    let end = word.length;
    while ('.,)]'.includes(word[end - 1] ?? ' ')) end -= 1;
    return [word.slice(start, end)];
  });
}

/** An output without colours, links of a terminal, and the escapes of JSON and HTML. */
const plain = (output: string): string =>
  stripVTControlCharacters(output.replaceAll(/\]8;[^;\s]*;([^\s\p{Cc}]+)/gu, ' $1 ')).replaceAll(/\\u0026|&amp;/g, '&');

/** Whether an address has all that an authorization request must have; a log may shorten one, or black parts of it out. */
const isWhole = (url: string): boolean => {
  const query = new URL(url).searchParams;
  return required.every((name) => query.has(name)) && /^[\w-]{43}$/.test(query.get('code_challenge') ?? '');
};

/** The placeholders of `--env NAME=placeholder`: the variable that each stands for, and what it holds. */
export const placeholders = {
  base_url: [
    'GAMEDATA_BASE_URL',
    'Address of the data API, without a slash at its end; it differs from the next, unless `--env` passes only one of the two, or under `audit watch`',
  ],
  auth_url: ['GAMEDATA_AUTH_URL', 'Address of the authorization server: paths begin with `/oauth`'],
  public_client_id: ['GAMEDATA_PUBLIC_CLIENT_ID', 'A desktop client, which has no secret'],
  public_redirect_uri: ['GAMEDATA_PUBLIC_REDIRECT_URI', 'Its redirect URI on a free port; any other port will do'],
  client_id: ['GAMEDATA_CLIENT_ID', 'A web client with a secret'],
  client_secret: ['GAMEDATA_CLIENT_SECRET', 'Its secret'],
  redirect_uri: ['GAMEDATA_REDIRECT_URI', 'Its redirect URI on a free port, registered as it stands'],
  service_client_id: ['GAMEDATA_SERVICE_CLIENT_ID', 'A client for client_credentials'],
  service_client_secret: ['GAMEDATA_SERVICE_CLIENT_SECRET', 'Its secret'],
  account: ['GAMEDATA_ACCOUNT', 'The account that consents'],
  league: ['GAMEDATA_LEAGUE', 'A league that the account plays in, for a client that asks for one alone'],
  token: ['GAMEDATA_TOKEN_ACCOUNT', 'An access token of the account, for a client that has no login'],
  service_token: ['GAMEDATA_TOKEN_SERVICE', 'An access token of the service client'],
  state: ['GAMEDATA_STATE', 'A folder for what the client stores; each world has its own'],
  copy: ['GAMEDATA_COPY', 'Which copy of the client this is, from 1'],
} as const satisfies Readonly<Record<string, readonly [variable: string, what: string]>>;

/** A text without a placeholder is a typing error: what is fixed needs no mock to fill it in. */
function checkNames(names: Readonly<Record<string, string>>): void {
  const problems = Object.entries(names).flatMap(([name, text]) => nameProblem(name, text) ?? []);
  if (problems.length > 0) throw new SetupError(...problems);
}

/** What is wrong with a name that the client is told by; undefined where nothing is. */
export function nameProblem(name: string, text: string): string | undefined {
  const inner = [...text.matchAll(/\{(\w+)\}/g)].map(([, word = '']) => word);
  const unknown = (inner.length > 0 ? inner : [text]).find((word) => !Object.hasOwn(placeholders, word));
  if (unknown === undefined) return undefined;
  const what = unknown === '' ? 'an empty text' : unknown;
  const list = Object.keys(placeholders).join(', ');
  return `env ${name}=${text}: ${what} is not a placeholder${meant(unknown, Object.keys(placeholders))}; the placeholders are ${list}. Set a fixed value in the environment of the command itself`;
}

/** `API=base_url` and `API={base_url}/v1`, filled in. */
function renamed(
  names: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>>,
): Record<string, string> {
  const valueOf = (name: string): string | undefined =>
    Object.hasOwn(placeholders, name) ? environment[placeholders[name as keyof typeof placeholders][0]] : undefined;
  return Object.fromEntries(
    Object.entries(names).map(([name, text]) => [
      name,
      valueOf(text) ?? text.replaceAll(/\{(\w+)\}/g, (whole, inner: string) => valueOf(inner) ?? whole),
    ]),
  );
}
