import type { RequestListener, Server } from 'node:http';
import type { Express, NextFunction, Request, Response } from 'express';

import { answerAuthorization } from './authorization.js';
import { control } from './control.js';
import { controls } from './control-access.js';
import { refuseControl } from './control-calls.js';
import { answerPreflight, corsHeaders } from './cors.js';
import { answerData } from './data.js';
import { draftOf } from './exchanges.js';
import type { Unconnected } from './express.js';
import { createExpress } from './express.js';
import type { Hook } from './hook.js';
import { hooked } from './hook.js';
import { hostGuard } from './hosts.js';
import { answerMalformed } from './malformed.js';
import { Namespaces } from './namespaces/namespaces.js';
import { hasObstacles, passObstacles } from './obstacles.js';
import { pages } from './pages/index.js';
import { hasPreferences, preferred } from './prefer.js';
import { Refusal } from './refusal.js';
import { refusalReply } from './refusal-reply.js';
import type { Match } from './routes.js';
import type { HttpReply } from './send.js';
import { decided, send } from './send.js';
import type { Service } from './service.js';
import { isControl, splitTarget } from './target.js';
import { refusalOf, turnOf } from './turn.js';

export interface AppOptions {
  readonly cors: boolean;
  readonly controlToken: string | undefined;
  /** Names and addresses that the mock answers to beside those of loopback. */
  readonly allowHosts: readonly string[];
  /** Told of faults of our own; never of requests. */
  readonly log: (line: string) => void;
  /** What a program that embeds the app does to requests and replies. */
  readonly hook?: Hook;
}

export interface App {
  readonly app: Express;
  /** Makes the server that the app is fast on; `handle` stands before the app. */
  readonly listen: (handle?: RequestListener) => Server;
  /** A request and a response of no connection, for the app. */
  readonly unconnected: Unconnected;
  readonly guard: (req: Request) => void;
  /** Whether a request may use the control protocol. */
  readonly controls: (req: Request) => boolean;
  readonly namespaces: Namespaces | undefined;
}

/**
 * The Express app of one mock: the contract's operations, the pages, the control surface, and JSON for everything else.
 */
export function createApp(service: Service, options: AppOptions): App {
  // A namespace is a mock of its own, and has none.
  const namespaces = service.parent ? undefined : new Namespaces(service, (one) => createApp(one, options).app);
  const { app, handle: own, listen, unconnected } = createExpress();
  const { hook } = options;
  app.disable('x-powered-by');
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  const guard = hostGuard(options.allowHosts);
  app.use((_req: Request, res: Response, next: NextFunction) => next(refusalOf(res)));
  if (namespaces)
    app.use((req: Request, res: Response, next: NextFunction) => {
      if (!namespaces.dispatch(req, res)) next();
    });
  app.use((req: Request, res: Response, next: NextFunction) => {
    service.exchanges.open(req, res);
    if (!turnOf(res)?.replayed) guard(req);
    next();
  });
  if (namespaces) app.use(namespaces.refuse);
  if (options.cors) app.use(answerPreflight(service));
  app.use((req: Request, res: Response, next: NextFunction) => answerContract(req, res, next, service, options));
  app.use('/__control', control(service, options.controlToken, namespaces));
  app.use(pages(service, options.controlToken));
  app.use((req: Request) => refuseRest(req, service));
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) => {
    const draft = draftOf(res);
    if (draft && !(error instanceof Refusal)) draft.decision = 'failed';
    send(req, res, failureReply(error, splitTarget(req.originalUrl).path, service, options));
  });
  const replyOf = (refusal: Refusal, path: string): HttpReply => failureReply(refusal, path, service, options);
  return {
    app,
    listen: (handle = hook ? hooked(hook, own) : own) => answerMalformed(listen(handle), app, replyOf),
    unconnected,
    guard,
    controls: (req) => controls(req, options.controlToken),
    namespaces,
  };
}

/** route table -> bearer -> validate -> operation -> reply (the pages and the rest follow behind). */
async function answerContract(
  req: Request,
  res: Response,
  next: NextFunction,
  service: Service,
  options: AppOptions,
): Promise<void> {
  const { path, query } = splitTarget(req.url);
  const match = service.routes.find(req.method, path);
  if (!match || !('operation' in match)) return next();
  const { operation } = match;
  const draft = draftOf(res);
  if (draft) {
    draft.operation = operation;
    draft.query = query;
  }
  const refuse = (error: unknown): HttpReply => {
    if (draft && !(error instanceof Refusal)) draft.decision = 'failed';
    return failureReply(error, path, service, options);
  };
  const run = (): Promise<HttpReply> => answer(match, query, req, res, service).catch(refuse);
  const perform = (): Promise<HttpReply | null> =>
    hasObstacles(service)
      ? passObstacles({ operation, query, req, res }, { answer: run, refuse }, service).catch(refuse)
      : run();
  const wire = await (hasPreferences(req, operation)
    ? preferred(operation, { req, res }, perform, service)
    : perform());
  if (wire === null) return decided(res, null);
  // The consent page is for the user's eyes: no page of another origin may read it.
  const shared = options.cors && operation.logical !== 'authorize';
  send(req, res, shared ? { ...wire, headers: { ...wire.headers, ...corsHeaders } } : wire);
}

const answer = (match: Match, query: string, req: Request, res: Response, service: Service): Promise<HttpReply> =>
  (match.operation.server === 'data' ? answerData : answerAuthorization)(match, query, req, res, service);

/** A path that is none of ours is 404, a method that a path has not is 405 with `Allow`. The consent form is posted to where it stands. */
function refuseRest(req: Request, service: Service): never {
  const { path } = splitTarget(req.originalUrl);
  const found = service.routes.find(req.method, path);
  if (!found || !('allow' in found))
    throw new Refusal(404, `there is no ${path.slice(0, 200)} here; paths are case-sensitive and end without a slash`);
  const allow = [...found.allow, ...(path === '/oauth/authorize' ? ['POST'] : [])].join(', ');
  throw new Refusal(405, `${req.method} is not answered here; the path takes ${allow}`, { allow });
}

/** Any failure on the wire: OAuth errors below /oauth, the control protocol's below its path, data errors elsewhere. Our own faults are logged, not shown. */
function failureReply(error: unknown, path: string, service: Service, { log }: AppOptions): HttpReply {
  const refusal = error instanceof Refusal ? error : new Refusal(500, 'the mock failed; its log says why');
  if (error !== refusal)
    log(`internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  if (isControl(path)) return refuseControl(refusal);
  return refusalReply(refusal, { server: path.startsWith('/oauth/') ? 'authorization' : 'data' }, service.switches);
}
