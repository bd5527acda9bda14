import type { Request } from '../http.js';
import { metadata, revokeByUser } from '../../oauth/index.js';
import type { Scope } from '../../contract/index.js';
import type { Account } from '../../world/world.js';
import { answerDecision, readForm } from '../authorization.js';
import { refuseForeignForm } from '../browser.js';
import type { Call, Calls } from '../calls.js';
import { mayControl } from '../control-access.js';
import { dashboardHeaders, dashboardPage } from '../dashboard/page.js';
import { Refusal } from '../refusal.js';
import type { Files } from '../files.js';
import { jsonType, reasonHeader, send } from '../send.js';
import type { Service } from '../service.js';
import { splitTarget } from '../target.js';
import { redirectPage, tryFiles, tryHeaders, tryPage } from '../try/page.js';
import { applicationsPage } from './applications.js';
import { documentation, file } from './files.js';
import { homePage } from './home.js';
import { htmlHeaders, refusalPage } from './html.js';

/** What people look at in a browser, and what tools fetch to configure themselves. None of it is part of the contract. */
export function pages(
  service: Service,
  { controlToken, files }: { controlToken: string | undefined; files: Files },
): Calls {
  const html =
    (make: (req: Request) => string): Call =>
    (req, res) =>
      send(req, res, { status: 200, headers: htmlHeaders(), content: make(req) });

  return {
    'GET /': (req, res) => {
      const content = mayControl(req, controlToken) ? dashboardPage(service, controlToken) : homePage(service);
      send(req, res, { status: 200, headers: dashboardHeaders(), content });
    },
    // Whoever posts to these two, or looks at the first, is a person with a browser.
    'GET /applications': showingRefusals(
      html((req) => applicationsPage(accountOf(queryOf(req).get('account'), service), service)),
    ),
    'POST /applications': showingRefusals(removeApplication(service)),
    'POST /oauth/authorize': showingRefusals(takeDecision(service)),
    'GET /health': (req, res) => {
      const headers = { 'content-type': jsonType, 'cache-control': 'no-store' };
      send(req, res, { status: 200, headers, content: '{"status":"ok"}' });
    },
    'GET /.well-known/oauth-authorization-server': (req, res) => {
      send(req, res, {
        status: 200,
        headers: { 'content-type': jsonType },
        content: JSON.stringify(metadata(service.authority)),
      });
    },
    ...documentation(service, files),
    'GET /try': (req, res) => send(req, res, { status: 200, headers: tryHeaders, content: tryPage(service) }),
    'GET /try/redirect': (req, res) =>
      send(req, res, { status: 200, headers: tryHeaders, content: redirectPage(service) }),
    ...Object.fromEntries(
      Object.entries(tryFiles).map(([name, type]) => [
        `GET /try/${name}`,
        file(files, `docs/try/${name}`, { 'content-type': type }),
      ]),
    ),
    'GET /openapi.yaml': file(files, 'openapi/openapi.yaml', { 'content-type': 'application/yaml' }),
    'GET /openapi.json': file(files, 'openapi/openapi.json', { 'content-type': jsonType }),
  };
}

/** The user removes an application: its tokens for the account end. */
function removeApplication(service: Service): Call {
  return async (req, res) => {
    refuseForeignForm(req);
    const form = await readForm(req, res);
    const account = accountOf(form.get('account'), service);
    revokeByUser(account.key, form.get('client_id') ?? '', service.authority);
    const location = `${service.base}/applications?account=${encodeURIComponent(account.key)}`;
    send(req, res, { status: 303, headers: { location }, content: '' });
  };
}

/** The user approves or denies on the consent page. */
function takeDecision(service: Service): Call {
  return async (req, res) => {
    refuseForeignForm(req);
    const form = await readForm(req, res);
    const decision = {
      approve: isApproval(form.get('decision')),
      account: accountOf(form.get('account'), service).key,
      scopes: form.getAll('scope') as Scope[],
    };
    send(req, res, answerDecision(splitTarget(req.originalUrl).query, decision, service, req));
  };
}

/** A call whose refusals are pages. */
const showingRefusals =
  (call: Call): Call =>
  async (req, res, captured) => {
    try {
      await call(req, res, captured);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const headers = { ...htmlHeaders(), 'x-mock-reason': reasonHeader(error.message) };
      send(req, res, { status: error.status, headers, content: refusalPage(error.message) });
    }
  };

const queryOf = (req: Request): URLSearchParams => new URLSearchParams(splitTarget(req.originalUrl).query);

/** The account with that key; without one the account that the mock approves as. */
function accountOf(key: string | null, { authority, user }: Service): Account {
  const account = authority.accounts.get(key ?? user);
  if (!account)
    throw new Refusal(
      400,
      `field account: there is no such account; there are ${[...authority.accounts.keys()].join(', ')}`,
    );
  return account;
}

function isApproval(decision: string | null): boolean {
  if (decision === 'approve' || decision === 'deny') return decision === 'approve';
  const given = decision === null ? 'it is missing' : `it is ${decision.slice(0, 50)}`;
  throw new Refusal(400, `field decision: ${given}; say approve or deny`);
}
