import { replyOf } from './call.js';
import type { Call } from './call.js';
import { own, tokenCalls } from './rows/requests.js';
import type { WorldRun } from './run.js';

const tokenIn = ({ bearer, form }: Call): string | undefined => bearer ?? form.get('refresh_token') ?? undefined;

/** Whether a token was issued in a world, or given to the client there. */
const isOf = (token: string, run: WorldRun): boolean =>
  run.facts.given.includes(token) ||
  tokenCalls(run).some((call) => ['access_token', 'refresh_token'].some((name) => replyOf(call, name) === token));

/** The world of whose tokens a client sends one first: it keeps them where every world finds them. */
export function beginsWithStateOf(run: WorldRun, runs: readonly WorldRun[]): string | undefined {
  const [token] = own(run).flatMap((call) => tokenIn(call) ?? []);
  if (token === undefined || isOf(token, run)) return undefined;
  return runs.find((other) => other !== run && isOf(token, other))?.world.id;
}
