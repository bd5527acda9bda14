import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { Reference } from '../reference.js';
import type { Tokens } from '../reference.js';
import type { ClientMutant, Made } from './make.js';
import { gather, asks, forms } from './make.js';

export const authorization: ClientMutant[] = [];
const mutant = gather(authorization);

const verifiers = (make: () => string): Made =>
  class extends Reference {
    override newVerifier(): string {
      return make();
    }
  };

const states = (make: () => string): Made =>
  class extends Reference {
    override newState(): string {
      return make();
    }
  };

for (const name of ['state', 'scope', 'code_challenge_method', 'response_type'])
  mutant(
    `auth-no-${name}`,
    `leaves ${name} out`,
    'AUTH-PARAM-001',
    [],
    asks((query) => query.delete(name)),
  );
mutant(
  'auth-twice',
  'sends scope twice',
  'AUTH-PARAM-002',
  [],
  asks((query) => query.append('scope', 'account:profile')),
);
mutant(
  'auth-token',
  'asks for a token in the redirect',
  'AUTH-TYPE-001',
  [],
  asks((query) => query.set('response_type', 'token')),
);
mutant(
  'state-short',
  'sends a state of four characters',
  'AUTH-STATE-001',
  [],
  states(() => Math.random().toString(36).slice(2, 6)),
);
mutant(
  'state-time',
  'sends the time as state',
  'AUTH-STATE-001',
  [],
  states(() => String(Date.now())),
);
mutant(
  'state-time-36',
  'sends the time as state, in letters',
  'AUTH-STATE-001',
  [],
  states(() => Date.now().toString(36)),
);
mutant(
  'state-time-hash',
  'sends a hash of the time as state',
  'AUTH-STATE-001',
  [],
  states(() => createHash('md5').update(String(Date.now())).digest('hex')),
);
mutant(
  'state-weak',
  'sends one weak random number as state',
  'AUTH-STATE-001',
  [],
  states(() => Math.random().toString(36).slice(2)),
);
mutant(
  'verifier-pid',
  'makes its verifier from the process id',
  'AUTH-PKCE-004',
  [],
  verifiers(() =>
    createHash('sha256')
      .update(String(process.pid % 60_000))
      .digest('base64url'),
  ),
);
mutant(
  'verifier-halves',
  'sends one UUID twice as verifier',
  'AUTH-PKCE-004',
  [],
  verifiers(() => crypto.randomUUID().repeat(2)),
);
mutant(
  'state-static',
  'sends the same state every time',
  'AUTH-STATE-002',
  ['shuffled'],
  states(() => 'a-state-that-never-changes'),
);
mutant(
  'state-unchecked',
  'takes any callback',
  'AUTH-STATE-003',
  ['forged-callback'],
  class extends Reference {
    override callback(url: string): string | Error | undefined {
      return new URL(url, 'http://localhost').searchParams.get('code') ?? undefined;
    }
  },
);
mutant(
  'state-present',
  'is content with any state',
  'AUTH-STATE-003',
  ['forged-callback'],
  class extends Reference {
    override callback(url: string): string | Error | undefined {
      const query = new URL(url, 'http://localhost').searchParams;
      return query.has('state') ? (query.get('code') ?? undefined) : undefined;
    }
  },
);
mutant(
  'state-tried',
  'tries the code before it looks at the state',
  'AUTH-STATE-003',
  ['forged-callback'],
  class extends Reference {
    override callback(url: string, state: string): string | Error | undefined {
      const code = new URL(url, 'http://localhost').searchParams.get('code');
      if (code && !url.includes(state)) void this.exchanged(code, this.newVerifier()).catch(() => {});
      return super.callback(url, state);
    }
  },
);
mutant(
  'state-optional',
  'compares the state only where there is one',
  'AUTH-STATE-003',
  ['stateless-callback'],
  class extends Reference {
    override callback(url: string, state: string): string | Error | undefined {
      const query = new URL(url, 'http://localhost').searchParams;
      return query.has('state') ? super.callback(url, state) : (query.get('code') ?? undefined);
    }
  },
);
mutant(
  'state-polled',
  'takes any callback, and looks every second whether one came',
  'AUTH-STATE-003',
  ['forged-callback'],
  class extends Reference {
    protected latest = '';
    override callback(url: string): string | undefined {
      this.latest = new URL(url, 'http://localhost').searchParams.get('code') ?? this.latest;
      return this.latest === '' ? undefined : this.latest;
    }
    override async exchanged(_code: string, verifier: string): Promise<Tokens> {
      await sleep(1000);
      return super.exchanged(this.latest, verifier);
    }
  },
);
mutant(
  'pkce-padded',
  'pads the challenge',
  'AUTH-PKCE-001',
  [],
  asks((query) => query.set('code_challenge', `${query.get('code_challenge')}=`)),
);
mutant(
  'pkce-hex',
  'sends the challenge in hexadecimal',
  'AUTH-PKCE-001',
  [],
  asks((query) =>
    query.set('code_challenge', Buffer.from(query.get('code_challenge') ?? '', 'base64url').toString('hex')),
  ),
);
mutant(
  'pkce-standard',
  'uses base64 with + and /',
  'AUTH-PKCE-001',
  ['shuffled', 'escaped'],
  class extends Reference {
    // One challenge in four has neither of them.
    override newVerifier(): string {
      const verifier = super.newVerifier();
      return /[+/]/.test(createHash('sha256').update(verifier).digest('base64')) ? verifier : this.newVerifier();
    }
    override async challenge(verifier: string): Promise<string> {
      return createHash('sha256').update(verifier).digest('base64').replace('=', '');
    }
  },
);
mutant(
  'pkce-plain',
  'asks for plain',
  'AUTH-PKCE-002',
  [],
  asks((query, verifier) => {
    query.set('code_challenge_method', 'plain');
    query.set('code_challenge', verifier);
  }),
);
mutant(
  'pkce-lower',
  'writes s256',
  'AUTH-PKCE-002',
  [],
  asks((query) => query.set('code_challenge_method', 's256')),
);
mutant(
  'verifier-short',
  'sends a verifier of 16 characters',
  'AUTH-PKCE-003',
  [],
  verifiers(() => Buffer.from(crypto.getRandomValues(new Uint8Array(12))).toString('base64url')),
);
mutant(
  'verifier-long',
  'sends a verifier of 150 characters',
  'AUTH-PKCE-003',
  [],
  verifiers(() =>
    Buffer.from(crypto.getRandomValues(new Uint8Array(113)))
      .toString('base64url')
      .slice(0, 150),
  ),
);
mutant(
  'verifier-padded',
  'sends a padded verifier',
  'AUTH-PKCE-003',
  [],
  verifiers(() =>
    Buffer.from(crypto.getRandomValues(new Uint8Array(32)))
      .toString('base64')
      .replaceAll('+', '-')
      .replaceAll('/', '_'),
  ),
);
mutant(
  'verifier-hex',
  'sends 43 hexadecimal characters',
  'AUTH-PKCE-004',
  [],
  verifiers(() =>
    Buffer.from(crypto.getRandomValues(new Uint8Array(32)))
      .toString('hex')
      .slice(0, 43),
  ),
);
mutant(
  'verifier-digits',
  'sends 50 digits',
  'AUTH-PKCE-004',
  [],
  verifiers(() => Array.from({ length: 50 }, () => Math.floor(Math.random() * 10)).join('')),
);
mutant(
  'verifier-a',
  'sends one letter 43 times',
  'AUTH-PKCE-004',
  [],
  verifiers(() => 'a'.repeat(43)),
);
mutant(
  'verifier-time',
  'hashes the time',
  'AUTH-PKCE-004',
  [],
  class extends Reference {
    override newVerifier(): string {
      return hash(String(Date.now()));
    }
  },
);
mutant(
  'verifier-text',
  'encodes a text',
  'AUTH-PKCE-004',
  [],
  verifiers(() => Buffer.from(`verifier for ${Math.random().toString(36)} of today`).toString('base64url')),
);
mutant(
  'verifier-stem',
  'changes the last characters only',
  'AUTH-PKCE-004',
  ['shuffled'],
  verifiers(() => `kX9-my_fine.verifier~stem-0123456789ABCDEFGHIJ${Math.random().toString(36).slice(2, 10)}`),
);
mutant(
  'verifier-clock',
  'writes the time into it',
  'AUTH-PKCE-004',
  [],
  verifiers(() => `${Date.now()}-${Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64url')}`),
);
mutant(
  'verifier-static',
  'uses one verifier for ever',
  'AUTH-PKCE-005',
  ['shuffled'],
  verifiers(() => 'Zp7r0QmV3xkT1fWcJ8yLhB5nD2sG6uEaR4iKoXvNtYw'),
);
mutant(
  'verifier-in-state',
  'sends the verifier as state',
  'AUTH-PKCE-006',
  [],
  class extends Reference {
    #verifier = '';
    override newState(): string {
      return (this.#verifier = super.newVerifier());
    }
    override newVerifier(): string {
      return this.#verifier;
    }
  },
);
mutant(
  'verifier-in-url',
  'sends the verifier along',
  'AUTH-PKCE-006',
  [],
  asks((query, verifier) => query.set('code_verifier', verifier)),
);
mutant(
  'verifier-missing',
  'leaves the verifier out',
  'AUTH-PKCE-007',
  [],
  forms('authorization_code', (form) => delete form.code_verifier),
);
mutant(
  'verifier-other',
  'sends another verifier',
  'AUTH-PKCE-007',
  [],
  forms('authorization_code', (form) => (form.code_verifier = `${form.code_verifier!.slice(1)}x`)),
);
mutant(
  'redirect-other',
  'sends another redirect_uri with the code',
  'AUTH-REDIR-001',
  [],
  forms('authorization_code', (form) => (form.redirect_uri = `${form.redirect_uri}/`)),
);
mutant(
  'redirect-unregistered',
  'asks with a path that is not registered',
  'AUTH-REDIR-002',
  [],
  asks((query) => query.set('redirect_uri', `${query.get('redirect_uri')}2`)),
);
mutant(
  'redirect-localhost',
  'listens on localhost',
  'AUTH-REDIR-003',
  [],
  asks((query) => query.set('redirect_uri', (query.get('redirect_uri') ?? '').replace('127.0.0.1', 'localhost'))),
);
mutant(
  'scope-service',
  'asks a user for a service scope',
  'AUTH-SCOPE-001',
  [],
  asks((query) => query.set('scope', `${query.get('scope')} service:leagues`)),
);
mutant(
  'scope-comma',
  'separates scopes by commas',
  'AUTH-SCOPE-002',
  [],
  asks((query) => query.set('scope', (query.get('scope') ?? '').replaceAll(' ', ','))),
);
mutant(
  'scope-unknown',
  'asks for a scope that there is not',
  'AUTH-SCOPE-002',
  [],
  asks((query) => query.set('scope', `${query.get('scope')} account:everything`)),
);
mutant(
  'scope-idle',
  'asks for a scope that it does not use',
  'AUTH-SCOPE-003',
  [],
  asks((query) => query.set('scope', `${query.get('scope')} account:league_accounts`)),
);
mutant(
  'error-exchanged',
  'exchanges the error code of a refusal',
  'AUTH-ERROR-001',
  ['denied'],
  class extends Reference {
    override callback(url: string, state: string): string | Error | undefined {
      return new URL(url, 'http://localhost').searchParams.get('error') ?? super.callback(url, state);
    }
  },
);
mutant(
  'error-loop',
  'asks again and again',
  'AUTH-ERROR-002',
  ['denied'],
  class extends Reference {
    override async authorize(): Promise<Tokens> {
      for (let tries = 0; ; tries += 1) {
        try {
          return await super.authorize();
        } catch (error) {
          if (tries >= 4) throw error;
        }
      }
    }
  },
);
mutant(
  'stray-ends',
  'ends with the first request that it gets',
  'AUTH-STRAY-001',
  ['stray-connection'],
  class extends Reference {
    override callback(url: string, state: string): string | Error | undefined {
      return super.callback(url, state) ?? new Error('no code');
    }
  },
);
const repeatsCode = (when: (error: unknown) => boolean, then: boolean): Made =>
  class extends Reference {
    override async exchanged(code: string, verifier: string): Promise<Tokens> {
      const tokens = await super
        .exchanged(code, verifier)
        .catch((error: unknown) => (when(error) ? super.exchanged(code, verifier) : Promise.reject(error as Error)));
      if (then) await super.exchanged(code, verifier).catch(() => {});
      return tokens;
    }
  };
mutant(
  'code-twice',
  'exchanges the code twice',
  'AUTH-CODE-001',
  [],
  repeatsCode(() => false, true),
);
mutant(
  'code-slow',
  'lets a code expire before it exchanges it',
  'AUTH-CODE-003',
  [],
  class extends Reference {
    override async exchanged(code: string, verifier: string): Promise<Tokens> {
      await sleep(30_100);
      return super.exchanged(code, verifier);
    }
  },
);
mutant(
  'code-retried',
  'tries a refused code again',
  'AUTH-CODE-002',
  ['late-code'],
  repeatsCode(() => true, false),
);

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');
mutant(
  'verifier-30',
  'makes verifiers of 30 bytes',
  'AUTH-PKCE-004',
  ['shuffled', 'pretty', 'escaped'],
  verifiers(() => Buffer.from(crypto.getRandomValues(new Uint8Array(30))).toString('hex')),
);
