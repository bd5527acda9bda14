import { deref, replySchemas } from '../../src/contract/index.js';
import type { GameOperation } from '../../src/contract/index.js';
import { isObject } from '../json.js';
import { header, mediaType, succeeded } from '../wire/answer.js';
import type { Answer } from '../wire/answer.js';
import { clipped } from '../wire/bounds.js';
import { intermediaryText, isOfIntermediary } from '../wire/intermediary.js';
import { formsOf } from './reply.js';
import type { Reply } from './reply.js';
import { answers } from './rule.js';
import type { MonitorRow, Rules } from './rule.js';
import { elements, given, own, show } from './values.js';
import { gameOperations, traitsOf } from '../engine/operations.js';
import { ladderPage } from '../engine/ladder-page.js';

const isData = ({ asked }: Answer): boolean => asked.server === 'data' && asked.operation !== undefined;

/** Overload that says when to come back, and refusals of a method or version that HTTP itself has. */
const isExcused = (answer: Answer): boolean =>
  (answer.status === 503 && header(answer, 'retry-after') !== undefined) ||
  answer.status === 505 ||
  (answer.status === 501 && answer.asked.operation === undefined);

/** Members of successful bodies, by which a refusal would give data away. */
const success: Readonly<Record<string, readonly string[]>> = {
  getProfile: ['uuid'],
  getPublicStashTabs: ['stashes', 'next_change_id'],
  getCurrencyExchange: ['markets', 'next_change_id'],
};
const membersOf = (operation: string, wrapper: string | undefined): readonly string[] =>
  success[operation] ?? (wrapper === undefined ? [] : [wrapper]);

/** The list that the contract requires at the top of an operation's reply. */
function listOf(operation: GameOperation): string | undefined {
  const { required = [], properties = {} } = deref(replySchemas[operation]?.['200'] ?? {}).schema;
  return required.find((name) => properties[name]?.type === 'array');
}

/** The way to each list; the names of leagues whose tabs are asked for may be unknown, of which the interface is silent (K-025). */
const lists: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    gameOperations.flatMap((operation) => {
      const name = listOf(operation);
      return name === undefined ? [] : [[operation, [name]]];
    }),
  ),
  getLeagueLadder: ['league', 'entries'],
  getLeagueEventLadder: ['league', 'entries'],
  getPvpMatchLadder: ['match', 'entries'],
};

/** What holds for every answer of the data API (interface 4, 5.3, 7). */
export const general: readonly MonitorRow[] = [
  {
    id: 'GEN-001',
    level: 'MUST',
    sentence:
      'Every 2xx answer of the data API is JSON: its body parses, and a Content-Type names a media type of JSON, such as application/json (parameters allowed).',
    source: '1,4',
    rule: answers((answer, findings) => {
      if (!isData(answer) || !succeeded(answer)) return;
      findings.look();
      const type = mediaType(answer);
      if (answer.problem !== undefined) findings.fail('a body that is JSON', answer.problem, answer);
      else if (answer.json === undefined)
        findings.fail('a body that is JSON', `a body that does not parse: ${show(answer.text)}`, answer);
      else if (type === undefined || type === 'text/json')
        findings.warn(`JSON comes with Content-Type: ${type ?? 'absent'}; RFC 8259 11 registers application/json.`);
      else if (!/^application\/([^/]+\+)?json$/.test(type))
        findings.fail('a media type of JSON, such as application/json', `Content-Type: ${show(type)}`, answer);
    }),
  },
  {
    id: 'BEAR-011',
    level: 'INFER',
    sentence: "The bodies of 401 and 403 carry no data of the resource: the operation's wrapper field is absent.",
    source: '5.3',
    entailed: '4.2, 5.3: data needs a token with the scope; an answer that shows it lets everyone in',
    rule: answers((answer, findings) => {
      const { operation } = answer.asked;
      if (!isData(answer) || operation === undefined || (answer.status !== 401 && answer.status !== 403)) return;
      findings.look();
      for (const member of membersOf(operation, formsOf(operation)[0]?.wrapper)) {
        const value = own(answer.json, member);
        if (given(value))
          findings.fail(`no ${member} beside status ${answer.status}`, `$.${member} is ${show(value)}`, answer);
      }
    }),
  },
  {
    id: 'BEAR-012',
    level: 'UNSPEC',
    sentence: 'Whether 401 and 403 of the data API carry WWW-Authenticate is not stated.',
    source: '5.1,7',
    gap: 'K-014',
    rule: answers((answer, findings, { observe }) => {
      if (!isData(answer) || (answer.status !== 401 && answer.status !== 403)) return;
      findings.look();
      const named = header(answer, 'www-authenticate') === undefined ? 'without' : 'with';
      observe(`Data answers with status ${answer.status} come ${named} a WWW-Authenticate header.`);
    }),
  },
  {
    id: 'ERR-003',
    level: 'UNSPEC',
    sentence: 'The shape of data error bodies and the fields of Error are not shown; those met are noted.',
    source: '7',
    gap: 'K-067',
    rule: answers((answer, findings, { observe }) => {
      if (!isData(answer) || answer.status < 400 || answer.status >= 500) return;
      findings.look();
      observe(`Data answers with status ${answer.status} have ${bodyForm(answer)}.`);
    }),
  },
  {
    id: 'ERR-005',
    level: 'INFER',
    sentence:
      'An empty collection is `[]`, never null or missing: filters, leagues, matches, characters, stashes, entries, markets.',
    source: '7',
    entailed: '2, 4.2: the member is an array, without a question mark; of nothing it is the empty one',
    rule: () => {
      const known = new Set<unknown>();
      return {
        objects: {
          League: ({ id }) => void (known.size < 5000 && typeof id === 'string' && known.add(clipped(id, 200))),
        },
        reply(reply, findings) {
          const way = lists[reply.operation];
          if (!way || isUnknown(reply, known)) return;
          const holder = way.length === 1 ? reply.body : ladderPage(reply.body, way[0] ?? '');
          const name = way.at(-1) ?? '';
          // A ladder of an unknown league is null or has no members at all (K-023).
          if (!isObject(holder) || (way.length > 1 && Object.keys(holder).length === 0)) return;
          findings.look();
          const value = own(holder, name);
          if (!given(value))
            findings.fail(`${name} is [] where it is empty`, `$.${way.join('.')} is ${show(value)}`, reply.answer);
        },
      };
    },
  },
  {
    id: 'RATE-002',
    level: 'UNSPEC',
    sentence: '429 and Retry-After are not described; the suite waits when it meets them.',
    source: '8',
    gap: 'K-093',
    rule: answers((answer, findings, { observe }) => {
      if (answer.status !== 429) return;
      findings.look();
      observe(`Status 429 comes ${header(answer, 'retry-after') === undefined ? 'without' : 'with'} Retry-After.`);
    }),
  },
  {
    id: 'GEN-018',
    level: 'UNSPEC',
    sentence: 'Undocumented members of objects are allowed; they are counted by schema and name.',
    source: '2',
    gap: 'K-104',
    rule: ({ shapes }) => ({
      exercised: () => shapes.objects.reduce((sum, { met }) => sum + met.g1 + met.g2 + met.either, 0),
    }),
  },
  {
    id: 'GEN-020',
    level: 'UNSPEC',
    sentence: 'Integers beyond 2^53-1 (experience, ratios, volumes) are not ruled out; those met are counted.',
    source: '2',
    gap: 'K-096',
    rule: ({ shapes }) => ({
      exercised: () => shapes.all.reduce((sum, { types, seen }) => sum + (types.has('integer') ? seen : 0), 0),
    }),
  },
];

/** Whose requirement stands beside a check that brings the case about. */
export const anyRequest: Rules = {
  'GEN-016': answers((answer, findings) => {
    findings.look();
    if (answer.status >= 500 && !isExcused(answer)) {
      const got = isOfIntermediary(answer) ? intermediaryText(answer) : `status ${answer.status}`;
      findings.fail('a status below 500', `${got} to ${answer.request.method}`, answer);
    }
  }),
};

function bodyForm({ json, text }: Answer): string {
  if (json === undefined) return text === '' ? 'no body' : 'a body that is not JSON';
  const error = own(json, 'error');
  if (isObject(error)) return 'an error object';
  return error === undefined
    ? 'JSON without error'
    : `an error that is ${Array.isArray(error) ? 'an array' : `a ${typeof error}`}`;
}

function isUnknown({ operation, args, answer }: Reply, known: ReadonlySet<unknown>): boolean {
  if (operation !== 'listStashes' && operation !== 'listGuildStashes') return false;
  return (
    !known.has(clipped(String(args['league']), 200)) &&
    elements(own(answer.json, 'stashes')).length === 0 &&
    !given(own(answer.json, 'stashes'))
  );
}

/** Operations that may say of an unknown name in a way that the interface leaves open (K-023, K-025, K-127). */
const silent: ReadonlySet<string> = new Set(gameOperations.filter((one) => traitsOf(one).unknown === 'open'));

/** Whether a reply may be a server's way to say that there is no such thing, where the interface does not say how. */
export function isFree({ operation, body }: Reply): boolean {
  if (!silent.has(operation)) return false;
  const wrapper = formsOf(operation)[0]?.wrapper ?? '';
  const value = ladderPage(body, wrapper);
  if (isObject(value) && operation !== 'getLeagueAccount' && operation !== 'getItemFilter')
    return Object.keys(value).length === 0;
  return !given(value) && !Object.hasOwn(body, 'entries');
}
