import type { GameOperation } from '../../../src/contract/index.js';
import { check, observation } from '../../engine/check.js';
import type { DefinedCheck } from '../../engine/check.js';
import type { DataRequest, Run } from '../../engine/run.js';
import { attempt } from '../../verdict.js';
import type { Requirement } from '../../requirement.js';
import { difference } from '../../model/difference.js';
import { isKeptApart, ladderPage, stampOf, undated } from '../../engine/ladder-page.js';
import { member } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';
import { formsOf } from './forms.js';
import { queriedForms } from './queried-forms.js';
import { gameOperations, queryRealms, wrapperOf } from '../../engine/operations.js';
import { withoutDefaultRealm } from '../../engine/requests.js';

export const allRealms = ['pc', 'xbox', 'sony', 'game2'] as const;
export type Realm = (typeof allRealms)[number];

/** A realm by the word that this server has for it. */
export const word = (run: Run, realm: string): string => (realm === 'game2' ? run.facts.target.names.game2 : realm);

/** That an operation answers the same without realm and with pc; what moves by itself is asked for again. */
async function defaultsToPc(run: Run, logical: GameOperation, request: DataRequest, wrapper: string): Promise<boolean> {
  for (let tries = 0; tries < 3; tries += 1) {
    const first = await run.http.data(logical, { ...request, bare: true });
    const answer = await run.http.data(logical, { ...request, args: { ...request.args, realm: 'pc' } });
    run.expect.status(first, '2xx');
    run.expect.status(answer, '2xx');
    const page = ({ json }: Answer): unknown => ladderPage(undated(json), wrapper);
    const from = (other: Answer): string | undefined => difference(page(other), page(first), wrapper);
    const differs = from(answer);
    if (differs === undefined) return true;
    const again = await run.http.data(logical, { ...request, bare: true });
    if (from(again) !== undefined || isKeptApart(stampOf(first.json), stampOf(again.json), stampOf(answer.json)))
      continue;
    run.expect.that(false, `${logical}: the same answer with realm=pc as without realm`, differs, answer);
  }
  return false;
}

const samePc = (requirement: Requirement, operations: readonly GameOperation[]): DefinedCheck =>
  check({
    ...requirement,
    judge: async (run) => {
      const missing: Error[] = [];
      let compared = 0;
      for (const logical of operations) {
        const { value: isSame, undecided } = await attempt(async () =>
          defaultsToPc(run, logical, await requestOf(run, logical), wrapperOf(logical)!),
        );
        if (undecided) missing.push(undecided);
        if (isSame) compared += 1;
        if (!isSame) continue;
        // With what else may be asked for too.
        const others = (await queriedForms(run, logical)).filter(
          ({ request: { args } }) => args?.['realm'] === undefined,
        );
        await run.expect.each('$name', others, async ({ request }) => {
          await defaultsToPc(run, logical, request, wrapperOf(logical)!);
        });
      }
      if (compared > 0) {
        run.expect.that(true, 'the same answers', compared);
        return;
      }
      if (missing[0]) throw missing[0];
      run.expect.notExercised('what the server lists changes from one request to the next');
    },
  });

async function requestOf(run: Run, logical: GameOperation): Promise<DataRequest> {
  const [form] = await formsOf(run, logical);
  return form!.request;
}

/**
 * The event ladder takes each realm. What it answers for a league without one is open, but then it is the same in every
 * realm: what pc gives for such a league is the control.
 */
async function eventLaddersOfRealms(run: Run): Promise<void> {
  const found = ({ status }: Answer): boolean => status === 200 || status === 404;
  for (const realm of ['xbox', 'sony']) {
    const { value } = await attempt(async () => [
      (await run.facts.sample('getLeagueEventLadder', { realm })).args?.['league'],
      (await run.facts.sample('getLeagueLadder')).args?.['league'],
    ]);
    if (!value) continue;
    const [league, plain] = value;
    if (!found(await run.http.data('getLeagueEventLadder', { args: { league: String(plain), realm: 'pc' } }))) return;
    const answer = await run.http.data('getLeagueEventLadder', { args: { league: String(league), realm } });
    run.expect.that(found(answer), `the event ladder of ${String(league)} in realm ${realm}`, answer.status, answer);
  }
}

const eachQueryRealm = check({
  id: 'REALM-QUERY-003',
  level: 'MUST',
  sentence:
    'The list of leagues and the league accept realm pc, xbox, sony and game2; ladders and PvP accept pc, xbox and sony.',
  source: '4.2',
  needs: ['client:service'],
  judge: async (run) => {
    let missing: Error | undefined;
    let accepted = 0;
    const pairs = gameOperations
      .filter((logical) => logical !== 'getLeagueEventLadder')
      .flatMap((logical) => queryRealms(logical).map((realm) => ({ logical, realm })));
    await run.expect.each('$logical in realm $realm', pairs, async ({ logical, realm }) => {
      const { value: request, undecided } = await attempt(() => run.facts.sample(logical, { realm }));
      missing = undecided ?? missing;
      if (!request) return;
      const answer = await run.http.data(logical, { ...request, args: { ...request.args, realm } });
      run.expect.status(answer, 200);
      accepted += 1;
    });
    if (accepted > 0) await run.case('event ladders', () => eventLaddersOfRealms(run));
    if (accepted === 0 && missing) throw missing;
  },
});

/** The ids of the characters at the top of a ladder in a realm; none where the target has no ladder there. */
async function onTop(run: Run, realm: Realm): Promise<{ readonly ids: readonly unknown[]; readonly answer?: Answer }> {
  const { value: request } = await attempt(() => run.facts.sample('getLeagueLadder', { realm }));
  if (!request) return { ids: [] };
  const answer = await run.http.data('getLeagueLadder', { args: { ...request.args, realm, limit: 500 } });
  const ranked = member(member(answer.json, 'league'), 'entries');
  const ids = Array.isArray(ranked) ? ranked.map((entry) => member(member(entry, 'character'), 'id')) : [];
  return { ids, answer };
}

const ladderCharacters = check({
  id: 'REALM-QUERY-006',
  level: 'INFER',
  sentence: 'A character stands in the ladders of one realm: those of xbox and sony show none of those of pc.',
  source: '2,4.2',
  entailed: '2: the id of a character is unique, and a character is of one realm',
  needs: ['client:service', 'scope:service:leagues:ladder'],
  judge: async (run) => {
    const seen = new Map<unknown, Realm>();
    let realms = 0;
    for (const realm of queryRealms('getLeagueLadder') as readonly Realm[]) {
      const { ids, answer } = await onTop(run, realm);
      if (ids.length > 0) realms += 1;
      const both = ids.filter((id) => typeof id === 'string' && seen.has(id));
      run.expect.that(
        both.length === 0,
        `no character in realm ${realm} that is in realm ${seen.get(both[0])}`,
        both,
        answer,
      );
      for (const id of ids) seen.set(id, realm);
    }
    if (realms < 2) run.expect.notExercised('ladders with characters are known in one realm at most');
  },
});

const unlisted = observation({
  id: 'REALM-QUERY-005',
  sentence: 'What an unlisted realm, or game2 at an operation of the first game, gives is not stated.',
  source: '4.2',
  gap: 'K-094',
  needs: ['client:service', 'scope:service:leagues', 'scope:service:leagues:ladder', 'scope:service:pvp_matches'],
  observe: async (run, note) => {
    const tell = async (logical: GameOperation, realm: string): Promise<string> => {
      const request = await requestOf(run, logical);
      const args = Object.fromEntries(Object.entries(request.args ?? {}).filter(([name]) => name !== 'realm'));
      const answer = await run.http.data(logical, { ...request, args, query: [['realm', realm]] });
      return `${logical} realm=${realm}: status ${answer.status}`;
    };
    note(
      [
        await tell('listLeagues', 'cx-realm'),
        await tell('listLeagues', 'PC'),
        await tell('getLeagueLadder', word(run, 'game2')),
        await tell('listPvpMatches', word(run, 'game2')),
      ].join('; '),
    );
  },
});

/** The rows about the realm in the query. */
export const queries = [
  samePc(
    {
      id: 'REALM-QUERY-001',
      level: 'MUST',
      sentence:
        'The query parameter realm defaults to pc where the interface says so: without it the answer equals that for realm=pc.',
      source: '4.2',
      needs: ['client:service'],
    },
    ['listLeagues', 'getLeague', 'getLeagueLadder', 'listPvpMatches'],
  ),
  samePc(
    {
      id: 'REALM-QUERY-002',
      level: 'INFER',
      sentence:
        'The query parameter realm defaults to pc also where the interface does not say so: event ladder, PvP match, PvP ladder.',
      source: '4.2',
      plausible: 'the interface names the default for other operations, not for these',
      gap: 'K-022',
      needs: ['client:service'],
    },
    withoutDefaultRealm,
  ),
  eachQueryRealm,
  ladderCharacters,
  unlisted,
];
