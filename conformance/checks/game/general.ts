import fc from 'fast-check';

import type { GameOperation } from '../../../src/contract/index.js';
import { check, group, observation } from '../../engine/check.js';
import type { DataRequest, Run } from '../../engine/run.js';
import { attempt, NotOffered } from '../../verdict.js';
import { gHex10, gUnknownName } from '../../generators/data.js';
import { undated } from '../../engine/ladder-page.js';
import { allocated } from '../../model/account.js';
import { described } from '../../model/described.js';
import { difference } from '../../model/difference.js';
import { given } from '../../model/schema.js';
import { endpointOperations, endpointPaths, endpoints, endpointUrl } from '../../target/endpoints.js';
import { isOffered } from '../../target/offers.js';
import { header, member } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';
import { allForms, ask, entries, formsOf, logicalForms, lookupRemedy } from './forms.js';
import { cutNames, junk } from './junk.js';

const secure = check({
  id: 'GEN-002',
  level: 'MUST',
  sentence: 'The service is offered over HTTPS.',
  source: '1',
  judge: async (run) => {
    const { target } = run.facts;
    const addresses = [target.base_url, target.auth_url, ...endpoints.map((one) => endpointUrl(target, one))];
    const urls = addresses.map((url) => new URL(url));
    const loopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
    if (urls.every(loopback)) return run.expect.notApplicable('the server is on this machine');
    for (const url of urls) {
      if (!loopback(url)) run.expect.equal(url.protocol, 'https:', `the scheme of ${url.origin}`);
    }
  },
});

const versioned = /\/v\d+(\.\d+)*(\/|$)/;

const bare = check({
  id: 'GEN-003',
  level: 'MUST',
  sentence: 'Paths carry no version segment: each documented path works directly below base_url or auth_url.',
  source: '9',
  needs: [
    ['client:confidential', 'client:public', 'client:service'],
    ['consent', 'client:service'],
  ],
  judge: async (run) => {
    const direct = (name: string, answer: Answer): void => {
      const { status } = answer;
      run.expect.that(
        status < 300 || status > 399,
        `${name} where the interface has it, and no redirect`,
        status,
        answer,
      );
    };
    for (const form of await logicalForms(run)) direct(form.name, await ask(run, form));
    const offered = endpoints.filter((one) => isOffered(run.facts.target, endpointOperations[one]));
    for (const endpoint of offered) {
      const url = endpointUrl(run.facts.target, endpoint);
      run.expect.equal(url, run.facts.target.auth_url + endpointPaths[endpoint], `the address of ${endpoint}`);
    }
    const bad = [['token', 'cx-none']] as const;
    if (offered.includes('token'))
      direct('POST /oauth/token', await run.oauth.tokenRequest([['grant_type', 'cx-none']]));
    if (offered.includes('revoke')) direct('POST /oauth/token/revoke', await run.oauth.revoke(bad, { token: null }));
    if (offered.includes('introspect'))
      direct('POST /oauth/token/introspect', await run.oauth.introspect(bad, { token: null }));
    const role = run.facts.target.clients.confidential ? 'confidential' : 'public';
    if (!run.facts.target.clients[role]) return;
    // The authorization endpoint may send a browser to a page of its own, but to no versioned path.
    const page = await run.oauth.bareAuthorize(run.oauth.authorizationRequest(role).fields);
    run.expect.that(
      !versioned.test(header(page, 'location') ?? ''),
      'no redirect to a versioned path',
      page.status,
      page,
    );
  },
});

const leastInput = check({
  id: 'GEN-004',
  level: 'MUST',
  sentence: 'Every operation answers 2xx to its required parameters alone, with a token of the listed scope.',
  source: '4',
  needs: ['client:confidential', 'client:service', 'consent'],
  judge: async (run) => {
    const { forms, left } = await allForms(run);
    await run.expect.each('$name', forms, async (form) => run.expect.status(await ask(run, form), '2xx'));
    // That the answer is wanted as JSON need not be said: there is no other form of it (GEN-001).
    const reads = forms.filter(({ logical }) => logical !== 'createItemFilter');
    const asked = reads.flatMap((form) => [null, '*/*'].map((accept) => ({ ...form, accept })));
    await run.expect.each(
      '$name, Accept: $accept',
      asked,
      async ({ accept, ...form }) => run.expect.status(await ask(run, form, { headers: { accept } }), '2xx'),
      { atOnce: true },
    );
    if (left.length > 0) run.expect.note(`not asked: ${left.join('; ')}`);
  },
});

/** Leagues and characters that are there, in realm pc, with the request that finds each by its name. */
async function namedThings(run: Run) {
  const things: { readonly logical: 'getLeague' | 'getCharacter'; readonly name: string }[] = [];
  const obtainable = run.oauth.obtainable();
  if (obtainable.has('service:leagues')) {
    for (const name of run.facts.target.known.odd_names ?? []) things.push({ logical: 'getLeague', name });
  }
  if (obtainable.has('account:characters')) {
    for (const one of entries(await run.http.data('listCharacters'), 'characters')) {
      const name = member(one, 'name');
      const live = member(one, 'expired') !== true && member(one, 'deleted') !== true;
      if (live && typeof name === 'string' && /[^\w-]/.test(name)) things.push({ logical: 'getCharacter', name });
    }
  }
  return things;
}

/** Leagues with names that have to be encoded in which the account plays: there is something to ask for. */
async function oddLeagues(run: Run): Promise<readonly string[]> {
  const obtainable = run.oauth.obtainable();
  if (!obtainable.has('account:characters') || !obtainable.has('account:leagues')) return [];
  const own = entries(await run.http.data('listAccountLeagues'), 'leagues').map((league) => member(league, 'id'));
  const played = entries(await run.http.data('listCharacters'), 'characters')
    .filter((one) => member(one, 'expired') !== true && member(one, 'deleted') !== true)
    .map((one) => member(one, 'league'));
  return [...new Set(played)]
    .filter((league): league is string => typeof league === 'string' && own.includes(league))
    .filter((league) => encodeURIComponent(league) !== league)
    .slice(0, 3);
}

const ofLeagues = [
  ['listStashes', 'account:stashes', 'stashes'],
  ['getLeagueAccount', 'account:league_accounts', 'league_account'],
] as const;

/** Whether an answer shows something by which it can be told from the answer for what is not there. */
function substantial(answer: Answer): boolean {
  const { status, json } = answer;
  const body = described(json);
  if (status !== 200 || typeof body !== 'object' || body === null) return false;
  // Trees without a passive may be what any league has (K-025, K-127).
  if ('league_account' in body) return allocated(answer);
  const filled = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : given(value));
  return Object.values(body).some((value: unknown) => {
    const list = member(value, 'entries');
    return Array.isArray(list) ? filled(list) : filled(value) && typeof value === 'object';
  });
}

/**
 * A name whose first letter is percent-encoded before the whole is encoded is another name, as the path is decoded
 * once: it does not give what the name gives.
 */
async function neverTwice(run: Run): Promise<void> {
  const named = ['league', 'match', 'name', 'id', 'stash_id'];
  const forms = (await logicalForms(run)).filter(({ logical }) => logical !== 'updateItemFilter');
  for (const form of forms) {
    const { args = {} } = form.request;
    const own = named.filter((name) => typeof args[name] === 'string' && /^[A-Za-z0-9]/.test(args[name]));
    if (own.length === 0) continue;
    const plain = await ask(run, form);
    if (!substantial(plain)) continue;
    for (const name of own) {
      const value = String(args[name]);
      const answerFor = (other: string): Promise<Answer> => ask(run, form, { args: { ...args, [name]: other } });
      const isSame = ({ status, json }: Answer): boolean =>
        status === 200 && difference(undated(json), undated(plain.json)) === undefined;
      // Who gives the same for any name does not decode one twice, but does not look at it.
      const unknown = `cx${value}`;
      const ignored = await answerFor(unknown);
      run.expect.that(
        !isSame(ignored),
        `${form.name}: an answer that depends on the ${name} in the path`,
        `for ${unknown}, which does not exist, the same as for ${value}`,
        ignored,
      );
      const encoded = `%${value.charCodeAt(0).toString(16)}${value.slice(1)}`;
      const twice = await answerFor(encoded);
      run.expect.that(
        !isSame(twice),
        `${form.name}: the path decoded once, so that ${encoded} is another ${name} than ${value}`,
        'the same answer for both: it is decoded twice',
        twice,
      );
    }
  }
}

async function leaguesByName(run: Run): Promise<void> {
  for (const league of await oddLeagues(run)) {
    for (const [logical, scope, wrapper] of ofLeagues) {
      if (!run.oauth.obtainable().has(scope)) continue;
      const answer = await run.http.data(logical, { args: { league } });
      run.expect.status(answer, 200);
      const value = member(answer.json, wrapper);
      run.expect.that(given(value), `${wrapper} of ${league}`, value, answer);
    }
  }
}

const named = { getLeague: ['league', 'id', 'league'], getCharacter: ['character', 'name', 'name'] } as const;

/** A thing is found by its name encoded once, and by no other spelling of it. */
async function foundByName(run: Run, logical: keyof typeof named, name: string): Promise<void> {
  const [wrapper, key, parameter] = named[logical];
  const found = (answer: Answer): unknown => {
    const thing = member(answer.json, wrapper);
    return member(thing, key) === name || (logical === 'getLeague' && member(thing, 'name') === name)
      ? thing
      : undefined;
  };
  const answer = await run.http.data(logical, { args: { [parameter]: name } });
  run.expect.status(answer, 200);
  run.expect.that(found(answer) !== undefined, `the ${wrapper} of that name`, member(answer.json, wrapper), answer);
  // Encoded twice it is another name.
  if (encodeURIComponent(name) !== name) {
    const twice = await run.http.data(logical, { args: { [parameter]: encodeURIComponent(name) } });
    run.expect.that(found(twice) === undefined, 'that the path is decoded once', found(twice), twice);
  }
  // In a path a plus sign is itself: only forms and queries write spaces so.
  if (!name.includes(' ')) return;
  const token = await run.oauth.token([logical === 'getLeague' ? 'service:leagues' : 'account:characters']);
  const path = `/${wrapper}/${encodeURIComponent(name).replaceAll('%20', '+')}`;
  const plus = await run.http.raw('GET', path, { token });
  run.expect.that(found(plus) === undefined, 'that + in a path is no space', found(plus), plus);
}

const decodedOnce = check({
  id: 'GEN-017',
  level: 'INFER',
  sentence:
    'Path parameters are percent-decoded exactly once: a name with a space, `+`, `%`, `/`, `?`, `#` or non-ASCII characters is addressed by its encoded form, and `+` is no space.',
  source: '4',
  entailed: '4.2: a path parameter is the name itself, which a URL encodes once (RFC 3986 2.4)',
  gap: 'K-113',
  needs: ['client:service'],
  judge: async (run) => {
    await run.case('leagues', () => leaguesByName(run));
    await run.case('any name', () => neverTwice(run));
    const things = await namedThings(run);
    if (things.length === 0) return run.expect.missing('known.odd_names', 'set known.odd_names in the target');
    await run.expect.each(
      ({ logical, name }) => `${logical} ${JSON.stringify(name)}`,
      things,
      ({ logical, name }) => foundByName(run, logical, name),
    );
  },
});

const manners = observation({
  id: 'GEN-021',
  sentence:
    'What HEAD, OPTIONS, other methods, a trailing slash, CORS and the case of literal path segments do is not stated.',
  source: '4',
  gap: 'K-114',
  needs: [
    ['client:confidential', 'client:public', 'client:service'],
    ['consent', 'client:service'],
  ],
  observe: async (run, note) => {
    const [form] = await formsOf(run, 'getProfile');
    const token = await run.oauth.token([form!.scope]);
    const told: string[] = [];
    const tell = async (what: string, method: string, path: string): Promise<void> => {
      const answer = await run.http.raw(method, path, { token });
      const allow = header(answer, 'allow');
      told.push(`${what}: ${answer.status}${allow === undefined ? '' : `, Allow: ${allow}`}`);
    };
    await tell('HEAD', 'HEAD', '/profile');
    await tell('OPTIONS', 'OPTIONS', '/profile');
    await tell('slash at the end', 'GET', '/profile/');
    await tell('capital letters', 'GET', '/Profile');
    note(told.join('; '));
  },
});

interface NullLookup {
  readonly logical: GameOperation;
  readonly parameter: string;
  readonly wrapper: string;
  /** Arguments beside the name. */
  readonly beside: NonNullable<DataRequest['args']>;
  readonly known: ReadonlySet<string>;
}

/** The lookups that answer null for what is not there (interface 7), with the names that are. */
async function lookups(run: Run): Promise<readonly NullLookup[]> {
  const obtainable = run.oauth.obtainable();
  const all: NullLookup[] = [];
  const names = (answer: Answer, wrapper: string, ...keys: string[]): ReadonlySet<string> =>
    new Set(
      entries(answer, wrapper).flatMap((entry) =>
        keys.map((key) => member(entry, key)).filter((name) => typeof name === 'string'),
      ),
    );
  const isServed = (logical: GameOperation): boolean => isOffered(run.facts.target, logical);
  // Where their list is not offered, nobody knows the names, and a name that is made up is hardly one of them.
  const listed = async (logical: GameOperation, wrapper: string, ...keys: string[]): Promise<ReadonlySet<string>> =>
    (await attempt(async () => names(await run.http.data(logical), wrapper, ...keys), [NotOffered])).value ?? new Set();
  if (obtainable.has('service:leagues') && isServed('getLeague')) {
    const known = await listed('listLeagues', 'leagues', 'id', 'name');
    all.push({ logical: 'getLeague', parameter: 'league', wrapper: 'league', beside: {}, known });
  }
  if (obtainable.has('service:pvp_matches') && isServed('getPvpMatch')) {
    const known = await listed('listPvpMatches', 'matches', 'id');
    all.push({ logical: 'getPvpMatch', parameter: 'match', wrapper: 'match', beside: {}, known });
  }
  if (obtainable.has('account:characters') && isServed('getCharacter')) {
    const known = await listed('listCharacters', 'characters', 'name');
    all.push({ logical: 'getCharacter', parameter: 'name', wrapper: 'character', beside: {}, known });
  }
  if (obtainable.has('account:stashes')) {
    await attempt(async () => {
      const [form] = await formsOf(run, 'listStashes');
      const beside = form!.request.args!;
      const known = names(await ask(run, form!), 'stashes', 'id');
      all.push({ logical: 'getStash', parameter: 'stash_id', wrapper: 'stash', beside, known });
    });
  }
  return all;
}

const nullWrapper = check({
  id: 'ERR-002',
  level: 'MUST',
  sentence:
    'The lookup of a league, match, character or stash that does not exist answers its own wrapper field with null, and no other.',
  source: '7',
  gap: 'K-115',
  needs: ['client:service', ['client:confidential', 'client:public'], 'consent'],
  judge: async (run) => {
    const all = await lookups(run);
    if (all.length === 0) return run.expect.missing('a client that may look something up', lookupRemedy);
    const known = all.flatMap((lookup) => [...lookup.known]);
    await run.expect.property(
      'a lookup of something that does not exist',
      fc.record({
        index: fc.nat({ max: all.length - 1 }),
        name: gUnknownName([...known, run.facts.target.names.game2]),
        tab: gHex10(known),
      }),
      { share: 0.6, examples: all.map((_, index) => ({ index, name: 'cx-nobody', tab: '00c0ffee00' })) },
      async ({ index, name, tab }) => {
        const { logical, parameter, wrapper, beside } = all[index]!;
        const args = { ...beside, [parameter]: logical === 'getStash' ? tab : name };
        const answer = await run.http.data(logical, { args });
        // With which status is open (K-024); the member is not.
        run.expect.status(answer, 200, 404);
        run.expect.that(member(answer.json, wrapper) === null, `an object with ${wrapper}: null`, answer.json, answer);
      },
    );
  },
});

const oauthErrors = check({
  id: 'ERR-004',
  level: 'MUST',
  sentence: 'Errors of the authorization server are shaped as OAuth says: an object with a string `error`.',
  source: '5.1',
  needs: ['client:confidential', 'consent'],
  judge: async (run) => {
    const role = (['confidential', 'public', 'service'] as const).find((one) => run.facts.target.clients[one]);
    if (!role) return run.expect.missing('a client in the target');
    const { client_id, redirect_uri = 'https://client.example/' } = run.oauth.client(role);
    const token = (fields: readonly (readonly [string, string])[]) => run.oauth.tokenRequest(fields);
    const code = [
      ['grant_type', 'authorization_code'],
      ['code', 'cx-no-such-code'],
      ['redirect_uri', redirect_uri],
      ['code_verifier', 'v'.repeat(43)],
    ] as const;
    const cases: readonly (readonly [string, () => Promise<Answer>])[] = [
      ['an unknown grant_type', () => token([...run.oauth.credentials(role), ['grant_type', 'cx-none']])],
      ['no grant_type', () => token(run.oauth.credentials(role))],
      ['an unknown code', () => token([...run.oauth.credentials(role), ...code])],
      ['an unknown client', () => token([['client_id', `${client_id}-cx`], ['client_secret', 'cx'], ...code])],
      ['an unknown refresh token', () => token(run.oauth.refreshFields(role, 'cx-no-such-token'))],
    ];
    await run.expect.each('$0', cases, async ([, send]) => {
      const answer = await send();
      run.expect.status(answer, 400, 401);
      const error = member(answer.json, 'error');
      run.expect.that(
        typeof error === 'string',
        'JSON with the error code as a string (RFC 6749 5.2)',
        answer.json,
        answer,
      );
    });
    // Without a token to act upon, revocation and introspection have nothing to do; a server may say so or not.
    for (const [scope, send] of [
      ['oauth:revoke', () => run.oauth.revoke([])],
      ['oauth:introspect', () => run.oauth.introspect([])],
    ] as const) {
      if (!run.oauth.obtainable().has(scope)) continue;
      const answer = await send();
      if (answer.status < 400 || answer.json === undefined) continue;
      const error = member(answer.json, 'error');
      run.expect.that(typeof error === 'string', 'the error code as a string (RFC 6749 5.2)', answer.json, answer);
    }
  },
});

export default group('game/general', [
  secure,
  bare,
  leastInput,
  junk,
  cutNames,
  decodedOnce,
  manners,
  nullWrapper,
  oauthErrors,
]);
