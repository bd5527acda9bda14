import { isObject, objectIn } from '../json.js';
import type { JsonObject } from '../json.js';
import { problem } from './diagnosis.js';
import type { Diagnosis } from './diagnosis.js';
import { shown } from './control.js';
import { endpointUrl } from './endpoints.js';
import type { Transport } from './hooks.js';
import { nearest } from '../../src/input/nearest.js';
import { isOffered } from './offers.js';
import type { Known } from './table.js';
import type { Target } from './target.js';

/** Facts that name leagues which every service may look up. Names that are odd are there to be got wrong: a run is about them. */
const facts = [
  'main_leagues',
  'event_leagues',
  'ladder_league',
  'time_league',
  'score_league',
  'event_ladder_league',
  'pvp_league',
] as const satisfies readonly (keyof Known)[];

/** Those that lists have: where no ladder can be asked for, the others may be known by theirs alone. */
const inLists: ReadonlySet<string> = new Set(['known.main_leagues', 'known.event_leagues']);

/**
 * Leagues of `known` that the server does not have: a run would blame the server for each row that asks for one. So it is
 * only said where the server lists leagues, gives one of these by its id, and knows the named one neither in a list nor by
 * its id nor by its ladder. A server that breaks off is told of elsewhere.
 */
export const leagueFindings = (target: Target, transport: Transport): Promise<readonly Diagnosis[]> =>
  findingsOf(target, transport).catch(() => []);

async function findingsOf(target: Target, transport: Transport): Promise<readonly Diagnosis[]> {
  const named = facts.flatMap((fact) =>
    [target.known[fact] ?? []].flat().map((league) => ({ about: `known.${fact}`, league })),
  );
  if (named.length === 0 || !['listLeagues', 'getLeague'].every((id) => isOffered(target, id))) return [];
  const scopes = [[forLeagues, forLadders], [forLeagues]].find((needed) =>
    [...target.tokens, ...Object.values(target.clients)].some((one) => mayHave(one, needed)),
  );
  if (!scopes) return [];
  const token = await serviceToken(target, transport, scopes);
  if (token === undefined) return [];
  const hasLadders = scopes.includes(forLadders) && isOffered(target, 'getLeagueLadder');
  const ask = async (path: string): Promise<JsonObject | undefined> => {
    const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
    const answer = await transport({ method: 'GET', url: target.base_url + path, headers });
    return answer.status === 404 ? {} : answer.status === 200 ? objectIn(answer.text) : undefined;
  };
  // Whatever the wrapper: neither 404 nor null has an object in it.
  const isLacking = async (path: string): Promise<boolean> => {
    const body = await ask(path);
    return body !== undefined && !Object.values(body).some(isObject);
  };
  const listed = [...(await listedAs('main', ask)), ...(await listedAs('event', ask))];
  if (listed[0] === undefined || (await isLacking(`/league/${encodeURIComponent(listed[0])}`))) return [];

  const findings: Diagnosis[] = [];
  for (const { about, league } of named) {
    if (listed.includes(league) || !(hasLadders || inLists.has(about))) continue;
    const path = `/league/${encodeURIComponent(league)}`;
    if (!(await isLacking(path)) || (hasLadders && !(await isLacking(`${path}/ladder`)))) continue;
    const near = nearest(league, listed);
    const remedy = near === undefined ? 'write the id of one that it has' : `did you mean ${shown(near)}?`;
    findings.push(
      problem(
        about,
        `the server has no league ${shown(league)}: ${hasLadders ? `neither GET ${path} finds it nor GET ${path}/ladder` : `GET ${path} does not find it, nor do the lists`}`,
        remedy,
      ),
    );
  }
  return findings;
}

const page = 50;
const mostPages = 20;

/** The ids in a list of leagues. */
async function listedAs(type: string, ask: (path: string) => Promise<JsonObject | undefined>): Promise<string[]> {
  const ids: string[] = [];
  for (let offset = 0; offset < mostPages * page; offset += page) {
    const { leagues } = (await ask(`/league?type=${type}&limit=${page}&offset=${offset}`)) ?? {};
    const entries: readonly unknown[] = Array.isArray(leagues) ? leagues : [];
    ids.push(...entries.flatMap((one) => (isObject(one) && typeof one.id === 'string' ? [one.id] : [])));
    if (entries.length < page) break;
  }
  return ids;
}

const forLeagues = 'service:leagues';
const forLadders = 'service:leagues:ladder';

const mayHave = ({ scopes }: { readonly scopes: readonly string[] }, needed: readonly string[]): boolean =>
  needed.every((scope) => scopes.includes(scope));

/** A token with these scopes, from a client or ready; nothing where the server gives none. */
async function serviceToken(
  target: Target,
  transport: Transport,
  needed: readonly string[],
): Promise<string | undefined> {
  const ready = target.tokens.find((one) => mayHave(one, needed));
  if (ready) return ready.token;
  const client = Object.values(target.clients).find((one) => one.client_secret !== undefined && mayHave(one, needed));
  if (!client) return undefined;
  const { text } = await transport({
    method: 'POST',
    url: endpointUrl(target, 'token'),
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: client.client_id,
      client_secret: client.client_secret ?? '',
      scope: needed.join(' '),
    }).toString(),
  });
  const token = objectIn(text).access_token;
  return typeof token === 'string' ? token : undefined;
}
