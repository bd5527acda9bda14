import { schemas } from '../../../src/contract/index.js';
import { replyOf } from '../call.js';
import type { Call } from '../call.js';
import type { AuditRow, AuditViolation } from '../row.js';
import { each, groups, quote, violation } from '../row.js';
import type { WorldRun } from '../run.js';
import { dataCalls } from './requests.js';

const posts = (run: WorldRun): Call[] =>
  dataCalls(run).filter(({ operation }) => operation === 'createItemFilter' || operation === 'updateItemFilter');
const updates = (run: WorldRun): Call[] => posts(run).filter(({ operation }) => operation === 'updateItemFilter');

function bodyOf({ body }: Call): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(body) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

/** What the body of a filter may have (4.2). */
const properties: ReadonlySet<string> = new Set(Object.keys(schemas.ItemFilterUpdate?.properties ?? {}));

/** Whether two creates make the same filter: one name or one text, whatever stands beside it. */
function isAlike(one: Call, other: Call): boolean {
  const [body, others] = [bodyOf(one), bodyOf(other)];
  return (['filter_name', 'filter'] as const).some(
    (name) => typeof body?.[name] === 'string' && body[name] === others?.[name],
  );
}

/** Whether a create makes, for the same realm, what an update names or its reply shows. */
function replaces(create: Call, update: Call): boolean {
  const made = bodyOf(create);
  const shown = replyOf(update, 'filter') as Record<string, unknown> | null | undefined;
  if (made?.realm !== shown?.realm) return false;
  return (['filter_name', 'filter'] as const).some(
    (name) => typeof made?.[name] === 'string' && [bodyOf(update)?.[name], shown?.[name]].includes(made[name]),
  );
}

/** The lists of filters that somebody asked for between two requests. */
const listsBetween = (run: WorldRun, one: Call, other: Call): Call[] =>
  dataCalls(run).filter(
    ({ operation, number }) => operation === 'listItemFilters' && number > one.number && number < other.number,
  );

/** Whether a list that the client got has the filter that a request made. */
function shows(list: Call, create: Call): boolean {
  const filters = replyOf(list, 'filters');
  const name = bodyOf(create)?.filter_name;
  return (
    list.delivery === 'sent' &&
    Array.isArray(filters) &&
    filters.some((one: { filter_name?: unknown }) => one.filter_name === name)
  );
}

const beyondAscii = /[^ -~\t]/g;

/** The lines in the texts of a filter. */
const linesOf = (filter: unknown): string[] =>
  Object.values(typeof filter === 'object' && filter !== null ? filter : {})
    .filter((text) => typeof text === 'string')
    .flatMap((text) => text.split('\n'));

/** Those with characters beyond ASCII. */
const oddLines = (filter: unknown): string[] => linesOf(filter).filter((text) => text.search(beyondAscii) >= 0);

interface LinesRead {
  /** Lines beyond ASCII, with the number of the first reply that held each. */
  readonly whole: Map<string, number>;
  /** The same by their ASCII part. */
  readonly rest: Map<string, number>;
  /** The same with ? for what is beyond. */
  readonly questioned: Map<string, number>;
  /** Lines of ASCII alone. */
  readonly plain: Map<string, number>;
}

/** The lines that replies held. */
function linesRead(run: WorldRun): LinesRead {
  const read = { whole: new Map(), rest: new Map(), questioned: new Map(), plain: new Map() } satisfies LinesRead;
  for (const call of dataCalls(run).filter(({ status, delivery }) => status === 200 && delivery === 'sent'))
    for (const text of [replyOf(call, 'filter'), replyOf(call, 'filters')].flat().flatMap(linesOf)) {
      const [part, asked] = [text.replaceAll(beyondAscii, ''), text.replaceAll(beyondAscii, '?')];
      const lines: Partial<Record<keyof LinesRead, string>> =
        part === text ? { plain: text } : { whole: text, rest: part, questioned: asked };
      for (const [name, line] of Object.entries(lines) as [keyof LinesRead, string][])
        if (!read[name].has(line)) read[name].set(line, call.number);
    }
  return read;
}

/** What is wrong with what follows an update that was accepted; the same one is sent `usual` times in any world. */
function repeatedOrReplaced(run: WorldRun, call: Call, usual: number): AuditViolation | undefined {
  const later = posts(run).filter(({ number, start }) => number > call.number && start === call.start);
  const again = later.filter(({ target, body }) => target === call.target && body === call.body);
  const instead = later.find((one) => one.operation === 'createItemFilter' && replaces(one, call));
  if (instead) return violation('the filter that the update names', 'another filter created', call, instead);
  return again.length >= usual
    ? violation(
        'one update',
        `the same update ${again.length === 1 ? 'once more' : `${again.length} more times`}`,
        call,
        ...again.slice(0, 2),
      )
    : undefined;
}

export const filters: readonly AuditRow[] = [
  {
    id: 'FILTER-TYPE-001',
    level: 'MUST',
    sentence: 'Filters are sent with Content-Type: application/json.',
    source: '4.2',
    how: 'The content type of every create and update is read.',
    judge: (run) =>
      each(posts(run), (call) =>
        /^application\/json\s*(;|$)/i.test(call.headers['content-type'] ?? '')
          ? undefined
          : violation('application/json', quote(call.headers['content-type']), call),
      ),
  },
  {
    id: 'FILTER-BODY-001',
    level: 'MUST',
    sentence: 'The body of a filter is JSON: filter_name, realm and filter to create one, each member of its type.',
    source: '4.2',
    how: 'Creates and updates that the mock refuses with 400 for a field, those that begin with a byte order mark (RFC 8259 8.1), and updates none of whose members is one of the interface.',
    judge: (run) =>
      each(
        posts(run).filter(({ decision }) => decision !== 'faulted'),
        (call) => {
          // An update that makes a filter private has a row of its own.
          const { public: open = true } = bodyOf(call) ?? {};
          const isPrivate = call.operation === 'updateItemFilter' && open !== true;
          if (call.status === 400 && !isPrivate && /field |body/.test(call.reason ?? ''))
            return violation('a body as described', call.reason ?? 'HTTP 400', call);
          if (call.body.startsWith('\ufeff'))
            return violation('JSON text', 'a byte order mark before it, which RFC 8259 8.1 forbids', call);
          const names = Object.keys(bodyOf(call) ?? {});
          return call.status === 200 && names.length > 0 && !names.some((name) => properties.has(name))
            ? violation(`one of ${[...properties].join(', ')}`, names.join(', '), call)
            : undefined;
        },
      ),
  },
  {
    id: 'FILTER-PUBLIC-001',
    level: 'MUST',
    sentence: 'In an update public is true if it is there: a public filter cannot be made private again.',
    source: '4.2',
    how: 'The body of every update is read.',
    judge: (run) =>
      each(updates(run), (call) =>
        bodyOf(call)?.public === undefined || bodyOf(call)?.public === true
          ? undefined
          : violation('public left out, or true', `public: ${JSON.stringify(bodyOf(call)?.public)}`, call),
      ),
  },
  {
    id: 'FILTER-PART-001',
    level: 'ADVICE',
    sentence: 'A partial update sends what changes: omitted properties keep their values.',
    source: '4.2',
    how: 'Updates that carry all of filter_name, realm, description, version, type and filter are no partial ones.',
    judge: (run) =>
      each(updates(run), (call) =>
        [...properties].every((name) => name === 'public' || bodyOf(call)?.[name] !== undefined)
          ? violation('what changes', 'every property', call)
          : undefined,
      ),
  },
  {
    id: 'FILTER-TEXT-001',
    level: 'ADVICE',
    sentence: 'A text of a filter that was read goes back with the same characters: JSON is UTF-8.',
    source: 'RFC 8259 8.1',
    how: 'Lines beyond ASCII in creates and updates are compared with those that replies held before: one that became of such a line when its UTF-8 was read as Latin-1, decoded in parts, or written in ASCII with ? for the rest, has been damaged.',
    judge: (run) => {
      const { whole, rest, questioned, plain } = linesRead(run);
      const isRead = (lines: Map<string, number>, text: string, call: Call): boolean =>
        (lines.get(text) ?? Infinity) < call.number;
      const found = posts(run).flatMap((call) => {
        const sent = oddLines(bodyOf(call));
        const asked = linesOf(bodyOf(call)).find(
          (text) => text.includes('?') && isRead(questioned, text, call) && !isRead(plain, text, call),
        );
        if (asked !== undefined) return [{ call, misread: asked }];
        const misread = sent.find((text) => {
          if (isRead(whole, text, call)) return false;
          return text.includes('\ufffd')
            ? isRead(rest, text.replaceAll(beyondAscii, ''), call)
            : isRead(whole, Buffer.from(text, 'latin1').toString(), call);
        });
        return misread !== undefined || sent.some((text) => isRead(whole, text, call)) ? [{ call, misread }] : [];
      });
      return each(found, ({ call, misread }) =>
        misread === undefined ? undefined : violation('the line as a reply had it', quote(misread), call),
      );
    },
  },
  {
    id: 'FILTER-REPEAT-001',
    level: 'ADVICE',
    sentence: 'A filter is created once: a reply that was lost is looked for before it is created again.',
    source: 'RFC 9110 9.2.2',
    how: 'Creates with the same body after one that succeeded are counted, and one is allowed; after one whose reply was lost, as in the world lost-create-reply, none with its name or its text is, unless the filters were listed in between and the list does not have its name. Creates that were refused made nothing, and do not count.',
    judge: (run) => {
      const creates = posts(run).filter(
        ({ operation, status }) => operation === 'createItemFilter' && status !== null && status < 300,
      );
      return each(creates, (call) => {
        const later = creates.filter(({ number, start }) => number > call.number && start === call.start);
        const next = call.delivery === 'lost' ? later.find((one) => isAlike(one, call)) : undefined;
        const lists = next ? listsBetween(run, call, next) : [];
        const shown = lists.find((list) => shows(list, call));
        if (next && (lists.length === 0 || shown))
          return violation(
            shown ? 'the filter that the list shows' : 'the list of filters read before another create',
            'the same create again, although its reply was lost',
            call,
            ...(shown ? [shown] : []),
            next,
          );
        const again = later.filter(({ body }) => body === call.body);
        return again.length > 1
          ? violation('one create', `${again.length + 1} of the same filter`, call, again[0]!)
          : undefined;
      });
    },
  },
  {
    id: 'FILTER-ACCEPTED-001',
    level: 'ADVICE',
    sentence: 'An update that was accepted with 202 was taken: it is not sent again, and no filter is created instead.',
    source: '4.2',
    how: 'In the world filter-statuses later creates with the text or the name of such an update or of its filter, and the same update again, are looked for; as often as in the calm world is allowed.',
    across: (runs) => {
      const calm = runs.find(({ world }) => world.id === 'calm');
      const alike = groups(calm ? updates(calm) : [], ({ start, body }) => `${start} ${body}`);
      const usual = calm ? Math.max(1, ...alike.map(({ length }) => length)) : 2;
      const cases = runs.flatMap((run) =>
        updates(run)
          .filter((call) => call.status === 202 && call.delivery === 'sent')
          .map((call) => ({ run, found: repeatedOrReplaced(run, call, usual) })),
      );
      const wrong = cases.find(({ found }) => found);
      return { ...each(cases, ({ found }) => found), ...(wrong && { world: wrong.run.world.id }) };
    },
  },
];
