import type { OldMutant as Mutant } from '../../mutant.js';
import type { Json, Interceptor } from '../../interceptor/interceptor.js';
import { clientOf, codeOf, isCredentials, response } from './planting.js';

const isRefresh = (form: URLSearchParams): boolean => form.get('grant_type') === 'refresh_token';

const isPublic = (form: URLSearchParams, seam: Interceptor): boolean => clientOf(form, seam)?.type === 'public';

/** Changes refresh responses. */
const refreshed = (change: (body: Json, form: URLSearchParams, seam: Interceptor) => void): Mutant['plant'] =>
  response((body, form, seam) => {
    if (isRefresh(form)) change(body, form, seam);
  });

/** Changes errors of the token endpoint, where `which` says so. */
const errors =
  (
    which: (form: URLSearchParams, body: Json, seam: Interceptor) => boolean,
    change: (body: Json, reply: { status: number; headers: Record<string, string> }) => unknown,
  ): Mutant['plant'] =>
  (seam) =>
    seam.oauth('issueToken', (body, reply, { form }) =>
      reply.status >= 400 && which(form, body, seam) ? change(body, reply) : undefined,
    );

const withoutMember = (name: string): Mutant['plant'] => refreshed((body) => void delete body[name]);

export const tokenMembers: readonly Mutant[] = [
  ...(['expires_in', 'token_type', 'scope', 'username', 'sub'] as const).map((name): Mutant => ({
    id: `N-TOK-REFRESH-001-${name}`,
    bug: `${name} is left out of refresh responses`,
    rows: ['TOK-REFRESH-001'],
    plant: withoutMember(name),
  })),
  {
    id: 'N-TOK-RESP-016',
    bug: 'access tokens have characters that a bearer header cannot carry',
    rows: ['TOK-RESP-016'],
    beside: ['AUTH-CODE-001'],
    plant: response((body) => void (body.access_token = `${String(body.access_token)}|"é`)),
  },
  {
    id: 'N-TOK-RESP-016-space',
    bug: 'access tokens of client credentials have a space in them',
    rows: ['TOK-RESP-016'],
    beside: ['TOK-CC-001'],
    plant: response((body, form) => {
      if (isCredentials(form))
        body.access_token = `${String(body.access_token).slice(0, 20)} ${String(body.access_token).slice(20)}`;
    }),
  },
  {
    id: 'N-TOK-RESP-002-refresh',
    bug: 'token_type of a refresh is access_token',
    rows: ['TOK-RESP-002'],
    beside: ['TOK-REFRESH-001'],
    plant: refreshed((body) => void (body.token_type = 'access_token')),
  },
  {
    id: 'N-TOK-RESP-003-left',
    bug: 'expires_in of a refreshed token is a day short',
    rows: ['TOK-RESP-003'],
    noticed: 'warn',
    beside: ['TOK-REFRESH-001'],
    plant: refreshed((body) => {
      if (body.expires_in === 2_592_000) body.expires_in = 2_505_600;
    }),
  },
  {
    id: 'N-TOK-RESP-003-null',
    bug: 'expires_in of user tokens is null',
    rows: ['TOK-RESP-003', 'TOK-RESP-005'],
    beside: ['AUTH-CODE-001'],
    plant: response((body, form) => {
      if (!isCredentials(form)) body.expires_in = null;
    }),
  },
  {
    id: 'N-TOK-RESP-005-refresh',
    bug: "expires_in of a public client's refreshed token is a confidential client's",
    rows: ['TOK-RESP-005'],
    noticed: 'warn',
    beside: ['TOK-REFRESH-001'],
    plant: refreshed((body) => {
      if (body.expires_in === 36_000) body.expires_in = 2_592_000;
    }),
  },
  {
    id: 'N-TOK-RESP-004-zero',
    bug: 'expires_in of client credentials is 0',
    rows: ['TOK-RESP-004'],
    plant: response((body, form) => {
      if (isCredentials(form)) body.expires_in = 0;
    }),
  },
  {
    id: 'N-TOK-RESP-006-list',
    bug: 'scope is a list',
    rows: ['TOK-RESP-006'],
    beside: ['AUTH-CODE-001'],
    plant: response((body) => void (body.scope = String(body.scope).split(' '))),
  },
  {
    id: 'N-TOK-REFRESH-013-empty',
    bug: 'scope of a refresh is empty',
    rows: ['TOK-REFRESH-013'],
    plant: refreshed((body) => void (body.scope = '')),
  },
  {
    id: 'N-TOK-RESP-010-public',
    bug: 'public clients get no refresh token although they may',
    rows: ['TOK-RESP-010'],
    plant: response((body, form, seam) => {
      if (isPublic(form, seam)) delete body.refresh_token;
    }),
  },
  {
    id: 'N-TOK-RESP-011-null',
    bug: 'a client without refresh tokens gets null for one',
    rows: ['TOK-RESP-011'],
    plant: response((body, form) => {
      if (form.get('grant_type') === 'authorization_code') body.refresh_token ??= null;
    }),
  },
  {
    id: 'N-TOK-RESP-012-refresh',
    bug: 'refresh responses may be cached',
    rows: ['TOK-RESP-012'],
    beside: ['TOK-REFRESH-001'],
    plant: (seam) =>
      seam.reply((reply, { operation, form }) => {
        if (operation === 'issueToken' && isRefresh(form)) delete reply.headers['cache-control'];
      }),
  },
  {
    id: 'N-TOK-RESP-012-private',
    bug: 'Cache-Control of token responses is private',
    rows: ['TOK-RESP-012'],
    beside: ['AUTH-CODE-001'],
    plant: (seam) =>
      seam.reply((reply, { operation }) => {
        if (operation === 'issueToken') reply.headers['cache-control'] = 'private, no-cache';
      }),
  },
  {
    id: 'N-TOK-RESP-014-type',
    bug: 'token responses are text/html',
    rows: ['TOK-RESP-014'],
    beside: ['AUTH-CODE-001'],
    plant: (seam) =>
      seam.reply((reply, { operation }) => {
        if (operation === 'issueToken' && reply.status === 200) reply.headers['content-type'] = 'text/html';
      }),
  },
  {
    id: 'N-TOK-RESP-008-form',
    bug: 'sub has no hyphens',
    rows: ['TOK-RESP-008'],
    beside: ['AUTH-CODE-001'],
    plant: response((body) => void (body.sub = String(body.sub).replaceAll('-', ''))),
  },
  {
    id: 'N-TOK-RESP-017-client',
    bug: 'sub is another for each client',
    rows: ['TOK-RESP-017'],
    plant: response((body, form, seam) => {
      if (isPublic(form, seam)) body.sub = String(body.sub).replace(/^......../, '01234567');
    }),
  },
  {
    id: 'N-TOK-REFRESH-028-sub',
    bug: 'sub is another after a refresh',
    rows: ['TOK-REFRESH-028'],
    plant: refreshed((body) => void (body.sub = String(body.sub).replace(/^......../, '01234567'))),
  },
  {
    id: 'N-TOK-REFRESH-028-second',
    bug: 'username is lost at the second refresh',
    rows: ['TOK-REFRESH-028'],
    plant(seam) {
      const turns = new Map<unknown, number>();
      refreshed((body, form) => {
        const turn = (turns.get(form.get('refresh_token')) ?? 0) + 1;
        turns.set(body.refresh_token, turn);
        if (turn > 1) body.username = '';
      })(seam);
    },
  },
  {
    id: 'N-TOK-RESP-015-refresh',
    bug: 'the refresh token is the access token',
    rows: ['TOK-RESP-015'],
    beside: ['AUTH-CODE-001'],
    plant: response((body) => {
      if (body.refresh_token !== undefined) body.refresh_token = body.access_token;
    }),
  },
  {
    id: 'N-TOK-ERR-001-shape',
    bug: 'only invalid_grant has the error shape of the data API',
    rows: ['TOK-ERR-001'],
    beside: ['AUTH-CODE-016'],
    plant: errors(
      (_, body) => body.error === 'invalid_grant',
      (body) => ({ error: { code: 2, message: String(body.error) } }),
    ),
  },
  {
    id: 'N-TOK-ERR-001-401',
    bug: 'an unknown code has status 401',
    rows: ['AUTH-CODE-016', 'TOK-ERR-001'],
    plant: errors(
      (form, body, seam) => body.error === 'invalid_grant' && !codeOf(form, seam) && form.has('code'),
      (_, reply) => void (reply.status = 401),
    ),
  },
  {
    id: 'N-TOK-ERR-001-404',
    bug: 'an unknown refresh token has status 404',
    rows: ['TOK-REFRESH-017', 'TOK-ERR-001'],
    plant: errors(
      (form, body) => body.error === 'invalid_grant' && isRefresh(form),
      (_, reply) => void (reply.status = 404),
    ),
  },
  {
    id: 'N-TOK-ERR-001-text',
    bug: 'errors of the token endpoint are form-encoded text',
    rows: ['TOK-ERR-001'],
    beside: ['AUTH-CODE-016'],
    plant: (seam) =>
      seam.reply((reply, { operation }) => {
        if (operation === 'issueToken' && reply.status >= 400) reply.json = 'error=invalid_grant';
      }),
  },
  {
    id: 'N-TOK-ERR-010',
    bug: 'a refused token request answers with empty token fields',
    rows: ['TOK-ERR-010'],
    beside: ['AUTH-CODE-016'],
    plant: errors(
      () => true,
      (body) => void Object.assign(body, { access_token: 'none', token_type: 'bearer' }),
    ),
  },
  {
    id: 'N-TOK-ERR-002-case',
    bug: 'grant_type is compared without regard to case',
    rows: ['TOK-ERR-002'],
    plant: (seam) =>
      seam.form('issueToken', (form) => {
        const grant = form.get('grant_type');
        if (grant) form.set('grant_type', grant.toLowerCase());
      }),
  },
  {
    id: 'N-TOK-ERR-002-guess',
    bug: 'an unknown grant_type is guessed from what else is there',
    rows: ['TOK-ERR-002', 'TOK-ERR-003'],
    plant: (seam) =>
      seam.form('issueToken', (form) => {
        const known = ['authorization_code', 'refresh_token', 'client_credentials'];
        if (known.includes(form.get('grant_type') ?? '')) return;
        if (form.has('code')) form.set('grant_type', 'authorization_code');
        else if (form.has('refresh_token')) form.set('grant_type', 'refresh_token');
        else form.set('grant_type', 'client_credentials');
      }),
  },
  {
    id: 'N-TOK-ERR-004-last',
    bug: 'of a field that is sent twice the last one counts',
    rows: ['TOK-ERR-004'],
    plant: (seam) =>
      seam.form('issueToken', (form) => {
        for (const name of new Set(form.keys())) form.set(name, form.getAll(name).at(-1)!);
      }),
  },
  {
    id: 'N-TOK-ERR-004-same',
    bug: 'a field may be sent twice with the same value',
    rows: ['TOK-ERR-004'],
    plant: (seam) =>
      seam.form('issueToken', (form) => {
        for (const name of new Set(form.keys()))
          if (new Set(form.getAll(name)).size === 1) form.set(name, form.get(name)!);
      }),
  },
  {
    id: 'N-TOK-ERR-006-state',
    bug: 'a field of another grant is refused',
    rows: ['TOK-ERR-006'],
    plant: (seam) =>
      seam.form(
        'issueToken',
        (form) => void (isCredentials(form) && [...form.keys()].length > 4 && form.delete('grant_type')),
      ),
  },
  {
    id: 'N-TOK-ERR-014',
    bug: 'grant_type has to come first',
    rows: ['TOK-ERR-014'],
    plant: (seam) =>
      seam.form('issueToken', (form) => void ([...form.keys()].indexOf('grant_type') > 3 && form.delete('grant_type'))),
  },
];
