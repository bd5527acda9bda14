import { isIPv4, isIPv6 } from 'node:net';
import type { Request } from './http.js';
import { Refusal } from './refusal.js';
import { reasonHeader } from './send.js';
import { SetupError } from '../input/setup-error.js';

/** A name or an address in brackets, and perhaps a port (RFC 9110 7.2). */
const hostForm = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/i;

/** How many spellings are remembered: those of loopback addresses and ports have no end. */
const most = 100;

/**
 * Refuses requests under a name that is not the mock's own. The page of another site can have its name point to this
 * machine (DNS rebinding) and is then of one origin with the mock, but it cannot hide the name. So the mock answers to
 * loopback names and addresses and to `names`, and to no other. The port is not looked at: a rebound name has the right
 * one, and a forwarded port need not.
 * @throws Refusal 403 that says how to allow the name, 400 for two Host headers (RFC 9112 3.2)
 */
export function hostGuard(names: readonly string[]): (req: Request) => void {
  const listed = new Set(names.map((given) => hostName(given)));
  const known = new Set<string>();
  const isOurs = (host: string): boolean => {
    const name = nameIn(host) ?? '';
    return isLoopbackName(name) || listed.has(name);
  };
  return (req) => {
    const host = hostOf(req);
    if (known.has(host)) return;
    if (!isOurs(host)) throw refusal(host);
    if (known.size >= most) known.clear();
    known.add(host);
  };
}

/** The name or address in a Host, in lower case; undefined where there is none: what looks like an address must be one. */
function nameIn(host: string): string | undefined {
  const name = hostForm.exec(host)?.[1]?.toLowerCase();
  if (name?.startsWith('[')) return isIPv6(name.slice(1, -1)) ? name : undefined;
  return name !== undefined && /^[\d.]+$/.test(name) && !isIPv4(name) ? undefined : name;
}

const isLoopbackName = (name: string): boolean =>
  name === 'localhost' || name === '[::1]' || (name.startsWith('127.') && isIPv4(name));

/** The Host of a request, whose target may have taken its place (`straighten`). @throws Refusal 400 where it is not one */
function hostOf({ httpVersion, headers, rawHeaders }: Request): string {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1) throw new Refusal(400, 'there are two Host headers; send one');
  if (hosts === 0 && httpVersion === '1.1') throw new Refusal(400, 'there is no Host header; send one');
  return headers.host ?? '';
}

function refusal(host: string): Refusal {
  const name = nameIn(host);
  const message =
    name === undefined || name.length > 253
      ? 'the Host of the request is no name or address'
      : `the mock does not answer to the Host ${name}; start it with --allow-host ${name} to allow it`;
  return new Refusal(403, message, { 'x-mock-reason': reasonHeader(message) });
}

/** An address or name as it stands in a Host header. @throws SetupError for anything else. */
export function hostName(given: string, option = 'allow-host'): string {
  const [address = ''] = given.split('%', 1); // the zone of an address stays on this machine
  const name = (isIPv6(address) ? `[${address}]` : given).toLowerCase();
  if (nameIn(name) === name) return name;
  throw new SetupError(
    `${option} ${given}: not a host name; write it without scheme and port, in ASCII, like mock.test or 192.168.1.5`,
  );
}
