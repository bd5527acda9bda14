import { flags, scopes } from '../../src/contract/index.js';
import { editorLine } from '../../src/input/editor-line.js';
import type { Discovery } from './discovery.js';
import { endpointPaths, endpoints } from './endpoints.js';
import { targetSchema } from './schema.js';
import { factLines, roleLines, roles, userRoles, readingLines, usualBudget } from './table.js';
import type { Role } from './table.js';

/**
 * A target file to fill in: three values that every server has, and behind `#` every other setting with what it means.
 * What was found out of an authorization server is filled in, and consent by form switched on.
 * A `#` with a space behind it is a remark, one without is a setting that is commented out, indented as it should be.
 */
export function targetTemplate(found?: Discovery): string {
  const remarks = found ? sourceRemark(found) : '';
  const blocks = [addressBlock(found), connectionBlock, controlBlock, consentBlock(found), identityBlock, serverBlock];
  return indented(`${editorLine('target')}\n${remarks}${[introduction, ...blocks].join('\n\n')}\n`);
}

/** A value as YAML. */
const quoted = (text: string): string => (/^[\w:/.~-]+$/.test(text) ? text : JSON.stringify(text));

const sourceRemark = ({ sources, remarks }: Discovery): string =>
  [`Read from ${sources.join(' and ')}.`, ...remarks.map((text) => `Note: ${text}.`), '']
    .map((line) => (line === '' ? '\n' : `# ${line}\n`))
    .join('');

function pathsBlock(found: Discovery | undefined): string {
  const lines = endpoints.map((one) => {
    const path = found?.paths[one];
    return path === undefined ? `#  ${one}: ${endpointPaths[one]}` : `  ${one}: ${quoted(path)}`;
  });
  const isRead = Object.keys(found?.paths ?? {}).length > 0;
  return `${isRead ? '' : '#'}paths:\n${lines.join('\n')}`;
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
    `    scopes: [${scopesOf(role).join(', ')}]`,
    ...(role === 'confidential_limited' ? ['    exact_scopes: true  # it may be granted no other scopes'] : []),
    ...(userRoles.includes(role) ? [`    refresh: ${String(role !== 'confidential_no_refresh')}`] : []),
  ];
  return `  # ${roleLines[role].about}\n${lines.map((line) => (on ? line : `#${line}`)).join('\n')}\n`;
}

function redirectLines(role: Role): string[] {
  if (!userRoles.includes(role)) return [];
  const first = role === 'public' ? 'http://127.0.0.1:8400/callback' : 'https://app.example/callback';
  return [
    `    redirect_uri: ${first}`,
    ...(role === 'confidential' ? [`    redirect_uris: [${first}, ${first}?tenant=7]  # all that are registered`] : []),
  ];
}

/** `account:` stands for all of that beginning but the guild's, which few applications have. */
const scopesOf = (role: Role): readonly string[] =>
  roleLines[role].scopes.flatMap((scope) =>
    scope.endsWith(':')
      ? Object.keys(scopes).filter((one) => one.startsWith(scope) && one !== 'account:guild:stashes')
      : [scope],
  );

const readingsBlock = Object.entries(readingLines)
  .map(([key, { values, about: text }]) => `#  ${`${key}: any`.padEnd(36)}# ${values.join(', ')}: ${lowered(text)}`)
  .join('\n');

const knownBlock = Object.entries(factLines)
  .map(([key, { about: text, example = 'Standard' }]) => `  # ${text}\n#  ${key}: ${example}`)
  .join('\n');

const introduction = `\
# The server under test, as the conformance suite sees it. Fill in the empty values, then run
# gamedata doctor --target target.yaml to check it. Lines with # and no space are optional settings, commented out:
# the more of them are filled in, the more can be judged.
# \${NAME} in a value is replaced from the environment; keep secrets there.`;

const addressBlock = (found: Discovery | undefined): string => `\
#name: my-server                       ${remark('name')}
${
  found
    ? `base_url: ${quoted(found.issuer)}  # the data API, if it is elsewhere; without one set not_offered: [data]
auth_url: ${quoted(found.issuer)}`
    : `base_url: ''                           ${remark('base_url')}
#auth_url: http://127.0.0.1:4010       ${remark('auth_url')}`
}

${about('paths')}
${pathsBlock(found)}`;

const connectionBlock = `\
# How it is connected to.
#ca: ./ca.pem                          ${remark('ca')}
#client_certificate:
#  cert: ./client.pem
#  key: ./client-key.pem
#proxy: http://proxy.example:3128      ${remark('proxy')}`;

const controlBlock = `\
# The control protocol, and other ways to let the suite do what the interface does not offer.
#control_url: http://127.0.0.1:4010/__control
#control_token: \${CONTROL_TOKEN}       ${remark('control_token')}
#adapter: ./adapter.mjs                ${remark('adapter')}
#tree_codec: python3 codec.py          ${remark('tree_codec')}`;

const consentBlock = (found: Discovery | undefined): string => `\
# How a user decides: control, adapter, form (ordinary HTML pages: a login, a consent page), auto (the authorization
# endpoint redirects at once) or none.
${found ? '' : '#'}consent: form
#form:
#  account: username                    # name of the field that takes the account
#  password: password                   # name of the field that takes the password
#  approve: Allow                       # name, value or text of the button that approves
#  deny: Deny                           # the same of the button that denies`;

/** Accounts, clients and tokens. */
const identityBlock = `\
${about('accounts')}
#accounts:
#  alice:
#    username: alice                    # name of the account, as the server has it
#    login: alice@example.com           # what is typed in at a login page; default: the key
#    password: \${GAMEDATA_ACCOUNT_ALICE_PASSWORD}
#  bob:
#    username: bob
#  owner:                               # whoever owns the clients, where known names one
#    username: owner

${about('clients')}
# Each may have redirect_uris, all that are registered if more than one, and exact_scopes: true, which says that it may be
# granted no other scopes than those listed. Without it, what else the server grants is not judged.
clients:
${roles.map(clientBlock).join('\n')}
${about('tokens')}
#tokens:
#  - token: \${ALICE_TOKEN}
#    scopes: [account:profile, account:characters]
#    account: alice`;

/** What the server offers, how it reads the interface, what it holds, and how it may be burdened. */
const serverBlock = `\
${about('not_offered')}
#not_offered: [getCurrencyExchange, '/league/{league}/event-ladder']

${about('edition')}
#edition:
${flags.map((flag) => `#  ${`${flag.flag}: any`.padEnd(36)}# ${flag.about}`).join('\n')}

${about('names')}
#names:
#  game2: game2                         # the second game's realm
#  livestream: livestream               # the field of an account's streaming platform

${about('readings')}
#readings:
${readingsBlock}

${about('propagation_ms')}
#propagation_ms: 0

${about('known')}
#known:
${knownBlock}

# Known deviations: the run is conformant with them. A stale or expired one fails.
#waivers:
#  - id: LEAGUE-GET-006
#    reason: answers 404 until the next release
#    issue: https://tracker.example/17
#    expires: 2099-12-31

# Load limits: the most requests of a run, the most a second (0 is no limit), and the most under way at once.
#budget:
${Object.entries(usualBudget)
  .map(([name, value]) => `#  ${name}: ${value}`)
  .join('\n')}`;
