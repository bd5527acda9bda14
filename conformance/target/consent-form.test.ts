import { describe, expect, it } from 'vitest';

import { formConsent } from './consent-form.js';
import type { ConsentRequest, Transport } from './hooks.js';
import type { Target } from './target.js';

const auth = 'http://auth.test:1';
const target = { auth_url: auth, paths: {}, form: {}, accounts: { alice: {}, bob: { username: 'Bob the Builder' } } };
const html = { 'content-type': 'text/html; charset=utf-8' };
const back = 'https://app.example/callback';
const url = `${auth}/oauth/authorize?client_id=c&state=s&redirect_uri=${encodeURIComponent(back)}`;

type Reply = { status?: number; headers?: Record<string, string | readonly string[]>; text?: string };
interface BrowserRequest {
  readonly method: string;
  readonly path: string;
  readonly fields: string;
  readonly headers: Record<string, string>;
}

/** A browser on a server of a few pages. */
function browser(pages: (sent: BrowserRequest) => Reply, more: Partial<Pick<Target, 'accounts' | 'form'>> = {}) {
  const log: BrowserRequest[] = [];
  const transport: Transport = async ({ method, url, headers = {}, body = '' }) => {
    const sent = { method, path: url.slice(auth.length), fields: body, headers };
    log.push(sent);
    const { status = 200, headers: replied = html, text = '' } = pages(sent);
    return { status, headers: replied, text };
  };
  const hooks = formConsent({ ...target, ...more }, transport);
  const decide = (more: Partial<ConsentRequest> = {}) =>
    hooks.consent({ url, account: 'alice', decision: 'approve', ...more });
  return { decide, page: hooks.page, log };
}

const redirect = (location: string, more: Record<string, string | readonly string[]> = {}, status = 302): Reply => ({
  status,
  headers: { location, ...more },
});

const consentPage = `<h1>Go on?</h1><form method=post action="/decide?t=1">
  <input type=hidden name=csrf value="&quot;k&quot;">
  <input type=checkbox name=scope value=account:profile checked><input type=checkbox name=scope value=account:stashes checked>
  <select name=account><option value=bob>Bob<option value=alice>Alice</select>
  <button name=decision value=deny>No</button><button name=decision value=approve>Yes</button></form>`;

const oneStep = (sent: BrowserRequest): Reply =>
  sent.method === 'GET' ? { text: consentPage } : redirect(`${back}?code=x&state=s`, {}, 303);

describe('consent on a page', () => {
  it('approves as the account, and stops at the redirect to the application', async () => {
    const { decide, log } = browser(oneStep);
    expect(await decide()).toEqual({ status: 303, location: `${back}?code=x&state=s` });
    expect(log.map(({ method, path, fields }) => [method, path, fields])).toEqual([
      ['GET', url.slice(auth.length), ''],
      [
        'POST',
        '/decide?t=1',
        'csrf=%22k%22&scope=account%3Aprofile&scope=account%3Astashes&account=alice&decision=approve',
      ],
    ]);
    expect(log[1]?.headers).toMatchObject({
      origin: auth,
      referer: url,
      'content-type': 'application/x-www-form-urlencoded',
    });
  });

  it('denies, and grants a part', async () => {
    const { decide, log } = browser(oneStep);
    await decide({ decision: 'deny', account: 'bob', scope: 'account:stashes' });
    expect(log[1]?.fields).toBe('csrf=%22k%22&scope=account%3Astashes&account=bob&decision=deny');
    await expect(decide({ scope: 'account:characters' })).rejects.toThrow(
      'consent: form: the page does not offer the scope account:characters',
    );
  });

  it('tells of the page where there is nothing to decide', async () => {
    const { decide } = browser(() => ({ status: 400, text: '<h1>Unknown client</h1>' }));
    expect(await decide()).toEqual({ status: 400, location: null, body: '<h1>Unknown client</h1>' });
  });

  it('tells of the page that follows the decision', async () => {
    const { decide, log } = browser((sent) => (sent.method === 'GET' ? { text: consentPage } : { text: consentPage }));
    expect(await decide()).toMatchObject({ status: 200, location: null });
    expect(log).toHaveLength(2);
  });

  it('stops at a redirect at once where the request is refused', async () => {
    const { decide, log } = browser(() => redirect(`${back}?error=invalid_scope&state=s`));
    expect((await decide({ account: 'bob' })).location).toBe(`${back}?error=invalid_scope&state=s`);
    expect(log).toHaveLength(1);
  });

  it('stops at a redirect URI on the same server too', async () => {
    const here = `${auth}/app/callback`;
    const { decide, log } = browser((sent) =>
      sent.path.startsWith('/app') ? { status: 500 } : redirect(`${here}?code=x`),
    );
    const own = url.replace(encodeURIComponent(back), encodeURIComponent(here));
    expect(await decide({ url: own })).toEqual({ status: 302, location: `${here}?code=x` });
    expect(log).toHaveLength(1);
  });

  it('goes through a login with its cookies, a jar for each consent', async () => {
    const { decide, log } = browser(({ method, path, headers }) => {
      if (path.startsWith('/login')) {
        return method === 'GET'
          ? {
              text: '<form method=post><input name=account><input type=password name=password><button>In</button></form>',
            }
          : redirect('/oauth/authorize?again=1', { 'set-cookie': ['session=7; Path=/', 'pre=; Max-Age=0; Path=/'] });
      }
      if (headers.cookie?.includes('session=7')) {
        return method === 'GET'
          ? { text: '<form method=post action=decide><button name=decision value=approve>Yes</button></form>' }
          : redirect(`${back}?code=x`);
      }
      return redirect('/login?next=1', { 'set-cookie': 'pre=1; Path=/' });
    });
    expect((await decide({ account: 'bob' })).location).toBe(`${back}?code=x`);
    expect(
      log.map(({ method, path, fields, headers }) => [method, path.split('?')[0], fields, headers.cookie]),
    ).toEqual([
      ['GET', '/oauth/authorize', '', undefined],
      ['GET', '/login', '', 'pre=1'],
      ['POST', '/login', 'account=bob&password=', 'pre=1'],
      ['GET', '/oauth/authorize', '', 'session=7'],
      ['POST', '/oauth/decide', 'decision=approve', 'session=7'],
    ]);
    await decide();
    expect(log[5]?.headers.cookie).toBeUndefined();
  });

  it.each([
    ['a radio button', '<input type=radio name=account value=alice checked><input type=radio name=account value=bob>'],
    ['a name on a list', '<select name=account><option>Alice<option value=bob>Bob the Builder</select>'],
    ['a button', '<button name=account value=alice>A</button><button name=account value=bob>B</button>'],
    ['a field', '<input name=account value=alice>'],
  ])('picks the account by %s', async (_, controls) => {
    const { decide, log } = browser(({ method }) =>
      method === 'GET' ? { text: `<form method=post>${controls}</form>` } : redirect(`${back}?code=x`),
    );
    await decide({ account: 'bob' });
    expect(log[1]?.fields).toBe('account=bob');
  });

  it('picks it by the name that the server has, where the key is not on the page', async () => {
    const page =
      '<form method=post><select name=account><option value=1>Alice<option value=2>Bob the Builder</select></form>';
    const { decide, log } = browser(({ method }) => (method === 'GET' ? { text: page } : redirect(`${back}?code=x`)));
    await decide({ account: 'bob' });
    expect(log[1]?.fields).toBe('account=2');
    await expect(decide({ account: 'alice' })).rejects.toThrow(
      'the page offers the accounts 1, 2, not alice; use the names of the page in accounts',
    );
  });

  it('answers the form that asks, where there is a search beside it', async () => {
    const { decide, log } = browser(({ method }) =>
      method === 'GET' ? { text: `<form><input name=q></form>${consentPage}` } : redirect(`${back}?code=x`),
    );
    await decide();
    expect(log[1]?.path).toBe('/decide?t=1');
  });

  it('sends a form that goes by GET in the address', async () => {
    const { decide, log } = browser(({ path }) =>
      path.startsWith('/go')
        ? redirect(`${back}?code=x`)
        : { text: '<form action="/go?old=1"><input name=decision></form>' },
    );
    await decide();
    expect(log[1]).toMatchObject({ method: 'GET', path: '/go?decision=approve' });
  });

  it('shows the page and decides nothing', async () => {
    const { page, log } = browser(oneStep);
    expect(await page({ url, account: 'alice' })).toEqual({ status: 200, text: consentPage });
    expect(log).toHaveLength(1);
  });
});

/** A server with a login, whose session is a cookie, and what it shows to those who have logged in. */
function withLogin(asked: (sent: BrowserRequest) => Reply, login = keycloakLogin) {
  return (sent: BrowserRequest): Reply => {
    if (sent.headers.cookie?.includes('session=alice')) return asked(sent);
    if (sent.method === 'GET') return { text: login };
    const right = sent.fields.includes('username=al%40example.com&password=s3cret-of-alice');
    return right ? redirect(url, { 'set-cookie': 'session=alice; Path=/' }) : { text: login };
  };
}
const keycloakLogin = `<title>Sign in to x</title><form action="/login?tab=1" method=post><input type=hidden name=tab value=7>
  <input name=username autofocus><input type=password name=password>
  <input type=checkbox name=rememberMe> Remember me <input name=login type=submit value="Sign In"></form>`;
const user = { alice: { login: 'al@example.com', password: 's3cret-of-alice' } };

describe('consent on the pages of servers that nobody here wrote', () => {
  it('logs in for each consent, as tokens of one login may end together, and presses what approves or denies', async () => {
    const asked = (sent: BrowserRequest): Reply =>
      sent.path.startsWith('/consent')
        ? redirect(sent.fields.includes('accept=Yes') ? `${back}?code=x` : `${back}?error=access_denied`)
        : {
            text: '<form action="/consent" method=post><input type=hidden name=code value=k><input name=accept type=submit value=Yes><input name=cancel type=submit value=No></form>',
          };
    const { decide, log } = browser(withLogin(asked), { accounts: user });
    expect((await decide()).location).toBe(`${back}?code=x`);
    expect((await decide({ decision: 'deny' })).location).toBe(`${back}?error=access_denied`);
    expect(log.map(({ method, path, fields }) => [method, path.split('?')[0], fields])).toEqual([
      ['GET', '/oauth/authorize', ''],
      ['POST', '/login', 'tab=7&username=al%40example.com&password=s3cret-of-alice&login=Sign+In'],
      ['GET', '/oauth/authorize', ''],
      ['POST', '/consent', 'code=k&accept=Yes'],
      ['GET', '/oauth/authorize', ''],
      ['POST', '/login', 'tab=7&username=al%40example.com&password=s3cret-of-alice&login=Sign+In'],
      ['GET', '/oauth/authorize', ''],
      ['POST', '/consent', 'code=k&cancel=No'],
    ]);
  });

  it('answers the form with the right button, by the name that the target has for it, and goes on after it', async () => {
    const asked = ({ method, path, fields }: BrowserRequest): Reply => {
      if (path === '/sent') return redirect(`${back}?code=x`);
      if (method === 'POST')
        return fields.includes('_method=delete')
          ? redirect(`${back}?error=access_denied`)
          : { text: '<form action=/sent method=post><input type=hidden name=t><button>Continue</button></form>' };
      return {
        text: '<form method=post><button>Onward</button></form><form method=post><input type=hidden name=_method value=delete><button>Back off</button></form>',
      };
    };
    const { decide } = browser(withLogin(asked), { accounts: user, form: { approve: 'onward', deny: 'Back off' } });
    expect((await decide()).location).toBe(`${back}?code=x`);
    expect((await decide({ decision: 'deny' })).location).toBe(`${back}?error=access_denied`);
    const unnamed = browser(withLogin(asked), { accounts: user });
    await expect(unnamed.decide()).rejects.toThrow(
      /has 2 forms \(fields: none, buttons: Onward; fields: none, buttons: Back off\).*set form\.approve and form\.deny/,
    );
  });

  it.each(['<button name=decision value=approve>Yes</button>', '<button>Allow</button><button>Deny</button>'])(
    'names the button of the target that no page has: %s',
    async (buttons) => {
      const text = `<h1>Go on?</h1><form method=post>${buttons}</form>`;
      const asked = ({ method }: BrowserRequest): Reply => (method === 'GET' ? { text } : redirect(`${back}?code=x`));
      const { decide } = browser(asked, { form: { approve: 'Alow' } });
      await expect(decide()).rejects.toThrow(
        /^consent: form: form[.]approve is "Alow", and no button of the page "Go on[?]" at \/oauth\/authorize \(fields: none, buttons: .*\) is called so; correct form[.]approve in the target$/,
      );
    },
  );

  it('takes an error for what it is, whatever forms its page has in its head', async () => {
    const text =
      '<form action=/search><input name=q></form><form action=/out method=post><button>Sign out</button></form>';
    const { decide, log } = browser(() => ({ status: 400, text }));
    expect(await decide()).toMatchObject({ location: null, status: 400 });
    expect(log).toHaveLength(1);
  });

  it('denies nothing where the server remembers the consent', async () => {
    const { decide } = browser(
      withLogin(() => redirect(`${back}?code=x`)),
      { accounts: user },
    );
    expect((await decide()).location).toBe(`${back}?code=x`);
    await expect(decide({ decision: 'deny' })).rejects.toMatchObject({
      name: 'MissingCapability',
      message: expect.stringContaining('remembers the consent') as string,
    });
    const only = browser(() => ({ text: '<form method=post><button>Allow</button></form>' }), { accounts: user });
    await expect(only.decide({ decision: 'deny' })).rejects.toThrow('set form.deny in the target to its text');
  });

  it('names the login that refuses, and the key that would help', async () => {
    const wrong = browser(
      withLogin(() => ({})),
      { accounts: { alice: { login: 'al@example.com', password: 'x' } } },
    );
    await expect(wrong.decide()).rejects.toThrow(
      'the page "Sign in to x" at /login asks alice for a password again (fields: username, password, rememberMe, buttons: Sign In); correct accounts.alice.login and accounts.alice.password',
    );
    const none = browser(
      withLogin(() => ({})),
      { accounts: { alice: {} } },
    );
    await expect(none.decide()).rejects.toThrow('set accounts.alice.password in the target');
    const own = keycloakLogin.replaceAll('username', 'who');
    const named = browser(
      withLogin(() => ({}), own),
      { accounts: user, form: { account: 'nobody' } },
    );
    await expect(named.decide()).rejects.toThrow('asks alice for a password again');
    expect(named.log[1]?.fields).toContain('who=&password=');
  });
});

describe('consent on a page that nobody could use', () => {
  it('is given up after a number of pages', async () => {
    const { decide, log } = browser(() => redirect('/again'));
    await expect(decide()).rejects.toMatchObject({ name: 'PrerequisiteFailed' });
    expect(log).toHaveLength(12);
    const login = browser(() => ({ text: '<form method=post><input name=account></form>' }));
    await expect(login.decide()).rejects.toThrow(
      'no decision after 12 pages and redirects, the last at /oauth/authorize',
    );
  });

  it('is told of with what is missing', async () => {
    const two = browser(() => ({ text: '<form></form><form></form>' }));
    await expect(two.decide()).rejects.toThrow(
      'the page at /oauth/authorize has 2 forms (fields: none, buttons: none; fields: none, buttons: none), and none',
    );
    const away = browser(() => ({ text: '<form action="https://elsewhere.example/"><input name=decision></form>' }));
    await expect(away.decide()).rejects.toThrow(
      'the form submits to https://elsewhere.example/, which is not below auth_url',
    );
    const boxes = browser(() => ({ text: '<form><button name=decision value=approve></form>' }));
    await expect(boxes.decide({ scope: 'account:profile' })).rejects.toMatchObject({ name: 'MissingCapability' });
    await expect(boxes.decide({ account: 'bob' })).rejects.toThrow(
      'no page has a field named account, so bob cannot be chosen',
    );
    const silent = browser(() => {
      throw new Error('connection refused');
    });
    await expect(silent.decide()).rejects.toThrow(
      'consent: form: GET /oauth/authorize: no response (connection refused)',
    );
  });
});
