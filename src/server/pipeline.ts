import { answerAuthorization } from './authorization.js';
import { callsIn } from './calls.js';
import { control } from './control.js';
import { controls } from './control-access.js';
import { refuseControl } from './control-calls.js';
import { answerPreflight, corsHeaders, isPreflight } from './cors.js';
import { answerData } from './data.js';
import { draftOf } from './exchanges.js';
import type { Files } from './files.js';
import type { Answer, Request, Response } from './http.js';
import { Namespaces } from './namespaces/namespaces.js';
import { hasObstacles, passObstacles } from './obstacles.js';
import { pages } from './pages/index.js';
import { hasPreferences, preferred } from './prefer.js';
import { noSuchPath, Refusal } from './refusal.js';
import { refusalReply } from './refusal-reply.js';
import type { Match } from './routes.js';
import type { HttpReply } from './send.js';
import { decided, send } from './send.js';
import type { Service } from './service.js';
import { isControl, splitTarget } from './target.js';
import { refusalOf, turnOf } from './turn.js';

export interface PipelineOptions {
  readonly cors: boolean;
  readonly controlToken: string | undefined;
  readonly files: Files;
  /** Looks at each request first. @throws Refusal */
  readonly guard: (req: Request) => void;
  /** Told of faults of our own; never of requests. */
  readonly log: (line: string) => void;
}

export interface Pipeline {
  readonly answer: Answer;
  /** Whether a request may use the control protocol. */
  readonly controls: (req: Request) => boolean;
  readonly namespaces: Namespaces | undefined;
  /** The reply of a refusal at a path, for requests that never came so far. */
  readonly replyOf: (refusal: Refusal, path: string) => HttpReply;
}

/**
 * Everything that one mock answers, whatever brings the requests: the contract's operations, the pages, the control
 * surface, and JSON for everything else.
 */
export function createPipeline(service: Service, options: PipelineOptions): Pipeline {
  const { cors, controlToken, files, guard } = options;
  // A namespace is a mock of its own, and has none.
  const namespaces = service.parent ? undefined : new Namespaces(service, (one) => createPipeline(one, options).answer);
  const answerControl = control(service, controlToken, namespaces);
  const findPage = callsIn(pages(service, { controlToken, files }));
  const replyOf = (error: unknown, path: string): HttpReply => failureReply(error, path, service, options);

  /** The steps of every request, in the order in which they refuse. Returns what is under way. */
  const step = (req: Request, res: Response): unknown => {
    const refusal = refusalOf(res);
    if (refusal) throw refusal;
    if (namespaces?.dispatch(req, res)) return undefined;
    service.exchanges.open(req, res);
    if (!turnOf(res)?.replayed) guard(req);
    namespaces?.refuse(req);
    if (cors && answerPreflight(req, res, service)) return undefined;
    const { path, query } = splitTarget(req.url);
    const match = service.routes.find(req.method, path);
    if (match && 'operation' in match) return answerContract(match, { path, query, req, res }, service, options);
    if (isControl(path)) return answerControl(req, res);
    const page = findPage(req.method, path);
    if (typeof page === 'function') return page(req, res);
    return refuseRest(req, res, { contract: match?.allow, pages: page?.allow }, { path, cors });
  };
  const fail = (error: unknown, req: Request, res: Response): void => {
    const draft = draftOf(res);
    if (draft && !(error instanceof Refusal)) draft.decision = 'failed';
    send(req, res, replyOf(error, splitTarget(req.originalUrl).path));
  };
  return {
    answer: (req, res) => {
      try {
        const underWay = step(req, res);
        if (underWay instanceof Promise) underWay.catch((error: unknown) => fail(error, req, res));
      } catch (error) {
        fail(error, req, res);
      }
    },
    controls: (req) => controls(req, controlToken),
    namespaces,
    replyOf,
  };
}

interface Asked {
  readonly path: string;
  readonly query: string;
  readonly req: Request;
  readonly res: Response;
}

/** bearer -> validate -> operation -> reply */
async function answerContract(
  match: Match,
  { path, query, req, res }: Asked,
  service: Service,
  options: PipelineOptions,
): Promise<void> {
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
    ? preferred(operation, { req, res }, perform, { service, files: options.files })
    : perform());
  if (wire === null) return decided(res, null);
  // The consent page is for the user's eyes: no page of another origin may read it.
  const shared = options.cors && operation.logical !== 'authorize';
  send(req, res, shared ? { ...wire, headers: { ...wire.headers, ...corsHeaders } } : wire);
}

const answer = (match: Match, query: string, req: Request, res: Response, service: Service): Promise<HttpReply> =>
  (match.operation.server === 'data' ? answerData : answerAuthorization)(match, query, req, res, service);

/** The methods that there are at a path. */
interface Allowed {
  readonly contract: readonly string[] | undefined;
  readonly pages: readonly string[] | undefined;
}

/**
 * A method that a path does not take is 405 with `Allow`; the consent form is posted to where it stands. Pages say what they
 * take when they are asked. A path that is none of ours is 404.
 */
function refuseRest(
  req: Request,
  res: Response,
  { contract, pages }: Allowed,
  { path, cors }: { readonly path: string; readonly cors: boolean },
): void {
  if (!contract && !pages) throw noSuchPath(path);
  const allow = [...(contract ?? []), ...(pages ?? [])].join(', ');
  if (contract || req.method !== 'OPTIONS') {
    const remedy =
      !cors && isPreflight(req)
        ? '; for pages of other origins turn on cors: gamedata mock --cors, or cors: true in a program'
        : '';
    throw new Refusal(405, `${req.method} is not answered here; the path takes ${allow}${remedy}`, { allow });
  }
  send(req, res, { status: 200, headers: { allow }, content: '' });
}

/** Any failure on the wire: OAuth errors below /oauth, the control protocol's below its path, data errors elsewhere. Our own faults are logged, not shown. */
function failureReply(error: unknown, path: string, service: Service, { log }: PipelineOptions): HttpReply {
  const refusal = error instanceof Refusal ? error : new Refusal(500, 'the mock failed; its log says why');
  if (error !== refusal)
    log(`internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  if (isControl(path)) return refuseControl(refusal);
  return refusalReply(refusal, { server: path.startsWith('/oauth/') ? 'authorization' : 'data' }, service.switches);
}
