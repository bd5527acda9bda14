import { getCharacter, getLeagueLadder, getPublicStashTabs, issueToken } from './generated/game.js';

const { CLIENT_ID = '', CLIENT_SECRET = '', REFRESH_TOKEN = '' } = process.env;
const application = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET };
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
/** The reply of a call: request.ts throws for every other status. */
function must<T extends { status: number; data: unknown }>(reply: T) {
  if (reply.status !== 200) throw new Error(`${reply.status}`);
  return reply.data as Extract<T, { status: 200 }>['data'];
}

const scope = 'service:leagues:ladder service:psapi';
const service = must(await issueToken({ ...application, grant_type: 'client_credentials', scope }));
console.log(`client credentials: ${service.token_type}`);

const refresh = { grant_type: 'refresh_token', refresh_token: REFRESH_TOKEN } as const;
const user = must(await issueToken({ ...application, ...refresh }));
console.log(`refresh: ${user.username}`);

const { character } = must(await getCharacter('AsterOfReeds', bearer(user.access_token)));
console.log(
  `character: level ${character?.level}, experience ${character?.experience}, ${character?.equipment?.length} items`,
);

let entries = 0;
for (let offset = 0; ; offset += 500) {
  const data = must(await getLeagueLadder('Standard', { limit: 500, offset }, bearer(service.access_token)));
  const page = data.ladder ?? data.league; // live services have it in ladder
  if (!page?.entries || page.entries.length === 0) break;
  entries += page.entries.length;
}
console.log(`ladder: ${entries} entries`);

let id: string | undefined;
let [stashes, items] = [0, 0];
for (;;) {
  const query = id === undefined ? {} : { id };
  const page = must(await getPublicStashTabs(query, bearer(service.access_token)));
  if (page.stashes.length === 0) break;
  stashes += page.stashes.length;
  for (const stash of page.stashes) items += stash.items?.length ?? 0;
  id = page.next_change_id;
}
console.log(`stream: ${stashes} stashes, ${items} items`);
