import { stringify } from 'yaml';

import { flags as flagTable } from '../contract/index.js';
import type { Scope, Switches } from '../contract/index.js';
import type { Client, World } from '../world/world.js';
import { editorLine } from '../input/editor-line.js';
import { packageFile } from '../input/package.js';
import { servedScopes } from './served-scopes.js';

/** What a target file is made from. */
export interface TargetFacts {
  readonly url: string;
  readonly controlUrl: string;
  readonly controlToken: string | undefined;
  /** The edition flags that are on. */
  readonly flags: ReadonlySet<string>;
  readonly switches: Switches;
  readonly world: Pick<World, 'accounts' | 'clients' | 'known'>;
}

/** The parts that clients play in a target file, and who plays them here. */
const roles = [
  ['confidential', 'example-web', 'user'],
  ['confidential_other', 'example-other', 'user'],
  ['confidential_no_refresh', 'example-web-norefresh', 'user'],
  ['confidential_limited', 'example-limited', 'user'],
  ['guild', 'example-guild', 'user'],
  ['public', 'example-desktop', 'user'],
  ['service', 'example-service', 'self'],
  ['service_account', 'example-service-account', 'self'],
  ['operations', 'example-operations', 'self'],
] as const;

/** The target file of a mock (control-protocol.md, section 1), as data. */
function targetOf({ url, controlUrl, controlToken, flags, switches, world }: TargetFacts) {
  return {
    name: 'gamedata-mock',
    base_url: url,
    auth_url: url,
    control_url: controlUrl,
    ...(controlToken !== undefined && { control_token: controlToken }),
    tree_codec: codecCommand(process.execPath, process.argv[1]),
    edition: Object.fromEntries(flagTable.map(({ flag }) => [flag, flags.has(flag) ? 'on' : 'off'])),
    names: { game2: switches['names.game2'], livestream: switches['names.livestream'] },
    accounts: Object.fromEntries(
      world.accounts
        .filter(({ key }) => key === 'alice' || key === 'bob' || key === 'carol')
        .map(({ key, username }) => [key, { username }]),
    ),
    clients: Object.fromEntries(
      roles.flatMap(([role, id, kind]) => {
        const client = world.clients.find((candidate) => candidate.id === id);
        return client ? [[role, kind === 'user' ? forUsers(client, flags) : forItself(client, flags)]] : [];
      }),
    ),
    consent: 'control',
    readings: {
      access_after_refresh: switches['refresh.revokeOldAccess'] ? 'revoked' : 'alive',
      refresh_reuse: switches['refresh.reuseRevokesFamily'] ? 'revokes_family' : 'rejects',
      invalid_scope: switches['scopes.unknown'],
      // A server that replaces what is wrong with a parameter lowers a limit too.
      over_max: switches['params.invalid'] === 'clamp' ? 'clamp' : switches['params.overMax'],
      null_lookup_status: switches['lookup.nullStatus'],
    },
    // Nobody is linked to a channel where what may be absent is.
    known: switches['optional.presence'] === 'sparse' ? { ...world.known, livestream: undefined } : world.known,
  };
}

/**
 * The command that answers for the codec, wherever the target file is read: this very program, by its place. `program`
 * is what Node was started with; where that is not the command line, it is the one that was built of this package.
 */
export function codecCommand(node: string, program = ''): string {
  const quoted = (word: string): string =>
    /^[\w./:@+-]+$/.test(word) ? word : `"${word.replace(/["\\$`]/g, '\\$&')}"`;
  if (/[/\\]main\.ts$/.test(program)) return `${quoted(node)} --import tsx ${quoted(program)} tree pipe`;
  const isOwn = /[/\\](?:main\.js|gamedata)$/.test(program);
  return `${quoted(node)} ${quoted(isOwn ? program : packageFile('dist', 'cli', 'main.js'))} tree pipe`;
}

const credentials = ({ id, secret }: Client) => ({ client_id: id, ...(secret !== null && { client_secret: secret }) });

const scopesIn = (scopes: readonly Scope[], flags: ReadonlySet<string>): string[] => servedScopes(scopes, flags);

function forUsers(client: Client, flags: ReadonlySet<string>) {
  const [first, ...more] = client.redirectUris;
  return {
    ...credentials(client),
    redirect_uri: first,
    ...(more.length > 0 && { redirect_uris: [...client.redirectUris] }),
    scopes: scopesIn(client.scopes, flags),
    exact_scopes: true,
    refresh: client.refresh,
  };
}

const forItself = (client: Client, flags: ReadonlySet<string>) => ({
  ...credentials(client),
  scopes: scopesIn(client.credentialScopes, flags),
  exact_scopes: true,
});

/** The target file as text. `edition` uses the words on and off, which YAML 1.2 leaves strings. */
export const targetText = (facts: TargetFacts): string =>
  `# Written by gamedata mock --write-target, which replaces this file as long as it begins with this line.\n${editorLine('target')}\n${stringify(targetOf(facts), { lineWidth: 0 })}`;
