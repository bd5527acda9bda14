import { challengeOf } from '../../../../src/oauth/pkce.js';
import type { Scope } from '../../../../src/contract/index.js';
import type { Mutant } from '../../mutant.js';
import type { Seam } from '../../seam/seam.js';
import { answerOf } from '../../seam/seam.js';

/** Codes that live for other than 30 seconds. */
const living =
  (seconds: number) =>
  (seam: Seam): void =>
    seam.store((store, acted) => ({
      addCode(code) {
        acted();
        store.addCode({ ...code, expiresAt: code.issuedAt + seconds * 1000 });
      },
    }));

/** A verifier that is taken for a wrong one, by something that is the matter with it. */
const wrongVerifier =
  (isWrong: (verifier: string) => boolean) =>
  (seam: Seam): void =>
    seam.form('issueToken', (form) => {
      const verifier = form.get('code_verifier');
      if (verifier && isWrong(verifier)) form.set('code_verifier', 'x'.repeat(43));
    });

/** A secret that is put right, if it is close enough to the registered one. */
const closeSecret =
  (isClose: (given: string, secret: string) => boolean) =>
  (seam: Seam): void =>
    seam.form('issueToken', (form) => {
      const given = form.get('client_secret') ?? '';
      const secret = seam.service.authority.clients.get(form.get('client_id') ?? '')?.secret;
      if (secret && given !== '' && isClose(given, secret)) form.set('client_secret', secret);
    });

export const codes: readonly Mutant[] = [
  {
    id: 'M-AZ-36',
    bug: 'a code can be used again',
    rows: ['AUTH-CODE-009'],
    plant: (seam) => seam.store((_, acted) => ({ useCode: () => acted() })),
  },
  { id: 'M-AZ-38', bug: 'a code lives for 60 seconds', rows: ['AUTH-CODE-003'], plant: living(60) },
  { id: 'M-AZ-39', bug: 'a code lives for 10 minutes', rows: ['AUTH-CODE-003'], plant: living(600) },
  { id: 'M-AZ-40', bug: 'a code dies after 20 seconds', rows: ['AUTH-CODE-002'], plant: living(20) },
  {
    id: 'M-AZ-41',
    bug: "a code's life starts again at a failed attempt",
    rows: ['AUTH-CODE-025'],
    plant: (seam) =>
      seam.oauth('issueToken', (_, reply, { form }) => {
        const { store, now } = seam.service.authority;
        const code = store.findCode(form.get('code') ?? '');
        if (reply.status === 200 || !code || code.used || now() >= code.expiresAt) return;
        seam.acted();
        store.addCode({ ...code, expiresAt: now() + 30_000 });
      }),
  },
  {
    id: 'M-AZ-42',
    bug: 'a code is accepted from another client',
    rows: ['AUTH-CODE-014'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        findCode(text) {
          const code = store.findCode(text);
          const clientId = seam.current?.form.get('client_id');
          if (!code || !clientId || code.grant.clientId === clientId) return code;
          acted();
          return { ...code, grant: { ...code.grant, clientId } };
        },
      })),
  },
  {
    id: 'M-AZ-48',
    bug: 'the challenge is computed in standard base64, with + and /',
    rows: ['AUTH-CODE-008'],
    plant: wrongVerifier((verifier) => /[-_]/.test(challengeOf(verifier))),
  },
  {
    id: 'M-AZ-49',
    bug: 'the challenge is computed with its padding',
    rows: ['AUTH-CODE-008', 'AUTH-CODE-001'],
    plant: wrongVerifier(() => true),
  },
  {
    id: 'M-AZ-50',
    bug: 'a verifier with ~ or . is refused',
    rows: ['AUTH-CODE-007'],
    plant: wrongVerifier((verifier) => /[~.]/.test(verifier)),
  },
  {
    id: 'M-AZ-50-long',
    bug: 'a verifier of 128 characters is refused',
    rows: ['AUTH-CODE-007'],
    plant: wrongVerifier((verifier) => verifier.length === 128),
  },
  {
    id: 'M-AZ-54',
    bug: 'the secret is compared without regard to case',
    rows: ['AUTH-CODE-020', 'TOK-CC-006'],
    plant: closeSecret((given, secret) => given !== secret && given.toLowerCase() === secret.toLowerCase()),
  },
  {
    id: 'M-AZ-54-prefix',
    bug: 'the secret is compared by its beginning',
    rows: ['AUTH-CODE-020', 'TOK-CC-006'],
    plant: closeSecret((given, secret) => given !== secret && given.startsWith(secret)),
  },
  {
    id: 'M-AZ-55',
    bug: 'a public client has to send a secret',
    rows: ['AUTH-CODE-021'],
    plant: (seam) =>
      seam.form('issueToken', (form) => {
        const client = seam.service.authority.clients.get(form.get('client_id') ?? '');
        if (client?.type !== 'public' || form.get('grant_type') !== 'authorization_code' || form.has('client_secret'))
          return undefined;
        return answerOf(401, { error: 'invalid_client' }, { 'cache-control': 'no-store', pragma: 'no-cache' });
      }),
  },
  {
    id: 'M-AZ-56',
    bug: 'scope at the exchange widens what was consented',
    rows: ['AUTH-CODE-018'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        findCode(text) {
          const code = store.findCode(text);
          if (!code || !seam.current?.form.get('scope')) return code;
          acted();
          const scopes = seam.service.authority.clients.get(code.grant.clientId)?.scopes ?? [];
          return { ...code, grant: { ...code.grant, scopes } };
        },
      })),
  },
  {
    id: 'M-AD-16',
    bug: 'a missing code gives 500',
    rows: ['AUTH-CODE-015'],
    plant: (seam) =>
      seam.form('issueToken', (form) =>
        form.get('grant_type') === 'authorization_code' && !form.get('code')
          ? answerOf(500, { error: 'server_error' })
          : undefined,
      ),
  },
  {
    id: 'M-AD-17',
    bug: 'an unknown code is exchanged for a default user',
    rows: ['AUTH-CODE-016'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        findCode(text) {
          const form = seam.current?.form;
          const code = store.findCode(text);
          if (code || !form) return code;
          acted();
          const now = seam.service.authority.now();
          const scopes: Scope[] = ['account:profile'];
          const clientId = form.get('client_id') ?? '';
          const grant = {
            id: text,
            clientId,
            account: 'alice',
            scopes,
            kind: 'authorization_code',
            grantedAt: now,
          } as const;
          const redirectUri = form.get('redirect_uri') ?? '';
          const challenge = challengeOf(form.get('code_verifier') ?? '');
          return { text, grant, redirectUri, challenge, issuedAt: now, expiresAt: now + 30_000, used: false };
        },
      })),
  },
  {
    id: 'M-AD-18',
    bug: 'client_id is optional in the exchange, and taken from the code',
    rows: ['AUTH-CODE-022'],
    plant: (seam) =>
      seam.form('issueToken', (form) => {
        const code = seam.service.authority.store.findCode(form.get('code') ?? '');
        if (code && !form.get('client_id')) form.set('client_id', code.grant.clientId);
      }),
  },
];
