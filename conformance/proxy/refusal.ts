import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';

import { bare } from '../wire/connection.js';
import { listOf } from './headers.js';

/** An answer of the proxy's own: status, error type of RFC 9209 2.3, and what was met. */
export interface Refusal {
  readonly status: number;
  readonly error: string;
  readonly why: string;
}

/** Upgrades that a server may ignore without harm: the client goes on in HTTP/1.1 (RFC 9110 7.8), as Java's does. */
const ignored = /^(h2c|tls\/1\.[0-9])$/;

const denied = (status: number, why: string): Refusal => ({ status, error: 'http_request_denied', why });

export interface Guard {
  /** The origin that the proxy stands for. */
  readonly origin: string;
  /** Names that it answers to beside addresses, localhost and the server's own. */
  readonly names: readonly string[];
  /** What it is called in Via. */
  readonly via: string;
}

/** Why a request does not go on, or undefined where it does. */
export function refusalOf(
  { method, url = '', rawHeaders, headers }: IncomingMessage,
  guard: Guard,
): Refusal | undefined {
  const upgrades = listOf(rawHeaders, 'upgrade').filter((name) => !ignored.test(name));
  if (upgrades.length > 0)
    return denied(
      501,
      `upgrades are not passed on, and ${upgrades.join(', ')} was asked for; connect to the server itself`,
    );
  if (listOf(rawHeaders, 'via').some((member) => member.includes(guard.via)))
    return {
      status: 508,
      error: 'proxy_loop_detected',
      why: 'the request came back to this proxy; correct the address of the target',
    };
  const authority = isAbsolute(url) ? hostOf(url) : headers.host === undefined ? '' : hostOf(`http://${headers.host}`);
  if (authority === undefined || !(url.startsWith('/') || isAbsolute(url) || (url === '*' && method === 'OPTIONS')))
    return denied(400, 'the request names no address of HTTP');
  return isOurs(authority, guard, isAbsolute(url))
    ? undefined
    : denied(
        421,
        `this proxy does not answer to the host ${authority.slice(0, 100)}; start it with --allow-host to allow that`,
      );
}

const isAbsolute = (target: string): boolean => /^https?:\/\//i.test(target);

/** The path and query of a request target, as written (RFC 9112 3.2). */
export const pathOf = (target: string): string =>
  isAbsolute(target) ? target.replace(/^[^:]+:\/\/[^/?#]*/, '').replace(/^(?!\/)/, '/') : target;

const hostOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).hostname : undefined);

/**
 * A page of another site can have its name point here (DNS rebinding), but no address is its own. Who writes a whole URL
 * may mean another server (RFC 9112 3.2.2), which this proxy is not for.
 */
function isOurs(host: string, { origin, names }: Guard, isWhole: boolean): boolean {
  if (['', 'localhost', '127.0.0.1', '[::1]', new URL(origin).hostname, ...names].includes(host)) return true;
  return !isWhole && isIP(bare(host)) > 0;
}
