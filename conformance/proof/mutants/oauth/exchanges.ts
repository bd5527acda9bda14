import { challengeOf } from '../../../../src/oauth/pkce.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import type { Interceptor } from '../../interceptor/interceptor.js';
import { clientOf, codeOf, refusal } from './planting.js';

type Code = NonNullable<ReturnType<Interceptor['service']['authority']['store']['findCode']>>;

/** What the store finds of a code, changed; null leaves it as it is. */
const foundCode =
  (change: (code: Code, form: URLSearchParams, seam: Interceptor) => Partial<Code> | null): Mutant['plant'] =>
  (seam) =>
    seam.store((store, acted) => ({
      findCode(text) {
        const code = store.findCode(text);
        const form = seam.current?.form;
        const changed = code && form && change(code, form, seam);
        if (!code || !changed) return code;
        acted();
        return { ...code, ...changed };
      },
    }));

/** A verifier that is accepted although its challenge is another one. */
const fitting = (fits: (verifier: string, challenge: string, seam: Interceptor, form: URLSearchParams) => boolean) =>
  foundCode((code, form, seam) => {
    const verifier = form.get('code_verifier') ?? '';
    if (challengeOf(verifier) === code.challenge || !fits(verifier, code.challenge, seam, form)) return null;
    return { challenge: challengeOf(verifier) };
  });

/** Lives of codes, by kind of client. */
const living =
  (seconds: number, type: 'confidential' | 'public'): Mutant['plant'] =>
  (seam) =>
    seam.store((store, acted) => ({
      addCode(code) {
        if (seam.service.authority.clients.get(code.grant.clientId)?.type !== type) return store.addCode(code);
        acted();
        store.addCode({ ...code, expiresAt: code.issuedAt + seconds * 1000 });
      },
    }));

const typeOf = (form: URLSearchParams, seam: Interceptor) => clientOf(form, seam)?.type;

export const exchanges: readonly Mutant[] = [
  {
    id: 'N-AUTH-CODE-002-public',
    bug: 'a public code dies after 20 seconds',
    rows: ['AUTH-CODE-002'],
    plant: living(20, 'public'),
  },
  {
    id: 'N-AUTH-CODE-003-public',
    bug: 'a public code lives for 60 seconds',
    rows: ['AUTH-CODE-003'],
    plant: living(60, 'public'),
  },
  {
    id: 'N-AUTH-CODE-003-little',
    bug: 'a code lives for 35 seconds',
    rows: ['AUTH-CODE-003'],
    plant: living(35, 'confidential'),
  },
  {
    id: 'N-AUTH-CODE-003-little-public',
    bug: 'a public code lives for 35 seconds',
    rows: ['AUTH-CODE-003'],
    plant: living(35, 'public'),
  },
  {
    id: 'N-AUTH-CODE-002-little',
    bug: 'a code dies after 25 seconds',
    rows: ['AUTH-CODE-002'],
    plant: living(25, 'confidential'),
  },
  {
    id: 'N-AUTH-CODE-003-error',
    bug: 'an expired code is invalid_request',
    rows: ['AUTH-CODE-003'],
    plant: (seam) =>
      seam.oauth('issueToken', (body, _, { form }) => {
        const code = codeOf(form, seam);
        if (code && seam.service.authority.now() >= code.expiresAt && body.error) body.error = 'invalid_request';
      }),
  },
  {
    id: 'N-AUTH-CODE-004-public',
    bug: 'the verifier of a public client is not compared',
    rows: ['AUTH-CODE-004'],
    plant: fitting((verifier, _, seam, form) => verifier !== '' && typeOf(form, seam) === 'public'),
  },
  {
    id: 'N-AUTH-CODE-004-secret',
    bug: 'the verifier of a client with the right secret is not compared',
    rows: ['AUTH-CODE-004'],
    plant: fitting((verifier, _, seam, form) => verifier !== '' && typeOf(form, seam) === 'confidential'),
  },
  {
    id: 'N-AUTH-CODE-004-case',
    bug: 'challenges are compared without regard to case',
    rows: ['AUTH-CODE-004'],
    plant: fitting((verifier, challenge) => challengeOf(verifier).toLowerCase() === challenge.toLowerCase()),
  },
  {
    id: 'N-AUTH-CODE-004-start',
    bug: 'challenges are compared by their first 32 characters',
    rows: ['AUTH-CODE-004'],
    plant: fitting((verifier, challenge) => challengeOf(verifier).slice(0, 32) === challenge.slice(0, 32)),
  },
  {
    id: 'N-AUTH-CODE-004-last',
    bug: 'a client has one challenge, that of its last authorization',
    rows: ['AUTH-CODE-004'],
    plant: foundCode((code, _, { service }) => {
      const last = [...service.authority.store.codes()]
        .filter(({ grant }) => grant.clientId === code.grant.clientId)
        .at(-1);
      return last && last.text !== code.text ? { challenge: last.challenge } : null;
    }),
  },
  {
    id: 'N-AUTH-CODE-005-public',
    bug: 'a public client may leave its verifier out',
    rows: ['AUTH-CODE-005'],
    plant(seam) {
      const any = 'n'.repeat(43);
      seam.form('issueToken', (form) => {
        if (codeOf(form, seam) && !form.get('code_verifier') && typeOf(form, seam) === 'public')
          form.set('code_verifier', any);
      });
      fitting((verifier) => verifier === any)(seam);
    },
  },
  {
    id: 'N-AUTH-CODE-005-confidential',
    bug: 'a client with a secret may leave its verifier out',
    rows: ['AUTH-CODE-005'],
    plant(seam) {
      const any = 'n'.repeat(43);
      seam.form('issueToken', (form) => {
        if (codeOf(form, seam) && !form.get('code_verifier') && typeOf(form, seam) === 'confidential')
          form.set('code_verifier', any);
      });
      fitting((verifier) => verifier === any)(seam);
    },
  },
  {
    id: 'N-AUTH-CODE-007-column',
    bug: 'a verifier of more than 64 characters does not fit',
    rows: ['AUTH-CODE-007'],
    plant: (seam) =>
      seam.form('issueToken', (form) => {
        if ((form.get('code_verifier') ?? '').length > 64) form.set('code_verifier', 'x'.repeat(43));
      }),
  },
  {
    id: 'N-AUTH-CODE-009-public',
    bug: 'a public code can be used again',
    rows: ['AUTH-CODE-009'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        useCode(text) {
          const id = store.findCode(text)?.grant.clientId ?? '';
          if (seam.service.authority.clients.get(id)?.type === 'public') acted();
          else store.useCode(text);
        },
      })),
  },
  {
    id: 'N-AUTH-CODE-009-error',
    bug: 'a used code is invalid_request',
    rows: ['AUTH-CODE-009'],
    plant: (seam) =>
      seam.oauth('issueToken', (body, _, { form }) => {
        if (codeOf(form, seam)?.used && body.error === 'invalid_grant') body.error = 'invalid_request';
      }),
  },
  {
    id: 'N-AUTH-CODE-009-same',
    bug: 'a code that is sent again gives the same tokens again',
    rows: ['AUTH-CODE-009'],
    plant(seam) {
      const given = new Map<string, string>();
      seam.reply((reply, { operation, form }) => {
        const code = operation === 'issueToken' ? form.get('code') : null;
        if (code === null) return;
        if (reply.status === 200) given.set(code, reply.text);
        else if (given.has(code) && codeOf(form, seam)?.used) {
          reply.status = 200;
          reply.json = JSON.parse(given.get(code)!);
        }
      });
    },
  },
  {
    id: 'N-AUTH-CODE-010-public',
    bug: 'a public code that is exchanged by several at once gives tokens to all of them',
    rows: ['AUTH-CODE-010'],
    plant(seam) {
      const until = new Map<string, number>();
      foundCode((code, form, { service }) => {
        if (typeOf(form, seam) !== 'public') return null;
        if (!until.has(code.text)) until.set(code.text, performance.now() + 20);
        return code.used && performance.now() < until.get(code.text)! && service ? { used: false } : null;
      })(seam);
    },
  },
  {
    id: 'N-AUTH-CODE-014-public',
    bug: "a public client can exchange other clients' codes",
    rows: ['AUTH-CODE-014'],
    plant: foundCode((code, form, seam) => {
      const id = form.get('client_id') ?? '';
      if (typeOf(form, seam) !== 'public' || id === code.grant.clientId) return null;
      return { grant: { ...code.grant, clientId: id } };
    }),
  },
  {
    id: 'N-AUTH-CODE-014-of-public',
    bug: 'codes of public clients can be exchanged by other clients',
    rows: ['AUTH-CODE-014'],
    plant: foundCode((code, form, { service }) => {
      const id = form.get('client_id') ?? '';
      const owner = service.authority.clients.get(code.grant.clientId);
      if (owner?.type !== 'public' || id === code.grant.clientId || !service.authority.clients.has(id)) return null;
      return { grant: { ...code.grant, clientId: id } };
    }),
  },
  {
    id: 'N-AUTH-CODE-016-cut',
    bug: 'codes are looked up by their first 32 characters',
    rows: ['AUTH-CODE-016'],
    plant: (seam) =>
      seam.form('issueToken', (form) => {
        const given = form.get('code')?.slice(0, 32) ?? '';
        const meant = [...seam.service.authority.store.codes()].find(({ text }) => text.slice(0, 32) === given);
        if (given.length === 32 && meant) form.set('code', meant.text);
      }),
  },
  {
    id: 'N-AUTH-CODE-018-ignored',
    bug: 'scope at the exchange takes the place of what was consented, within what the client may have',
    rows: ['AUTH-CODE-018'],
    plant: foundCode((code, form, seam) => {
      const wanted = form.get('scope')?.split(' ');
      const own = clientOf(form, seam)?.scopes ?? [];
      if (!wanted || wanted.every((scope) => (code.grant.scopes as readonly string[]).includes(scope))) return null;
      return { grant: { ...code.grant, scopes: own.filter((scope) => wanted.includes(scope)) } };
    }),
  },
  {
    id: 'N-AUTH-CODE-021',
    bug: 'a public client whose exchange has no client_secret field is refused where it is not sent empty',
    rows: ['AUTH-CODE-021'],
    plant: (seam) =>
      seam.form('issueToken', (form) =>
        codeOf(form, seam) && typeOf(form, seam) === 'public' && !form.has('client_secret')
          ? refusal('invalid_client')
          : undefined,
      ),
  },
  {
    id: 'N-AUTH-CODE-022-public',
    bug: 'a public client may leave client_id out, for its code tells it',
    rows: ['AUTH-CODE-022'],
    plant: (seam) =>
      seam.form('issueToken', (form) => {
        const code = codeOf(form, seam);
        const owner = code && seam.service.authority.clients.get(code.grant.clientId);
        if (owner?.type === 'public' && !form.get('client_id')) form.set('client_id', owner.id);
      }),
  },
];
