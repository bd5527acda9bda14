import type { OldMutant as Mutant } from '../../mutant.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';
import { isConsent } from '../../interceptor/interceptor.js';
import { clientOf, parameterOf, withParameter } from './planting.js';

/** Changes the text of the page that a browser sees before anything is decided. */
const page =
  (change: (text: string, isPublic: boolean) => string): Mutant['plant'] =>
  (seam) =>
    seam.reply((reply, request) => {
      if (request.operation !== 'authorize' || request.method !== 'GET' || reply.status !== 200) return;
      const isPublic = clientOf(request.query, seam)?.type === 'public';
      reply.content = change(reply.content, isPublic);
    });

const warning = /<p class="warning"[^]*?<\/p>/;

const scopesOf = (seam: Interceptor, code: string): readonly string[] =>
  seam.service.authority.store.findCode(code)?.grant.scopes ?? [];

/** Who a code stands for, otherwise than who consented. */
const holder =
  (other: (account: string, clientId: string, seam: Interceptor) => string): Mutant['plant'] =>
  (seam) =>
    seam.store((store, acted) => ({
      addCode(code) {
        const account = other(code.grant.account, code.grant.clientId, seam);
        if (account !== code.grant.account) acted();
        store.addCode({ ...code, grant: { ...code.grant, account } });
      },
    }));

export const consentPages: readonly Mutant[] = [
  {
    id: 'N-AUTH-WARN-001',
    bug: 'public clients get no warning',
    rows: ['AUTH-WARN-001'],
    plant: page((text) => text.replace(warning, '')),
  },
  {
    id: 'N-AUTH-WARN-002',
    bug: 'every client gets the warning',
    rows: ['AUTH-WARN-002'],
    plant(seam) {
      let shown = '';
      page((text, isPublic) => {
        shown ||= warning.exec(text)?.[0] ?? '';
        return isPublic ? text : text.replace(/<form/i, `${shown}<form`);
      })(seam);
    },
  },
  {
    id: 'N-AUTH-USER-001-first',
    bug: 'a client keeps the first user who signed in',
    rows: ['AUTH-USER-001'],
    plant(seam) {
      const first = new Map<string, string>();
      holder((account, clientId) => {
        if (!first.has(clientId)) first.set(clientId, account);
        return first.get(clientId)!;
      })(seam);
    },
  },
  {
    id: 'N-AUTH-USER-001-last',
    bug: 'a code stands for the user who consented last, not for its own',
    rows: ['AUTH-USER-001'],
    plant(seam) {
      const last = new Map<string, string>();
      seam.store((store, acted) => ({
        addCode(code) {
          last.set(code.grant.clientId, code.grant.account);
          store.addCode(code);
        },
        findCode(text) {
          const code = store.findCode(text);
          const account = code && last.get(code.grant.clientId);
          if (!code || account === undefined || account === code.grant.account) return code;
          acted();
          return { ...code, grant: { ...code.grant, account } };
        },
      }));
    },
  },
  {
    id: 'N-AUTH-USER-001-names',
    bug: 'username and sub are those of the first user of the client, the token is right',
    rows: ['AUTH-USER-001', 'TOK-RESP-007'],
    plant(seam) {
      const first = new Map<string, Json>();
      seam.oauth('issueToken', (body, reply, { form }) => {
        if (reply.status !== 200 || form.get('grant_type') !== 'authorization_code') return;
        const id = form.get('client_id') ?? '';
        const { username, sub } = first.get(id) ?? body;
        first.set(id, { username, sub });
        Object.assign(body, { username, sub });
      });
    },
  },
  {
    id: 'N-AUTH-USER-001-global',
    bug: 'who a token is for is kept where requests at the same time overwrite it',
    rows: ['AUTH-USER-001'],
    plant(seam) {
      let latest: string | undefined;
      seam.request(async ({ operation, form }) => {
        const code = operation === 'issueToken' ? form.get('code') : null;
        const account = code ? seam.service.authority.store.findCode(code)?.grant.account : undefined;
        if (account === undefined) return undefined;
        latest = account;
        await new Promise((done) => setTimeout(done, 15));
        return undefined;
      });
      seam.store((store, acted) => ({
        findCode(text) {
          const code = store.findCode(text);
          if (!code || latest === undefined || seam.current?.operation !== 'issueToken') return code;
          if (latest !== code.grant.account) acted();
          return { ...code, grant: { ...code.grant, account: latest } };
        },
      }));
    },
  },
  {
    id: 'N-AUTH-DENY-001-remembered',
    bug: 'a denial is not asked for where the user has approved before',
    rows: ['AUTH-DENY-001'],
    plant(seam) {
      const known = new Set<string>();
      seam.request((request) => {
        if (!isConsent(request)) return;
        const order = request.json as { url: string; account: string; decision: string };
        const key = `${order.account} ${new URL(order.url).searchParams.get('client_id')}`;
        if (order.decision === 'approve') known.add(key);
        else if (known.has(key)) request.json = { ...order, decision: 'approve' };
      });
    },
  },
  {
    id: 'N-AUTH-NOCONSENT-001-remembered',
    bug: 'a browser without a session gets a code for whoever has approved the client before',
    rows: ['AUTH-NOCONSENT-001'],
    plant(seam) {
      const approved = new Set<string>();
      seam.redirect((location, { query, order }) => {
        const id = query.get('client_id') ?? '';
        if (parameterOf(location, 'code') !== null) approved.add(id);
        const uri = query.get('redirect_uri');
        if (order.url !== undefined || location !== null || uri === null || !approved.has(id)) return location;
        return withParameter(uri, 'code', seam.service.authority.newToken());
      });
    },
  },
  {
    id: 'N-AUTH-CODEFMT-001-same',
    bug: 'while a code of a user for a client is unused, the same one is given again',
    rows: ['AUTH-CODEFMT-001'],
    beside: ['AUTH-SCOPE-006', 'AUTH-STATE-001'],
    plant(seam) {
      const codes = new Map<string, string>();
      seam.redirect((location, { query, order }) => {
        const code = parameterOf(location, 'code');
        if (location === null || code === null) return location;
        const key = `${String(order.account)} ${query.get('client_id')} ${scopesOf(seam, code).join(' ')}`;
        const before = codes.get(key);
        const unused = before !== undefined && !seam.service.authority.store.findCode(before)?.used;
        if (!unused) codes.set(key, code);
        return unused ? withParameter(location, 'code', before) : location;
      });
    },
  },
  {
    id: 'N-LIFE-014-codes',
    bug: 'a second authorization of a user spoils the code of the first',
    rows: ['LIFE-014'],
    plant: (seam) =>
      seam.store((store, acted) => ({
        addCode(code) {
          for (const { text, grant, used } of store.codes()) {
            if (used || grant.clientId !== code.grant.clientId || grant.account !== code.grant.account) continue;
            acted();
            store.useCode(text);
          }
          store.addCode(code);
        },
      })),
  },
];
