import { Api } from './generated/game.js';

const { GAME_URL = 'http://127.0.0.1:4010', CLIENT_ID = '', CLIENT_SECRET = '', REFRESH_TOKEN = '' } = process.env;
// Replies that are components have no format of their own, so that all get one here.
const game = new Api({ baseUrl: GAME_URL, baseApiParams: { format: 'json' } });
const application = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET };
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

const scope = 'service:leagues:ladder service:psapi';
const { data: service } = await game.oauth.issueToken({ ...application, grant_type: 'client_credentials', scope });
console.log(`client credentials: ${service.token_type}`);

const { data: user } = await game.oauth.issueToken({
  ...application,
  grant_type: 'refresh_token',
  refresh_token: REFRESH_TOKEN,
});
console.log(`refresh: ${user.username}`);

const { character } = (await game.character.getCharacter('AsterOfReeds', bearer(user.access_token))).data;
console.log(
  `character: level ${character?.level}, experience ${character?.experience}, ${character?.equipment?.length} items`,
);

let entries = 0;
for (let offset = 0; ; offset += 500) {
  const { data } = await game.league.getLeagueLadder('Standard', { limit: 500, offset }, bearer(service.access_token));
  const page = 'ladder' in data ? data.ladder : data.league; // live services have it in ladder
  if (!page || page.entries.length === 0) break;
  entries += page.entries.length;
}
console.log(`ladder: ${entries} entries`);

let id: string | undefined;
let [stashes, items] = [0, 0];
for (;;) {
  const query = id === undefined ? {} : { id };
  const { data } = await game.publicStashTabs.getPublicStashTabs(query, bearer(service.access_token));
  if (data.stashes.length === 0) break;
  stashes += data.stashes.length;
  for (const stash of data.stashes) items += stash.items?.length ?? 0;
  id = data.next_change_id;
}
console.log(`stream: ${stashes} stashes, ${items} items`);
