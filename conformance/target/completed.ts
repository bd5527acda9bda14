import { flags } from '../../src/contract/index.js';
import type { Scope } from '../../src/contract/index.js';
import { operationsNamed } from './offers.js';
import { usualBudget, readingLines } from './table.js';
import type { ClientEntry, Known, Role, Target, Waiver } from './target.js';

/** A target as it may be written: what the schema lets through. */
interface WrittenTarget extends Partial<Omit<Target, 'names' | 'clients' | 'readings' | 'budget'>> {
  readonly base_url: string;
  readonly names?: Partial<Target['names']>;
  readonly clients?: Readonly<Partial<Record<Role, WrittenClient>>>;
  readonly readings?: Partial<Target['readings']>;
  /** The earlier name of `readings`. */
  readonly variants?: Partial<Target['readings']>;
  readonly known?: Known;
  readonly waivers?: readonly Waiver[];
  readonly budget?: Partial<Target['budget']>;
}

interface WrittenClient {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly redirect_uri?: string;
  readonly redirect_uris?: readonly string[];
  readonly scopes: readonly Scope[];
  readonly exact_scopes?: boolean;
  readonly refresh?: boolean;
}

const anyReading = Object.fromEntries(Object.keys(readingLines).map((key) => [key, 'any'])) as Target['readings'];

/** A checked target with what it leaves out. `fileAt` gives the absolute path of a file as a key has it. */
export function completed(checked: unknown, fileAt: (path: string, key: string) => string): Target {
  const {
    adapter,
    ca,
    client_certificate: own,
    control_url,
    readings,
    variants,
    ...written
  } = checked as WrittenTarget;
  const base_url = withoutSlash(written.base_url);
  return {
    name: written.name ?? new URL(base_url).host,
    base_url,
    auth_url: withoutSlash(written.auth_url ?? base_url),
    paths: written.paths ?? {},
    ...(ca !== undefined && { ca: fileAt(ca, 'ca') }),
    ...(own && {
      client_certificate: {
        cert: fileAt(own.cert, 'client_certificate.cert'),
        key: fileAt(own.key, 'client_certificate.key'),
      },
    }),
    ...(written.proxy !== undefined && { proxy: written.proxy }),
    ...(control_url !== undefined && { control_url: withoutSlash(control_url) }),
    ...(written.control_token !== undefined && { control_token: written.control_token }),
    ...(adapter !== undefined && { adapter: fileAt(adapter, 'adapter') }),
    ...(written.tree_codec !== undefined && { tree_codec: written.tree_codec }),
    edition: Object.fromEntries(flags.map(({ flag }) => [flag, written.edition?.[flag] ?? 'any'])),
    names: { game2: 'game2', livestream: 'livestream', ...written.names },
    accounts: written.accounts ?? { alice: {} },
    clients: Object.fromEntries(
      Object.entries(written.clients ?? {}).map(([role, client]) => [role, completedClient(client)]),
    ),
    tokens: written.tokens ?? [],
    not_offered: operationsNamed(written.not_offered ?? []),
    consent: written.consent ?? (control_url !== undefined ? 'control' : adapter !== undefined ? 'adapter' : 'none'),
    form: written.form ?? {},
    readings: { ...anyReading, ...(readings ?? variants) },
    ...(written.propagation_ms !== undefined && { propagation_ms: written.propagation_ms }),
    known: written.known ?? {},
    waivers: written.waivers ?? [],
    budget: { ...usualBudget, ...written.budget },
  };
}

function completedClient({ redirect_uris = [], refresh = false, ...client }: WrittenClient): ClientEntry {
  const first = client.redirect_uri === undefined ? [] : [client.redirect_uri];
  return { ...client, redirect_uris: [...new Set([...first, ...redirect_uris])], refresh };
}

const withoutSlash = (address: string): string => address.replace(/(?<!\/)\/+$/, '');
