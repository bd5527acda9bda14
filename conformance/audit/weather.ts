import { setTimeout as sleep } from 'node:timers/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

import type { LogicalOperation, Operation } from '../../src/contract/index.js';
import { errorBody } from '../../src/game/errors.js';
import { draftOf } from '../../src/server/exchanges.js';
import type { Draft } from '../../src/server/exchanges.js';
import type { Service } from '../../src/server/service.js';
import { splitTarget } from '../../src/server/target.js';
import { authorizationServer, browserMark } from './call.js';
import { sparse } from './sparse.js';
import type { Fault, Selector, World } from './world.js';

type Handler = (req: IncomingMessage, res: ServerResponse) => void;
type Response = Parameters<typeof draftOf>[0];
type Request = Parameters<Service['exchanges']['open']>[0];

/** A fault rule and what it has met. */
interface CountedFault extends Fault {
  met: number;
  struck: number;
}

/**
 * Stands between the socket and the mock, and makes the weather of a world: faults that the rules of the mock cannot tell apart
 * (by grant, by the form of Retry-After, by the page of an edge), and replies with more in them than was asked for. Everything passes through the mock's own record.
 */
export function installWeather(
  server: Server,
  service: Service,
  world: World,
): { strike(faults: readonly Fault[]): void } {
  const [app] = server.listeners('request') as Handler[];
  if (!app) throw new Error('the server has nobody to answer requests');
  const rules: CountedFault[] = [];
  const strike = (faults: readonly Fault[]): void =>
    void rules.push(...faults.map((fault) => ({ ...fault, met: 0, struck: 0 })));
  strike(world.faults ?? []);
  server.removeAllListeners('request');
  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    const operation = operationOf(service, req);
    if (operation === undefined || req.headers[browserMark] !== undefined) return app(req, res);
    // Read ahead: the grants of the token endpoint can be told apart by the body only, and the record must see it whole.
    const read = hasBody(req) ? whole(req) : Promise.resolve(undefined);
    const enter = async (): Promise<void> => {
      const body = await read;
      const rule = rules.find((one) => fits(one, operation.logical, body?.toString() ?? ''));
      if (rule) rule.struck += 1;
      await meet(app, service, { req, res, body, operation, world, rule });
    };
    enter().catch((error: unknown) => res.destroy(error as Error));
  });
  return { strike };
}

interface Meeting {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** The body, where it was read ahead. */
  readonly body: Buffer | undefined;
  readonly operation: Operation;
  readonly world: World;
  readonly rule: CountedFault | undefined;
}

async function meet(app: Handler, service: Service, meeting: Meeting): Promise<void> {
  const { req, res, body, operation, world, rule } = meeting;
  const isData = operation.server === 'data';
  switch (rule?.kind) {
    case 'status': {
      const { status = 503, retryAfter, retryForm = 'seconds' } = rule;
      const due = new Date(Math.ceil(Date.now() / 1000) * 1000 + (retryAfter ?? 0) * 1000).toUTCString();
      const headers: Record<string, string> = {
        ...(retryAfter !== undefined && { 'retry-after': retryForm === 'date' ? due : String(retryAfter) }),
        ...(status === 401 && { 'www-authenticate': 'Bearer error="invalid_token"' }),
      };
      const error = status === 500 ? 'server_error' : 'temporarily_unavailable';
      const content = isData ? JSON.stringify(errorBody(status)) : JSON.stringify({ error });
      return answer(service, meeting, status, headers, content);
    }
    case 'page': {
      const page = '<!DOCTYPE html><html><head><title>One moment</title></head><body>Too many requests</body></html>';
      const headers = { 'content-type': 'text/html; charset=utf-8', 'retry-after': String(rule.retryAfter ?? 1) };
      return answer(service, meeting, rule.status ?? 503, headers, page);
    }
    case 'reset':
      note(service, meeting, { decision: 'faulted', delivery: 'reset' });
      return void req.socket.resetAndDestroy();
    case 'hang':
      return note(service, meeting, { decision: 'faulted', delivery: 'lost' });
    case 'latency':
      await sleep(rule.ms ?? 1000);
      break;
    case 'lost-reply':
      held(res, () => {
        Object.assign(draftOf(res as Response) ?? {}, { decision: 'faulted', delivery: 'lost' });
        req.socket.resetAndDestroy();
      });
      break;
    case 'drip':
      held(res, (end, content) => void drip(res, content, rule.ms ?? 1500).then(end));
      break;
    case undefined:
      if (world.extra || world.padding !== undefined) changed(res, (text) => wider(text, isData, world));
      else if (world.gone && operation.logical in wrappers)
        changed(res, () => JSON.stringify({ [wrappers[operation.logical]!]: null }));
      else if (world.sparse && isData) changed(res, (text) => sparse(text, operation.logical, world.sparse!));
  }
  app(req, res);
  if (body) replay(req, body);
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Takes the body of a request before anybody sees it; `replay` gives it back. */
function whole(req: IncomingMessage): Promise<Buffer> {
  return new Promise((done) => {
    const chunks: Buffer[] = [];
    const { push } = req;
    const over = (): void => {
      req.push = push;
      done(Buffer.concat(chunks));
    };
    req.once('close', over);
    req.push = (chunk: Buffer | null): boolean => {
      if (chunk === null) over();
      else chunks.push(chunk);
      return true;
    };
  });
}

function replay(req: IncomingMessage, body: Buffer): void {
  if (body.length > 0) req.push(body);
  req.push(null);
}

function fits(rule: CountedFault, operation: LogicalOperation, body: string): boolean {
  if (!selects(rule.on, operation, body) || (rule.times !== undefined && rule.struck >= rule.times)) return false;
  rule.met += 1;
  return rule.met > (rule.after ?? 0);
}

function selects(on: Selector, operation: LogicalOperation, body: string): boolean {
  if (on === 'data') return !authorizationServer.has(operation);
  if (operation !== 'issueToken') return on === operation;
  const grant = new URLSearchParams(body).get('grant_type');
  return (
    on === 'token' ||
    on === 'issueToken' ||
    (on === 'refresh' && grant === 'refresh_token') ||
    (on === 'exchange' && grant === 'authorization_code')
  );
}

function operationOf({ routes }: Service, { method = 'GET', url = '/' }: IncomingMessage): Operation | undefined {
  const match = routes.find(method, splitTarget(url).path);
  return match && 'operation' in match ? match.operation : undefined;
}

/** Records an exchange that the mock itself never sees. */
function note(
  service: Service,
  { req, res, body, operation }: Meeting,
  draft: Partial<Pick<Draft, 'decision' | 'delivery' | 'reply'>>,
): void {
  // What Express would have set by now.
  Object.assign(req, { originalUrl: req.url });
  (res as { locals?: object }).locals ??= {};
  service.exchanges.open(req as Request, res as Response);
  const { query } = splitTarget(req.url ?? '/');
  Object.assign(draftOf(res as Response) ?? {}, { operation, query, ...draft });
  if (body) replay(req, body);
  req.resume();
}

function answer(
  service: Service,
  meeting: Meeting,
  status: number,
  given: Readonly<Record<string, string>>,
  content: string,
): void {
  const { req, res } = meeting;
  const headers = { 'content-type': 'application/json; charset=utf-8', ...given };
  note(service, meeting, { decision: 'faulted', reply: { status, headers, content } });
  res.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(content)) });
  res.end(req.method === 'HEAD' ? '' : content);
}

/** Holds back the end of a reply. */
function held(res: ServerResponse, then: (end: () => void, body: Buffer) => void): void {
  const { end } = res;
  res.end = ((content: string | Buffer = '') => {
    res.end = end;
    then(() => void res.end(), Buffer.from(content));
    return res;
  }) as typeof res.end;
}

async function drip(res: ServerResponse, body: Buffer, ms: number): Promise<void> {
  const parts = 12;
  for (let part = 0; part < parts && !res.destroyed; part += 1) {
    res.write(body.subarray(Math.floor((body.length * part) / parts), Math.floor((body.length * (part + 1)) / parts)));
    await sleep(ms / parts);
  }
}

/** Wrappers that are null where nothing has the name or id (interface 7). */
const wrappers: Partial<Record<LogicalOperation, string>> = {
  getLeague: 'league',
  getPvpMatch: 'match',
  getCharacter: 'character',
  getStash: 'stash',
  getGuildStash: 'stash',
};

/** Changes a JSON reply to another that no client may stumble over. */
function changed(res: ServerResponse, change: (text: string) => string): void {
  const { writeHead, end } = res;
  let head: { status: number; headers: string[] } | undefined;
  res.writeHead = ((status: number, headers: readonly string[] | Record<string, string> = {}) => {
    head = { status, headers: Array.isArray(headers) ? [...(headers as string[])] : Object.entries(headers).flat() };
    return res;
  }) as typeof res.writeHead;
  res.end = ((content: string | Buffer = '') => {
    Object.assign(res, { writeHead, end });
    const text = content.toString();
    const more = text.startsWith('{') && (head?.status ?? 200) < 400 ? change(text) : text;
    const headers = head?.headers ?? [];
    const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'content-length');
    if (at >= 0) headers[at + 1] = String(Buffer.byteLength(more));
    const draft = draftOf(res as Response);
    if (draft?.reply) draft.reply = { ...draft.reply, content: more };
    if (head) res.writeHead(head.status, headers);
    return res.end(more);
  }) as typeof res.end;
}

/** A member of its own, or white space. */
function wider(text: string, isData: boolean, { extra, padding = 0 }: World): string {
  const added = extra && !isData ? `${text.slice(0, -1)},"x_undocumented":"the interface does not list this"}` : text;
  return padding > 0 && isData ? `{${' '.repeat(padding)}${added.slice(1)}` : added;
}
