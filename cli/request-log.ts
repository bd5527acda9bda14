import type { Emphasis } from '../conformance/report/terminal.js';
import { line } from '../conformance/text.js';
import type { ExchangeRecord } from '../src/server/exchange-record.js';
import { isOwnPage } from '../src/server/pages/own.js';

/** Characters of a path and of a reason. */
const most = { target: 100, reason: 300 };

/** Parameters of authorization requests and callbacks whose values let somebody in. */
const secret = /([?&](?:code|state|access_token|refresh_token|token|client_secret|code_verifier)=)[^&#]*/gi;

/**
 * A request in a line: method, path, status, reason. Undefined for the mock's own pages, which the person who reads the
 * lines has open.
 */
export function requestLine(record: ExchangeRecord, { strong, faint }: Emphasis): string | undefined {
  if (isOwnPage(record)) return undefined;
  const { method, target, decision, reason, reply, account, clientId } = record;
  const status = reply === null ? decision : String(reply.status);
  const who = [account, clientId].filter((name) => name !== undefined).join(', ');
  const place = line(target.replaceAll(secret, '$1…'), most.target);
  const shown = decision === 'answered' || reply === null || reply.status < 400 ? status : strong(status);
  const why = reason === undefined ? '' : `  ${line(reason, most.reason)}`;
  return `${shown} ${method} ${place}${who === '' ? '' : faint(`  ${line(who, 80)}`)}${why}\n`;
}
