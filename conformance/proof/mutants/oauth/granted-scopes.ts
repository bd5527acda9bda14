import type { Scope } from '../../../../src/contract/index.js';
import type { Mutant } from '../../mutant.js';

/** Service scopes that are asked for by code, and granted. */
const serviceByCode =
  (type: 'confidential' | 'public'): Mutant['plant'] =>
  (seam) => {
    const byState = new Map<string, Scope[]>();
    const byCode = new Map<string, Scope[]>();
    seam.authorization((query) => {
      if (seam.service.authority.clients.get(query.get('client_id') ?? '')?.type !== type) return;
      const scopes = (query.get('scope') ?? '').split(' ');
      const extra = scopes.filter((scope) => scope.startsWith('service:')) as Scope[];
      if (extra.length === 0) return;
      byState.set(query.get('state') ?? '', extra);
      query.set('scope', scopes.filter((scope) => !scope.startsWith('service:')).join(' ') || 'account:profile');
    });
    seam.redirect((location, { query }) => {
      const code = location === null ? null : new URL(location).searchParams.get('code');
      const extra = byState.get(query.get('state') ?? '');
      if (code !== null && extra) byCode.set(code, extra);
      return location;
    });
    seam.store((store) => ({
      findCode(text) {
        const code = store.findCode(text);
        const extra = byCode.get(text);
        return code && extra ? { ...code, grant: { ...code.grant, scopes: [...code.grant.scopes, ...extra] } } : code;
      },
    }));
  };

export const grantedScopes: readonly Mutant[] = [
  {
    id: 'M-AZ-31',
    bug: 'an unknown scope is echoed as granted',
    rows: ['AUTH-SCOPE-001'],
    plant(seam) {
      const byCode = new Map<string, string>();
      seam.switches({ 'scopes.unknown': 'drop' });
      seam.redirect((location, { query }) => {
        const code = location === null ? null : new URL(location).searchParams.get('code');
        if (code !== null) byCode.set(code, query.get('scope') ?? '');
        return location;
      });
      seam.oauth('issueToken', (body, _, { form }) => {
        const scope = byCode.get(form.get('code') ?? '');
        if (scope !== undefined && body.scope !== undefined) body.scope = scope;
      });
    },
  },
  {
    id: 'N-TOK-CC-016',
    bug: 'service scopes come by code',
    rows: ['AUTH-SCOPE-002', 'TOK-CC-016'],
    plant: serviceByCode('confidential'),
  },
  {
    id: 'N-AUTH-SCOPE-003',
    bug: 'a public client gets service scopes',
    rows: ['AUTH-SCOPE-003'],
    plant: serviceByCode('public'),
  },
  {
    id: 'N-AUTH-SCOPE-005',
    bug: 'the guild scope is granted without the special grant',
    rows: ['AUTH-SCOPE-005'],
    plant(seam) {
      seam.clients(({ scopes }) => ({ scopes: [...new Set<Scope>([...scopes, 'account:guild:stashes'])] }));
      seam.redirect((location, { query }) => {
        if (location?.includes('code=') && query.get('scope')?.includes('guild')) seam.acted();
        return location;
      });
    },
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
    id: 'N-AUTH-CODE-017',
    bug: 'scope in the response is what was asked for, the token has less',
    rows: ['AUTH-CODE-017'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        addToken(token) {
          if (token.grant.kind !== 'authorization_code' || token.scopes.length < 2) return store.addToken(token);
          acted();
          store.addToken({ ...token, scopes: token.scopes.slice(1) });
        },
      })),
  },
];
