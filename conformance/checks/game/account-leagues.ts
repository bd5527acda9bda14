import { dateTimeOf } from '../../date-time.js';
import { check, group } from '../../engine/check.js';
import type { Run } from '../../engine/run.js';
import { isObject, objectOf } from '../../json.js';
import type { JsonObject } from '../../json.js';
import { look, told, wordsOf } from '../../model/leagues.js';
import { answeredApart, byBoth, sameForEveryClient } from '../../model/one-answer.js';
import { contradiction } from '../../model/difference.js';
import { member } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';
import { entries } from './forms.js';

const shape = check({
  id: 'ACCLEAGUE-001',
  level: 'MUST',
  sentence: 'GET /account/leagues returns `leagues`, an array of League.',
  source: '4.2',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    const answer = await run.http.data('listAccountLeagues');
    const leagues = run.expect.list(answer, 'leagues');
    for (const league of leagues)
      run.expect.that(typeof league['id'] === 'string', 'a League with an id', league, answer);
    await answeredApart(run, 'listAccountLeagues', byBoth(run, {}));
  },
});

const wordsIn = (answer: Answer): ReadonlySet<unknown> => wordsOf(entries(answer, 'leagues').map(objectOf));

const privateOnes = check({
  id: 'ACCLEAGUE-002',
  level: 'MUST',
  sentence: 'Private leagues that the account can play in are included, and those of others are not.',
  source: '4.2,5.7',
  needs: [['client:confidential', 'client:public'], 'consent', 'second-account', 'known:private_league'],
  judge: async (run) => {
    const { private_league: mine, private_league_of_bob: theirs } = run.facts.target.known;
    if (mine === undefined && theirs === undefined)
      return run.expect.missing('known.private_league', 'set known.private_league in the target');
    const second = run.oauth.accounts().includes('bob');
    const lists = { alice: await run.http.data('listAccountLeagues', { account: 'alice' }) };
    const ofBob = second ? await run.http.data('listAccountLeagues', { account: 'bob' }) : undefined;
    const expect = (answer: Answer, league: string, there: boolean, who: string): void => {
      run.expect.status(answer, 200);
      run.expect.that(
        wordsIn(answer).has(league) === there,
        `${there ? 'the' : 'no'} private league ${league} in the list of ${who}`,
        [...wordsIn(answer)],
        answer,
      );
    };
    if (mine !== undefined) {
      expect(lists.alice, mine, true, 'alice');
      if (ofBob) expect(ofBob, mine, false, 'bob');
    }
    if (theirs !== undefined) {
      if (ofBob) expect(ofBob, theirs, true, 'bob');
      expect(lists.alice, theirs, false, 'alice');
    }
    await byItsOwner(run, [mine, theirs]);
    await sameForEveryClient(run, 'listAccountLeagues', { account: 'alice' });
    if (second) await sameForEveryClient(run, 'listAccountLeagues', { account: 'bob' });
  },
});

/** The owner of an application is one account (interface 5.6); that it plays in the private leagues of both is possible. */
async function byItsOwner(run: Run, [mine, theirs]: readonly (string | undefined)[]): Promise<void> {
  const { clients, known } = run.facts.target;
  if (!clients.service_account?.scopes.includes('account:leagues') || mine === undefined || theirs === undefined)
    return;
  if (known.owner === undefined || ['alice', 'bob'].includes(known.owner)) return;
  const { access: token } = await run.oauth.clientCredentials('service_account', { scopes: ['account:leagues'] });
  const answer = await run.http.data('listAccountLeagues', { token });
  if (wordsIn(answer).has(mine) && wordsIn(answer).has(theirs))
    run.expect.warn("the owner's list has the private leagues of both alice and bob", answer);
}

const realms = check({
  id: 'ACCLEAGUE-003',
  level: 'MUST',
  sentence: 'xbox and sony are accepted as the realm of account leagues.',
  source: '4.2',
  needs: [['client:confidential', 'client:public'], 'consent'],
  judge: (run) =>
    run.expect.each(
      'realm %s',
      ['xbox', 'sony'],
      async (realm) => void run.expect.list(await run.http.data('listAccountLeagues', { args: { realm } }), 'leagues'),
    ),
});

const day = 86_400_000;

/** A league that is there and not over; unknown is taken for over, which leaves the league out. */
async function running(run: Run, word: string): Promise<JsonObject | undefined> {
  if (!run.oauth.obtainable().has('service:leagues')) return undefined;
  const found = member((await look(run, word, 'pc')).json, 'league');
  if (!isObject(found)) return undefined;
  if (typeof found['endAt'] !== 'string') return found;
  const end = dateTimeOf(found['endAt']);
  // Without a zone it is anywhere within a day.
  return end && end.ms - (end.zoned ? 0 : day) > (await run.facts.now()) * 1000 ? found : undefined;
}

/** Whether an account lists a league, by whatever word: the lookups of both show that they are one (K-035). */
async function isAmong(run: Run, league: JsonObject, listed: ReadonlySet<unknown>): Promise<boolean> {
  const own = wordsOf([league]);
  if ([...own].some((word) => listed.has(word))) return true;
  for (const word of [...listed].filter((one) => typeof one === 'string').slice(0, 40)) {
    const other = member((await look(run, word, 'pc')).json, 'league');
    if (isObject(other) && own.has(other['id'])) return true;
  }
  return false;
}

const played = check({
  id: 'ACCLEAGUE-004',
  level: 'INFER',
  sentence: 'The leagues in which an account has characters or tabs are among its leagues.',
  source: '4.2',
  entailed: '4.2: the list has the leagues available to the account, and it is in these',
  needs: [['client:confidential', 'client:public'], 'consent', 'scope:account:characters'],
  judge: async (run) => {
    const answer = await run.http.data('listAccountLeagues');
    run.expect.status(answer, 200);
    // A character names its league; where a league has a name apart from its id, either may be meant (K-035).
    const listed = wordsIn(answer);
    const characters = entries(await run.http.data('listCharacters'), 'characters');
    const current = characters.filter(
      (one) =>
        member(one, 'expired') !== true && member(one, 'deleted') !== true && typeof member(one, 'league') === 'string',
    );
    const played = new Set([...current.map((one) => member(one, 'league')), ...(await stashLeague(run))]);
    if (played.size === 0)
      return run.expect.notExercised('the account has neither characters nor stash tabs in a league');
    let judged = 0;
    for (const word of played) {
      if (typeof word !== 'string') continue;
      const league = listed.has(word) ? undefined : await running(run, word);
      if (!listed.has(word) && !league) continue;
      judged += 1;
      run.expect.that(
        !league || (await isAmong(run, league, listed)),
        `${word}, where the account has characters or tabs`,
        [...listed],
        answer,
      );
    }
    if (judged === 0) run.expect.notExercised('every league that the account played in is over');
  },
});

/** The league in which the target says that alice has tabs. */
const stashLeague = async (run: Run): Promise<readonly string[]> => {
  const { stash_league: league } = run.facts.target.known;
  return league === undefined ? [] : [league];
};

const alike = check({
  id: 'ACCLEAGUE-005',
  level: 'INFER',
  sentence: 'A league of an account matches its lookup.',
  source: '4.2',
  entailed: '4.2: list and lookup are two ways to ask for one fact, and agree',
  needs: [['client:confidential', 'client:public'], 'consent', 'client:service', 'scope:service:leagues'],
  judge: async (run) => {
    const list = async (realm: string): Promise<readonly JsonObject[]> => {
      const args: Record<string, string> = realm === 'pc' ? {} : { realm };
      return run.expect.list(await run.http.data('listAccountLeagues', { args }), 'leagues');
    };
    const all = [];
    for (const [realm, most] of [
      ['pc', 20],
      ['xbox', 5],
      ['sony', 5],
    ] as const)
      all.push(...(await list(realm)).slice(0, most).map((listed) => ({ realm, id: String(listed['id']), listed })));
    let judged = 0;
    await run.expect.each('$realm: $id', all, async ({ realm, id, listed }) => {
      const found = async () => (await look(run, id, realm)).json;
      const league = member(await found(), 'league');
      // A private one may be there for the accounts that play in it alone.
      if (!isObject(league)) {
        // One that realm pc has and this one has not is none that the account plays in here.
        const isOfPc =
          realm !== 'pc' && league === null && isObject(member((await look(run, id, 'pc')).json, 'league'));
        if (isOfPc) run.expect.that(false, `a league of realm ${realm}`, `${id}, which realm pc alone has`);
        return;
      }
      judged += 1;
      if (contradiction(listed, league, told) === undefined) return;
      // Somebody may have changed it: look at both again.
      const again = (await list(realm)).find((one) => one['id'] === id);
      const now = member(await found(), 'league');
      const name = again && isObject(now) ? contradiction(again, now, told) : undefined;
      run.expect.that(name === undefined, `the ${name} of the league as it is looked up`, { listed: again, got: now });
    });
    if (judged === 0) run.expect.notExercised("none of the account's leagues can be looked up");
  },
});

export default group('game/account-leagues', [shape, privateOnes, realms, played, alike]);
