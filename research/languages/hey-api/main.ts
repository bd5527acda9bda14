import { getCharacter, getLeagueLadder, getPublicStashTabs, issueToken } from './generated/index.js';
import { client } from './generated/client.gen.js';

const { GAME_URL = 'http://127.0.0.1:4010', CLIENT_ID = '', CLIENT_SECRET = '', REFRESH_TOKEN = '' } = process.env;
client.setConfig({ baseUrl: GAME_URL, throwOnError: true });
const application = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET };
const bearer = (auth: string) => ({ auth, throwOnError: true as const });

const scope = 'service:leagues:ladder service:psapi';
const service = await issueToken({
  body: { ...application, grant_type: 'client_credentials', scope },
  throwOnError: true,
});
console.log(`client credentials: ${service.data.token_type}`);

const user = await issueToken({
  body: { ...application, grant_type: 'refresh_token', refresh_token: REFRESH_TOKEN },
  throwOnError: true,
});
console.log(`refresh: ${user.data.username}`);

const path = { name: 'AsterOfReeds' };
const { character } = (await getCharacter({ ...bearer(user.data.access_token), path })).data;
console.log(
  `character: level ${character?.level}, experience ${character?.experience}, ${character?.equipment?.length} items`,
);

let entries = 0;
for (let offset = 0; ; offset += 500) {
  const ask = { path: { league: 'Standard' }, query: { limit: 500, offset } };
  const { data } = await getLeagueLadder({ ...bearer(service.data.access_token), ...ask });
  const page = 'ladder' in data ? data.ladder : data.league; // live services have it in ladder
  if (!page || page.entries.length === 0) break;
  entries += page.entries.length;
}
console.log(`ladder: ${entries} entries`);

let id: string | undefined;
let [stashes, items] = [0, 0];
for (;;) {
  const query = id === undefined ? {} : { id };
  const { data } = await getPublicStashTabs({ ...bearer(service.data.access_token), query });
  if (data.stashes.length === 0) break;
  stashes += data.stashes.length;
  for (const stash of data.stashes) items += stash.items?.length ?? 0;
  id = data.next_change_id;
}
console.log(`stream: ${stashes} stashes, ${items} items`);
