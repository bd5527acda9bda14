import type { Code } from '../../../../src/store/store.js';
import { intercept, mutants } from '../../mutant.js';
import { codeOf, formReply, isRefresh, refreshTokenOf, subjectOf } from '../../operators/oauth.js';
import { foundCode, foundToken } from '../../operators/tokens.js';

/** Lets other requests go first. */
const moment = (): Promise<void> => new Promise((done) => setTimeout(done, 8));

/** Mutants that do as they should for one caller, and not for several at once. */
export const races = mutants({
  'LIFE-016: a refresh writes back the access tokens that it read, and a revocation meanwhile is lost': () =>
    intercept((at) => {
      const back = new Set<string>();
      const alive = (id: string): string[] =>
        [...at.service.authority.store.tokens()]
          .filter(({ kind, ended, grant }) => kind === 'access' && !ended && grant.id === id)
          .map(({ text }) => text);
      at.form('issueToken', async (form) => {
        const token = isRefresh(form) && refreshTokenOf(form, at);
        if (!token || token.ended) return;
        const before = alive(token.grant.id);
        await moment();
        const after = alive(token.grant.id);
        for (const text of before) if (!after.includes(text)) back.add(text);
      });
      foundToken(({ text, ended }) => (ended === 'revoked' && back.has(text) ? { ended: null } : null)).apply(at);
    }),
  'LIFE-017: between finding a code and ending it others find it too': () =>
    intercept((at) => {
      const seen = new Map<object, Code>();
      at.form('issueToken', async (form, request) => {
        const code = codeOf(form, at);
        if (!code || code.used) return;
        seen.set(request, code);
        await moment();
      });
      foundCode(({ used }) => (used && at.current && seen.has(at.current) ? { used: false } : null)).apply(at);
    }),
  'INTRO-022: introspection remembers what it found, although the token was revoked meanwhile': () =>
    intercept((at) => {
      const stuck = new Set<string>();
      at.form('introspectToken', async (form) => {
        const token = subjectOf(form, at);
        if (token?.kind !== 'access' || token.ended) return;
        await moment();
        if (subjectOf(form, at)?.ended) stuck.add(token.text);
      });
      formReply('introspectToken', (body, _, { form }) => {
        if (body.active === false && stuck.has(form.get('token') ?? '')) body.active = true;
      }).apply(at);
    }),
});
