import { operationList } from '../../contract/index.js';
import { meant } from '../../input/nearest.js';
import type { ExchangeRecord } from '../exchange-record.js';
import { Refusal } from '../refusal.js';

/** The filter of a journal call as it stands in its query. */
export interface Filter {
  readonly operation?: string;
  readonly client_id?: string;
  readonly account?: string;
  readonly status?: string;
  readonly decision?: string;
  readonly after?: string;
}

const names = ['operation', 'client_id', 'account', 'status', 'decision', 'after'] as const;
const decisions = ['answered', 'refused', 'limited', 'faulted', 'failed', 'abandoned'];

/** Every name that an operation goes by: that of the interface, and those of the OpenAPI document. */
const operations = new Set(operationList.flatMap(({ id, logical }) => [id, logical] as string[]));

/** What a query asks for beside a filter, and the filter. @throws Refusal 400 for what no filter has */
export function readFilter(
  query: string,
  others: readonly string[] = [],
): { filter: Filter; rest: Record<string, string> } {
  const filter: Record<string, string> = {};
  const rest: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    if (others.includes(name)) rest[name] = value;
    else if ((names as readonly string[]).includes(name)) filter[name] = value;
    else throw new Refusal(400, `${name}: no parameter of this call; it takes ${[...names, ...others].join(', ')}`);
  }
  const { operation, status, decision, after } = filter;
  if (operation !== undefined) knownOperation(operation);
  if (status !== undefined && !/^[1-5](\d\d|xx)$/.test(status))
    throw new Refusal(400, `status ${status}: write a status like 404, or a class like 4xx`);
  if (decision !== undefined && !decisions.includes(decision))
    throw new Refusal(
      400,
      `decision ${decision}: no such decision${meant(decision, decisions)}; the decisions are ${decisions.join(', ')}`,
    );
  if (after !== undefined && !/^\d{1,15}$/.test(after))
    throw new Refusal(400, `after ${after}: write the number of an entry`);
  return { filter, rest };
}

/** @throws Refusal 400 naming the operations, or those that come near */
function knownOperation(name: string): void {
  if (operations.has(name)) return;
  const near = [...operations].filter((known) => known.toLowerCase().includes(name.toLowerCase()));
  const hint = name !== '' && near.length > 0 ? `did you mean ${near.slice(0, 5).join(', ')}?` : '';
  throw new Refusal(
    400,
    `operation ${JSON.stringify(name)}: no such operation; ${hint || `the operations are ${[...new Set(operationList.map(({ logical }) => logical))].join(', ')}`}`,
  );
}

/** Whether a record is meant by a filter. */
export function fits(
  record: ExchangeRecord,
  { operation, client_id, account, status, decision, after }: Filter,
): boolean {
  return (
    (operation === undefined || operation === record.logical || operation === record.operationId) &&
    (client_id === undefined || client_id === record.clientId) &&
    (account === undefined || account === record.account) &&
    (status === undefined || (record.reply !== null && statusFits(status, record.reply.status))) &&
    (decision === undefined || decision === record.decision) &&
    (after === undefined || record.number > Number(after))
  );
}

const statusFits = (wanted: string, status: number): boolean =>
  wanted.endsWith('xx') ? wanted[0] === String(status)[0] : Number(wanted) === status;
