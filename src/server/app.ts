import type { RequestListener, Server } from 'node:http';

import type { RequestHandler } from 'express';

import type { Unconnected } from './express.js';
import { createExpress } from './express.js';
import type { Hook } from './hook.js';
import { hooked } from './hook.js';
import { hostGuard } from './hosts.js';
import type { Answer, Request } from './http.js';
import { answerMalformed } from './malformed.js';
import { packageFiles } from './package-files.js';
import type { Pipeline, PipelineOptions } from './pipeline.js';
import { createPipeline } from './pipeline.js';
import type { Service } from './service.js';

export interface AppOptions extends Omit<PipelineOptions, 'files' | 'guard'> {
  /** Names and addresses that the mock answers to beside those of loopback. */
  readonly allowHosts: readonly string[];
  /** What a program that embeds the app does to requests and replies. */
  readonly hook?: Hook;
}

export interface App extends Pick<Pipeline, 'controls' | 'namespaces'> {
  /** The Express app. */
  readonly app: Answer;
  /** Makes the server that the app is fast on; `handle` stands before the app. */
  readonly listen: (handle?: RequestListener) => Server;
  /** A request and a response of no connection, for the app. */
  readonly unconnected: Unconnected;
  readonly guard: (req: Request) => void;
}

/** The Express app of one mock, and what serves it. */
export function createApp(service: Service, options: AppOptions): App {
  const guard = hostGuard(options.allowHosts);
  const { answer, controls, namespaces, replyOf } = createPipeline(service, { ...options, files: packageFiles, guard });
  const { app, handle: own, listen, unconnected } = createExpress();
  const { hook } = options;
  app.disable('x-powered-by');
  app.set('query parser', false);
  // Both are what `createExpress` makes, which Express's types do not know.
  app.use(answer as unknown as RequestHandler);
  const entry = app as unknown as Answer;
  return {
    app: entry,
    listen: (handle = hook ? hooked(hook, own) : own) => answerMalformed(listen(handle), entry, replyOf),
    unconnected,
    guard,
    controls,
    namespaces,
  };
}
