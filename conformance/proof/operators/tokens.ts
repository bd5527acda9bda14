/** Mutations of the codes and tokens that the authorization server keeps. */
import type { Code, Token } from '../../../src/store/store.js';
import type { Interceptor } from '../interceptor/interceptor.js';
import { operator } from '../mutant.js';
import { isPublic, isUser } from './oauth.js';

/** Tokens, changed before they are kept; null leaves one as it is. */
export const keptToken = operator(
  'keptToken',
  (at, change: (token: Token, isPublic: boolean, at: Interceptor) => Partial<Token> | null) =>
    at.store((store, acted) => ({
      addToken(token) {
        const changed = change(token, isPublic(token, at), at);
        if (changed) acted();
        store.addToken({ ...token, ...changed });
      },
    })),
);

/** What the store finds of a token, changed; null leaves it as it is. */
export const foundToken = operator(
  'foundToken',
  (at, change: (token: Token, at: Interceptor) => Partial<Token> | null) =>
    at.store((store, acted) => ({
      findToken(text) {
        const token = store.findToken(text);
        const changed = token && change(token, at);
        if (!token || !changed) return token;
        acted();
        return { ...token, ...changed };
      },
    })),
);

/** Codes, changed before they are kept; null leaves one as it is. */
export const keptCode = operator(
  'keptCode',
  (at, change: (code: Code, isPublic: boolean, at: Interceptor) => Partial<Code> | null) =>
    at.store((store, acted) => ({
      addCode(code) {
        const changed = change(code, isPublic(code, at), at);
        if (changed) acted();
        store.addCode({ ...code, ...changed });
      },
    })),
);

/** What the store finds of a code when one is exchanged, changed; null leaves it as it is. */
export const foundCode = operator(
  'foundCode',
  (at, change: (code: Code, form: URLSearchParams, at: Interceptor) => Partial<Code> | null) =>
    at.store((store, acted) => ({
      findCode(text) {
        const code = store.findCode(text);
        const sent = at.current?.form;
        const changed = code && sent && change(code, sent, at);
        if (!code || !changed) return code;
        acted();
        return { ...code, ...changed };
      },
    })),
);

/** A token works for so many milliseconds after the endpoint revoked it, as long as it takes until everybody knows. */
export const revokedLate = operator('revokedLate', (at, lag: number) => {
  const known = new Map<string, number>();
  at.form('revokeToken', (sent) => {
    const text = sent.get('token') ?? '';
    if (!known.has(text)) known.set(text, performance.now() + lag);
    return undefined;
  });
  at.store((store, acted) => ({
    endToken(text, how) {
      // Once it is used it is known to be.
      if (how === 'used') known.delete(text);
      store.endToken(text, how);
    },
    findToken(text) {
      const token = store.findToken(text);
      if (token?.ended !== 'revoked' || performance.now() >= (known.get(text) ?? 0)) return token;
      acted();
      return { ...token, ended: null };
    },
  }));
});

/** Tokens that do not end although the server means to end them. */
export const neverEnd = operator(
  'neverEnd',
  (at, which: (token: Token | undefined, how: 'used' | 'revoked', at: Interceptor) => boolean) =>
    at.store((store, acted) => ({
      endToken(text, how) {
        if (which(store.findToken(text), how, at)) acted();
        else store.endToken(text, how);
      },
    })),
);

/** A user's consent to a client ends these of the ones before: codes at once, tokens when its own are issued. */
export const laterConsentEnds = operator('laterConsentEnds', (at, ...what: readonly ('code' | Token['kind'])[]) =>
  at.store((store, acted) => {
    const others = <T extends Code | Token>(all: Iterable<T>, { id, clientId, account }: Token['grant']): T[] =>
      [...all].filter(({ grant }) => grant.id !== id && grant.clientId === clientId && grant.account === account);
    return {
      addCode(code) {
        for (const { text, used } of others(store.codes(), code.grant)) {
          if (used || !what.includes('code')) continue;
          acted();
          store.useCode(text);
        }
        store.addCode(code);
      },
      addToken(token) {
        for (const { text, kind, ended } of isUser(token) ? others(store.tokens(), token.grant) : []) {
          if (ended || !what.includes(kind)) continue;
          acted();
          store.endToken(text, 'revoked');
        }
        store.addToken(token);
      },
    };
  }),
);

/** Only the last of a user's tokens for a client, or of a service client's, work: so many of each kind. */
export const onlyLast = operator('onlyLast', (at, most: number, wanted: Token['grant']['kind']) =>
  at.store((store, acted) => ({
    addToken(token) {
      const alike = [...store.tokens()].filter(
        ({ grant, kind, ended }) =>
          ended === null &&
          kind === token.kind &&
          grant.kind === wanted &&
          grant.clientId === token.grant.clientId &&
          grant.account === token.grant.account,
      );
      for (const { text } of token.grant.kind === wanted ? alike.slice(0, Math.max(0, alike.length + 1 - most)) : []) {
        acted();
        store.endToken(text, 'revoked');
      }
      store.addToken(token);
    },
  })),
);

const isService = ({ grant }: Token): boolean => grant.kind === 'client_credentials';

/** A client's token by client credentials ends the ones that it got before. */
export const laterServiceTokenEnds = operator('laterServiceTokenEnds', (at) =>
  at.store((store, acted) => ({
    addToken(token) {
      for (const { text, ended, grant } of isService(token) ? [...store.tokens()].filter(isService) : []) {
        if (ended || grant.clientId !== token.grant.clientId || grant.id === token.grant.id) continue;
        acted();
        store.endToken(text, 'revoked');
      }
      store.addToken(token);
    },
  })),
);

export const isExpired = (of: Code | Token | undefined, { service }: Interceptor): boolean =>
  typeof of?.expiresAt === 'number' && service.authority.now() >= of.expiresAt;

/** The refresh tokens of a token's grant that have been used, oldest first. */
export const usedRefreshTokens = (token: Token | undefined, at: Interceptor): readonly Token[] =>
  [...at.service.authority.store.tokens()].filter(
    ({ kind, ended, grant }) => kind === 'refresh' && ended === 'used' && grant.id === token?.grant.id,
  );
