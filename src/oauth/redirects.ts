import type { Switches } from '../contract/index.js';
import type { Client } from '../world/world.js';

/** Whether a client may name any port in a loopback URI that it registered. */
export const allowsAnyPort = ({ type, redirectUris }: Client, switches: Switches): boolean =>
  type === 'public' &&
  switches['redirect.loopbackAnyPort'] === 'public' &&
  redirectUris.some((uri) => readLoopback(uri) !== undefined);

/**
 * Whether a redirect URI is one that the client registered: the same characters, no more and no less (interface 4.1).
 * The loopback URI of a public client may name any port, for a native app cannot know it beforehand (RFC 8252 7.3,
 * K-081, switch redirect.loopbackAnyPort). 127.0.0.1, [::1] and localhost are not taken for each other.
 */
export function isRegistered(uri: string, client: Client, switches: Switches): boolean {
  if (client.redirectUris.includes(uri)) return true;
  if (!allowsAnyPort(client, switches)) return false;
  const asked = readLoopback(uri);
  return (
    asked !== undefined &&
    client.redirectUris.some((registered) => {
      const own = readLoopback(registered);
      return own?.host === asked.host && own.rest === asked.rest;
    })
  );
}

/** A loopback URI taken apart as text: nothing is normalised, so that nothing but the port can differ. */
function readLoopback(uri: string): { host: string; rest: string } | undefined {
  const [, host, port, rest] =
    /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::(\d{1,5}))?((?:[/?].*)?)$/.exec(uri) ?? [];
  if (host === undefined || rest === undefined) return undefined;
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return undefined;
  return { host, rest };
}

/**
 * A redirect URI with response parameters in its query. What stands there already is kept (RFC 6749 3.1.2). Order and
 * the form of a space follow the switches authorize.paramOrder and authorize.spaceForm.
 */
export function withParameters(uri: string, parameters: Readonly<Record<string, string>>, switches: Switches): string {
  const space = switches['authorize.spaceForm'] === 'plus' ? '+' : '%20';
  const encode = (text: string): string => encodeURIComponent(text).replaceAll('%20', space);
  const entries = Object.entries(parameters);
  if (switches['authorize.paramOrder'] === 'state-first') {
    entries.sort(([one], [other]) => Number(other === 'state') - Number(one === 'state'));
  }
  const query = entries.map(([name, value]) => `${name}=${encode(value)}`).join('&');
  if (!uri.includes('?')) return `${uri}?${query}`;
  return /[?&]$/.test(uri) ? uri + query : `${uri}&${query}`;
}
