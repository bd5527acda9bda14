import { setTimeout as sleep } from 'node:timers/promises';

import { challengeOf } from '../../../../src/oauth/pkce.js';
import type { Code } from '../../../../src/store/store.js';
import type { Interceptor } from '../../interceptor/interceptor.js';
import { mutants, operator, together } from '../../mutant.js';
import { clientOf, codeOf, field, form, formReply, isExchange, isPublic } from '../../operators/oauth.js';
import { mapField, refuseForm } from '../../operators/oauth.js';
import type { ClientType, SentForm } from '../../operators/oauth.js';
import { foundCode, isExpired, keptCode } from '../../operators/tokens.js';
import { rawReply } from '../../operators/replies.js';
import { respond } from '../../operators/requests.js';

/** Codes that live for other than 30 seconds, those of one type of client, or all. */
const life = operator('life', (at, seconds: number, type?: ClientType) =>
  keptCode((code) =>
    [undefined, clientOf(code, at)?.type].includes(type) ? { expiresAt: code.issuedAt + seconds * 1000 } : null,
  ),
);

/** A verifier that is accepted although its challenge is another one. */
const fitting = operator('fitting', (_, fits: (verifier: string, challenge: string, sent: SentForm) => boolean) =>
  foundCode((code, sent) => {
    const verifier = sent.get('code_verifier') ?? '';
    const challenge = challengeOf(verifier);
    return challenge !== code.challenge && fits(verifier, code.challenge, sent) ? { challenge } : null;
  }),
);

/** A verifier that is not compared where a client of one type sends it. */
const anyVerifier = operator('anyVerifier', (at, type: ClientType) =>
  fitting((verifier, _, sent) => verifier !== '' && clientOf(sent, at)?.type === type),
);

/** A verifier that may be left out. */
const optionalVerifier = operator('optionalVerifier', (at, type?: ClientType, account?: string) => {
  const any = 'n'.repeat(43);
  const isLeftOut = (sent: SentForm): boolean => {
    const code = codeOf(sent, at);
    if (!code || (account !== undefined && code.grant.account !== account)) return false;
    return type === undefined || clientOf(sent, at)?.type === type;
  };
  return together(
    field('issueToken', 'code_verifier', (verifier, sent) => !verifier && isLeftOut(sent) && any),
    fitting((verifier) => verifier === any),
  );
});

/** Codes that are exchanged by another client than theirs. */
const foreign = operator(
  'foreign',
  (at, which: (code: Code, sent: SentForm, at: Interceptor) => unknown = () => true) =>
    foundCode((code, sent) => {
      const clientId = sent.get('client_id') || code.grant.clientId;
      return clientId !== code.grant.clientId && which(code, sent, at) ? { grant: { ...code.grant, clientId } } : null;
    }),
);

/** Codes that an exchange does not use up, or only some ms `later`. */
const unused = operator(
  'unused',
  (at, which: (code: Code, at: Interceptor) => boolean = () => true, later: number = Infinity) =>
    at.store((store, acted) => ({
      useCode(text) {
        const code = store.findCode(text);
        if (!code || !which(code, at)) return store.useCode(text);
        acted();
        if (later < Infinity) setTimeout(() => store.useCode(text), later);
      },
    })),
);

/** Notes the codes of refused exchanges. */
const failures = operator('failures', (_, failed: Set<string>) =>
  formReply('issueToken', (__, { status }, { form: sent }) => {
    const code = sent.get('code');
    if (status >= 400 && code) failed.add(code);
  }),
);

const repeated = operator('repeated', (at) => {
  const given = new Map<string, string>();
  return rawReply('issueToken', (one, { form: sent }) => {
    const code = sent.get('code') ?? '';
    const before = given.get(code);
    if (one.status === 200) given.set(code, one.text);
    else if (before && codeOf(sent, at)?.used) Object.assign(one, { status: 200, json: JSON.parse(before) as unknown });
  });
});

const reusable = operator('reusable', (at) => {
  const until = new Map<string, number>();
  return foundCode(({ text, used }, sent) => {
    if (!isPublic(sent, at)) return null;
    const end = until.get(text) ?? performance.now() + 20;
    until.set(text, end);
    return used && performance.now() < end ? { used: false } : null;
  });
});

const invented = operator('invented', (at) =>
  at.store((store, acted) => ({
    findCode(text) {
      const sent = at.current?.form;
      const code = store.findCode(text);
      if (code || !sent) return code;
      acted();
      const now = at.service.authority.now();
      const clientId = sent.get('client_id') ?? '';
      const of = { id: text, clientId, account: 'alice', grantedAt: now };
      const grant: Code['grant'] = { ...of, scopes: ['account:profile'], kind: 'authorization_code' };
      const redirectUri = sent.get('redirect_uri') ?? '';
      const challenge = challengeOf(sent.get('code_verifier') ?? '');
      return { text, grant, redirectUri, challenge, issuedAt: now, expiresAt: now + 30_000, used: false };
    },
  })),
);

const lacksSecret = (sent: SentForm, at: Interceptor) =>
  codeOf(sent, at) && isPublic(sent, at) && !sent.has('client_secret');

export const codes = mutants({
  'AUTH-CODE-002 M-AZ-40: a code dies after 20 seconds': () => life(20),
  'AUTH-CODE-002 public: a public code dies after 20 seconds': () => life(20, 'public'),
  'AUTH-CODE-002 little: a code dies after 25 seconds': () => life(25, 'confidential'),
  'AUTH-CODE-003 M-AZ-38: a code lives for 60 seconds': () => life(60),
  'AUTH-CODE-003 M-AZ-39: a code lives for 10 minutes': () => life(600),
  'AUTH-CODE-003 public: a public code lives for 60 seconds': () => life(60, 'public'),
  'AUTH-CODE-003 no-refresh: a code of a client without refresh tokens lives for 60 seconds': () =>
    keptCode((code, _, at) => (clientOf(code, at)?.refresh === false ? { expiresAt: code.issuedAt + 60_000 } : null)),
  'AUTH-CODE-003 little: a code lives for 35 seconds': () => life(35, 'confidential'),
  'AUTH-CODE-003 little-public: a public code lives for 35 seconds': () => life(35, 'public'),
  'AUTH-CODE-004 padding: the padding of base64 behind a verifier is cut off': () =>
    mapField('issueToken', 'code_verifier', (verifier) => verifier && verifier.replace(/=+$/, '')),
  'AUTH-CODE-004 public: the verifier of a public client is not compared': () => anyVerifier('public'),
  'AUTH-CODE-004 secret: the verifier of a client with the right secret is not compared': () =>
    anyVerifier('confidential'),
  'AUTH-CODE-004 case: challenges are compared without regard to case': () =>
    fitting((verifier, challenge) => challengeOf(verifier).toLowerCase() === challenge.toLowerCase()),
  'AUTH-CODE-004 start: challenges are compared by their first 32 characters': () =>
    fitting((verifier, challenge) => challengeOf(verifier).slice(0, 32) === challenge.slice(0, 32)),
  'AUTH-CODE-004 end: challenges are compared without their last character': () =>
    fitting((verifier, challenge) => challengeOf(verifier).slice(0, 42) === challenge.slice(0, 42)),
  'AUTH-CODE-004 last: a client has one challenge, that of its last authorization': () =>
    foundCode(({ text, grant }, _, { service }) => {
      const all = [...service.authority.store.codes()];
      const last = all.findLast((one) => one.grant.clientId === grant.clientId);
      return last && last.text !== text ? { challenge: last.challenge } : null;
    }),
  'AUTH-CODE-004 again: after a wrong verifier any is accepted': (failed = new Set<string>()) =>
    together(
      failures(failed),
      fitting((_, __, sent) => failed.has(sent.get('code') ?? '')),
    ),
  'AUTH-CODE-013 again: after a wrong redirect_uri any is accepted': (failed = new Set<string>()) =>
    together(
      failures(failed),
      foundCode(({ text }, sent) =>
        failed.has(text) && sent.has('redirect_uri') ? { redirectUri: sent.get('redirect_uri')! } : null,
      ),
    ),
  'AUTH-CODE-005 public: a public client may leave its verifier out': () => optionalVerifier('public'),
  'AUTH-CODE-005 confidential: a client with a secret may leave its verifier out': () =>
    optionalVerifier('confidential'),
  'AUTH-CODE-005 second: for the codes of the second user the verifier may be left out': () =>
    optionalVerifier(undefined, 'bob'),
  'AUTH-CODE-007 column: a verifier of more than 64 characters does not fit': () =>
    field('issueToken', 'code_verifier', (verifier) => verifier.length > 64 && 'x'.repeat(43)),
  'AUTH-CODE-009 M-AZ-36: a code can be used again': () => unused(),
  'AUTH-CODE-009 failed: a code that was first tried in vain can be used again': (failed = new Set<string>()) =>
    together(
      failures(failed),
      unused(({ text }) => failed.has(text)),
    ),
  'AUTH-CODE-009 public: a public code can be used again': () => unused(isPublic),
  'AUTH-CODE-009 same: a code that is sent again gives the same tokens again': () => repeated(),
  'AUTH-CODE-010: between finding a code and using it up others find it too': () =>
    together(
      form('issueToken', (sent) => (sent.get('code') ? sleep(5) : undefined)),
      unused(() => true, 15),
    ),
  'AUTH-CODE-010 public: a public code that is exchanged by several at once gives tokens to all of them': () =>
    reusable(),
  'AUTH-CODE-012: redirect_uri is optional in the exchange': () =>
    field('issueToken', 'redirect_uri', (uri, sent, at) => !uri && codeOf(sent, at)?.redirectUri),
  'AUTH-CODE-013: the redirect_uri of the exchange is not compared': () =>
    field('issueToken', 'redirect_uri', (uri, sent, at) => uri && codeOf(sent, at)?.redirectUri),
  'AUTH-CODE-014 M-AZ-42: a code is accepted from another client': () => foreign(),
  "AUTH-CODE-014 public: a public client can exchange other clients' codes": () =>
    foreign((_, sent, at) => isPublic(sent, at)),
  'AUTH-CODE-014 of-public: codes of public clients can be exchanged by other clients': () =>
    foreign((code, sent, at) => isPublic(code, at) && clientOf(sent, at)),
  'AUTH-CODE-015 M-AD-16: a missing code gives 500': () =>
    respond('issueToken', ({ form: sent }) => isExchange(sent) && !sent.get('code'), 500, { error: 'server_error' }),
  'AUTH-CODE-016 M-AD-17: an unknown code is exchanged for a default user': () => invented(),
  'AUTH-CODE-016 cut: codes are looked up by their first 32 characters': () =>
    field('issueToken', 'code', (sent, _, { service }) => {
      const all = [...service.authority.store.codes()];
      return sent.length >= 32 && all.find(({ text }) => text.startsWith(sent.slice(0, 32)))?.text;
    }),
  'AUTH-CODE-018 ignored: scope at the exchange takes the place of what was consented, within what the client may have':
    () =>
      foundCode(({ grant }, sent, at) => {
        const wanted = sent.get('scope')?.split(' ') ?? [];
        if (wanted.every((scope) => (grant.scopes as readonly string[]).includes(scope))) return null;
        const own = clientOf(sent, at)?.scopes ?? [];
        return { grant: { ...grant, scopes: own.filter((scope) => wanted.includes(scope)) } };
      }),
  'AUTH-CODE-021: a public client whose exchange has no client_secret field is refused where it is not sent empty':
    () => refuseForm('issueToken', lacksSecret, 'invalid_client'),
  'AUTH-CODE-022 public: a public client may leave client_id out, for its code tells it': () =>
    field('issueToken', 'client_id', (id, sent, at) => {
      const code = codeOf(sent, at);
      return !id && code && isPublic(code, at) && code.grant.clientId;
    }),
  'AUTH-CODE-025 used: a code that was used can be used again from five seconds on': () =>
    foundCode((code, _, { service }) =>
      code.used && service.clock.now() > code.issuedAt + 5000 ? { used: false } : null,
    ).inCase('used'),
  "AUTH-CODE-025 M-AZ-41: a code's life starts again at a failed attempt": () =>
    formReply('issueToken', (_, reply, { form: sent }, at) => {
      const { store, now } = at.service.authority;
      const code = codeOf(sent, at);
      if (reply.status === 200 || !code || code.used || isExpired(code, at)) return;
      at.acted();
      store.addCode({ ...code, expiresAt: now() + 30_000 });
    }),
});
