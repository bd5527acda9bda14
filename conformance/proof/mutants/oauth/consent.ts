import { hash } from 'node:crypto';

import { publicWarning } from '../../../../src/server/pages/consent.js';
import type { Grant } from '../../../../src/store/store.js';
import type { Json } from '../../interceptor/interceptor.js';
import { isConsent } from '../../interceptor/interceptor.js';
import { intercept, mutants, operator } from '../../mutant.js';
import { codeOf, grantTypeIs, isPublic } from '../../operators/oauth.js';
import { parameterOf, redirect, withParameter } from '../../operators/oauth.js';
import { foundCode, keptCode, laterConsentEnds } from '../../operators/tokens.js';
import { rawReply } from '../../operators/replies.js';

/** The page that a browser sees before anything is decided, changed. */
const page = operator('page', (at, change: (text: string, isPublic: boolean) => string) =>
  rawReply('authorize', (one, { method, query }) => {
    if (method === 'GET' && one.status === 200) one.content = change(one.content, isPublic(query, at));
  }),
);

const warning = /<p class="warning"[^]*?<\/p>/;

/** A grant that is another account's. */
const heldBy = (account: string, grant: Grant) => (account === grant.account ? null : { grant: { ...grant, account } });

export const consent = mutants({
  'AUTH-WARN-001: public clients get no warning': () => page((text) => text.replace(warning, '')),
  'AUTH-WARN-002: every client gets the warning': () =>
    page((text, forPublic) => (forPublic ? text : text.replace(/<form/i, `${publicWarning}<form`))),
  "AUTH-USER-001 M-AZ-35: the token carries the application owner's identity in place of the user's": () =>
    keptCode(({ grant }) => heldBy('owner', grant)),
  'AUTH-USER-001 first: a client keeps the first user who signed in': () =>
    intercept((at) => {
      const first = new Map<string, string>();
      keptCode(({ grant }) => {
        if (!first.has(grant.clientId)) first.set(grant.clientId, grant.account);
        return heldBy(first.get(grant.clientId)!, grant);
      }).apply(at);
    }),
  'AUTH-USER-001 last: a code stands for the user who consented last, not for its own': () =>
    intercept((at) => {
      const last = new Map<string, string>();
      keptCode(({ grant }) => {
        last.set(grant.clientId, grant.account);
        return null;
      }).apply(at);
      foundCode(({ grant }) => heldBy(last.get(grant.clientId) ?? grant.account, grant)).apply(at);
    }),
  'AUTH-USER-001 names: username and sub are those of the first user of the client, the token is right': () =>
    intercept((at) => {
      const first = new Map<string, Json>();
      at.oauth('issueToken', (body, reply, { form }) => {
        if (reply.status !== 200 || !grantTypeIs('authorization_code')(form)) return;
        const id = form.get('client_id') ?? '';
        const { username, sub } = first.get(id) ?? body;
        first.set(id, { username, sub });
        Object.assign(body, { username, sub });
      });
    }).also('TOK-RESP-007'),
  'AUTH-USER-001 global: who a token is for is kept where requests at the same time overwrite it': () =>
    intercept((at) => {
      let latest: string | undefined;
      at.form('issueToken', async (form) => {
        const account = codeOf(form, at)?.grant.account;
        if (account === undefined) return;
        latest = account;
        await new Promise((done) => setTimeout(done, 15));
      });
      foundCode(({ grant }) =>
        at.current?.operation === 'issueToken' ? heldBy(latest ?? grant.account, grant) : null,
      ).apply(at);
    }),
  'AUTH-DENY-001 M-AZ-23: a code is issued although the user denied': () =>
    redirect((location, { order }, at) =>
      location !== null && order.decision === 'deny'
        ? withParameter(location, 'code', at.service.authority.newToken())
        : location,
    ).also('AUTH-ERR-001'),
  'AUTH-DENY-001 remembered: a denial is not asked for where the user has approved before': () =>
    intercept((at) => {
      const known = new Set<string>();
      at.request((request) => {
        if (!isConsent(request)) return;
        const order = request.json as { url: string; account: string; decision: string };
        const key = `${order.account} ${parameterOf(order.url, 'client_id')}`;
        if (order.decision === 'approve') known.add(key);
        else if (known.has(key)) request.json = { ...order, decision: 'approve' };
      });
    }),
  'AUTH-NOCONSENT-001 M-AZ-24: a code is issued without consent': () =>
    intercept((at) => {
      at.switches({ 'consent.mode': 'auto' });
      rawReply('authorize', ({ headers }) => void (headers.location?.includes('code=') && at.acted())).apply(at);
    }),
  'AUTH-NOCONSENT-001 remembered: a browser without a session gets a code for whoever has approved the client before':
    () =>
      intercept((at) => {
        const approved = new Set<string>();
        at.redirect((location, { query, order }) => {
          const id = query.get('client_id') ?? '';
          if (parameterOf(location, 'code') !== null) approved.add(id);
          const uri = query.get('redirect_uri');
          if (order.url !== undefined || location !== null || uri === null || !approved.has(id)) return location;
          return withParameter(uri, 'code', at.service.authority.newToken());
        });
      }),
  'AUTH-CODEFMT-001 M-AD-15: codes are derived from the user and the second': () =>
    intercept((at) =>
      at.authority((authority) => ({
        newToken() {
          const request = at.current;
          if (!request || !isConsent(request)) return authority.newToken();
          at.acted();
          const { account } = request.json as Json;
          return hash('sha1', `${String(account)} ${Math.floor(authority.now() / 1000)}`, 'hex');
        },
      })),
    ),
  'AUTH-CODEFMT-001 same: while a code of a user for a client is unused, the same one is given again': () =>
    intercept((at) => {
      const codes = new Map<string, string>();
      at.redirect((location, { query, order }) => {
        const { store } = at.service.authority;
        const code = parameterOf(location, 'code');
        if (location === null || code === null) return location;
        const scopes = store.findCode(code)?.grant.scopes ?? [];
        const key = `${String(order.account)} ${query.get('client_id')} ${scopes.join(' ')}`;
        const before = codes.get(key);
        const unused = before !== undefined && !store.findCode(before)?.used;
        if (!unused) codes.set(key, code);
        return unused ? withParameter(location, 'code', before) : location;
      });
    }).exercise('AUTH-SCOPE-006', 'AUTH-STATE-001'),
  'LIFE-014 codes: a second authorization of a user spoils the code of the first': () => laterConsentEnds('code'),
});
