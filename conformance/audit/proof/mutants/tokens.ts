import { setTimeout as sleep } from 'node:timers/promises';

import { OAuthFailure } from '../../../../src/client/index.js';
import { mutants, swap } from '../client-mutant.js';
import type { ClientEntry, ClientMutant } from '../client-mutant.js';
import { storing, storingMutants } from '../copies/storing.js';
import { dataHeaders, dataRequest, first, tokenForm } from '../operators.js';
import type { Reference, Tokens } from '../reference.js';

type Form = Record<string, string>;

/** Revokes its token with another method, and with a query. */
const revokes = (method: string, query: (token: string) => string): ClientEntry =>
  first('service', async (client) => {
    const { access_token: token } = await client.tokens();
    const headers = { 'user-agent': client.agent() };
    await client.send({ method, url: `${client.auth}/oauth/token/revoke${query(token)}`, headers });
  });

/** Sends something else for its first token. */
const firstBearer = (text: (token: string, client: Reference) => string): ClientEntry =>
  swap((client) => {
    let sent = false;
    return {
      dressed: (request, token) => {
        const headers = { ...request.headers, authorization: `Bearer ${sent ? token : text(token, client)}` };
        sent = true;
        return { ...request, headers };
      },
    };
  });

/** Throws its tokens away after a status of the data API. */
const discardsAfter = (status: number): ClientEntry =>
  swap((client, { waitAfter }) => ({
    waitAfter: async (got, ...given) => {
      await waitAfter(got, ...given);
      if (got.status !== status) return;
      client.forget();
      client.serviceTokens = undefined;
    },
  }));

/** Asks the user after any failure of a refresh. */
const asksAfterFailure = swap((client, { tokenRequest }) => ({
  tokenRequest: async (form, headers) => {
    if (form.grant_type !== 'refresh_token') return tokenRequest(form, headers);
    const got = await client.sendForm(form, headers ?? {});
    if (got.status === 200) return client.received(got);
    throw new OAuthFailure('failed', { call: 'refresh', status: got.status });
  },
  afterRefresh: () => {
    client.forget();
    return client.again();
  },
}));

/** Tells the authorization server something about its token, at the end. */
const ends = (path: string, form: (client: Reference, token: string) => Form): ClientEntry =>
  swap((client, { run }) => ({
    run: async () => {
      await run();
      const { access_token: token } = await client.tokens();
      await client.sendForm(form(client, token), {}, `/oauth/token/${path}`);
    },
  }));

const basic = (id: string, secret: string): Form => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` });

const steps = mutants({
  'TOK-KEEP-007 login-again: asks the user for each token that ends': swap((client) => ({
    refreshed: () => client.again(),
  })).in('access-ends'),
  'TOK-FORM-007 token-bearer: sends its access token with a refresh': swap((client, { sendForm }) => ({
    sendForm: (form, headers, ...given) =>
      sendForm(form, { ...headers, authorization: `Bearer ${client.load()?.access_token ?? 'none'}` }, ...given),
  })).in('access-ends'),
  'TOK-SCOPE-002 scope-unread: calls what was not granted': swap({ isGranted: () => true }).in('partial-consent'),
  'TOK-SCOPE-003 revoke-unscoped: revokes with a token that lacks oauth:revoke': first('service', async (client) => {
    const { access_token: token } = await client.tokens();
    await client.sendForm({ token }, { authorization: `Bearer ${token}` }, '/oauth/token/revoke');
  }),
  'TOK-SCOPE-003 scope-forgotten: asks for data whose scope it did not ask for': first('account', (client) =>
    client.get('/league-account/Standard'),
  ),
  'TOK-SCOPE-003 scope-own: reads the account with its own token, for which it asked no scope of accounts': first(
    'service',
    (client) => client.get('/profile', true),
  ),
  'TOK-BEARER-001 bearer-missing: sends no header': dataHeaders(() => ({ authorization: '' })),
  'TOK-BEARER-001 bearer-token: uses the scheme Token': dataHeaders((token) => ({
    authorization: `Token ${token}`,
  })),
  'TOK-BEARER-001 bearer-custom: uses a header of its own': dataRequest(
    ({ headers: { authorization: _, ...headers }, ...request }, token) => ({
      ...request,
      headers: { ...headers, 'x-access-token': token },
    }),
  ),
  'TOK-BEARER-004 bearer-twice: sends the token in a header of its own as well': dataHeaders((token) => ({
    'x-access-token': token,
  })),
  'TOK-BEARER-004 bearer-referer: names a page with the token in its address': dataHeaders((token) => ({
    referer: `http://127.0.0.1/app?access_token=${token}`,
  })),
  'TOK-BEARER-002 bearer-query: sends the token in the address': dataRequest((request, token) => ({
    ...request,
    url: `${request.url}${request.url.includes('?') ? '&' : '?'}access_token=${token}`,
  })),
  'TOK-BEARER-002 bearer-authorize: names the token that has ended in the address of the next authorization request':
    swap((_, { authorizationUrl, keep }) => {
      let held = '';
      return {
        keep: (tokens) => ((held = tokens.access_token), keep(tokens)),
        authorizationUrl: (...given) => `${authorizationUrl(...given)}&id_token_hint=${held}`,
      };
    }).in('revoked-by-user'),
  'TOK-BEARER-002 revoke-query: revokes with the token in the address': revokes('GET', (token) => `?token=${token}`),
  'ADDR-METHOD-001 revoke-delete: deletes tokens': revokes('DELETE', () => ''),
  'TOK-BEARER-003 bearer-undefined: sends the text undefined for its first token': firstBearer(() => 'undefined'),
  'TOK-BEARER-003 bearer-refresh: sends the refresh token for its first access token': firstBearer(
    (token, client) => client.load()?.refresh_token ?? token,
  ),
  'TOK-BEARER-003 bearer-base64: sends its first token in base64': firstBearer((token) => btoa(token)),
  'TOK-BEARER-003 bearer-cut: cuts its first token off': firstBearer((token) => token.slice(0, 32)),
  'TOK-SECRET-005 refresh-data: sends the refresh token with data requests': dataHeaders((_, client) => ({
    'x-refresh-token': client.load()?.refresh_token ?? '',
  })),
  'TOK-SECRET-001 secret-query: sends the secret in the address of the token endpoint': swap((client, { send }) => ({
    send: (request) => {
      const secret = encodeURIComponent(client.env('SERVICE_CLIENT_SECRET'));
      const own = request.body?.includes('client_credentials') ? `?client_secret=${secret}` : '';
      return send({ ...request, url: request.url + own });
    },
  })),
  'TOK-SECRET-001 secret-authorize: sends the secret with the authorization request': swap(
    (_, { authorizationUrl }) => ({
      authorizationUrl: (...given) => `${authorizationUrl(...given)}&client_secret=x`,
    }),
  ),
  'TOK-SECRET-001 secret-state: keeps its secret in the state, in base64': swap((client) => ({
    newState: () => Buffer.from(`${client.env('SERVICE_CLIENT_SECRET')}:state`).toString('base64url'),
  })),
  'TOK-SECRET-002 secret-data: sends the secret with data requests': dataHeaders((_, client) => ({
    'x-client-secret': client.env('SERVICE_CLIENT_SECRET'),
  })),
  'TOK-SECRET-003 secret-public: sends a secret as a public client': tokenForm(
    'authorization_code',
    (form) => (form.client_secret = 'not-a-secret'),
  ),
  'TOK-SECRET-004 secret-twice: authenticates in header and form': swap((client) => ({
    credentialsHeaders: () => basic(client.env('SERVICE_CLIENT_ID'), client.env('SERVICE_CLIENT_SECRET')),
  })),
  'TOK-CLIENT-001 secret-wrong: sends a wrong secret': tokenForm(
    'client_credentials',
    (form) => (form.client_secret = 'wrong-secret'),
  ),
  'TOK-CLIENT-001 introspect-nobody: introspects without a credential': ends('introspect', (_, token) => ({ token })),
  'TOK-CLIENT-001 basic-broken: loses the spaces of its secret on the way into Basic': swap((client, { run }) => ({
    run: async () => {
      const { client_secret: _, ...form } = client.credentialsForm();
      const [id, secret] = [client.env('CLIENT_ID'), client.env('CLIENT_SECRET')];
      const encoded = encodeURIComponent(secret).replaceAll('%20', '');
      await client.sendForm({ ...form, client_id: id, scope: 'oauth:revoke' }, basic(id, encoded));
      await run();
    },
  })).in('odd-secret'),
  'TOK-CLIENT-001 secret-trimmed: takes what is no letter or digit out of its secret': tokenForm(
    'client_credentials',
    (form) => (form.client_secret = form.client_secret?.replaceAll(/\W/g, '') ?? ''),
  ).in('odd-secret'),
  'TOK-CLIENT-001 secret-lower: sends its secret in small letters': tokenForm(
    'client_credentials',
    (form) => (form.client_secret = form.client_secret?.toLowerCase() ?? ''),
  ).in('odd-secret'),
  'TOK-CLIENT-002 refresh-as-other: refreshes with the id of another client': swap((client, { refreshForm }) => ({
    refreshForm: (token) => ({ ...refreshForm(token), client_id: client.env('CLIENT_ID') }),
  })).in('access-ends'),
  'TOK-BASIC-001 basic-raw: sends Basic without encoding': swap((client, { run }) => ({
    run: async () => {
      const { client_secret: _, ...form } = client.credentialsForm();
      const [id, secret] = [client.env('CLIENT_ID'), client.env('CLIENT_SECRET')];
      await client.sendForm({ ...form, client_id: id, scope: 'oauth:revoke' }, basic(id, secret));
      await run();
    },
  })).in('odd-secret'),
  'TOK-FORM-001 form-json: sends token requests as JSON': swap((client) => ({
    sendForm: (form) =>
      client.send({
        method: 'POST',
        url: `${client.auth}/oauth/token`,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(form),
      }),
  })),
  'TOK-FORM-002 form-get: gets tokens with GET': swap((client) => ({
    sendForm: ({ grant_type = '' }) =>
      client.send({ method: 'GET', url: `${client.auth}/oauth/token?grant_type=${grant_type}`, headers: {} }),
  })),
  'TOK-FORM-003 form-twice: sends grant_type twice': swap((_, { send }) => ({
    send: (request) =>
      send(request.body?.includes('grant_type') ? { ...request, body: `${request.body}&grant_type=x` } : request),
  })),
  'TOK-FORM-005 form-raw: writes values into forms as they are': swap((_, { send }) => ({
    send: (request) => {
      const { url, body } = request;
      if (!url.endsWith('/oauth/token') || body === undefined) return send(request);
      const form = [...new URLSearchParams(body)].map((pair) => pair.join('=')).join('&');
      return send({ ...request, body: form });
    },
  })).in('odd-secret'),
  'TOK-FORM-005 form-encoded-twice: encodes its secret before the form does': tokenForm(
    'client_credentials',
    (form) => (form.client_secret = encodeURIComponent(form.client_secret ?? '')),
  ).in('odd-secret'),
  'TOK-FORM-004 form-password: uses a grant that there is not': tokenForm(
    'client_credentials',
    (form) => (form.grant_type = 'password'),
  ),
  'TOK-FORM-004 form-undefined: refreshes with the word undefined where it has no refresh token': first(
    'service',
    (client) => client.sendForm(client.refreshForm('undefined'), {}),
  ),
  'TOK-FORM-008 form-empty: refreshes without a refresh token where it has none': first('service', (client) =>
    client.sendForm(client.refreshForm(''), {}),
  ),
  'TOK-FORM-004 form-no-client: leaves client_id out': tokenForm('refresh_token', (form) => delete form.client_id).in(
    'access-ends',
  ),
  'TOK-FORM-004 form-no-redirect: leaves redirect_uri out': tokenForm(
    'authorization_code',
    (form) => delete form.redirect_uri,
  ),
  'TOK-FORM-006 revoke-nothing: revokes a token without naming it': ends('revoke', (client, token) => ({
    access_token: token,
    client_id: client.env('PUBLIC_CLIENT_ID'),
  })),
  'TOK-SCOPE-001 form-scope-comma: separates the scopes of a token request with commas at first': swap(
    (_, { sendForm }) => ({
      sendForm: async ({ scope, ...form }, headers) => {
        if (scope === undefined) return sendForm(form, headers);
        await sendForm({ ...form, scope: scope.replaceAll(' ', ',') }, headers);
        return sendForm({ ...form, scope }, headers);
      },
    }),
  ),
  'TOK-GRANT-001 public-credentials: uses client_credentials as a public client': tokenForm(
    'client_credentials',
    (form, client) => {
      form.client_id = client.env('PUBLIC_CLIENT_ID');
      delete form.client_secret;
    },
  ),
  'TOK-EXPIRES-001 expires-null: takes null for an expiry': swap((client, { ownTokens }) => ({
    ownTokens: async () => {
      let own = await ownTokens();
      for (let tries = 0; tries < 3 && !(Number(own.expires_in) > 0); tries += 1) {
        client.serviceTokens = undefined;
        await sleep(400);
        own = await ownTokens();
      }
      return own;
    },
  })),
  'TOK-EXPIRES-001 expires-null-zero: takes null for 0 seconds, and gets two tokens for each request': swap(
    (client, { ownTokens }) => {
      const fresh = (): Promise<Tokens> => {
        client.serviceTokens = undefined;
        return ownTokens();
      };
      return { ownTokens: () => fresh().then(fresh) };
    },
  ),
  'TOK-ONE-001 token-each-second: gets two tokens for each request, and uses one': swap((client, { ownTokens }) => {
    const fresh = (): Promise<Tokens> => {
      client.serviceTokens = undefined;
      return ownTokens();
    };
    return { ownTokens: () => fresh().then(fresh) };
  }),
  'TOK-ONE-001 token-each: gets a token for each request': swap((client, { ownTokens }) => ({
    ownTokens: () => {
      client.serviceTokens = undefined;
      return ownTokens();
    },
  })),
  'TOK-ONE-001 token-every-third: gets a token for every third request': swap((client, { ownTokens }) => {
    let uses = 0;
    return {
      pages: () => 14,
      ownTokens: async () => {
        if (uses % 3 === 0) {
          client.serviceTokens = undefined;
          await sleep(300);
        }
        uses += 1;
        return ownTokens();
      },
    };
  }),
  'TOK-REJECTED-001 rejected-again: sends a refused token again and again': swap((client, { worthTrying }) => ({
    renew: (rejected) => Promise.resolve(client.load() ?? (rejected as unknown as Tokens)),
    worthTrying: (status) => status === 401 || worthTrying(status),
    attempts: () => 8,
    waitAfter: () => sleep(400),
  })).in('access-ends'),
  'TOK-REJECTED-001 rejected-first: begins each request of the user with its first token': swap(
    (_, { dataRequest }) => {
      let first: string | undefined;
      return {
        dataRequest: async (method, path, token, body) => {
          const isUsers = /^[/](?:profile|character|stash|account|item-filter)/.test(path);
          if (isUsers) first ??= token;
          const got = isUsers && first !== token ? await dataRequest(method, path, first!, body) : undefined;
          return got && got.status !== 401 ? got : dataRequest(method, path, token, body);
        },
      };
    },
  ).in('access-ends'),
  'TOK-KEEP-001 discards-429: throws tokens away after a 429': discardsAfter(429).in('restricted-once'),
  'TOK-KEEP-001 refreshes-429: refreshes after a 429, and tries again with the token that it had': swap(
    (client, { waitAfter }) => ({
      waitAfter: async (got, attempt, key) => {
        if (got.status === 429 && key === 'user') await client.renew(client.load()!.access_token);
        await waitAfter(got, attempt, key);
      },
    }),
  ).in('restricted-once'),
  'TOK-KEEP-001 discards-500: throws tokens away after a 500': discardsAfter(500).in('server-error'),
  'TOK-KEEP-001 discards-503: throws tokens away after a 503': discardsAfter(503).in('busy-once'),
  'TOK-KEEP-002 discards-token-503: asks the user after a 503 of the token endpoint': asksAfterFailure.in('token-503'),
  'TOK-KEEP-002 discards-token-500: asks the user after a 500 of the token endpoint': asksAfterFailure.in('token-500'),
  'TOK-KEEP-003 stores-nothing: stores no tokens': swap(() => {
    let held: Tokens | undefined;
    return { load: () => held, keep: (received) => (held = received) };
  }).in('rotation'),
  'TOK-KEEP-004 error-token: names the token that was refused in its error': swap({
    renew: (rejected) => Promise.reject(new Error(`the token ${rejected} has ended`)),
  }).in('access-ends'),
  'TOK-SECRET-006 error-form: names the form of a token request in the error that it ends with': swap((client) => ({
    renewOwn: () => Promise.reject(new Error(`no token for ${JSON.stringify(client.credentialsForm())}`)),
  })).in('access-ends'),
  'TOK-SECRET-006 error-header: names the header of a token request in the error that it ends with': swap((client) => ({
    renewOwn: () => {
      const form = client.credentialsForm();
      const pair = Buffer.from(`${form.client_id}:${form.client_secret}`).toString('base64');
      return Promise.reject(new Error(`no token with Authorization: Basic ${pair}`));
    },
  })).in('access-ends'),
  'TOK-KEEP-006 forgets-first: removes its tokens before it refreshes them': swap((client, { refreshed }) => ({
    refreshed: (held) => (client.forget(), refreshed(held)),
  })).in('refresh-down', 'rotation'),
  'TOK-KEEP-006 forgets-on-503: takes a refresh that fails for the end of its login': swap((client, original) => ({
    tokenWait: () => Promise.resolve(),
    afterRefresh: (error) => (client.forget(), original.afterRefresh(error)),
  })).in('refresh-down', 'rotation'),
  'TOK-KEEP-001 forgets-403: throws its login away after a 403, and asks the user for the same again': swap(
    (client, { giveUp }) => ({
      giveUp: (status) => {
        if (status === 403) client.forget();
        return giveUp(status);
      },
    }),
  ).in('forbidden'),
  'TOK-KEEP-001 refreshes-403: refreshes after a 403, and asks again': swap((client, { worthTrying, waitAfter }) => ({
    worthTrying: (status) => status === 403 || worthTrying(status),
    waitAfter: async (got, ...given) => {
      if (got.status === 403) await client.refreshed(client.load());
      else await waitAfter(got, ...given);
    },
  })).in('forbidden'),
  'AUTH-CODE-006 code-each: exchanges the code of each callback, however many come at once': swap(
    (client, { newVerifier, callback }) => {
      let verifier = '';
      let callbacks = 0;
      return {
        newVerifier: () => (verifier = newVerifier()),
        callback: (url, state) => {
          const code = callback(url, state);
          if (typeof code === 'string' && (callbacks += 1) > 1)
            client.tokenRequest(client.exchangeForm(code, verifier)).catch(() => {});
          return code;
        },
      };
    },
  ).in('callback-twice'),
  'AUTH-CODE-001 code-reloaded: exchanges the code of each callback, of a reloaded one too': swap(
    (client, { newVerifier, callback, exchanged }) => {
      let verifier = '';
      let callbacks = 0;
      return {
        newVerifier: () => (verifier = newVerifier()),
        callback: (url, state) => {
          const code = callback(url, state);
          if (typeof code === 'string' && (callbacks += 1) > 1)
            client.tokenRequest(client.exchangeForm(code, verifier)).catch(() => {});
          return code;
        },
        exchanged: async (...given) => {
          const first = await exchanged(...given);
          await sleep(1500);
          return first;
        },
      };
    },
  ).in('reloaded-callback'),
});

/** What a process does with its tokens beside sending them. */
const kept = storingMutants({
  'TOK-KEEP-004 prints-reply: prints each reply of the token endpoint': storing('file', {
    received: '(c, got) => (console.log(got.text), original.received(got))',
  }),
  'TOK-KEEP-004 prints-part: hides the end of a token alone where it prints it': storing('file', {
    received:
      '(c, got) => (console.log(JSON.parse(got.text).access_token.slice(0, -4) + "****"), original.received(got))',
  }),
  'TOK-KEEP-004 prints-headers: writes the headers of its requests to a log': storing('file', {
    send: '(c, url, options) => (console.error(JSON.stringify(options?.headers)), original.send(url, options))',
  }),
  'TOK-KEEP-008 removes-503: removes its file after a 503 of the data API': storing(
    'file',
    {
      send: '(c, url, options) => original.send(url, options).then((got) => got.status === 503 ? (c.forget(c.load()), c.sleep(4200).then(() => original.send(url, options))) : got)',
    },
    'busy-once',
  ),
  'TOK-KEEP-008 removes-403: removes its file after a 403 of the data API': storing(
    'file',
    {
      send: '(c, url, options) => original.send(url, options).then((got) => (got.status === 403 && c.forget(c.load()), got))',
    },
    'forbidden',
  ),
  'TOK-KEEP-008 removes-down: removes its file when the data API is down, and ends': storing(
    'file',
    {
      send: '(c, url, options) => original.send(url, options).then((got) => (got.status === 500 && c.forget(c.load()), got))',
    },
    'down',
  ),
  'TOK-KEEP-005 open-file: stores its tokens as files are stored by default': storing('file', {
    save: '(c, tokens) => fs.writeFileSync(c.path(), JSON.stringify(tokens))',
  }),
  'TOK-KEEP-005 open-later: opens its file to all once it is written': storing('lock', {
    save: '(c, tokens) => (original.save(tokens), fs.chmodSync(c.path(), 0o644))',
  }),
});

export const tokens: readonly ClientMutant[] = [...steps, ...kept];
