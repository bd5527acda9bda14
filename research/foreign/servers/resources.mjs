/** What the gateway shows behind introspection, for servers that guard their resources themselves. */
const scopes = { '/profile': 'account:profile', '/character': 'account:characters', '/league': 'service:leagues' };

/**
 * Answers a request for a resource; false where it is for none. `meaning` is what the server makes of a token: its
 * scopes and its account, or undefined.
 */
export async function resources(request, response, meaning) {
  const { pathname } = new URL(request.url, 'http://server');
  const scope = scopes[pathname];
  if (scope === undefined) return false;
  const token = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  const found = token === undefined ? undefined : await meaning(token);
  const status = !found ? 401 : found.scopes.includes(scope) ? 200 : 403;
  const bodies = {
    '/profile': { uuid: found?.uuid, name: found?.name, locale: null },
    '/character': { characters: [] },
    '/league': { leagues: [] },
  };
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(status === 200 ? bodies[pathname] : { error: 'refused' }));
  return true;
}
