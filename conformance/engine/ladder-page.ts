import { member } from '../wire/answer.js';

/**
 * The page in the body of a ladder's reply: the member `ladder`, where live services have it beside the league or match
 * (F-OBS-LADDER), else the wrapper, as the description has it. Of any other body the wrapper.
 */
export const ladderPage = (body: unknown, wrapper: string): unknown => member(body, 'ladder') ?? member(body, wrapper);
