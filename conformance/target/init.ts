import { flags, scopes } from '../../src/contract/index.js';
import type { Scope } from '../../src/contract/index.js';
import { targetSchema } from './schema.js';
import { roles, userRoles } from './target.js';
import type { Role } from './target.js';

/**
 * A target file to fill in: three values that every server has, and behind `#` every other setting with what it means.
 * A `#` with a space behind it is a remark, one without is a setting that is switched off, indented as it should be.
 */
export function targetTemplate(): string {
  return indented(`# The server under test, as the conformance suite sees it. Fill in the three empty values, and then let
# gamedata doctor --target target.yaml see whether it is right. A # without a space behind it is a setting that is
# switched off: all of those are optional, and the more is filled in, the more can be judged.
# \${NAME} in a value is replaced from the environment; keep secrets there.

#name: my-server                       ${remark('name')}
base_url: ''                           ${remark('base_url')}
#auth_url: http://127.0.0.1:4010       ${remark('auth_url')}

# The control protocol, and other ways to let the suite do what the interface does not offer.
#control_url: http://127.0.0.1:4010/__control
#control_token: \${CONTROL_TOKEN}       ${remark('control_token')}
#adapter: ./adapter.mjs                ${remark('adapter')}
#tree_codec: python3 codec.py          ${remark('tree_codec')}

# How a user decides: control, adapter, form (an ordinary HTML page with the fields account and decision),
# auto (the authorization endpoint redirects at once) or none.
#consent: form

${about('accounts')}
#accounts:
#  alice:
#    username: alice                    # name of the account, as the server has it
#  bob:
#    username: bob

${about('clients')}
clients:
${roles.map(clientBlock).join('\n')}
${about('edition')}
#edition:
${flags.map((flag) => `#  ${`${flag.flag}: any`.padEnd(36)}# ${flag.about}`).join('\n')}

${about('names')}
#names:
#  game2: game2                         # the second game's realm
#  livestream: livestream               # the field of an account's streaming platform

${about('variants')}
#variants:
${variantLines()}

${about('known')}
#known:
${knownLines()}

# Known deviations: the run is conformant with them. A stale or expired one fails.
#waivers:
#  - id: LEAGUE-GET-006
#    reason: answers 404 until the next release
#    issue: https://tracker.example/17
#    expires: 2099-12-31

# What the server may be burdened with: the most requests of a run, and the most a second. 0 is no limit.
#budget:
#  requests: 50000
#  per_second: 0
`);
}

/** Puts the mark of settings that are switched off behind their indentation. */
const indented = (text: string): string => text.replaceAll(/^#( {2,})(?=\S)/gm, '$1#');

const { properties } = targetSchema;

const remark = (key: keyof typeof properties): string => `# ${lowered(properties[key].description)}`;
const about = (key: keyof typeof properties): string => `# ${properties[key].description}`;
const lowered = (text: string): string =>
  (/^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text).replace(/\.$/, '');

/** The one client that needs no user, and so no consent, is switched on. */
function clientBlock(role: Role): string {
  const on = role === 'service';
  const word = role.toUpperCase();
  const lines = [
    `  ${role}:`,
    `    client_id: ${on ? "''" : `my-${role.replaceAll('_', '-')}`}`,
    ...(role === 'public' ? [] : [`    client_secret: ${on ? "''" : `\${GAMEDATA_CLIENT_${word}_SECRET}`}`]),
    ...redirectLines(role),
    `    scopes: [${scopesOf[role].join(', ')}]`,
    ...(role === 'confidential_limited' ? ['    exact_scopes: true  # it may have no other scopes'] : []),
    ...(userRoles.includes(role) ? [`    refresh: ${String(role !== 'confidential_no_refresh')}`] : []),
  ];
  const description = properties.clients.properties[role].description;
  return `  # ${description}\n${lines.map((line) => (on ? line : `#${line}`)).join('\n')}\n`;
}

function redirectLines(role: Role): string[] {
  if (!userRoles.includes(role)) return [];
  const first = role === 'public' ? 'http://127.0.0.1:8400/callback' : 'https://app.example/callback';
  return [
    `    redirect_uri: ${first}`,
    ...(role === 'confidential' ? [`    redirect_uris: [${first}, ${first}?tenant=7]  # all that are registered`] : []),
  ];
}

const all = Object.keys(scopes) as Scope[];
const account = all.filter((scope) => scope.startsWith('account:') && scope !== 'account:guild:stashes');
const service = all.filter((scope) => scope.startsWith('service:'));
const scopesOf: Readonly<Record<Role, readonly Scope[]>> = {
  confidential: account,
  confidential_other: account,
  confidential_no_refresh: account,
  confidential_limited: ['account:profile', 'account:characters'],
  guild: [...account, 'account:guild:stashes'],
  public: account,
  service,
  service_account: [...service, 'account:profile', 'account:characters'],
  operations: ['oauth:revoke', 'oauth:introspect'],
};

function variantLines(): string {
  return Object.entries(properties.variants.properties)
    .map(([key, { enum: values, description }]) => {
      const choices = values.map(String).join(', ');
      return `#  ${`${key}: ${String(values.find((value) => value === 'any') ?? values[0])}`.padEnd(36)}# ${choices}: ${lowered(description)}`;
    })
    .join('\n');
}

/** Examples of the facts that are no single words. */
const facts: Readonly<Record<string, string>> = {
  owner: 'owner',
  livestream: 'alice',
  game2_account: 'alice',
  main_leagues: '[Standard, Hardcore]',
  event_leagues: '[Some Event]',
  odd_names: "['A/B', '100% Ünïcode']",
  folder_tab: "'0123456789'",
  parent_tab: "'123456789a'",
  sub_tab: "'23456789ab'",
  empty_tab: "'3456789abc'",
  guild_tabs: "{ alice: ['456789abcd', '56789abcde'], bob: ['456789abcd'] }",
  good_filter: '"Show\\n    Rarity Unique\\n"',
  bad_filter: '"Shwo\\n"',
  slow_filter: '"# slow\\nShow\\n"',
  first_hour: '1767225600',
  quiet_hour: '1767229200',
};

const knownLines = (): string =>
  Object.entries(properties.known.properties)
    .map(([key, { description }]) => `  # ${description}\n#  ${key}: ${facts[key] ?? 'Standard'}`)
    .join('\n');
