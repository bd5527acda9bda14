import { cpSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { commandClient } from '../client.js';
import { quick } from './client-variant.js';
import type { ClientVariant } from './client-variant.js';

const here = dirname(fileURLToPath(import.meta.url));
const sources = join(here, 'programs');
const installed = join(here, '..', '..', '..', 'dist', 'programs');

/** Installs what the programs need. */
const install = 'sh conformance/audit/proof/programs/install.sh';

interface Program extends Pick<ClientVariant, 'id' | 'does' | 'least' | 'mayWarn'> {
  /** Words of the command; paths are below the folder of the language. */
  readonly words: readonly [command: string, ...rest: string[]];
  readonly folder: 'npm' | 'python' | 'go' | 'shell';
  /** It goes on with what it stored. */
  readonly restarts?: boolean;
  readonly redirectUris?: readonly string[];
}

const node = (file: string): Program['words'] => [process.execPath, file];
const python = (file: string): Program['words'] => ['venv/bin/python', file];

/** Correct programs around libraries as these recommend to use them, each in a process of its own. */
const table: readonly Program[] = [
  {
    id: 'simple-oauth2',
    does: 'is a web application with simple-oauth2',
    least: 70,
    mayWarn: [
      'TOK-FORM-008',
      'PACE-BACKOFF-001',
      'AUTH-CODE-006',
      'AUTH-CODE-007',
      'PACE-AGENT-001',
      'PACE-RETRY-003',
      'PACE-SURVIVE-002',
      'PACE-SURVIVE-004',
      'PACE-SURVIVE-005',
      'REFRESH-HANG-001',
      'TOK-SCOPE-002',
      'TOK-SURVIVE-002',
    ],
    folder: 'npm',
    words: node('simple-oauth2.mjs'),
  },
  {
    id: 'arctic',
    does: 'is a desktop application with arctic',
    least: 70,
    // TOK-REDIRECT-002 was seen with Node 24 alone: with Node 20 the client does not follow the redirect.
    mayWarn: [
      'AUTH-CODE-007',
      'PACE-HANG-001',
      'PACE-SURVIVE-005',
      'REFRESH-HANG-001',
      'TOK-REDIRECT-002',
      'TOK-SCOPE-002',
      'TOK-SURVIVE-002',
    ],
    folder: 'npm',
    words: node('arctic.mjs'),
    restarts: true,
  },
  {
    id: 'passport-oauth2',
    does: 'is a site with express and passport-oauth2',
    least: 45,
    mayWarn: ['AUTH-CODE-006', 'AUTH-CODE-007', 'PACE-SURVIVE-001', 'PACE-SURVIVE-006', 'TOK-SURVIVE-002'],
    folder: 'npm',
    words: node('passport.mjs'),
  },
  {
    id: 'auth-core',
    does: 'is a site with @auth/core, on a port of its own',
    least: 45,
    mayWarn: [
      'AUTH-CODE-006',
      'AUTH-CODE-007',
      'PACE-AGENT-001',
      'PACE-SURVIVE-001',
      'PACE-SURVIVE-006',
      'TOK-SURVIVE-002',
    ],
    folder: 'npm',
    words: node('auth-core.mjs'),
    redirectUris: ['http://127.0.0.1:38417/auth/callback/game'],
  },
  {
    id: 'requests-oauthlib',
    does: 'is a desktop application with requests-oauthlib',
    least: 65,
    mayWarn: [
      'AUTH-STRAY-001',
      'PACE-RETRY-003',
      'PACE-SURVIVE-002',
      'PACE-SURVIVE-004',
      'PACE-SURVIVE-005',
      'TOK-FORM-008',
      'TOK-REDIRECT-002',
      'TOK-SCOPE-002',
      'TOK-SURVIVE-002',
    ],
    folder: 'python',
    words: python('desktop.py'),
    restarts: true,
  },
  {
    id: 'authlib-service',
    does: 'is a service with Authlib and httpx',
    least: 50,
    mayWarn: ['PACE-RETRY-003', 'PACE-SURVIVE-005', 'TOK-SURVIVE-002'],
    folder: 'python',
    words: python('service.py'),
  },
  {
    id: 'authlib-web',
    does: 'is a web application with Authlib, HTTP Basic and the retries of urllib3',
    least: 55,
    mayWarn: [
      'AUTH-CODE-006',
      'PACE-SURVIVE-005',
      'TOK-BASIC-001',
      'TOK-REDIRECT-002',
      'TOK-SCOPE-002',
      'TOK-SURVIVE-001',
      'TOK-SURVIVE-002',
    ],
    folder: 'python',
    words: python('web.py'),
  },
  {
    id: 'go-oauth2',
    does: 'is a desktop application with golang.org/x/oauth2 that prints its address',
    least: 60,
    mayWarn: [
      'PACE-RETRY-003',
      'PACE-SURVIVE-002',
      'PACE-SURVIVE-004',
      'PACE-SURVIVE-005',
      'TOK-REDIRECT-001',
      'TOK-REDIRECT-002',
      'TOK-SCOPE-002',
      'TOK-SURVIVE-001',
      'TOK-SURVIVE-002',
    ],
    folder: 'go',
    words: ['./client', 'user'],
  },
  {
    id: 'go-oauth2-probe',
    does: 'has golang.org/x/oauth2 find out how clients authenticate',
    least: 60,
    mayWarn: [
      'PACE-RETRY-003',
      'PACE-SURVIVE-002',
      'PACE-SURVIVE-004',
      'PACE-SURVIVE-005',
      'TOK-REDIRECT-001',
      'TOK-REDIRECT-002',
      'TOK-SCOPE-002',
      'TOK-SURVIVE-001',
    ],
    folder: 'go',
    words: ['./client', 'probe', 'open'],
  },
  {
    id: 'go-oauth2-service',
    does: 'is a service with golang.org/x/oauth2/clientcredentials',
    least: 40,
    mayWarn: [
      'PACE-RETRY-003',
      'PACE-SURVIVE-002',
      'PACE-SURVIVE-004',
      'PACE-SURVIVE-005',
      'TOK-REDIRECT-001',
      'TOK-SURVIVE-001',
    ],
    folder: 'go',
    words: ['./client', 'service'],
  },
  {
    id: 'curl-once',
    does: 'is a shell script that ends with the first thing that fails',
    least: 30,
    mayWarn: ['PACE-SURVIVE-001', 'PACE-SURVIVE-006', 'TOK-SURVIVE-002'],
    folder: 'shell',
    words: ['/bin/sh', 'once.sh'],
  },
  {
    id: 'curl-retry',
    does: 'is a shell script with a token that it is given, and the retries of curl',
    least: 25,
    mayWarn: ['PACE-SURVIVE-005', 'READ-PAGE-001'],
    folder: 'shell',
    words: ['/bin/sh', 'retry.sh'],
  },
];

const proofOfInstall: Readonly<Record<Program['folder'], string>> = {
  npm: 'npm/node_modules',
  python: 'python/venv/bin/python',
  go: 'go/client',
  shell: 'shell',
};

/** The programs as variants; `missing` where what they need is not installed. */
export const programs: readonly ClientVariant[] = table.map(
  ({ folder, words, restarts = false, redirectUris, ...program }) => ({
    ...program,
    ...(!existsSync(join(installed, proofOfInstall[folder])) && { missing: install }),
    make: () => {
      // The programs may have changed since their libraries were installed.
      if (folder !== 'go') cpSync(join(sources, folder), join(installed, folder), { recursive: true });
      const command = commandClient({ words, cwd: join(installed, folder) });
      return { ...command, worlds: quick, restarts, ...(redirectUris && { redirectUris }) };
    },
  }),
);
