import { replyOf } from '../call.js';
import type { Call } from '../call.js';
import { authorizations, dataCalls, tokenCalls } from '../rows/requests.js';
import type { WorldRun } from '../run.js';
import type { Scenario } from '../scenario.js';

/** What a client must have done in the calm world for another one to say anything. */
export interface PlannedWorld extends Scenario {
  readonly needs?: (calm: WorldRun) => boolean;
  /** What is run in its place, where it is not needed for that reason. */
  readonly instead?: (calm: WorldRun) => string | undefined;
}

/** The access token ends when the client has used it once. */
export const ends = [{ when: { data: 1 }, do: 'end-access' }] as const;

export const asksUser = (calm: WorldRun): boolean => authorizations(calm).length > 0;
export const visited = (calm: WorldRun): boolean => calm.visits.some(({ callbacks }) => callbacks.length > 0);
export const canRefresh = (calm: WorldRun): boolean =>
  tokenCalls(calm).some((call) => typeof replyOf(call, 'refresh_token') === 'string');
export const getsTokens = (calm: WorldRun): boolean => tokenCalls(calm).some(({ status }) => status === 200);
export const uses =
  (...operations: readonly (Call['operation'] | undefined)[]) =>
  (calm: WorldRun): boolean =>
    dataCalls(calm).some(({ operation }) => operations.includes(operation));
export const asksData = (calm: WorldRun): boolean => dataCalls(calm).length > 0;

export const faulted = ({ decision, data }: Call): boolean => decision === 'faulted' && data;
export const limited = ({ decision }: Call): boolean => decision === 'limited';
export const refusedToken = ({ data, status }: Call): boolean => data && status === 401;
export const faultedToken = ({ decision, operation }: Call): boolean =>
  decision === 'faulted' && operation === 'issueToken';
export const holds =
  (text: string) =>
  (call: Call): boolean =>
    call.delivery === 'sent' && call.text.includes(text);
