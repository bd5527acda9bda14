import createClient from 'openapi-fetch';
import type { paths } from './generated/game.js';

const { GAME_URL: baseUrl = 'http://127.0.0.1:4010', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env;
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const game = createClient<paths>({ baseUrl });
const client = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET };
const body = { ...client, grant_type: 'client_credentials', scope: 'service:leagues:ladder' } as const;
const { data: token, error: refused } = await game.POST('/oauth/token', { body, headers: form });
const headers = { authorization: `Bearer ${token?.access_token}` };
const params = { path: { league: 'Standard' }, query: { limit: 10 } };
const { data: page, error = refused } = await game.GET('/league/{league}/ladder', { headers, params });
if (!page) throw new Error(JSON.stringify(error));
const ladder = 'ladder' in page ? page.ladder : page.league; // live services have it in ladder
for (const { rank, character } of ladder?.entries ?? []) console.log(rank, character.name, character.level);
