import type { Scope } from '../../../../src/contract/index.js';
import { intercept, mutants, operator } from '../../mutant.js';
import type { Interceptor } from '../../interceptor/interceptor.js';
import { clientOf, isCredentials, mapField, mapQuery, refuseForm } from '../../operators/oauth.js';
import { parameterOf, redirect } from '../../operators/oauth.js';
import { foundCode, keptToken } from '../../operators/tokens.js';

const isService = (scope: string): boolean => scope.startsWith('service:');

const isUnknown = (scope: string | null, at: Interceptor): boolean =>
  scope !== null && scope !== '' && scope.split(' ').every((one) => !at.service.authority.scopes.has(one as Scope));

/** Service scopes that are asked for by code, and granted. */
const serviceByCode = operator('serviceByCode', (at, type: 'confidential' | 'public') => {
  const byState = new Map<string | null, Scope[]>();
  const byCode = new Map<string, Scope[]>();
  at.authorization((query) => {
    const scopes = (query.get('scope') ?? '').split(' ');
    const extra = scopes.filter(isService) as Scope[];
    if (clientOf(query, at)?.type !== type || extra.length === 0) return;
    byState.set(query.get('state'), extra);
    query.set('scope', scopes.filter((scope) => !isService(scope)).join(' ') || 'account:profile');
  });
  at.redirect((location, { query }) => {
    const code = parameterOf(location, 'code');
    const extra = byState.get(query.get('state'));
    if (code !== null && extra) byCode.set(code, extra);
    return location;
  });
  return foundCode(({ text, grant }) => {
    const extra = byCode.get(text);
    return extra ? { grant: { ...grant, scopes: [...grant.scopes, ...extra] } } : null;
  });
});

/** A code stands for all that was asked for, whatever the user granted of it. */
const grantsAll = operator('grantsAll', (at) => {
  const asked = new Map<string, Scope[]>();
  at.redirect((location, { query, order }) => {
    const code = parameterOf(location, 'code');
    if (code !== null && order.scope !== undefined) asked.set(code, (query.get('scope') ?? '').split(' ') as Scope[]);
    return location;
  });
  return foundCode(({ text, grant }) => {
    const scopes = asked.get(text);
    return scopes ? { grant: { ...grant, scopes } } : null;
  });
});

export const grantedScopes = mutants({
  'AUTH-CODE-017 consent: what the user leaves out is granted all the same': () =>
    grantsAll().inCase('with less granted than asked for'),
  'AUTH-SCOPE-001 M-AZ-31: an unknown scope is echoed as granted': () =>
    intercept((at) => {
      const byCode = new Map<string, string>();
      at.switches({ 'scopes.unknown': 'drop' });
      at.redirect((location, { query }) => {
        const code = parameterOf(location, 'code');
        if (code !== null) byCode.set(code, query.get('scope') ?? '');
        return location;
      });
      at.oauth('issueToken', (body, _, { form }) => {
        const scope = byCode.get(form.get('code') ?? '');
        if (scope !== undefined && body.scope !== undefined) body.scope = scope;
      });
    }),
  'AUTH-SCOPE-002 N-TOK-CC-016: service scopes come by code': () => serviceByCode('confidential').also('TOK-CC-016'),
  'AUTH-SCOPE-003: a public client gets service scopes': () => serviceByCode('public'),
  'AUTH-SCOPE-001 default: a request for an unknown scope alone is granted every scope of the client': () =>
    mapQuery('scope', (scope, query, at) =>
      isUnknown(scope, at) ? (clientOf(query, at)?.scopes.join(' ') ?? null) : scope,
    )
      .on({ switches: { 'scopes.unknown': 'drop' } })
      .warns(),
  'AUTH-SCOPE-001 all: a request for an unknown scope alone is granted every scope, where an error is declared': () =>
    mapQuery('scope', (scope, query, at) =>
      isUnknown(scope, at) ? (clientOf(query, at)?.scopes.join(' ') ?? null) : scope,
    ).inCase('an unknown scope alone'),
  'AUTH-SCOPE-004 oauth: every client is granted oauth scopes by code': () =>
    intercept((at) => {
      at.clients(({ scopes }) => ({ scopes: [...new Set<Scope>([...scopes, 'oauth:revoke', 'oauth:introspect'])] }));
      redirect((location, { query }) => {
        if (location?.includes('code=') && query.get('scope')?.includes('oauth:')) at.acted();
        return location;
      }).apply(at);
    }),
  'AUTH-SCOPE-005: the guild scope is granted without the special grant': () =>
    intercept((at) => {
      at.clients(({ scopes }) => ({ scopes: [...new Set<Scope>([...scopes, 'account:guild:stashes'])] }));
      redirect((location, { query }) => {
        if (location?.includes('code=') && query.get('scope')?.includes('guild')) at.acted();
        return location;
      }).apply(at);
    }),
  'AUTH-CODE-018 M-AZ-56: scope at the exchange widens what was consented': () =>
    foundCode(({ grant }, form, at) => {
      const scopes = at.service.authority.clients.get(grant.clientId)?.scopes ?? [];
      return form.get('scope') ? { grant: { ...grant, scopes } } : null;
    }),
  'AUTH-CODE-017: scope in the response is what was asked for, the token has less': () =>
    keptToken(({ grant, scopes }) =>
      grant.kind === 'authorization_code' && scopes.length > 1 ? { scopes: scopes.slice(1) } : null,
    ),
  'AUTH-SCOPE-006 refresh: a refresh takes the scopes in the order of the grant only': () =>
    refuseForm(
      'issueToken',
      (form, at) => {
        const used = form.get('refresh_token');
        const token =
          used === null ? undefined : [...at.service.authority.store.tokens()].find(({ text }) => text === used);
        return token && !token.scopes.join(' ').includes(form.get('scope') ?? '');
      },
      'invalid_scope',
    ).inCase('in a refresh'),
  'AUTH-SCOPE-006: scopes are read in the order of the alphabet, and what comes out of it is dropped': () =>
    mapQuery('scope', (value) => {
      const scopes = (value ?? '').split(' ');
      return scopes.filter((scope, index) => index === 0 || scope > scopes[index - 1]!).join(' ');
    }),
  'AUTH-SCOPE-008: more than four scopes are too many': () =>
    mapQuery('scope', (scope) => ((scope ?? '').split(' ').length > 4 ? 'too-many' : scope)),
  'AUTH-SCOPE-008 plus: only the first of several scopes is read': () =>
    mapQuery('scope', (scope) => (scope ?? '').split(' ')[0] ?? '').warns(),
  'TOK-CC-008 default: client credentials with an unknown scope alone are granted every scope of the client': () =>
    mapField('issueToken', 'scope', (scope, form, at) =>
      isCredentials(form) && isUnknown(scope, at) ? (clientOf(form, at)?.credentialScopes.join(' ') ?? null) : scope,
    )
      .on({ switches: { 'scopes.unknown': 'drop' } })
      .warns(),
  'TOK-CC-008: an unknown scope of client credentials is echoed as granted': () =>
    intercept((at) => {
      const asked = new Map<unknown, string>();
      at.form('issueToken', (form, request) => {
        const scope = form.get('scope') ?? '';
        const registered = at.service.authority.scopes as ReadonlySet<string>;
        const known = scope.split(' ').filter((one) => registered.has(one));
        if (!isCredentials(form) || known.join(' ') === scope) return;
        asked.set(request, scope);
        form.set('scope', known.join(' ') || 'service:leagues');
      });
      at.oauth('issueToken', (body, reply, request) => {
        if (reply.status === 200 && asked.has(request)) body.scope = asked.get(request);
      });
    }),
});
