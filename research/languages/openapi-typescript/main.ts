import createClient from 'openapi-fetch';
import type { paths } from './generated/game.js';

const { GAME_URL = 'http://127.0.0.1:4010', CLIENT_ID = '', CLIENT_SECRET = '', REFRESH_TOKEN = '' } = process.env;
const game = createClient<paths>({ baseUrl: GAME_URL });
const form = {
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  bodySerializer: (body: Record<string, string>) => new URLSearchParams(body).toString(),
};
const client = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET };
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
/** The reply, or the reason that there is none. */
async function must<T>(call: Promise<{ data?: T; error?: unknown }>): Promise<T> {
  const { data, error } = await call;
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const scope = 'service:leagues:ladder service:psapi';
const service = await must(
  game.POST('/oauth/token', { ...form, body: { ...client, grant_type: 'client_credentials', scope } }),
);
console.log(`client credentials: ${service.token_type}`);

const user = await must(
  game.POST('/oauth/token', {
    ...form,
    body: { ...client, grant_type: 'refresh_token', refresh_token: REFRESH_TOKEN },
  }),
);
console.log(`refresh: ${user.username}`);

const { character } = await must(
  game.GET('/character/{name}', { ...bearer(user.access_token), params: { path: { name: 'AsterOfReeds' } } }),
);
console.log(
  `character: level ${character?.level}, experience ${character?.experience}, ${character?.equipment?.length} items`,
);

let entries = 0;
for (let offset = 0; ; offset += 500) {
  const query = { limit: 500, offset };
  const params = { path: { league: 'Standard' }, query };
  const data = await must(game.GET('/league/{league}/ladder', { ...bearer(service.access_token), params }));
  const page = 'ladder' in data ? data.ladder : data.league; // live services have it in ladder
  if (!page || page.entries.length === 0) break;
  entries += page.entries.length;
}
console.log(`ladder: ${entries} entries`);

let id: string | undefined;
let [stashes, items] = [0, 0];
for (;;) {
  const params = { query: id === undefined ? {} : { id } };
  const page = await must(game.GET('/public-stash-tabs', { ...bearer(service.access_token), params }));
  if (page.stashes.length === 0) break;
  stashes += page.stashes.length;
  for (const stash of page.stashes) items += stash.items?.length ?? 0;
  id = page.next_change_id;
}
console.log(`stream: ${stashes} stashes, ${items} items`);
