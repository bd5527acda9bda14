import { Router } from 'express';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

import { metadata, revokeByUser } from '../../oauth/index.js';
import type { Scope } from '../../contract/index.js';
import type { Account } from '../../world/world.js';
import { answerDecision, readForm } from '../authorization.js';
import { refuseForeignForm } from '../browser.js';
import { mayControl } from '../control-access.js';
import { dashboardHeaders, dashboardPage } from '../dashboard/page.js';
import { Refusal } from '../refusal.js';
import { jsonType, reasonHeader, send } from '../send.js';
import type { Service } from '../service.js';
import { splitTarget } from '../target.js';
import { redirectPage, tryFiles, tryHeaders, tryPage } from '../try/page.js';
import { applicationsPage } from './applications.js';
import { documentation, file } from './files.js';
import { homePage } from './home.js';
import { htmlHeaders, refusalPage } from './html.js';

/** What people look at in a browser, and what tools fetch to configure themselves. None of it is part of the contract. */
export function pages(service: Service, controlToken: string | undefined): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const html =
    (make: (req: Request) => string): RequestHandler =>
    (req, res) =>
      send(req, res, { status: 200, headers: htmlHeaders(), content: make(req) });

  router.get('/', (req, res) => {
    const content = mayControl(req, controlToken) ? dashboardPage(service, controlToken) : homePage(service);
    send(req, res, { status: 200, headers: dashboardHeaders(), content });
  });
  router.get(
    '/applications',
    html((req) => applicationsPage(accountOf(queryOf(req).get('account'), service), service)),
  );
  router.post('/applications', removeApplication(service));
  // Express would say that this path takes nothing but the form.
  router.options('/oauth/authorize', (_req, _res, next) => next('router'));
  router.post('/oauth/authorize', takeDecision(service));
  // Whoever posts to these two, or looks at the first, is a person with a browser.
  router.use(['/applications', '/oauth/authorize'], showRefusal);
  router.get('/health', (req, res) => {
    const headers = { 'content-type': jsonType, 'cache-control': 'no-store' };
    send(req, res, { status: 200, headers, content: '{"status":"ok"}' });
  });
  router.get('/.well-known/oauth-authorization-server', (req, res) => {
    send(req, res, {
      status: 200,
      headers: { 'content-type': jsonType },
      content: JSON.stringify(metadata(service.authority)),
    });
  });
  router.use(documentation(service));
  router.get('/try', (req, res) => {
    send(req, res, { status: 200, headers: tryHeaders, content: tryPage(service) });
  });
  router.get('/try/redirect', (req, res) => {
    send(req, res, { status: 200, headers: tryHeaders, content: redirectPage });
  });
  for (const [name, type] of Object.entries(tryFiles))
    router.get(`/try/${name}`, file(`docs/try/${name}`, { 'content-type': type }));
  router.get('/openapi.yaml', file('openapi/openapi.yaml', { 'content-type': 'application/yaml' }));
  router.get('/openapi.json', file('openapi/openapi.json', { 'content-type': jsonType }));
  return router;
}

/** The user removes an application: its tokens for the account end. */
function removeApplication(service: Service): RequestHandler {
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
function takeDecision(service: Service): RequestHandler {
  return async (req, res) => {
    refuseForeignForm(req);
    const form = await readForm(req, res);
    const decision = {
      approve: isApproval(form.get('decision')),
      account: accountOf(form.get('account'), service).key,
      scopes: form.getAll('scope') as Scope[],
    };
    send(req, res, answerDecision(splitTarget(req.originalUrl).query, decision, service));
  };
}

function showRefusal(error: unknown, req: Request, res: Response, next: NextFunction): void {
  if (!(error instanceof Refusal)) return next(error);
  const headers = { ...htmlHeaders(), 'x-mock-reason': reasonHeader(error.message) };
  send(req, res, { status: error.status, headers, content: refusalPage(error.message) });
}

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
