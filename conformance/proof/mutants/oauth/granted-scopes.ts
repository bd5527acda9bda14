import type { Scope } from '../../../../src/contract/index.js';
import type { OldMutant as Mutant } from '../../mutant.js';
import { isCredentials } from './planting.js';

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
  {
    id: 'N-AUTH-SCOPE-006',
    bug: 'scopes are read in the order of the alphabet, and what comes out of it is dropped',
    rows: ['AUTH-SCOPE-006'],
    plant: (seam) =>
      seam.authorization((query) => {
        const scopes = (query.get('scope') ?? '').split(' ');
        query.set('scope', scopes.filter((scope, index) => index === 0 || scope > scopes[index - 1]!).join(' '));
      }),
  },
  {
    id: 'N-AUTH-SCOPE-008',
    bug: 'more than four scopes are too many',
    rows: ['AUTH-SCOPE-008'],
    plant: (seam) =>
      seam.authorization((query) => {
        if ((query.get('scope') ?? '').split(' ').length > 4) query.set('scope', 'too-many');
      }),
  },
  {
    id: 'N-AUTH-SCOPE-008-plus',
    bug: 'only the first of several scopes is read',
    rows: ['AUTH-SCOPE-008'],
    noticed: 'warn',
    plant: (seam) => seam.authorization((query) => query.set('scope', (query.get('scope') ?? '').split(' ')[0] ?? '')),
  },
  {
    id: 'N-TOK-CC-008',
    bug: 'an unknown scope of client credentials is echoed as granted',
    rows: ['TOK-CC-008'],
    plant(seam) {
      const asked = new Map<unknown, string>();
      seam.form('issueToken', (form, request) => {
        const scope = form.get('scope') ?? '';
        const known = scope.split(' ').filter((one) => (seam.service.authority.scopes as ReadonlySet<string>).has(one));
        if (!isCredentials(form) || known.join(' ') === scope) return;
        asked.set(request, scope);
        form.set('scope', known.join(' ') || 'service:leagues');
      });
      seam.oauth('issueToken', (body, reply, request) => {
        if (reply.status === 200 && asked.has(request)) body.scope = asked.get(request);
      });
    },
  },
];
