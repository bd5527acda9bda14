import { operationList } from '../../src/contract/index.js';
import type { GameOperation } from '../../src/contract/index.js';
import { roles } from '../target/table.js';
import { member } from '../wire/answer.js';
import type { Target } from '../target/target.js';
import type { Run } from './run.js';
import type { Session } from './session.js';
import { Stopped } from '../verdict.js';

/**
 * Shows the monitors what the server has: a sample of every operation in every realm, each tab and character of a
 * list, a token of every client, an approval, a refusal and an error. It judges nothing, so that a monitor's row can
 * be asked for on its own.
 */
export async function survey(run: Run): Promise<void> {
  const glance = async (look: () => Promise<unknown>): Promise<void> => {
    try {
      await look();
    } catch (error) {
      if (error instanceof Stopped) throw error;
      // Whatever did not work here is the business of a check.
    }
  };
  try {
    for (const role of roles) {
      const client = run.facts.target.clients[role];
      if (!client) continue;
      if (client.redirect_uri !== undefined && run.facts.hooks.consent) {
        await glance(async () => {
          const grant = await run.oauth.grant(role);
          if (grant.refresh !== undefined) await run.oauth.refreshed(grant);
        });
        await glance(() => run.oauth.authorize(run.oauth.authorizationRequest(role).fields, { decision: 'deny' }));
      }
      await glance(() => run.oauth.clientCredentials(role));
    }
    await glance(() => run.oauth.tokenRequest([['grant_type', 'authorization_code']]));
    await glance(() => run.oauth.revoke([], { token: null }));
    await glance(async () => run.oauth.introspect([['token', await run.oauth.token(['account:profile'])]]));
    await glance(() => run.oauth.introspect([['token', 'unknown']]));
    await glance(() => run.http.data('getProfile', { token: null }));
    const asked = new Set<string>();
    for (const { server, logical, method, realm } of operationList) {
      const key = `${logical} ${realm ?? ''}`;
      if (server !== 'data' || method !== 'GET' || asked.has(key)) continue;
      asked.add(key);
      const operation = logical as GameOperation;
      await glance(async () => run.http.data(operation, await run.facts.sample(operation, realm ? { realm } : {})));
    }
    await glance(() => everyMatch(run));
    await glance(() => everyLadder(run));
    await glance(() => everyAtlas(run));
    await glance(() => everyCharacter(run));
    await glance(() => everyTab(run));
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
}

/** A line for each operation that the target declares as not offered, and that answers all the same. No row depends on it. */
export async function unexpectedOffers(session: Session, { not_offered }: Target): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { id, method, path, server, scope } of operationList) {
    if (!not_offered.includes(id) || server !== 'data' || method !== 'GET' || path.includes('{')) continue;
    const ask = async () => {
      const token = scope !== undefined && session.obtainable().has(scope) ? await session.token([scope]) : null;
      return session.http.raw('GET', path, { token });
    };
    const answer = await ask().catch(() => undefined);
    if (answer?.status !== 200) continue;
    found.push(`${id} is declared in not_offered, but GET ${path} answered 200: remove it there to have it judged.`);
  }
  return found;
}

const namesOf = (list: unknown, name: string): string[] =>
  Array.isArray(list) ? list.map((entry) => member(entry, name)).filter((value) => typeof value === 'string') : [];

async function everyMatch(run: Run): Promise<void> {
  const { pvp_season: season } = run.facts.target.known;
  const league = await run.facts.found('pvp_league');
  const lists: Record<string, string>[] = [
    {},
    ...(season === undefined ? [] : [{ type: 'season', season }]),
    ...(league === undefined ? [] : [{ type: 'league', league }]),
  ];
  for (const args of lists) {
    const list = await run.http.data('listPvpMatches', { args });
    for (const match of namesOf(member(list.json, 'matches'), 'id').slice(0, 5)) {
      await run.http.data('getPvpMatchLadder', { args: { match, limit: '20' } });
    }
  }
}

async function everyLadder(run: Run): Promise<void> {
  const [time, score] = [await run.facts.found('time_league'), await run.facts.found('score_league')];
  for (const [league, sort] of [
    [time, 'time'],
    [score, 'score'],
  ] as const) {
    if (league !== undefined) await run.http.data('getLeagueLadder', { args: { league, sort, limit: '20' } });
  }
}

async function everyAtlas(run: Run): Promise<void> {
  const list = await run.http.data('listAccountLeagues', {});
  for (const league of namesOf(member(list.json, 'leagues'), 'id').slice(0, 10)) {
    await run.http.data('getLeagueAccount', { args: { league } });
  }
}

async function everyCharacter(run: Run): Promise<void> {
  const game2 = run.facts.target.known.game2_account;
  for (const [realm, account] of [['pc'], ['game2', game2]] as const) {
    const who = account === undefined ? {} : { account };
    const list = await run.http.data('listCharacters', { args: { realm }, ...who });
    for (const name of namesOf(member(list.json, 'characters'), 'name').slice(0, 20)) {
      if (['pc', 'xbox', 'sony', run.facts.target.names.game2].includes(name)) continue;
      await run.http.data('getCharacter', { args: { realm, name }, ...who });
    }
  }
}

async function everyTab(run: Run): Promise<void> {
  const { args = {} } = await run.facts.sample('listStashes');
  const league = String(args['league']);
  const list = await run.http.data('listStashes', { args: { league } });
  for (const stash_id of namesOf(member(list.json, 'stashes'), 'id').slice(0, 40)) {
    await run.http.data('getStash', { args: { league, stash_id } });
  }
}
