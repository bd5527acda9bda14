import { member } from '../wire/answer.js';

/**
 * The page in the body of a ladder's reply: the member `ladder`, where live services have it beside the league or match
 * (F-OBS-LADDER), else the wrapper, as the description has it. Of any other body the wrapper.
 */
export function ladderPage(body: unknown, wrapper: string): unknown {
  const beside = member(body, wrapper);
  return beside === undefined ? undefined : (member(body, 'ladder') ?? beside);
}
