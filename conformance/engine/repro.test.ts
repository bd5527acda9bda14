import { execFile } from 'node:child_process';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';

import { acting, speech } from '../speech.fixture.js';
import type { Target } from '../target/target.js';
import type { Answer, Sent } from '../wire/answer.js';
import { release } from '../wire/race.js';
import { trace } from '../wire/trace.js';
import { Wire } from '../wire/wire.js';
import type { Trace } from '../wire/trace.js';
import { client, meeting, targetAt } from './evidence.fixture.js';
import type { Met } from './evidence.fixture.js';
import { quoted, scriptOf, stepsOf } from './repro.js';
import { Issued } from './issued.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const shell = (args: readonly string[], env: Record<string, string> = {}): Promise<Ran> =>
  new Promise((done) => {
    execFile('sh', args, { env: { PATH: process.env.PATH ?? '', ...env } }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

const words = { title: 'TOK-REFRESH-004', expected: 'status 400', got: 'status 200\nwith $(touch /tmp/x) `id`' };

/** Characters that a shell, a form, JSON and HTTP treat in ways of their own. */
const odd = `a'b"c$d\\e\`f&g+h%i j=k;l/m<n>é$(id)`;

/** Sends requests as a check does; answers are made from those before. */
async function traced(
  issued: Issued,
  steps: (send: (request: Sent) => Promise<Answer>) => Promise<void>,
): Promise<Answer[]> {
  const wire = new Wire({
    budget: 100,
    perSecond: 0,
    concurrency: 16,
    signal: new AbortController().signal,
    seen: (answer) => issued.see(answer),
  });
  closers.push(() => wire.close());
  const log: Trace = { answers: [] };
  await trace.run(log, () => steps((request) => wire.send(request, { server: 'authorization', args: {} })));
  return log.answers;
}

const form = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}): Sent => ({
  method: 'POST',
  url,
  headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', ...headers },
  body: Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&'),
});

/** What decides about a request: not the spelling of percent-encoding, nor what every client adds. */
function sense({ method, path, headers, body }: Met): unknown {
  const { 'content-type': type, authorization, accept, cookie } = headers;
  const isForm = type === 'application/x-www-form-urlencoded';
  return [
    method,
    path.includes('?') ? [path.split('?')[0], ...new URLSearchParams(path.split('?')[1])] : path,
    { type, authorization, accept, cookie },
    isForm ? [...new URLSearchParams(body)] : body,
  ];
}

/** Runs a script, and gives what the server met meanwhile. */
async function replayed(server: { met: Met[] }, script: string, env: Record<string, string> = {}) {
  const before = server.met.length;
  expect(await shell(['-nc', script])).toEqual({ code: 0, stdout: '', stderr: '' });
  const ran = await shell(['-c', script], env);
  return { ...ran, met: server.met.slice(before).map(sense) };
}

const evidence = (answers: readonly Answer[], target: Target, issued = new Issued()) => ({ answers, target, issued });

describe('a word for the shell', () => {
  it('is the text, whatever it has in it', async () => {
    for (const text of ['', odd, "'", "''", '\\', '-n', '*', '~', '!x', '#', 'a\nb', '\t', '$HOME', '%s']) {
      expect((await shell(['-c', `printf %s ${quoted(text)}`])).stdout).toBe(text);
    }
  });

  it('is that text in signs that act on nobody who looks at them', async () => {
    for (const text of ['\x1b[31m\x07\x9b\u202eé\u2028', '::error::x\n  ::error::y\r::z', '##[error]x ##vso[y]']) {
      expect(acting(quoted(text))).toEqual([]);
      expect((await shell(['-c', `printf %s ${quoted(text)}`])).stdout).toBe(text);
    }
  });
});

describe('the script of a failure', () => {
  it('shows what a server says, and lets nothing of it act', () => {
    fc.assert(
      fc.property(speech, speech, (said, asked) => {
        const answer: Answer = {
          number: 1,
          request: { method: 'POST', url: 'http://127.0.0.1:1/item-filter', headers: { 'x-said': asked }, body: asked },
          asked: { server: 'data', args: {} },
          status: 200,
          headers: {},
          text: said,
          json: undefined,
          ms: 1,
        };
        const script = scriptOf(evidence([answer], targetAt('http://127.0.0.1:1')), {
          title: said,
          expected: said,
          got: said,
        });
        expect(acting(script)).toEqual([]);
      }),
    );
  });

  /** Issues codes and tokens, other ones every time; `json` is how it writes JSON. */
  const issuer = async (json: (value: unknown) => string = JSON.stringify) => {
    let count = 10;
    const server = await meeting(({ path, method }, reply) => {
      count += 1;
      const code = `c/+${count}~aB.cD-eF_gH%&=`;
      const location = `https://app.example/cb?state=x%20y&code=${encodeURIComponent(code)}`;
      if (path.startsWith('/authorize')) reply.writeHead(302, { location }).end();
      else if (path === '/consent') reply.end(json({ status: 302, location, body: null }));
      else if (method === 'POST' && path === '/token') {
        const [access_token, refresh_token] = [`at/${count}+0123456789=`, `rt-${count}-abcdefghijkl`];
        reply.setHeader('content-type', 'application/json');
        reply.end(json({ access_token, token_type: 'bearer', refresh_token }));
      } else reply.end('{}');
    });
    closers.push(server.close);
    return server;
  };
  const codeIn = (text: string): string => decodeURIComponent(/code=([^&"\\]+)/.exec(text)![1]!);

  it.each([
    ['plain JSON', JSON.stringify],
    ['JSON with spaces and lines', (value: unknown) => JSON.stringify(value, null, 2)],
    [
      'JSON that escapes what it may',
      (value: unknown) =>
        JSON.stringify(value)
          .replaceAll('/', '\\/')
          .replaceAll('&', '\\u0026')
          .replaceAll('+', '\\u002B')
          .replaceAll('=', '\\u003d'),
    ],
  ])('sends the same requests, with the codes and tokens that come this time: %s', async (_, json) => {
    const server = await issuer(json);
    const issued = new Issued();
    const target = targetAt(server.url, { clients: { confidential: client('web', { client_secret: odd }) } });
    const answers = await traced(issued, async (send) => {
      const asked = `${server.url}/authorize?client_id=web&state=${encodeURIComponent(odd)}#top`;
      const redirect = await send({ method: 'GET', url: asked, headers: {} });
      const exchange = (code: string): Promise<Answer> =>
        send(
          form(`${server.url}/token`, { client_id: 'web', client_secret: odd, code, grant_type: 'authorization_code' }),
        );
      await exchange(codeIn(String(redirect.headers.location)));
      const consent = { method: 'POST', url: `${server.url}/consent`, headers: { 'content-type': 'application/json' } };
      const { json: outcome } = await send({
        ...consent,
        body: JSON.stringify({ url: `${server.url}/authorize?state=a%20b`, note: "it's" }),
      });
      const second = await exchange(codeIn((outcome as { location: string }).location));
      const { access_token, refresh_token } = second.json as Record<string, string>;
      await send(form(`${server.url}/token`, { refresh_token: refresh_token!, client_secret: odd }));
      await send({
        method: 'GET',
        url: `${server.url}//a/../b?x={1,2}[3]`,
        headers: { authorization: `Bearer ${access_token}`, accept: '' },
      });
      await send({
        method: 'DELETE',
        url: `${server.url}/c?token=${encodeURIComponent(access_token!)}`,
        headers: { 'x-odd': `'"$(id)` },
      });
    });
    const script = scriptOf(evidence(answers, target, issued), words);
    const first = server.met.length;
    const { code, stderr, met } = await replayed(server, script, { CONFIDENTIAL_SECRET: odd });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(met).toHaveLength(first);
    // The server counts its answers, so that its tokens tell which run they are of.
    const moved = JSON.stringify(server.met.slice(0, first).map(sense)).replace(
      /(c\/\+|at\/|rt-)(\d+)/g,
      (__, kind: string, count: string) => kind + (Number(count) + first),
    );
    expect(JSON.stringify(met)).toBe(moved);
  });

  it.each([
    (value: string) => `<form method=post><input type="hidden" name="csrf" value="${value}"><input name=user></form>`,
    (value: string) => `<form method="post"><input name='csrf' value='${value}' type='hidden' /></form>`,
  ])('submits the hidden field that the page has this time: %s', async (page) => {
    let count = 0;
    const given = new Set<string>();
    const server = await meeting(({ method, body }, reply) => {
      if (method === 'GET') {
        const value = `made-${(count += 1)}-aB3_xyz`;
        given.add(value);
        reply.writeHead(200, { 'content-type': 'text/html' }).end(page(value));
      } else reply.writeHead(given.delete(new URLSearchParams(body).get('csrf') ?? '') ? 200 : 403).end('{}');
    });
    closers.push(server.close);
    const answers = await traced(new Issued(), async (send) => {
      const { text } = await send({ method: 'GET', url: `${server.url}/login`, headers: {} });
      await send(form(`${server.url}/login`, { csrf: /made-[\w-]+/.exec(text)![0], decision: 'approve' }));
    });
    const script = scriptOf(evidence(answers, targetAt(server.url)), words);
    const { code, stdout } = await shell(['-c', script]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('200')]);
    expect(stdout).not.toContain('403');
  });

  it('prints the answer that deviates whole, wherever it stands', async () => {
    const server = await meeting(({ path }, reply) => reply.end(`{"of":"${path}"}`));
    closers.push(server.close);
    const answers = await traced(new Issued(), async (send) => {
      for (const name of ['first', 'second', 'third'])
        await send({ method: 'GET', url: `${server.url}/${name}`, headers: {} });
    });
    const judged = answers[1]!;
    const script = scriptOf({ ...evidence(answers, targetAt(server.url)), judged }, words);
    expect(script).toMatch(/^# 2\. .*<- judged$/m);
    const { stdout } = await shell(['-c', script]);
    expect([...stdout.matchAll(/"of":"\/(\w+)"/g)].map(([, name]) => name)).toEqual(['second', 'third']);
  });

  it('takes secrets with line breaks, too', async () => {
    const server = await issuer();
    const secret = 'first line\nsecond line\n\'"$`\\';
    const target = targetAt(server.url, { clients: { service: client('s', { client_secret: secret }) } });
    const answers = await traced(new Issued(), async (send) => {
      await send(form(`${server.url}/token`, { client_secret: secret }));
    });
    const { met, code } = await replayed(server, scriptOf(evidence(answers, target), words), {
      SERVICE_SECRET: secret,
    });
    expect(code).toBe(0);
    expect(met).toEqual(server.met.slice(0, 1).map(sense));
  });

  it('says which variable is missing', async () => {
    const server = await issuer();
    const target = targetAt(server.url, {
      clients: {
        confidential: client('a', { client_secret: 'used-secret-0123' }),
        service: client('b', { client_secret: 'other-secret-0123' }),
      },
    });
    const answers = await traced(new Issued(), async (send) => {
      await send(form(`${server.url}/token`, { client_secret: 'used-secret-0123' }));
    });
    const script = scriptOf(evidence(answers, target), words);
    expect(script).not.toContain('SERVICE_SECRET');
    const { code, stderr, met } = await replayed(server, script);
    expect(code).toBeGreaterThan(0);
    expect(stderr).toContain('set CONFIDENTIAL_SECRET to clients.confidential.client_secret of the target');
    expect(met).toEqual([]);
  });

  it('says so where the server tells no token this time', async () => {
    let tells = true;
    const server = await meeting((_, reply) =>
      reply.end(tells ? '{"access_token":"abcdefghijklmnop"}' : '{"error":"x"}'),
    );
    closers.push(server.close);
    const answers = await traced(new Issued(), async (send) => {
      await send(form(`${server.url}/token`, {}));
      await send({
        method: 'GET',
        url: `${server.url}/profile`,
        headers: { authorization: 'Bearer abcdefghijklmnop' },
      });
    });
    tells = false;
    const { stderr, met } = await replayed(server, scriptOf(evidence(answers, targetAt(server.url)), words));
    expect(stderr).toContain('there is no such access_token in the answer this time');
    expect(met).toHaveLength(1);
  });

  it.each(['the-secret-of-the-client', 'web-secret', 'web+secret/with=reserved&100%-characters'])(
    'sends HTTP Basic with secrets, tokens and near misses of them: %s',
    async (secret) => {
      const server = await issuer();
      const target = targetAt(server.url, { clients: { confidential: client('web', { client_secret: secret }) } });
      const issued = new Issued(target);
      const earlier = 'at-77-of-another-check';
      issued.add(earlier);
      const encoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);
      const pairs = [
        ...[secret, `${secret}-wrong`, secret.slice(0, -1), `${secret.charAt(0).toUpperCase()}${secret.slice(1)}`].map(
          (text) => `web:${encoded(text)}`,
        ),
        `${earlier}:`,
      ];
      const headers = [
        ...pairs.map((pair) => `Basic ${Buffer.from(pair).toString('base64')}`),
        `MAC id="${earlier}"`,
        earlier,
      ];
      const answers = await traced(issued, async (send) => {
        for (const authorization of headers) await send(form(`${server.url}/other`, {}, { authorization }));
      });
      const sent = server.met.map(sense);
      const script = scriptOf(evidence(answers, target, issued), words);
      expect(script).not.toMatch(/\(a token\)|[A-Za-z0-9+/]{20,}={0,2}/);
      expect(script).not.toContain(earlier);
      const values = { CONFIDENTIAL_SECRET: secret, EARLIER_TOKEN_1: earlier };
      const { code, met } = await replayed(server, script, values);
      expect(code).toBe(0);
      expect(met).toEqual(sent);
    },
  );

  it('sends near misses of the secrets of this time', async () => {
    const server = await issuer();
    const secret = 'the-secret-of-the-client';
    const delicate = 'web+secret/with=reserved&100%-characters';
    const target = targetAt(server.url, {
      clients: {
        confidential: client('web', { client_secret: secret }),
        service: client('service', { client_secret: delicate }),
      },
    });
    const misses = (text: string): string[] => [
      text.slice(1),
      text.slice(0, -1),
      text.slice(0, 12),
      `${text}x`,
      `${text.slice(0, 9)}Q${text.slice(10)}`,
      [...text].reverse().join(''),
      text.toUpperCase(),
    ];
    const answers = await traced(new Issued(), async (send) => {
      const { json } = await send(form(`${server.url}/token`, {}));
      const { refresh_token } = json as { refresh_token: string };
      for (const miss of misses(refresh_token)) await send(form(`${server.url}/other`, { refresh_token: miss }));
      for (const miss of misses(secret)) await send(form(`${server.url}/other`, { client_secret: miss }));
      for (const miss of misses(delicate)) await send(form(`${server.url}/other`, { client_secret: miss }));
      const basic = Buffer.from(`web:${secret}-wrong`).toString('base64');
      await send(form(`${server.url}/other`, {}, { authorization: `Basic ${basic}` }));
    });
    const first = server.met.length;
    const script = scriptOf(evidence(answers, target), words);
    const { met, code } = await replayed(server, script, {
      CONFIDENTIAL_SECRET: secret,
      SERVICE_SECRET: delicate,
    });
    expect(code).toBe(0);
    expect(script).not.toMatch(/with%3Dres|erhtiw|deviw|with=res/);
    const token = `rt-${first + 11}-abcdefghijkl`;
    const sent = met.slice(1, -1).map((one) => (one as [...unknown[], [[string, string]]]).at(-1));
    expect(sent).toEqual([
      // Nothing is left of a token in capitals, and so it is sent as it was.
      ...misses(token).map((miss) => [['refresh_token', miss === token.toUpperCase() ? 'RT-11-ABCDEFGHIJKL' : miss]]),
      ...misses(secret).map((miss) => [['client_secret', miss]]),
      ...misses(delicate).map((miss) => [['client_secret', miss]]),
    ]);
    expect(met.at(-1)).toEqual(sense(server.met[first - 1]!));
  });

  it('sends the requests of a race together, and goes on with what they told', async () => {
    let holding: (() => void)[] = [];
    let count = 0;
    const server = await meeting(({ path }, reply) => {
      if (path !== '/race') return void reply.end('{}');
      count += 1;
      const own = count;
      holding.push(() => void reply.end(JSON.stringify({ access_token: `race-token-${own}`, refresh_token: null })));
      if (holding.length < 3) return;
      for (const answer of holding) answer();
      holding = [];
    });
    closers.push(server.close);
    const issued = new Issued();
    const answers = await traced(issued, async (send) => {
      const requests = [1, 2, 3].map((n) => form(`${server.url}/race`, { n: String(n) }));
      const received = await release(requests);
      const log = trace.getStore()!;
      for (const [index, one] of received.entries()) {
        const asked = { server: 'authorization', args: {}, race: true } as const;
        log.answers.push({
          number: 0,
          asked,
          request: requests[index]!,
          ...one,
          text: String(one.body),
          json: undefined,
          ms: 1,
        });
      }
      for (const { body } of received) {
        const { access_token } = JSON.parse(String(body)) as { access_token: string };
        await send({
          method: 'GET',
          url: `${server.url}/profile`,
          headers: { authorization: `Bearer ${access_token}` },
        });
      }
    });
    const script = scriptOf(evidence(answers, targetAt(server.url), issued), words);
    const { met, code, stderr } = await replayed(server, script);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const told = met.slice(3).map((one) => JSON.stringify(one));
    expect(new Set(told.map((one) => /race-token-\d/.exec(one)![0]))).toEqual(
      new Set(['race-token-4', 'race-token-5', 'race-token-6']),
    );
  });

  it('goes on where no answer came, and keeps cookies', async () => {
    let visits = 0;
    const server = await meeting((met, reply) => {
      if (met.path === '/gone') return void reply.destroy();
      visits += 1;
      reply.setHeader('set-cookie', `sid=session-${visits}; Path=/; HttpOnly`).end('{}');
    });
    closers.push(server.close);
    const answers = await traced(new Issued(), async (send) => {
      await send({ method: 'GET', url: `${server.url}/login`, headers: {} });
      await send({ method: 'GET', url: `${server.url}/gone`, headers: {} }).catch(() => {});
      await send({ method: 'GET', url: `${server.url}/next`, headers: { cookie: 'sid=session-1' } });
    });
    const given = evidence(answers, targetAt(server.url));
    const { met, code } = await replayed(server, scriptOf(given, words));
    expect(code).toBe(0);
    expect(JSON.stringify(met.at(-1))).toContain('sid=session-3');
    expect(scriptOf(given, words)).toContain('# 2. not answered');
    expect(JSON.stringify(stepsOf(given))).not.toContain('session-');
  });
});

describe('what a failure shows', () => {
  const secrets = {
    confidential: client('web', { client_secret: odd }),
    service: client('service', { client_secret: 'plain-service-secret' }),
    operations: client('ops', { client_secret: 'x1' }),
  };
  const answer = (request: Partial<Sent>, text: string, headers: Answer['headers'] = {}): Answer => ({
    number: 1,
    asked: { server: 'authorization', args: {} },
    request: { method: 'POST', url: 'http://127.0.0.1:1/oauth/token', headers: {}, ...request },
    status: 200,
    headers,
    text,
    json: undefined,
    ms: 1,
  });
  const told = (answers: readonly Answer[], issued = new Issued()): string => {
    const given = evidence(
      answers,
      targetAt('http://127.0.0.1:1', { clients: secrets, control_token: 'control-token-1' }),
      issued,
    );
    return `${JSON.stringify(stepsOf(given))}\n${scriptOf(given, words)}`;
  };

  it('is no secret of the target, however it is written', () => {
    const json = JSON.stringify(odd).slice(1, -1);
    const shapes = [
      odd,
      encodeURIComponent(odd),
      encodeURIComponent(odd)
        .toLowerCase()
        .replace(/a|b/g, (letter) => letter),
      json,
      json.replaceAll('/', '\\/').replaceAll('&', '\\u0026').replaceAll('<', '\\u003C'),
      new URLSearchParams({ '': odd }).toString().slice(1).replaceAll('+', '%20'),
    ];
    for (const shape of shapes) {
      const shown = told([
        answer(
          { url: `http://127.0.0.1:1/x?client_secret=${shape}`, headers: { 'x-a': shape }, body: `{"a":"${shape}"}` },
          `{"error":"${shape}"}`,
          { location: shape },
        ),
      ]);
      expect(shown).not.toContain(shape);
      expect(shown).not.toMatch(/h%i|h%25i/i);
      expect(shown).toContain('${CONFIDENTIAL_SECRET}');
    }
  });

  it('is no secret in HTTP Basic, nor one of the control', () => {
    const header = (secret: string): string => `Basic ${Buffer.from(`service:${secret}`).toString('base64')}`;
    const shown = told([
      answer({ headers: { authorization: header('plain-service-secret') } }, ''),
      answer({ headers: { Authorization: header(encodeURIComponent(odd)) } }, ''),
      answer({ headers: { authorization: 'Bearer control-token-1' } }, ''),
    ]);
    for (const [found] of shown.matchAll(/[A-Za-z0-9+/]{12,}={0,2}/g)) {
      expect(Buffer.from(found, 'base64').toString()).not.toMatch(/plain-service|d%5Ce/);
    }
    expect(shown).toContain('Basic base64(service:${SERVICE_SECRET})');
    expect(shown).toContain('${CONTROL_TOKEN}');
  });

  it('is most of no secret, either', () => {
    const shown = told([
      answer({ body: 'client_secret=plain-service-secre' }, ''),
      answer({ body: 'client_secret=plain-serviXe-secret' }, ''),
      answer({ body: 'client_secret=terces-ecivres-nialp' }, ''),
    ]);
    expect(shown).not.toMatch(/plain-servi|e-secre|terces/);
    expect(shown).toContain('client_secret=${SERVICE_SECRET:0:19}');
  });

  it('is garbled by no short secret', () => {
    const shown = told([
      answer(
        { url: 'http://127.0.0.1:1/x1?x1=x1', headers: { 'x-x1': 'x1' }, body: 'grant_type=x1&client_secret=x1' },
        '{"x1":"x1","client_secret":"x1"}',
      ),
    ]);
    expect(shown).toContain('http://127.0.0.1:1/x1?x1=x1');
    expect(shown).toContain('grant_type=x1&client_secret=${OPERATIONS_SECRET}"');
    expect(shown).toContain(
      String.raw`{\"x1\":\"x1\",\"client_secret\":\"\${OPERATIONS_SECRET}\"}`.replace(String.raw`\$`, '$'),
    );
  });

  it('is no token or code of the run, wherever it was given', () => {
    const issued = new Issued();
    issued.see(answer({}, '{"access_token":"shared-access-token","refresh_token":"shared\\/refresh+token"}'));
    issued.see(answer({}, '', { location: 'https://app.example/cb?code=shared%2Fcode' }));
    const shown = told(
      [
        answer({ headers: { authorization: 'Bearer shared-access-token' } }, '{"access_token":"own-access-token"}'),
        answer({ body: 'refresh_token=shared%2Frefresh%2Btoken&code=shared%2Fcode' }, '{"seen":"own-access-token"}'),
        answer({ body: 'token=shared-access-tokeM' }, ''),
      ],
      issued,
    );
    expect(shown).not.toMatch(/shared|own-access|access-toke/);
    expect(shown).toContain('set EARLIER_TOKEN_1 to a token or code that the server gave');
    expect(shown).toContain('Bearer ${EARLIER_TOKEN_1}');
    expect(issued.hide('the token shared-access-token is dead')).toBe('the token (a token) is dead');
    const long = 'eyJhbGciOiJIUzI1NiJ9.'.repeat(30);
    issued.see(answer({}, `{"access_token":"${long}"}`));
    expect(issued.hide(`"${long}" and "${long.slice(0, 400)} …`)).toBe('"(a token)" and "(a token) …');
  });

  it('is what a check made up', () => {
    const shown = told([
      answer({ headers: { authorization: 'Bearer no-such-token-at-all' }, body: 'token=unknown' }, ''),
    ]);
    expect(shown).toContain("'authorization: Bearer no-such-token-at-all'");
    expect(shown).toContain("'token=unknown'");
  });
});
