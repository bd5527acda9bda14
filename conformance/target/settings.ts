import { roles } from './table.js';

/** A setting of the target that a flag, an environment variable or both can give. */
export interface Setting {
  /** Where it goes in the target file. */
  readonly path: readonly string[];
  /** Without the dashes; undefined where only the environment can give it. */
  readonly flag?: string;
  readonly env: string;
  /** What stands for the value in the help; none for a switch. */
  readonly value?: string;
  readonly help: string;
  /** `words`: separated by spaces or commas. `pairs`: `NAME=VALUE`, repeatable. */
  readonly kind: 'text' | 'words' | 'pairs' | 'switch';
  /** The roles' variables are told in one line of the help. */
  readonly role?: boolean;
}

const text = (path: string, flag: string, value: string, help: string): Setting => ({
  path: path.split('.'),
  flag,
  env: `GAMEDATA_${flag.toUpperCase().replaceAll('-', '_')}`,
  value,
  help,
  kind: 'text',
});

/** Every setting outside the target file, in the order of the help. A flag wins over the environment, that over the file. */
export const settings: readonly Setting[] = [
  text('base_url', 'base-url', '<url>', 'base address of the data API'),
  text('auth_url', 'auth-url', '<url>', 'base address of the authorization server (default: --base-url)'),
  {
    ...text(
      'paths',
      'path',
      '<endpoint=path>',
      'path on this server of authorize, token, revoke or introspect; may be repeated',
    ),
    kind: 'pairs',
  },
  text('ca', 'ca', '<file>', 'PEM file of the certificate authority of a private certificate'),
  text('client_certificate.cert', 'client-cert', '<file>', 'PEM file of the certificate that the suite shows'),
  text('client_certificate.key', 'client-key', '<file>', 'PEM file of its key'),
  text('proxy', 'proxy', '<url>', 'proxy that connections are opened through'),
  text('control_url', 'control-url', '<url>', 'address of the control protocol'),
  text('control_token', 'control-token', '<token>', 'bearer token of the control protocol'),
  text('adapter', 'adapter', '<module>', 'ES module with hooks'),
  text('tree_codec', 'tree-codec', '<command>', 'command that encodes and decodes tree links over a pipe'),
  {
    ...text(
      'not_offered',
      'not-offered',
      '<operations>',
      'operations that the server does not have, separated by commas',
    ),
    kind: 'words',
  },
  text('consent', 'consent', '<how>', 'how a user decides: control, adapter, form, auto or none'),
  {
    ...text('edition', 'flag', '<name=on|off|any>', 'a flag of the edition; may be repeated'),
    kind: 'pairs',
  },
  {
    ...text('names', 'name', '<word=own>', 'game2 or livestream as this server spells it; may be repeated'),
    kind: 'pairs',
  },
  text('clients.confidential.client_id', 'client-id', '<id>', 'a confidential application that users authorize'),
  text('clients.confidential.client_secret', 'client-secret', '<secret>', 'its secret'),
  text('clients.confidential.redirect_uri', 'redirect-uri', '<uri>', 'its redirect URI'),
  {
    ...text('clients.confidential.scopes', 'scopes', '<scopes>', 'scopes it can be granted, separated by spaces'),
    kind: 'words',
  },
  {
    ...text('clients.confidential.refresh', 'refresh', '', 'refresh tokens are enabled for it'),
    value: undefined,
    kind: 'switch',
  },
  text('clients.service.client_id', 'service-client-id', '<id>', 'an application that uses client_credentials'),
  text('clients.service.client_secret', 'service-client-secret', '<secret>', 'its secret'),
  {
    ...text('clients.service.scopes', 'service-scopes', '<scopes>', 'scopes it can be granted, separated by spaces'),
    kind: 'words',
  },
  ...(['alice', 'bob'] as const).flatMap((account) =>
    (['login', 'password'] as const).map((key): Setting => ({
      path: ['accounts', account, key],
      env: `GAMEDATA_ACCOUNT_${account.toUpperCase()}_${key.toUpperCase()}`,
      help: `${key} of the account ${account}`,
      kind: 'text',
      role: true,
    })),
  ),
  ...roles.flatMap((role) =>
    (
      [
        ['client_id', 'ID', 'text'],
        ['client_secret', 'SECRET', 'text'],
        ['redirect_uri', 'REDIRECT_URI', 'text'],
        ['scopes', 'SCOPES', 'words'],
      ] as const
    ).map(([key, word, kind]): Setting => ({
      path: ['clients', role, key],
      env: `GAMEDATA_CLIENT_${role.toUpperCase()}_${word}`,
      help: `${key} of the client ${role}`,
      kind,
      role: true,
    })),
  ),
];

/** The variable that names the target file where no flag does. */
export const targetVariable = 'GAMEDATA_TARGET';

/** The variables and the flags that they stand for, as lines for `gamedata help environment`. */
export function environmentHelp(): string {
  const named = settings.filter(({ role }) => !role);
  const rows = [
    [targetVariable, '--target'],
    ...named.map(({ env, flag }) => [env, `--${flag ?? ''}`]),
    ['GAMEDATA_ACCOUNT_ALICE_PASSWORD', 'password of an account; likewise _LOGIN, and those of BOB'],
    ['GAMEDATA_CLIENT_<ROLE>_ID', 'client_id of a client; likewise _SECRET, _REDIRECT_URI, _SCOPES'],
  ];
  const width = Math.max(...rows.map(([name = '']) => name.length)) + 2;
  return [
    'A flag wins over a variable, a variable over the target file.',
    '',
    'Variables:',
    ...rows.map(([name = '', meaning = '']) => `  ${name.padEnd(width)}${meaning}`),
    '',
    'Roles:',
    ...roles.map((role) => `  ${role.toUpperCase()}`),
    '',
    'In a target file ${NAME} is replaced from the environment.',
  ].join('\n');
}
