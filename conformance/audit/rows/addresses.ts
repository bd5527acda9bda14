import { parameterTable } from '../../../src/contract/index.js';
import { noValue } from '../no-value.js';
import { replyOf } from '../call.js';
import type { Call } from '../call.js';
import type { AuditRow } from '../row.js';
import { each, groups, quote, violation } from '../row.js';
import type { WorldRun } from '../run.js';
import { decoded, misspelled, requestedTabs } from './names.js';
import { dataCalls, own } from './requests.js';

/** The segments of a path as written. */
const segments = ({ path }: Call): string[] => path.split('/').slice(1);

/** Requests below the data API's paths, understood by the mock or not. */
const roots = new Set([
  'profile',
  'item-filter',
  'league',
  'pvp-match',
  'account',
  'character',
  'stash',
  'league-account',
  'guild',
  'public-stash-tabs',
  'currency-exchange',
]);
const addressed = (run: WorldRun): Call[] => own(run).filter((call) => roots.has(segments(call)[0] ?? ''));

/** Requests that mean the interface: below its paths, or with a token. Others look for metadata, icons and pages. */
const meant = (run: WorldRun): Call[] =>
  own(run).filter((call) => {
    const [first = '', second = ''] = segments(call);
    return (
      call.operation !== undefined ||
      roots.has(first) ||
      roots.has(second) ||
      (call.status === 404 && !call.path.includes('/.well-known/') && (call.bearer !== undefined || first === 'oauth'))
    );
  });

/** Names that a path has to encode. */
const odd = (name: string): boolean => encodeURIComponent(name) !== name;

const ladders = (run: WorldRun): Call[] =>
  dataCalls(run).filter(({ operation }) => operation === 'getLeagueLadder' || operation === 'getLeagueEventLadder');

/** Whether the hour of an exchange request stands where the realm belongs. */
const isTurned = ({ path }: Call): boolean => /^\/currency-exchange\/\d+\/[^/]/.test(path);

export const addresses: readonly AuditRow[] = [
  {
    id: 'ADDR-PATH-001',
    follows: ['ADDR-ENCODE-002'],
    level: 'MUST',
    sentence: 'The paths asked for are those of the interface.',
    source: '4',
    how: 'Requests below its first segments, or with a token, that are answered with 404 because no operation has that path, such as one with the hour before the realm; names that were not encoded have a row of their own.',
    judge: (run) =>
      each(
        // One whose only fault is its realm has a row of its own.
        meant(run).filter((call) => !rawName(call.path, run) && realmAt(call) !== 'pc'),
        (call) =>
          call.method !== 'OPTIONS' && call.status === 404 && (call.operation === undefined || isTurned(call))
            ? violation('an operation of the interface', `${call.method} ${quote(call.path)}`, call)
            : undefined,
      ),
  },
  {
    id: 'ADDR-HOST-001',
    level: 'ADVICE',
    sentence: 'The data API is asked at base_url, and the authorization server at auth_url.',
    source: '4',
    how: 'Both addresses lead to the mock, on ports of their own; the Host header of every request tells which one was used. A client that is told one address alone is right where both are one, so this never fails, and it is not asked of a client whose settings (`--env`) have one of them.',
    judge: (run) => {
      const { addresses: given } = run.facts;
      if (!given) return { exercised: 0, violations: [] };
      return each(
        run.calls.filter(({ operation, headers }) => operation !== undefined && headers.host !== undefined),
        (call) => {
          const [name, right, wrong] = call.data
            ? ['base_url', given.data, given.authorization]
            : ['auth_url', given.authorization, given.data];
          return call.headers.host === new URL(wrong).host
            ? violation(`${call.method} ${call.path} at ${name}, ${right}`, wrong, call)
            : undefined;
        },
      );
    },
  },
  {
    id: 'ADDR-QUERY-001',
    level: 'MUST',
    sentence: 'Parameters have the values that the interface gives them.',
    source: '4.2',
    follows: ['ADDR-ENCODE-002'],
    how: 'Data requests that the mock refuses with 400 before it looks anything up; one that leaves out or repeats a parameter is allowed.',
    judge: (run) =>
      each(
        dataCalls(run).filter(({ decision }) => decision !== 'faulted'),
        (call) => {
          const parameter =
            call.status === 400 &&
            /parameter (?!realm: pc)/.test(call.reason ?? '') &&
            !/limit must be|id is no next_change_id|is required|is repeated/.test(call.reason ?? '');
          return parameter ? violation('parameters as described', call.reason ?? 'HTTP 400', call) : undefined;
        },
      ),
  },
  {
    id: 'ADDR-ENCODE-001',
    level: 'MUST-RFC',
    sentence: 'A path has ASCII only: other characters are percent-encoded as UTF-8.',
    source: 'RFC 3986 2',
    how: 'The request target is read byte by byte.',
    judge: (run) =>
      each(
        addressed(run).filter((call) =>
          segments(call).some((segment) => /[^\x21-\x7e]|[<>"{}|\\^`]/.test(segment) || odd(decoded(segment) ?? '%')),
        ),
        (call) => {
          const raw = segments(call).find((segment) => /[^\x21-\x7e]|[<>"{}|\\^`]/.test(segment));
          return raw === undefined ? undefined : violation('a percent-encoded name', quote(raw), call);
        },
      ),
  },
  {
    id: 'ADDR-ENCODE-002',
    level: 'MUST-RFC',
    sentence: 'A name in a path is percent-encoded once: / + % ? # and spaces in it too.',
    source: 'RFC 3986 2.4',
    how: 'Segments are decoded once and compared with the names of leagues, matches and characters; those that fit when decoded twice, with + for a space, or up to a bare / ? or # are wrong. Where no name with one of / + % ? # was asked for, nothing is shown.',
    judge: (run) =>
      each(
        addressed(run).flatMap((call) => {
          const wrong = misspelled(call, run);
          const right = segments(call).some((segment) => {
            const name = decoded(segment) ?? '';
            return run.facts.names.has(name) && /[/+%?#]/.test(name);
          });
          return wrong !== undefined || right ? [{ call, wrong }] : [];
        }),
        ({ call, wrong }) =>
          wrong === undefined ? undefined : violation('the name percent-encoded once', wrong, call),
      ),
  },
  {
    id: 'ADDR-REALM-001',
    level: 'MUST',
    sentence:
      'A path names a realm that its operation has, and never pc: that is assumed where the segment is left out.',
    source: '4',
    how: 'The segment for the realm of every data request is read.',
    judge: (run) =>
      each(
        addressed(run).filter((call) => realmAt(call) !== undefined || behindStash(call, run)),
        (call) => {
          const [first = ''] = segments(call);
          if (behindStash(call, run))
            return violation('the realm of a guild before "stash", as in /guild/xbox/stash', quote(call.path), call);
          const realm = realmAt(call) ?? '';
          if (realm === 'pc') return violation('no realm in the path', quote(call.path), call);
          return secondGame.has(realm) && !bothGames.has(first)
            ? violation('xbox or sony, if anything', quote(call.path), call)
            : undefined;
        },
      ),
  },
  {
    id: 'ADDR-REALM-002',
    level: 'MUST',
    sentence: 'Where the realm is a segment of the path, it is no parameter.',
    source: '4.2',
    how: 'The query of every request whose path may name a realm, and does not, is searched for one.',
    judge: (run) =>
      each(
        dataCalls(run).filter((call) => hasRealmSegment(call)),
        (call) => {
          const realm = call.query.get('realm') ?? '';
          return realmAt(call) === undefined && (consoles.has(realm) || secondGame.has(realm))
            ? violation(`/${realm} in the path`, `?realm=${realm}`, call)
            : undefined;
        },
      ),
  },
  {
    id: 'ADDR-ID-001',
    level: 'MUST',
    sentence: 'A tab is asked for by its id: 10 hexadecimal digits.',
    source: '2',
    follows: ['ADDR-ENCODE-002'],
    how: 'The ids of every request for a tab are read; those that a reply gave out as an id are right, whatever they look like.',
    judge: (run) =>
      each(
        requestedTabs(run).filter(
          ({ call }) =>
            call.operation !== undefined &&
            !lists.has(call.operation) &&
            // There the segment for the realm is wrong, and what follows it is a league (ADDR-REALM-001).
            !['pc', ...secondGame].includes(realmAt(call) ?? '') &&
            !behindStash(call, run),
        ),
        ({ call, stash, sub }) => {
          const wrong = [stash, sub].find(
            (id) => id !== undefined && !/^[0-9a-f]{10}$/i.test(id) && !isGivenOut(run, call, id),
          );
          const sent = segments(call).find((segment) => segment.toLowerCase() === wrong);
          return wrong === undefined ? undefined : violation('the id of a tab', quote(sent), call);
        },
      ),
  },
  {
    id: 'ADDR-VALUE-001',
    level: 'MUST',
    sentence: 'A name or an id that an operation requires is there.',
    source: '4.2',
    how: 'The segments of every path, and the league and season of every query, are searched for what a language writes where there is no value: undefined, null, None, nil, NaN, [object Object].',
    judge: (run) =>
      each(addressed(run), (call) => {
        const values = [...segments(call).map((segment) => decoded(segment) ?? ''), ...required(call)];
        const empty = values.find((value) => noValue.test(value) && !run.facts.names.has(value));
        return empty === undefined ? undefined : violation('a value', quote(empty), call);
      }),
  },
  {
    id: 'ADDR-SUBTAB-001',
    level: 'MUST',
    sentence: 'A sub-tab is asked for under its parent: <stash_id>/<substash_id>.',
    source: '4.2',
    how: 'Where a request names two ids, they are compared with the tabs of the league, and with what replies named as parent. A folder is no parent: a tab in it is asked for by its own id.',
    judge: (run) =>
      each(
        requestedTabs(run).filter(({ sub }) => sub !== undefined),
        ({ call, stash, sub, tabs }) => {
          const asked = `/${stash}/${sub}`;
          const own = tabs.get(stash);
          if (own !== undefined) return violation(`/${own}/${stash}`, asked, call);
          // A tab that is not there may be looked up under anything.
          if (sub === undefined || !tabs.has(sub) || tabs.get(sub) === stash) return undefined;
          const parent = tabs.get(sub);
          if (parent === undefined && isNamedParent(run, call, stash)) return undefined;
          return violation(
            parent === undefined ? `/${sub}, which is no sub-tab` : `/${parent}/${sub}`,
            `${asked}, whose first id is not its parent`,
            call,
          );
        },
      ),
  },
  {
    id: 'ADDR-SUBTAB-002',
    level: 'ADVICE',
    sentence: 'A sub-tab is asked for with its parent, and not by its own id alone.',
    source: '4.2',
    how: 'Requests that name one id are compared with the sub-tabs of the league. Whether a server takes that is not stated, so this never fails.',
    judge: (run) =>
      each(
        requestedTabs(run).filter(({ stash, sub, tabs }) => tabs.get(sub ?? stash) !== undefined),
        ({ call, stash, sub, tabs }) =>
          sub === undefined ? violation(`/${tabs.get(stash)}/${stash}`, `/${stash} alone`, call) : undefined,
      ),
  },
  {
    id: 'ADDR-LIMIT-001',
    level: 'MUST',
    sentence:
      'limit is a number within the bounds of its list: 50 leagues, 500 entries of a ladder, 200 of a PvP ladder.',
    source: '8',
    how: 'The limit of every request is compared with the maximum.',
    judge: (run) =>
      each(
        dataCalls(run).filter(({ query }) => query.has('limit')),
        (call) => {
          const text = call.query.get('limit') ?? '';
          const most = parameterTable[call.operation!].limit?.maximum ?? Number.POSITIVE_INFINITY;
          return /^\d+$/.test(text) && Number(text) <= most
            ? undefined
            : violation(`a number, at most ${most}`, quote(text), call);
        },
      ),
  },
  {
    id: 'ADDR-OFFSET-001',
    level: 'ADVICE',
    sentence: "The client requests nothing beyond a ladder's top 15,000.",
    source: '8',
    how: 'Requests beyond that offset are counted; the first tells the client that nothing is there.',
    judge: (run) =>
      each(
        groups(
          ladders(run).filter(({ query }) => Number(query.get('offset') ?? 0) >= 10_000),
          ({ path, start }) => `${start} ${path}`,
        ),
        (same) => {
          const beyond = same.filter(
            (call) => Number(call.query.get('offset')) >= 15_000 && replyOf(call, 'league') !== undefined,
          );
          return beyond.length > 1
            ? violation(
                'at most one empty page',
                `${beyond.length} requests beyond offset 15000`,
                ...beyond.slice(0, 3),
              )
            : undefined;
        },
      ),
  },
  {
    id: 'ADDR-METHOD-001',
    level: 'MUST',
    sentence: 'Operations are called with their method.',
    source: '4',
    how: 'Requests that the mock answers with 405; OPTIONS, by which browsers ask ahead, is allowed.',
    judge: (run) =>
      each([...addressed(run), ...own(run).filter(({ path }) => path.startsWith('/oauth/token/'))], (call) =>
        call.status === 405 && call.method !== 'OPTIONS'
          ? violation(call.replyHeaders.allow ?? 'another method', call.method, call)
          : undefined,
      ),
  },
  {
    id: 'ADDR-METHOD-002',
    level: 'SHOULD-RFC',
    sentence: 'A GET has no content.',
    source: 'RFC 9110 9.3.1',
    how: 'The body of every GET of the data API is looked at.',
    judge: (run) =>
      each(
        dataCalls(run).filter(({ method }) => method === 'GET'),
        (call) => (call.body === '' ? undefined : violation('no content', quote(call.body), call)),
      ),
  },
  {
    id: 'ADDR-METHOD-003',
    level: 'MUST-RFC',
    sentence: 'A request without content does not send Expect: 100-continue.',
    source: 'RFC 9110 10.1.1',
    how: 'The header of every GET of the data API is looked for.',
    judge: (run) =>
      each(
        dataCalls(run).filter(({ method, body }) => method === 'GET' && body === ''),
        (call) =>
          /^100-continue$/i.test(call.headers.expect ?? '')
            ? violation('no Expect', `Expect: ${call.headers.expect}`, call)
            : undefined,
      ),
  },
];

/** Operations with a realm segment, by the segments before it. */
const realmed: readonly (readonly [prefix: readonly string[], least: number])[] = [
  [['stash'], 3],
  [['character'], 3],
  [['league-account'], 3],
  [['account', 'leagues'], 3],
  [['public-stash-tabs'], 2],
  [['currency-exchange'], 2],
  [['guild'], 3],
];

const hasRealmSegment = (call: Call): boolean =>
  realmed.some(([prefix]) => prefix.every((part, at) => segments(call)[at] === part));

/** Operations that list tabs: their last segment is a league. */
const lists = new Set<Call['operation']>(['listStashes', 'listGuildStashes']);

/** Whether a reply before `call` has an id of that text. */
const isGivenOut = (run: WorldRun, call: Call, id: string): boolean =>
  run.calls.some(({ number, text }) => number < call.number && text.includes(`"id":${JSON.stringify(id)}`));

/** Whether a reply before `call` named that tab as a parent. */
const isNamedParent = (run: WorldRun, call: Call, id: string): boolean =>
  run.calls.some(({ number, text }) => number < call.number && text.toLowerCase().includes(`"parent":"${id}"`));

const required = ({ query }: Call): string[] => ['league', 'season'].flatMap((name) => query.getAll(name));

/** The realms of the first game that a path may name. */
const consoles = new Set(['xbox', 'sony']);

/** The second game's realm, by the word of the interface and by that of the service. */
const secondGame = new Set(['game2', 'poe2']);
/** Operations that both games have, by their first segment. */
const bothGames = new Set(['character', 'currency-exchange']);

/** What stands where a realm may; undefined where the path has no room for one. */
function realmAt(call: Call): string | undefined {
  const parts = segments(call);
  const found = realmed.find(
    ([prefix, least]) => prefix.every((part, at) => parts[at] === part) && parts.length >= least,
  );
  const at = found && parts[found[0].length];
  // A league or a character may have any name; only where more follows is the segment a realm for sure, or where nothing has that name.
  if (at === undefined && realmed.some(([prefix]) => parts.join('/') === [...prefix, 'pc'].join('/')))
    return replyOf(call, 'character') === null || replyOf(call, 'league_account') === null || emptyList(call)
      ? 'pc'
      : undefined;
  return at !== undefined && (['pc', 'xbox', 'sony', ...secondGame].includes(at) || at === '') ? at : undefined;
}

/** Whether a path of a guild has a realm behind `stash`, in the place of the league, and the league in that of the tab. */
function behindStash(call: Call, { facts }: WorldRun): boolean {
  const [first, second, realm = '', league = ''] = segments(call);
  const isRealm = consoles.has(realm) || secondGame.has(realm) || realm === 'pc';
  return first === 'guild' && second === 'stash' && isRealm && facts.names.has(decoded(league) ?? '');
}

/** The tabs of a league that is not there. */
const emptyList = (call: Call): boolean => {
  const stashes = replyOf(call, 'stashes');
  return stashes === null || (Array.isArray(stashes) && stashes.length === 0) || call.status === 404;
};

/** Whether a path has in it, as it is, a name that has to be encoded. */
const rawName = (path: string, { facts }: WorldRun): boolean =>
  /[^\x21-\x7e]/.test(path) || [...facts.names].some((name) => /[/]/.test(name) && path.includes(`/${name}`));
