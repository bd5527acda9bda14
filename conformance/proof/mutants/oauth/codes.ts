import type { Scope } from '../../../../src/contract/index.js';
import { challengeOf } from '../../../../src/oauth/pkce.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import type { Interceptor } from '../../interceptor/interceptor.js';
import { answerOf } from '../../interceptor/interceptor.js';
import { codeOf, mended } from './planting.js';

/** Codes that live for other than 30 seconds. */
const living =
  (seconds: number) =>
  (seam: Interceptor): void =>
    seam.store((store, acted) => ({
      addCode(code) {
        acted();
        store.addCode({ ...code, expiresAt: code.issuedAt + seconds * 1000 });
      },
    }));

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
    id: 'N-AUTH-CODE-010',
    bug: 'between finding a code and using it up others find it too',
    rows: ['AUTH-CODE-010'],
    plant(seam) {
      seam.request(async ({ operation, form }) => {
        if (operation === 'issueToken' && form.get('code')) await new Promise((done) => setTimeout(done, 5));
        return undefined;
      });
      seam.store((store, acted) => ({
        useCode(text) {
          acted();
          setTimeout(() => store.useCode(text), 15);
        },
      }));
    },
  },
  {
    id: 'N-AUTH-CODE-012',
    bug: 'redirect_uri is optional in the exchange',
    rows: ['AUTH-CODE-012'],
    plant: mended((form, seam) => {
      const code = codeOf(form, seam);
      if (code && !form.get('redirect_uri')) form.set('redirect_uri', code.redirectUri);
    }),
  },
  {
    id: 'N-AUTH-CODE-013',
    bug: 'the redirect_uri of the exchange is not compared',
    rows: ['AUTH-CODE-013'],
    plant: mended((form, seam) => {
      const code = codeOf(form, seam);
      if (code && form.get('redirect_uri')) form.set('redirect_uri', code.redirectUri);
    }),
  },
];
