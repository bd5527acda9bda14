import type { Request, Response } from './http.js';
import type { GameOperation } from '../contract/index.js';
import type { Game, GameRequest } from '../game/game.js';
import { handlers } from '../game/index.js';
import { authorize } from './access.js';
import { dataReply } from './data-reply.js';
import type { Outcome } from './data-reply.js';
import { draftOf } from './exchanges.js';
import { ofToken } from './identity.js';
import { readRequest } from './request.js';
import type { Match } from './routes.js';
import type { HttpReply } from './send.js';
import type { Service } from './service.js';

/** A request to a data operation that has passed everything before the operation itself. */
type Admitted = GameRequest<GameOperation>;

const run = handlers as unknown as Readonly<Record<GameOperation, (request: Admitted, game: Game) => Outcome>>;

/** The steps of every data request, in the order in which they refuse: 401, 403, then the rest (K-129). */
export async function answerData(
  match: Match,
  query: string,
  req: Request,
  res: Response,
  service: Service,
): Promise<HttpReply> {
  const { operation } = match;
  const { account, client, token } = authorize(operation, req.headers.authorization, service);
  const draft = draftOf(res);
  if (draft) draft.identity ??= ofToken(token);
  const { params, body } = await readRequest(match, query, { req, res }, service.switches);
  const admitted = { params, body, account, client } as Admitted;
  const outcome = run[operation.logical as GameOperation](admitted, service.game);
  return dataReply(operation, outcome, params.realm, service);
}
