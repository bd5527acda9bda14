import { count } from '../../text.js';
import { operationList, parameterTable } from '../../../src/contract/index.js';
import { replyOf } from '../call.js';
import type { Call } from '../call.js';
import type { AuditRow, AuditViolation } from '../row.js';
import { each, groups, violation } from '../row.js';
import type { WorldRun } from '../run.js';
import { dataCalls } from './requests.js';

/** How many entries a page of a list or a ladder has; undefined where a reply is no such page. */
function entriesOf(call: Call): number | undefined {
  const ladder = ['ladder', 'league', 'match'].map((name) => replyOf(call, name) as { entries?: unknown } | undefined);
  const pages = [replyOf(call, 'leagues'), ...ladder.map((one) => one?.entries)];
  return pages.find(Array.isArray)?.length;
}

/** How many entries a ladder says that it has. */
function totalOf(call: Call): number | undefined {
  const totals = ['ladder', 'league', 'match'].map(
    (name) => (replyOf(call, name) as { total?: unknown } | null)?.total,
  );
  return totals.find((total) => typeof total === 'number');
}

const offsetOf = ({ query }: Call): number => Number(query.get('offset') ?? 0);

/** What a request asks for, but for where its page begins. */
const listOf = ({ path, query, start }: Call): string =>
  `${start} ${path} ${[...query]
    .filter(([name]) => name !== 'offset')
    .toSorted()
    .join('&')}`;

/** The pages of lists that were read. */
const pagesRead = (run: WorldRun): Call[] =>
  dataCalls(run).filter(
    (call) =>
      call.operation !== undefined &&
      'offset' in parameterTable[call.operation] &&
      call.status === 200 &&
      entriesOf(call) !== undefined,
  );

/** The pages of each list that were read, by their offset. */
function lists(run: WorldRun): Call[][] {
  return groups(pagesRead(run), listOf).map((same) => {
    const places = new Map(same.map((page) => [offsetOf(page), page]));
    return [...places.values()].toSorted((a, b) => offsetOf(a) - offsetOf(b));
  });
}

/** Three pages of a list in equal steps, wherever a client walked through it so. */
const walks = (run: WorldRun): { pages: Call[]; step: number }[] =>
  lists(run).flatMap((pages) =>
    pages.slice(2).flatMap((third, at) => {
      const three = [pages[at]!, pages[at + 1]!, third];
      const [step = 0, next] = three.slice(1).map((page, before) => offsetOf(page) - offsetOf(three[before]!));
      return step === next ? [{ pages: three, step }] : [];
    }),
  );

/** A walk in steps of a page, but for one that leaves less than a page out, or of a page and one entry. */
function leftOut(run: WorldRun): AuditViolation | undefined {
  for (const pages of lists(run)) {
    const steps = pages
      .slice(1)
      .map((page, at) => ({ from: pages[at]!, to: page, step: offsetOf(page) - offsetOf(pages[at]!) }));
    const size = ({ from }: (typeof steps)[number]): number => entriesOf(from) ?? 0;
    const walked = steps.filter((one) => one.step === size(one)).length;
    // Where nothing came behind it either, nothing was there to leave out.
    const over = steps.filter(
      (one) => size(one) > 0 && one.step > size(one) && one.step < 2 * size(one) && entriesOf(one.to) !== 0,
    );
    const [one] = over;
    if (!one || over.length > 1) continue;
    // Nobody takes samples at one entry more than a page.
    const isMiscounted = size(one) > 1 && one.step === size(one) + 1;
    if (!isMiscounted && (walked < 2 || walked + 1 < steps.length)) continue;
    return violation(
      `the next page at offset ${offsetOf(one.from) + size(one)}, behind the ${size(one)} entries that came`,
      `offset ${offsetOf(one.to)}: ${one.step - size(one)} left out`,
      one.from,
      one.to,
    );
  }
  return undefined;
}

/** Sizes of the pages of other lists, which a client may take for those of its own (4.2, 8). */
const pageSizes = new Set(
  Object.values(parameterTable)
    .flatMap(({ limit }) => [limit?.default, limit?.maximum])
    .filter((size) => typeof size === 'number'),
);

/**
 * Two pages of the default size, the second of which begins where a larger page would have ended, while the list goes on
 * behind it: nobody takes samples or looks for a place there.
 */
function misjudged(run: WorldRun): AuditViolation | undefined {
  for (const pages of lists(run)) {
    const [first, second] = pages;
    if (!first || !second || pages.length > 2 || offsetOf(first) !== 0 || first.query.has('limit')) continue;
    const [size, step] = [entriesOf(first)!, offsetOf(second)];
    const isDefault = size === parameterTable[first.operation!].limit?.default;
    const goesOn = (totalOf(second) ?? 0) > step + entriesOf(second)!;
    if (isDefault && step > size && pageSizes.has(step) && goesOn)
      return violation(
        `the next page at offset ${size}, behind the ${count(size, 'entry', 'entries')} that came`,
        `offset ${step}: ${step - size} left out`,
        first,
        second,
      );
  }
  return undefined;
}

/** What is wrong with a step. Pages may overlap a little, since a ladder moves, and samples may be taken from afar. */
function wrongStep({ pages, step }: { pages: Call[]; step: number }): AuditViolation | undefined {
  const [first] = pages;
  const size = entriesOf(first!) ?? 0;
  const fallback = parameterTable[first!.operation!].limit?.default;
  const limit = Number(first!.query.get('limit') ?? fallback);
  const repeats = step * 2 <= size;
  const skips = step > limit && size === limit && (step < limit * 2 || !first!.query.has('limit'));
  if (!repeats && !skips) return undefined;
  return violation(
    `the next page at offset ${offsetOf(first!) + size}, behind the ${count(size, 'entry', 'entries')} that came`,
    `offset ${pages.slice(0, 3).map(offsetOf).join(', ')}: ${repeats ? 'the same entries again' : `${count(step - size, 'entry', 'entries')} of each ${step} left out`}`,
    ...pages.slice(0, 3),
  );
}

/** The parameters that an operation has in its query; those in its path are none of them. */
const queryOf = (operation: NonNullable<Call['operation']>): (typeof parameterTable)[typeof operation] => {
  const paths = operationList.filter(({ logical }) => logical === operation).map(({ path }) => path);
  return Object.fromEntries(
    Object.entries(parameterTable[operation]).filter(([name]) => !paths.some((path) => path.includes(`{${name}}`))),
  );
};

/** Parameters that go with a value of another one (4.2). */
const selectors: ReadonlyMap<string, readonly [by: string, value: string]> = new Map([
  ['class', ['sort', 'class']],
  ['season', ['type', 'season']],
  ['league', ['type', 'league']],
]);

const isSelected = ({ query }: Call, name: string): boolean => {
  const [by, value] = selectors.get(name)!;
  return query.get(by) === value;
};

/** What a query may not have for other reasons, which rows of their own give. */
const judgedElsewhere = new Set([
  'realm',
  'id',
  'next_change_id',
  'since',
  'access_token',
  'client_secret',
  'client_id',
]);

/** Whether a parameter only makes an address differ from those before. */
export const keepsCachesAway = (name: string, value: string): boolean =>
  name.startsWith('_') || name.length === 1 || /cache|time|rand|nonce|^(ts|cb)$/i.test(name) || /\d{10}/.test(value);

/** What requests ask for, kept: a client that never stops has each of them compared with many. */
const asked = new WeakMap<Call, string>();

/** What a request asks for: those that have it in common are the same request. */
export function askedBy(call: Call): string {
  const known = asked.get(call);
  if (known !== undefined) return known;
  const { method, path, query, operation, body } = call;
  // A parameter that keeps caches away is none that the operation has.
  const parameters = [...query]
    .filter(([name, value]) => (operation && name in parameterTable[operation]) || !keepsCachesAway(name, value))
    .map((pair) => pair.join('='));
  const text = [method, path, ...parameters.toSorted(), body].join(' ');
  asked.set(call, text);
  return text;
}

/** Whether a list is the same without a parameter: the league decides which of two sorts is the default (4.2). */
const isDefault = ({ operation }: Call, name: string, value: string): boolean =>
  name === 'sort' ? ['xp', 'time'].includes(value) : String(parameterTable[operation!][name]?.default) === value;

/** The parameters by which a request selects what is in its list. */
const selectionOf = (call: Call): string[] =>
  [...call.query]
    .filter(([name, value]) => name !== 'offset' && name !== 'limit' && !keepsCachesAway(name, value))
    .filter(([name, value]) => !isDefault(call, name, value))
    .map((pair) => pair.join('='));

/** The parameters that a request lacks of another one's. */
function lackedOf(call: Call, other: Call): string[] {
  const own = new Set(selectionOf(call));
  return selectionOf(other).filter((pair) => !own.has(pair));
}

/**
 * A page that goes on where one before it ends, and lacks a parameter of it, or has one more, while no page of its own list
 * comes before it.
 */
function unselected(pages: readonly Call[], page: Call): AuditViolation | undefined {
  const before = pages.filter((one) => one.number < page.number && one.path === page.path);
  if (before.some((one) => lackedOf(page, one).length + lackedOf(one, page).length === 0)) return undefined;
  for (const left of before) {
    if (left.start !== page.start || offsetOf(page) !== offsetOf(left) + entriesOf(left)!) continue;
    const [lacked, added] = [lackedOf(page, left), lackedOf(left, page)];
    if (lacked.length > 0 && added.length === 0)
      return violation(`${lacked.join('&')} on each page`, 'a page without', left, page);
    if (added.length > 0 && lacked.length === 0)
      return violation(`${added.join('&')} on each page, or on none`, 'a first page without', left, page);
  }
  return undefined;
}

/** What the queries of lists select. */
export const queries: readonly AuditRow[] = [
  {
    id: 'ADDR-QUERY-002',
    follows: ['ADDR-ENCODE-002'],
    level: 'ADVICE',
    sentence: 'A parameter selects something: the operation has it, and what it goes with is there.',
    source: '4.2',
    how: 'The names in every query are compared with the parameters of the operation; class goes with sort=class, season with type=season, and league with type=league, and the other way about. Parameters that other requirements judge, and those that keep caches away, are left out.',
    judge: (run) =>
      each(
        dataCalls(run).filter(({ query }) => query.size > 0),
        (call) => {
          const known = queryOf(call.operation!);
          const stray = [...call.query].find(
            ([name, value]) => !(name in known) && !judgedElsewhere.has(name) && !keepsCachesAway(name, value),
          );
          if (stray) return violation(`one of ${Object.keys(known).join(', ') || 'none'}`, `${stray[0]}=…`, call);
          const idle = [...selectors].find(
            ([name, [by]]) =>
              name in known && by in known && (call.query.get(name) ?? '') !== '' && !isSelected(call, name),
          );
          const lacking = [...selectors].find(
            ([name, [by]]) =>
              name in known && by in known && (call.query.get(name) ?? '') === '' && isSelected(call, name),
          );
          if (lacking) return violation(`${lacking[0]} with ${lacking[1].join('=')}`, `no ${lacking[0]}`, call);
          if (!idle) return undefined;
          const [name, [by, value]] = idle;
          return violation(
            `${name} with ${by}=${value}`,
            `${name} with ${by}=${call.query.get(by) ?? '…, left out'}`,
            call,
          );
        },
      ),
  },
  {
    id: 'ADDR-OFFSET-002',
    level: 'ADVICE',
    sentence: 'offset counts entries: the next page of a list begins behind the last entry that came.',
    source: '4.2',
    how: 'Three pages and more of one list, at equal distances, are compared with what came: a distance of at most half a page reads entries again, and one of more than a page leaves some out. So does a single longer step among steps of a page, or of one entry more than a page. Distances of two pages and more that name a limit are samples, and are not judged. Two pages without a limit are, where the second begins at the size of a page of another list (50, 200 or 500) and is not the last.',
    judge: (run) => {
      const judged = each(walks(run), wrongStep);
      const skipped = judged.violations.length === 0 ? (leftOut(run) ?? misjudged(run)) : undefined;
      return skipped ? { exercised: judged.exercised + 1, violations: [skipped] } : judged;
    },
  },
  {
    id: 'ADDR-OFFSET-003',
    level: 'ADVICE',
    sentence: 'offset says how many entries to skip: the first page of a list begins at 0.',
    source: '4.2',
    how: 'A list of which a page was asked for at offset 1, and none from its beginning, lacks its first entry.',
    judge: (run) =>
      each(lists(run), (pages) => {
        const [first] = pages;
        return first && offsetOf(first) === 1
          ? violation('offset 0, or none', 'offset 1, and no page that begins before it', first)
          : undefined;
      }),
  },
  {
    id: 'ADDR-OFFSET-004',
    level: 'ADVICE',
    sentence: 'A page is one of the list that its parameters select: those of the first page are on each behind it.',
    source: '4.2',
    how: 'A page that begins where one before it ends, and that lacks a parameter of it or has one more, is a page of another list. It is judged where no page of that list was asked for before.',
    judge: (run) => {
      const pages = pagesRead(run);
      return each(
        pages.filter((page) => offsetOf(page) > 0),
        (page) => unselected(pages, page),
      );
    },
  },
];
