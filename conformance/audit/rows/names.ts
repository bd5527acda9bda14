import type { Realm } from '../../../src/contract/index.js';
import { noValue } from '../no-value.js';
import { replyOf } from '../call.js';
import type { Call } from '../call.js';
import type { AuditRow } from '../row.js';
import { each, quote, violation } from '../row.js';
import type { WorldRun } from '../run.js';
import { dataCalls, own } from './requests.js';

/** The text of a segment, decoded once; undefined where it cannot be. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** A text decoded as far as it can be: a bare % in it stays. */
const leniently = (text: string): string => text.replaceAll(/(?:%[0-9a-f]{2})+/gi, (part) => decoded(part) ?? part);

/** How a path spells a name of the service wrongly; undefined where it does not. */
export function misspelled(call: Call, { facts: { names } }: WorldRun): string | undefined {
  const parts = call.path.split('/').slice(1);
  for (const segment of parts) {
    const once = decoded(segment);
    if (once === undefined) return quote(segment);
    if (names.has(once)) continue;
    const twice = leniently(once);
    if (twice !== once && names.has(twice)) return `${quote(segment)}, encoded twice`;
    const spaced = decoded(segment.replaceAll('+', ' '));
    if (spaced !== once && spaced !== undefined && names.has(spaced)) return `${quote(segment)}, with + for a space`;
  }
  const whole = decoded(call.path) ?? '';
  // The rest of a name behind a bare ? is taken for the query, and what is behind a bare # is not sent at all.
  const last = decoded(parts.at(-1) ?? '') ?? '';
  for (const name of names) {
    if (name.includes('/') && whole.includes(`/${name}`) && !parts.some((part) => decoded(part) === name))
      return `${quote(name)} with its slash bare`;
    const cut = [...name.matchAll(/[?#]/g)].find(
      ({ index }) => index > 0 && last.trimEnd() === name.slice(0, index).trimEnd(),
    );
    if (cut && !names.has(last)) return `${quote(last)}, which is ${quote(name)} cut at its bare ${cut[0]}`;
  }
  return undefined;
}

const stashPath = /^\/(?:guild(?:\/(xbox|sony))?\/stash|stash(?:\/(xbox|sony))?)\/([^/]+)\/([^/]+)(?:\/([^/]+))?$/;

interface RequestedTab {
  readonly call: Call;
  /** Ids in lower case. */
  readonly stash: string;
  readonly sub: string | undefined;
  readonly league: string;
  /** The tabs of the league. */
  readonly tabs: ReturnType<WorldRun['facts']['tabs']>;
}

/** Requests for one tab. */
export const requestedTabs = (run: WorldRun): RequestedTab[] =>
  own(run).flatMap((call) => {
    const [, guild, account, segment = '', stash = '', sub] = stashPath.exec(call.path) ?? [];
    if (stash === '') return [];
    const league = decoded(segment) ?? segment;
    const tabs = run.facts.tabs((guild ?? account ?? 'pc') as Realm, league);
    return [{ call, stash: stash.toLowerCase(), sub: sub?.toLowerCase(), league, tabs }];
  });

/** A name that a request asks for, of which kind, and the operations that list such names. */
interface RequestedName {
  readonly call: Call;
  readonly name: string;
  readonly lists: readonly Call['operation'][];
}

const leagueLists = ['listLeagues', 'listAccountLeagues'] as const;
const named: Partial<Record<NonNullable<Call['operation']>, [before: number, lists: readonly Call['operation'][]]>> = {
  getLeague: [0, leagueLists],
  getLeagueLadder: [1, leagueLists],
  getLeagueEventLadder: [1, leagueLists],
  getPvpMatch: [0, ['listPvpMatches']],
  getPvpMatchLadder: [1, ['listPvpMatches']],
  getCharacter: [0, ['listCharacters']],
  listStashes: [0, leagueLists],
  listGuildStashes: [0, leagueLists],
  getLeagueAccount: [0, leagueLists],
};

/** The names of leagues, matches and characters in paths and queries. */
function requestedNames(run: WorldRun): RequestedName[] {
  return dataCalls(run).flatMap((call): RequestedName[] => {
    const [before, lists] = (call.operation && named[call.operation]) ?? [];
    const inQuery = call.query.getAll('league').map((name) => ({ call, name, lists: leagueLists }));
    if (before === undefined || lists === undefined) return inQuery;
    const name = decoded(call.path.split('/').at(-1 - before) ?? '') ?? '';
    return [...inQuery, { call, name, lists }];
  });
}

/** Every text that replies before a request held, with the members that held it and the operations that listed something. */
class Read {
  readonly texts = new Map<string, Set<string>>();
  readonly operations = new Set<Call['operation']>();

  add(call: Call): void {
    if (call.status !== 200 || call.delivery !== 'sent') return;
    this.operations.add(call.operation);
    this.#collect(call.json, '');
  }

  /** A text of a reply that differs in case, in normal form, in accents, in spaces, in entities of HTML or in escapes only. */
  twinOf(name: string): string | undefined {
    const wanted = plain(name);
    return [...this.texts.keys()].findLast((text) => plain(text) === wanted) ?? this.misreadOf(name);
  }

  /** A text of a reply whose bytes were read in parts, or as Latin-1. */
  misreadOf(name: string): string | undefined {
    if (name.includes('\ufffd')) {
      const rest = name.replaceAll(beyondAscii, '');
      return [...this.texts.keys()].findLast((text) => text !== rest && text.replaceAll(beyondAscii, '') === rest);
    }
    const text = Buffer.from(name, 'latin1').toString();
    return text !== name && this.texts.has(text) ? text : undefined;
  }

  /** The member that held a text, where none of them holds names; undefined for a name, and for what no reply had. */
  otherThanName(name: string): string | undefined {
    const members = [...(this.texts.get(name) ?? [])];
    return members.some((member) => naming.has(member)) ? undefined : members[0];
  }

  #collect(value: unknown, member: string): void {
    if (typeof value === 'string' && value.length < 100) {
      const members = this.texts.get(value) ?? new Set();
      this.texts.set(value, members.add(member));
    } else if (Array.isArray(value)) for (const one of value) this.#collect(one, member);
    else if (typeof value === 'object' && value !== null)
      for (const [key, one] of Object.entries(value)) this.#collect(one, key);
  }
}

const beyondAscii = /[^ -~]/g;

/** Members that hold the name of a league, a match or a character; id is that of the first two (2). */
const naming = new Set(['id', 'name', 'league', 'character', 'lastCharacterName']);
/** The id of a character, which is not its name (2). */
const characterId = /^[0-9a-f]{64}$/i;

/** An id with letters, which have a case. */
const hexId = /^(?=.*[a-f])[0-9a-f]{8,}$/i;

const plain = (text: string): string =>
  leniently(text)
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')
    .normalize('NFKD')
    .replaceAll(/[\s\p{Mark}]/gu, '')
    .toLowerCase();

/** What is written so in HTML. */
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

type Violation = ReturnType<typeof violation>;

/** Looks at each name that was asked for, with what had been read by then; undefined where nothing can be said of it. */
function eachName(
  run: WorldRun,
  test: (one: RequestedName, read: Read) => 'right' | Violation | undefined,
): ReturnType<NonNullable<AuditRow['judge']>> {
  const read = new Read();
  const replies = dataCalls(run).toSorted((a, b) => a.end - b.end);
  let next = 0;
  const found = requestedNames(run).map((one) => {
    // A client has a reply a moment before the server sees the end of it.
    for (; replies[next] !== undefined && replies[next]!.end <= one.call.at + 5; next += 1) read.add(replies[next]!);
    return test(one, read);
  });
  return {
    exercised: found.filter((one) => one !== undefined).length,
    violations: found.filter((one) => typeof one === 'object'),
  };
}

const isJudged = ({ call, name }: RequestedName, run: WorldRun): boolean =>
  call.status !== 400 && name !== '' && !noValue.test(name) && misspelled(call, run) === undefined;

/** Names and ids that a client asks for come from replies. */
export const names: readonly AuditRow[] = [
  {
    id: 'ADDR-NAME-001',
    level: 'MUST',
    sentence: 'A league, a match or a character is asked for by its name, letter for letter.',
    source: '4.2',
    how: 'A name in a path or a query that no reply had and that is none is compared with those that replies had: one that differs in letter case, in Unicode normal form, in accents, in spaces, in entities of HTML or in escapes of URLs only has been changed, and so has one whose UTF-8 was decoded in parts, as in the world slow-names, or as Latin-1. The id of a character, 64 hexadecimal digits, is no name.',
    judge: (run) =>
      eachName(run, (one, read) => {
        if (!isJudged(one, run)) return undefined;
        if (one.call.operation === 'getCharacter' && characterId.test(one.name) && !run.facts.names.has(one.name))
          return violation('the name of the character', `${quote(one.name)}, which is an id`, one.call);
        if (read.texts.has(one.name)) return 'right';
        const twin = read.twinOf(one.name);
        if (twin === undefined || run.facts.names.has(one.name)) return undefined;
        return violation(
          `the name ${quote(twin)} as a reply had it`,
          `${quote(one.name)}${changeOf(twin, one.name, read)}`,
          one.call,
        );
      }),
  },
  {
    id: 'ADDR-NAME-002',
    level: 'ADVICE',
    sentence: 'What is asked for by a name or an id is what a reply listed.',
    source: '4.2',
    how: 'Where the list was read before, a name in a path or a query and the id of a tab must be in it, or be there all the same; what nobody has listed and is not there was made up. So was a tab that only lists of other leagues had.',
    judge: (run) => {
      const found = eachName(run, (one, read) => {
        if (!isJudged(one, run) || !one.lists.some((list) => read.operations.has(list))) return undefined;
        if (run.facts.names.has(one.name)) return 'right';
        const member = read.otherThanName(one.name);
        if (member !== undefined)
          return violation(
            'a name that a reply listed',
            `${quote(one.name)}, which replies have as ${member}`,
            one.call,
          );
        if (read.texts.has(one.name)) return 'right';
        if (read.twinOf(one.name) !== undefined) return undefined;
        return violation('a name that a reply listed', quote(one.name), one.call);
      });
      const tabs = each(
        requestedTabs(run).filter(({ call, tabs: known }) => known.size > 0 && isListed(run, call)),
        ({ call, stash, sub, tabs: known }) => {
          const unknown = [stash, sub].find((id) => id !== undefined && !known.has(id));
          return unknown === undefined
            ? undefined
            : violation('the id of a tab that a reply listed', quote(unknown), call);
        },
      );
      const elsewhere = each(tabsOfOtherLeagues(run), ({ call, stash, list }) =>
        violation('a tab in the league whose list had it', `${quote(stash)} in another league`, list, call),
      );
      return {
        exercised: found.exercised + tabs.exercised,
        violations: [...found.violations, ...tabs.violations, ...elsewhere.violations],
      };
    },
  },
  {
    id: 'ADDR-HEX-001',
    level: 'ADVICE',
    sentence: 'An id is sent as a reply had it, in the case of its letters too.',
    source: '2',
    how: 'Hexadecimal segments of paths are looked for in the replies before: one that stood there in the other case alone has been changed. The interface does not say that a service takes both.',
    judge: (run) => {
      const replies = dataCalls(run).filter(({ status, delivery }) => status === 200 && delivery === 'sent');
      const asked = dataCalls(run).flatMap((call) =>
        call.path
          .split('/')
          .filter((segment) => hexId.test(segment))
          .map((id) => ({ call, id })),
      );
      return each(asked, ({ call, id }) => {
        const had = (text: string): boolean =>
          replies.some((one) => one.number < call.number && one.text.includes(`"${text}"`));
        const other = [id.toUpperCase(), id.toLowerCase()].find((text) => text !== id && had(text));
        return other !== undefined && !had(id) ? violation(quote(other), quote(id), call) : undefined;
      });
    },
  },
  {
    id: 'ADDR-REALM-003',
    follows: ['ADDR-REALM-001'],
    level: 'ADVICE',
    sentence: 'What the list of a realm names is asked for in that realm: where none is named, pc is assumed.',
    source: '4',
    how: 'A character, a match, a league or the tabs of a league of the account that only lists of other realms named, and that are not there, were asked for in the wrong realm, unless they are asked for in their own as well. So was a tab that only lists of other realms had, and so were the passives of a league that the list of the realm which was asked for lacks. Leagues and matches have the realm in the query.',
    judge: (run) => {
      const elsewhere = [...tabsOfOtherRealms(run), ...leaguesOfOtherRealms(run)];
      const asked = requestedNames(run).flatMap(({ call, name, lists: own }) => {
        // What an account has in a league may be in one realm alone, and in none: its tabs are looked at, and nothing else.
        const lists = own === leagueLists && !inRealmOfLeague.has(call.operation) ? [] : own;
        const realms = dataCalls(run)
          .filter((list) => list.number < call.number && lists.includes(list.operation) && namesIn(list).includes(name))
          .map(({ realm }) => realm);
        return realms.length === 0 ? [] : [{ call, name, realms }];
      });
      const found = each(asked, ({ call, name, realms }) => {
        const tabs = replyOf(call, 'stashes');
        const isFound =
          (replyOf(call, 'character') ?? replyOf(call, 'match') ?? replyOf(call, 'league') ?? undefined) !==
            undefined ||
          (Array.isArray(tabs) && tabs.length > 0);
        const isOwn = (one: (typeof asked)[number]): boolean => one.name === name && realms.includes(one.call.realm);
        return isFound || asked.some(isOwn) ? undefined : inWrongRealm(call, name, realms[0]);
      });
      return {
        exercised: found.exercised + elsewhere.length,
        violations: [...found.violations, ...elsewhere.flatMap((one) => one ?? [])],
      };
    },
  },
];

const spaces = (text: string): number => [...text.matchAll(/\s/g)].length;

/** What was changed in a name, where the two do not show it. */
function changeOf(twin: string, name: string, read: Read): string {
  if (twin.normalize('NFC') === name.normalize('NFC')) return ', in another Unicode normal form';
  if (twin.replaceAll(/\s/g, '') === name.replaceAll(/\s/g, '')) {
    const [had, has] = [spaces(twin), spaces(name)];
    return had === has ? ', with other space characters' : `, with ${has} space characters instead of ${had}`;
  }
  if (twin !== read.misreadOf(name)) return '';
  return name.includes('\ufffd')
    ? ', with U+FFFD where characters could not be decoded'
    : ', its UTF-8 read as Latin-1';
}

const inWrongRealm = (call: Call, name: string, realm: Realm = 'pc'): Violation =>
  violation(
    `${quote(name)} in the realm ${realm}`,
    call.realm === undefined ? 'in no realm, which is pc' : `in ${call.realm}`,
    call,
  );

const realmOf = ({ realm = 'pc' }: Call): Realm => realm;

/** The lists that had a tab before it was asked for. */
const listsOf = (run: WorldRun, { call, stash }: RequestedTab): Call[] => {
  const list = call.operation === 'getStash' ? 'listStashes' : 'listGuildStashes';
  return dataCalls(run).filter(
    (one) => one.operation === list && one.end <= call.at + 5 && one.text.toLowerCase().includes(`"${stash}"`),
  );
};

/** Requests for tabs that are not there, and that only lists of other leagues had, each with one of those. */
const tabsOfOtherLeagues = (run: WorldRun): { call: Call; stash: string; list: Call }[] =>
  requestedTabs(run).flatMap((asked) => {
    const lists = listsOf(run, asked);
    const isOther = ({ path }: Call): boolean => {
      const league = path.split('/').at(-1)!;
      return (decoded(league) ?? league) !== asked.league;
    };
    const isGone = asked.call.status === 200 && replyOf(asked.call, 'stash') === null && asked.tabs.size === 0;
    return isGone && lists.length > 0 && lists.every(isOther) ? [{ ...asked, list: lists[0]! }] : [];
  });

/** Requests for tabs that lists had before: what is wrong with those that only lists of other realms had, and that are not there. */
const tabsOfOtherRealms = (run: WorldRun): (Violation | undefined)[] =>
  requestedTabs(run).flatMap((asked) => {
    const { call, stash } = asked;
    const had = listsOf(run, asked);
    if (had.length === 0) return [];
    const isThere = had.some((one) => realmOf(one) === realmOf(call)) || (replyOf(call, 'stash') ?? null) !== null;
    return [isThere ? undefined : inWrongRealm(call, stash, had[0]!.realm)];
  });

/**
 * Requests for the passives of leagues that a list of another realm had before: what is wrong with those whose league the
 * same list of the realm that was asked for lacks.
 */
const leaguesOfOtherRealms = (run: WorldRun): (Violation | undefined)[] =>
  requestedNames(run)
    .filter(({ call }) => call.operation === 'getLeagueAccount')
    .flatMap(({ call, name, lists }) => {
      const before = dataCalls(run).filter(
        (one) => lists.includes(one.operation) && one.status === 200 && one.end <= call.at + 5,
      );
      const had = before.filter((one) => namesIn(one).includes(name));
      if (had.length === 0) return [];
      const isThere = had.some((one) => realmOf(one) === realmOf(call));
      const isLacking = before.some((one) => realmOf(one) === realmOf(call) && one.operation === had[0]!.operation);
      return isThere || !isLacking ? [undefined] : [inWrongRealm(call, name, had[0]!.realm)];
    });

/** Operations that ask for a league, or for tabs in it, in the realm of that league. */
const inRealmOfLeague: ReadonlySet<Call['operation']> = new Set<Call['operation']>([
  'listStashes',
  'getLeague',
  'getLeagueLadder',
  'getLeagueEventLadder',
]);

/** The characters, matches or leagues that a list names. */
const namesIn = (list: Call): unknown[] => {
  const found = replyOf(list, 'characters') ?? replyOf(list, 'matches') ?? replyOf(list, 'leagues');
  return Array.isArray(found)
    ? (found as { id: unknown; name?: unknown }[]).map(({ id, name }) =>
        list.operation === 'listCharacters' ? name : id,
      )
    : [];
};

/** Whether the list of tabs that a request for a tab belongs to was read before. */
const isListed = (run: WorldRun, { number, path }: Call): boolean =>
  dataCalls(run).some(
    (call) =>
      call.number < number &&
      call.status === 200 &&
      (call.operation === 'listStashes' || call.operation === 'listGuildStashes') &&
      path.startsWith(`${call.path}/`),
  );
