import { browserCommand } from './browser-command.js';
import { runCommand } from './command.js';
import type { Ending } from './run.js';
import type { Stage } from './stage.js';

/** How a start of the client is told what it needs. */
export interface StartContext {
  readonly environment: Readonly<Record<string, string>>;
  /** Opens an address as the user's browser does. */
  open(url: string): Promise<void>;
  /** From 1. */
  readonly start: number;
  readonly limit: number;
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

/** A client that is a command. Each start gets a browser, and a folder for what it stores that its world has alone. */
export function commandClient({ words, again, names = {}, cwd }: CommandClient): {
  client: AuditedClient;
  close: () => Promise<void>;
} {
  const folders = new Map<Stage | string, Awaited<ReturnType<typeof browserCommand>>>();
  const client: AuditedClient = async ({ environment, open, start, limit, signal }) => {
    const key = environment.GAMEDATA_BASE_URL ?? '';
    const browser = folders.get(key) ?? (await browserCommand((url) => void open(url)));
    folders.set(key, browser);
    const whole = { ...environment, ...browser.environment };
    let tail = '';
    return runCommand({
      words: (start > 1 && again) || words,
      environment: { ...whole, ...renamed(names, whole) },
      limit,
      signal,
      ...(cwd !== undefined && { cwd }),
      // A client that prints the address, for a person to open, means our browser.
      onOutput: (text) => {
        tail = (tail + text).slice(-8000);
        for (const url of printed(tail)) setTimeout(() => void open(url), 400).unref();
      },
    });
  };
  return {
    client,
    close: async () => {
      for (const folder of folders.values()) await folder.close();
    },
  };
}

/** The authorization URLs of an output that are whole: something follows them. Punctuation of a sentence goes. */
function printed(output: string): string[] {
  const words = output.split(/[\s"'<>]/).slice(0, -1);
  return words.flatMap((word) => {
    const start = word.search(/https?:\/\//);
    if (start < 0 || !word.includes('/oauth/authorize?', start)) return [];
    let end = word.length;
    while ('.,)]'.includes(word[end - 1] ?? ' ')) end -= 1;
    return [word.slice(start, end)];
  });
}

/** The placeholders of `--env NAME=placeholder`. */
const placeholders = {
  base_url: 'GAMEDATA_BASE_URL',
  auth_url: 'GAMEDATA_AUTH_URL',
  client_id: 'GAMEDATA_CLIENT_ID',
  client_secret: 'GAMEDATA_CLIENT_SECRET',
  redirect_uri: 'GAMEDATA_REDIRECT_URI',
  public_client_id: 'GAMEDATA_PUBLIC_CLIENT_ID',
  public_redirect_uri: 'GAMEDATA_PUBLIC_REDIRECT_URI',
  service_client_id: 'GAMEDATA_SERVICE_CLIENT_ID',
  service_client_secret: 'GAMEDATA_SERVICE_CLIENT_SECRET',
  account: 'GAMEDATA_ACCOUNT',
  token: 'GAMEDATA_TOKEN_ACCOUNT',
  service_token: 'GAMEDATA_TOKEN_SERVICE',
  state: 'GAMEDATA_STATE',
} as const;

/** `API=base_url` and `API={base_url}/v1`, filled in. */
function renamed(
  names: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>>,
): Record<string, string> {
  const valueOf = (name: string): string | undefined =>
    Object.hasOwn(placeholders, name) ? environment[placeholders[name as keyof typeof placeholders]] : undefined;
  return Object.fromEntries(
    Object.entries(names).map(([name, text]) => [
      name,
      valueOf(text) ?? text.replaceAll(/\{(\w+)\}/g, (whole, inner: string) => valueOf(inner) ?? whole),
    ]),
  );
}
