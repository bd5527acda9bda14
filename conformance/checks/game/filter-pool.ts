import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

import type { DataRequest, Run } from '../../engine/run.js';
import { PrerequisiteFailed } from '../../verdict.js';
import { member } from '../../wire/answer.js';
import type { Answer } from '../../wire/answer.js';

/**
 * The filters of a run. There is no way to delete one, so a run creates at most twelve (K-072): each is made once,
 * whoever needs it shares it, and everything else is shown by updates.
 */
export interface Pooled {
  readonly body: Readonly<Record<string, unknown>>;
  readonly answer: Answer;
  /** Undefined where the creation gave none. */
  readonly id: string | undefined;
}

/** What the names of this run's filters begin with; another run's begin otherwise, in case names must be unique. */
export const filterPrefix = (run: Run): Promise<string> =>
  run.facts.once('prefix of filter names', async () => {
    const token = await run.oauth.token(['account:item_filter']);
    return `cx-${createHash('sha256').update(token).digest('hex').slice(0, 8)}`;
  });

/** A filter text that the server is known to find right, else one that few could find wrong (its rules are not shown). */
export const plainText = (run: Run): string => run.facts.target.known.good_filter ?? 'Show\n    BaseType "Gold Ring"\n';

/** Line ends of both kinds, tabs, quotes, backslashes, escapes, characters outside the basic plane, no last line end. */
const oddText =
  '  Show\r\n\tClass "Currency"\r\n\n# back\\slash \\n \\u0041 "quoted" \'single\' %41%2B+&amp; <b>&lt;</b> {"a":[1]}\n' +
  '# Ünïcode e\u0301 \u00e9 漢字 𝔘𝔫𝔦 🜁 \u200b|\ufeff|\u00a0|\r\n\r\n# a  b   c \t \nHide\n\t\tRarity Normal   ';

const made = (
  run: Run,
  key: string,
  body: Readonly<Record<string, unknown>>,
  request: Omit<DataRequest, 'body'> = {},
): Promise<Pooled> =>
  run.facts.once(`filter ${key}`, async () => {
    const full = { filter_name: `${await filterPrefix(run)} ${key}`, ...body };
    const answer = await run.http.data('createItemFilter', { ...request, body: full });
    const id = member(member(answer.json, 'filter'), 'id');
    return { body: full, answer, id: typeof id === 'string' && id !== '' ? id : undefined };
  });

/** Only what is required. Private, and never changed: what others read about filters they read here. */
export const plainFilter = (run: Run) => made(run, 'plain', { realm: 'pc', filter: plainText(run) });
/** Nothing optional but the type. */
export const ruthlessFilter = (run: Run) =>
  made(run, 'ruthless', { realm: 'pc', type: 'Ruthless', filter: plainText(run) });
/** Every optional text, `public` false. The one that updates are tried on. */
export const fullFilter = (run: Run) =>
  made(run, 'full', {
    realm: 'xbox',
    description: 'for "conformance": ü u\u0308 漢字 𝔘',
    version: '1.0.3-b',
    type: 'Ruthless',
    public: false,
    filter: `${plainText(run)}\r\n${plainText(run)}`,
  });
/** A long text with everything that may get lost on the way. A server may refuse it. */
export const oddFilter = (run: Run) =>
  made(run, 'odd', { realm: 'pc', type: 'Normal', filter: oddText + `\n# ${'0123456789 '.repeat(300)}` });
/** Characters that are taken for line ends, or for nothing, at the start and elsewhere. A server may refuse them. */
export const marks = '\ufeff# a\u2028b\u2029c\u0085d\u000be\u000cf\ufeff\n# \u001c\u00a0\u3000\u2003 e\u0301 \u212b\n';
/** What an escape, a normal form or a column of ASCII changes in a text of one line. */
export const oddWords = 'a  b "c" \\ d\\n <i>&amp;</i> %41+ e\u0301 \u00a0 𝔘 it\'s';
/** That text, and those words. */
export const marksFilter = (run: Run) =>
  made(run, 'marks', { realm: 'pc', description: oddWords, version: '1.10', filter: `${marks}${plainText(run)}` });
/** Longer than 65535 bytes, which some databases cut texts to. A server may refuse it for its length. */
export const longFilter = (run: Run) =>
  made(run, 'long', {
    realm: 'pc',
    filter: `${plainText(run)}\n${'# 0123456789 abcdefghij 0123456789 abcdefghi\n'.repeat(1700)}# end\n`,
  });
/** A name and a description of more characters than a short column holds. A server may refuse them for their length. */
export const wordyFilter = async (run: Run) =>
  made(run, 'wordy', {
    filter_name: `${await filterPrefix(run)} ${'name '.repeat(20)}end`,
    description: `${'description '.repeat(25)}end`,
    realm: 'pc',
    filter: plainText(run),
  });
/** In the second game's realm. */
export const secondFilter = (run: Run) =>
  made(run, 'second', { realm: run.facts.target.names.game2, filter: `${plainText(run)}\n` });
/** Public from the start. */
export const publicFilter = (run: Run) => made(run, 'public', { realm: 'pc', public: true, filter: plainText(run) });
/** Validated, with every optional field. Nothing updates it. */
export const fullValidatedFilter = (run: Run) =>
  made(
    run,
    'full and validated',
    { realm: 'pc', description: 'validated', version: '1.1', type: 'Normal', public: true, filter: plainText(run) },
    { args: { validate: true } },
  );
/** Every optional field null. Published later on. */
export const nullFilter = (run: Run) =>
  made(run, 'null', {
    realm: 'pc',
    description: null,
    version: null,
    type: null,
    public: null,
    filter: plainText(run),
  });
/** By `application/json; charset=utf-8`. */
export const charsetFilter = (run: Run) =>
  made(
    run,
    'charset',
    { realm: 'pc', filter: plainText(run) },
    { headers: { 'content-type': 'application/json; charset=utf-8' } },
  );
/** With `validate=true`, in realm sony. */
export const validatedFilter = (run: Run) =>
  made(run, 'validated', { realm: 'sony', filter: plainText(run) }, { args: { validate: true } });
/** The name has quotes, escapes, a combining mark and characters outside the basic plane; a server may refuse such names. */
export const namedFilter = async (run: Run) =>
  made(run, 'named', {
    filter_name: `${await filterPrefix(run)} "n" \\ %41+ <b> Ünï e\u0301 漢 𝔘`,
    realm: 'pc',
    filter: plainText(run),
  });

/** Media types that are not application/json, however much of it they have in their names. */
export const otherTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/json-patch+json',
  'text/json',
] as const;

/** The id of a pooled filter; *could not run* where it was not created. */
export async function idOf(run: Run, make: (run: Run) => Promise<Pooled>): Promise<string> {
  const { id, answer } = await make(run);
  if (id === undefined) throw new PrerequisiteFailed(`POST /item-filter answered ${answer.status} without a filter id`);
  return id;
}

/** A token of the account that has the filters for another client; undefined where there is none that may have one. */
export async function tokenOfOther(run: Run): Promise<string | undefined> {
  const role = (['confidential_other', 'public'] as const).find((one) =>
    run.facts.target.clients[one]?.scopes.includes('account:item_filter'),
  );
  if (role === undefined || !run.facts.hooks.consent) return undefined;
  return (await run.oauth.grant(role, { account: 'alice', scopes: ['account:item_filter'] })).access;
}

const blanks = ' \t\n';

/** A text with line ends of one kind, and without blanks at its ends: nothing says that a server keeps those (K-121). */
export function plainly(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const text = value.replaceAll(/\r\n?/g, '\n');
  let [from, to] = [0, text.length];
  while (from < to && blanks.includes(text[from]!)) from += 1;
  while (to > from && blanks.includes(text[to - 1]!)) to -= 1;
  return text.slice(from, to);
}

/** That a field is kept as it was sent; other line ends, or none of the blanks at its ends, are warned of. */
export function keptAsSent(run: Run, got: unknown, sent: unknown, field: string, what: string, answer?: Answer): void {
  if (got !== sent && plainly(got) === plainly(sent))
    run.expect.warn(`line ends of ${field}, or the blanks at its ends, are changed`);
  else run.expect.equal(got, sent, what, answer);
}

/** The filter that an answer wraps. */
export const filterOf = (answer: Answer): unknown => member(answer.json, 'filter');

/** A pooled filter that must have been created, which is not the row of whoever builds upon it. */
export async function created(
  run: Run,
  make: (run: Run) => Promise<Pooled>,
): Promise<Pooled & { readonly id: string }> {
  const pooled = await make(run);
  return { ...pooled, id: await idOf(run, make) };
}

/** What the server has stored; *could not run* where it does not say. */
export async function stored(run: Run, id: string, account?: string): Promise<Readonly<Record<string, unknown>>> {
  const answer = await run.http.data('getItemFilter', { args: { id }, ...(account !== undefined && { account }) });
  const filter = member(answer.json, 'filter');
  if (answer.status !== 200 || typeof filter !== 'object' || filter === null) {
    throw new PrerequisiteFailed(`GET /item-filter/<id> answered ${answer.status} without the filter`);
  }
  return filter as Readonly<Record<string, unknown>>;
}

/** How long further processing may take before an update counts as lost, in seconds. */
export const visibleWithin = 5;

/**
 * What is stored after an update. One that was answered 202 needs further processing (interface 4.2), for which no time
 * is stated: with `wait` the filter is read again for as long as `visibleWithin` until it is as expected.
 */
export async function settled(
  run: Run,
  id: string,
  wait: boolean,
  expected: (filter: Readonly<Record<string, unknown>>) => boolean,
): Promise<Readonly<Record<string, unknown>>> {
  for (let tries = wait ? visibleWithin * 4 : 0; ; tries -= 1) {
    const filter = await stored(run, id);
    if (tries === 0 || expected(filter)) return filter;
    await pause(250);
  }
}

/** The account's filters as they are listed. */
export async function listed(run: Run): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const answer = await run.http.data('listItemFilters');
  const filters = member(answer.json, 'filters');
  if (answer.status !== 200 || !Array.isArray(filters)) {
    throw new PrerequisiteFailed(`GET /item-filter answered ${answer.status} without a list of filters`);
  }
  return filters as readonly Readonly<Record<string, unknown>>[];
}

/** What the names of filters begin with that must not come to be. */
export const refusedName = 'cx-refused';

/**
 * That refused creations leave nothing behind: no filter is listed that was not there before, apart from those that
 * the run makes on purpose.
 */
export async function nothingCreated(run: Run, refusals: () => Promise<void>): Promise<void> {
  const before = new Set((await listed(run)).map(({ id }) => id));
  await refusals();
  const more = (await listed(run)).filter(
    ({ id, filter_name: name }) =>
      !before.has(id) && !(typeof name === 'string' && name.startsWith('cx-') && !name.startsWith(refusedName)),
  );
  run.expect.that(more.length === 0, 'no new filter in the list after refusals', more);
}
